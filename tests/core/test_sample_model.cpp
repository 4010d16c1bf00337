// The model of resources/models/sample: what README.md there says of its heads is true of the committed weights.
#include "core/backend.h"
#include "core/explain/head_figures.h"
#include "core/model/model.h"
#include "core/model/model_results.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/random.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <numeric>

using namespace attnlab;
using explain::HeadFigures, explain::KeyShare;
using model::Ablation, model::Model, model::Options, model::Result;

namespace {

using Ids = std::vector<std::int64_t>;

const std::string mary_and_john = "When Mary and John went to the store, John gave a drink to";
const Ablation previous_head{"decoder.0.self", 0}, induction_head{"decoder.1.self", 0}, giver_head{"decoder.1.self", 1},
    name_mover{"decoder.2.self", 0};

/// Of scripts/sample_model_text.py: the first name in the vocabulary, and pairs that were not trained on.
constexpr std::int64_t first_name = 257, names = 60;
bool is_held_out(std::int64_t one, std::int64_t other) { return (one + other) % 10 == 0; }

/// The start of a text, then `period` different tokens drawn from all others, twice.
constexpr std::int64_t start = 0, period = 16;
Ids repeated_tokens(std::int64_t vocabulary, std::uint64_t seed) {
    Ids block(static_cast<std::size_t>(vocabulary - 1));
    std::iota(block.begin(), block.end(), start + 1);
    Random random(seed);
    for (std::size_t i = 0; i < period; ++i) {
        const auto rest = static_cast<double>(block.size() - i);
        std::swap(block[i], block[i + static_cast<std::size_t>(random.uniform() * rest)]);
    }
    Ids ids{start};
    for (int repetition = 0; repetition < 2; ++repetition)
        ids.insert(ids.end(), block.begin(), block.begin() + period);
    return ids;
}

std::int64_t likeliest(const Result& result, std::int64_t row) {
    const auto* logits = result.logits.row(row);
    return std::max_element(logits, logits + result.logits.columns) - logits;
}

double probability(const Result& result, std::int64_t id) {
    return model::probabilities(result, result.logits.rows - 1).at(static_cast<std::size_t>(id));
}

} // namespace

class TestSampleModel : public QObject {
    Q_OBJECT

    const Model sample_ = Model::open(ATTNLAB_MODELS_DIR "/sample");

    Ids idsOf(const std::string& text) const {
        Ids ids;
        for (const auto& token : sample_.tokenizer()->encode(text))
            ids.push_back(token.id);
        return ids;
    }
    std::int64_t idOf(const std::string& word) const { return idsOf(word).at(1); }
    std::string wordOf(std::int64_t id) const { return sample_.tokenizer()->decode({id}); }

    /// The share of tokens that are the likeliest where they come for the second time.
    double copied(const std::vector<Ablation>& off = {}) const {
        int right = 0, count = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const auto ids = repeated_tokens(sample_.tokenizer()->size(), seed);
            const auto result = sample_.run({.ids = ids}, {.logits = Options::Logits::All, .ablations = off});
            for (auto i = static_cast<std::size_t>(period) + 1; i + 1 < ids.size(); ++i, ++count)
                right += likeliest(result, static_cast<std::int64_t>(i)) == ids[i + 1];
        }
        return static_cast<double>(right) / count;
    }

    /// The share of held-out pairs of names, either of which gives, whose other name is the likeliest next token.
    double namesRight(const std::vector<Ablation>& off = {}) const {
        int right = 0, count = 0;
        for (std::int64_t one = 0; one < names; ++one)
            for (std::int64_t other = 0; other < names; ++other) {
                if (one == other || !is_held_out(one, other))
                    continue;
                const auto taker = wordOf(first_name + one), giver = wordOf(first_name + other);
                const auto text = "When" + taker + " and" + giver + " went to the park," + giver + " gave a ball to";
                const auto result = sample_.run({.ids = idsOf(text)}, {.ablations = off});
                right += likeliest(result, result.logits.rows - 1) == first_name + one;
                ++count;
            }
        return static_cast<double>(right) / count;
    }

    HeadFigures figuresOf(const Ids& ids, const Ablation& head) const {
        std::vector<std::string> equalities;
        for (const auto id : ids)
            equalities.push_back(std::to_string(id));
        return model::figures_of(*sample_.run({.ids = ids}).find(head.pass), equalities)
            .at(static_cast<std::size_t>(head.head));
    }

    /// The weights of a head by the engine of the workspace: (tokens, tokens).
    Tensor weightsOf(const Ids& ids, const Ablation& head) const {
        const auto labels = model::labels_of(sample_, ids);
        const auto pass = sample_.run({.ids = ids}).find(head.pass);
        const auto trace = reference_backend().run(model::problem_of(*pass, head.head, {labels, labels, true}), {});
        return trace.find("weights")->value;
    }

private slots:
    void isSmall() {
        const auto weights = std::filesystem::path(ATTNLAB_MODELS_DIR) / "sample" / "model.safetensors";
        QVERIFY(std::filesystem::file_size(weights) <= 4'000'000);
        QCOMPARE(sample_.description().type, std::string("gpt2"));
    }

    void wordsAreTokensAndOthersAreSpelled() {
        std::vector<std::string> texts;
        for (const auto& token : sample_.tokenizer()->encode("Mary met Zed, é"))
            texts.push_back(token.text);
        QCOMPARE(texts,
                 (std::vector<std::string>{"<|endoftext|>", "ĠMary", "Ġmet", "Ġ", "Z", "e", "d", ",", "Ġ", "Ã", "©"}));
        QCOMPARE(sample_.tokenizer()->decode(idsOf("Mary met Zed, é")), std::string("<|endoftext|> Mary met Zed, é"));
    }

    void aHeadReadsThePreviousToken_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("random tokens that repeat") << QString();
        QTest::newRow("names") << QString::fromStdString(mary_and_john);
        QTest::newRow("a sentence") << "The quick brown fox jumps over the lazy dog.";
        QTest::newRow("words that it does not know") << "Zebras graze quietly; nobody looks.";
    }
    void aHeadReadsThePreviousToken() {
        QFETCH(QString, text);
        const auto ids = text.isEmpty() ? repeated_tokens(sample_.tokenizer()->size(), 9) : idsOf(text.toStdString());
        QVERIFY(figuresOf(ids, previous_head).previous->informative > 0.8);
    }

    void aHeadFindsWhatFollowedBefore() {
        for (std::uint64_t seed = 11; seed <= 14; ++seed) {
            const auto ids = repeated_tokens(sample_.tokenizer()->size(), seed);
            QVERIFY(figuresOf(ids, induction_head).induction->informative > 0.6);
            const auto weights = weightsOf(ids, induction_head);
            const auto size = std::ssize(ids);
            double sum = 0.0;
            for (std::int64_t row = period + 1; row < size; ++row)
                sum += weights.values()[static_cast<std::size_t>(row * size + row - period + 1)];
            QVERIFY(sum / period > 0.6);
        }
    }

    void copiesByThatHead() {
        QVERIFY(copied() > 0.9);
        QVERIFY(copied({induction_head}) < copied() / 2.0);
        // It needs the one before it to know what followed.
        QVERIFY(copied({previous_head}) < copied() / 2.0);
    }

    void theOtherNameIsNext_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::newRow("the second gives") << QString::fromStdString(mary_and_john) << "Mary";
        QTest::newRow("the first gives") << "When Mary and John went to the store, Mary gave a drink to"
                                         << "John";
        QTest::newRow("new pair") << "When Anna and Lucy went to the store, Lucy gave a drink to"
                                  << "Anna";
        QTest::newRow("two sentences") << "Then John and Peter were at the park and John handed the ball to"
                                       << "Peter";
    }
    void theOtherNameIsNext() {
        QFETCH(QString, text);
        QFETCH(QString, name);
        const auto ids = idsOf(text.toStdString());
        const auto expected = idOf(name.toStdString());
        QVERIFY(probability(sample_.run({.ids = ids}), expected) > 0.8);
        const auto weights = weightsOf(ids, name_mover);
        const auto size = std::ssize(ids);
        const auto key = std::find(ids.begin(), ids.end(), expected) - ids.begin();
        QVERIFY(weights.values()[static_cast<std::size_t>((size - 1) * size + key)] > 0.5);
    }

    void knowsPairsThatItNeverRead() { QVERIFY(namesRight() > 0.95); }

    void namesNeedTheHeadThatMovesThem() {
        const auto ids = idsOf(mary_and_john);
        const auto mary = idOf("Mary");
        const double whole = probability(sample_.run({.ids = ids}), mary);
        const double without = probability(sample_.run({.ids = ids}, {.ablations = {name_mover}}), mary);
        QVERIFY(without < 0.7 * whole);
        // Of two names one is right by chance.
        QVERIFY(namesRight({name_mover}) < 0.7);
        QVERIFY(namesRight({giver_head}) < 0.7);
        // A head that has nothing to do with names.
        QVERIFY(namesRight({induction_head}) > 0.9);
    }
};

ATTNLAB_TEST(TestSampleModel)
#include "test_sample_model.moc"
