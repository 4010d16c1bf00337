// The answer of a model while a word is hidden from all attention, beside what Transformers gives where attention_mask
// is 0.
#include "core/model/hidden_words.h"
#include "core/model/model_results.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using model::Model, model::Options;

namespace {

constexpr double tolerance = 2e-5; // of the largest logit

QStringList texts_of(const std::vector<model::Word>& words) {
    QStringList texts;
    for (const auto& word : words)
        texts << QString::fromStdString(word.text);
    return texts;
}

} // namespace

class TestHiddenWords : public QObject {
    Q_OBJECT

private slots:
    void everyPosition_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name :
             {"gpt2", "llama", "gpt_oss", "bert", "modernbert_classes", "bert_classes", "gpt2_classes", "t5", "bart"})
            QTest::newRow(name) << name;
    }
    void everyPosition() {
        QFETCH(QString, name);
        const auto folder = name.toStdString();
        const auto model = Model::open(model_folder(folder));
        const auto input = input_of(folder, expected_arrays(folder));
        const auto plain = model.run(input);
        const auto expected = io::read_npz(std::filesystem::path(ATTNLAB_TEST_DATA_DIR) / "hidden" / (folder + ".npz"),
                                           {}, io::Members::All)
                                  .tensors.at("logits");
        QCOMPARE(expected.dim(0), std::ssize(input.ids));
        double moved = 0.0;
        for (std::int64_t position = 0; position < expected.dim(0); ++position) {
            const Options options{.hidden = {position}};
            const auto row = std::span(expected.values())
                                 .subspan(static_cast<std::size_t>(position * expected.dim(1)),
                                          static_cast<std::size_t>(expected.dim(1)));
            const auto logits_of = [&](const model::Result* previous) {
                return model.run(input, options, {}, previous).logits;
            };
            const auto alone = logits_of(nullptr), continued = logits_of(&plain);
            QVERIFY2(difference(alone.row_span(alone.rows - 1), row, true) <= tolerance,
                     std::to_string(position).c_str());
            QVERIFY(difference(continued.values, std::span<const float>(alone.values), true) <= tolerance);
            moved = std::max(moved, difference(plain.logits.row_span(plain.logits.rows - 1), row, true));
        }
        QVERIFY(moved > 100.0 * tolerance); // else the test would not see what it tests
    }

    /// A run of all words does not take numbers from one in which some are hidden, nor that from others.
    void runsAreKeptApart() {
        const auto model = Model::open(model_folder("llama"));
        const auto input = input_of("llama", expected_arrays("llama"));
        const auto plain = model.run(input);
        const auto hidden = model.run(input, {.hidden = {3, 4}}, {}, &plain);
        const auto off = [](const model::Result& a, const model::Result& b) {
            return difference(a.logits.values, std::span<const float>(b.logits.values), true);
        };
        QVERIFY(off(hidden, plain) > 100.0 * tolerance);
        QVERIFY(off(model.run(input, {}, {}, &hidden), plain) <= tolerance);
        QVERIFY(off(model.run(input, {.hidden = {7}}, {}, &hidden), model.run(input, {.hidden = {7}})) <= tolerance);
        const auto weights = hidden.passes.front()->weights(0);
        const auto keys = static_cast<std::size_t>(hidden.passes.front()->keys);
        QCOMPARE(weights[9 * keys + 3], 0.0F);
        QVERIFY(weights[9 * keys + 5] > 0.0F);
    }

    void wordsOfATokenizer_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("words"); // without the last, where the answer of a decoder stands
        const auto folder = [](const char* name) { return QString::fromStdString(model_folder(name).string()); };
        const QString sentence = QStringLiteral("the quick brown fox jumped over the lazy dog, it's 2026!");
        const QStringList spaced{"the", "quick", "brown", "fox", "jumped", "over", "the", "lazy", "dog"};
        QTest::newRow("byte-level BPE") << folder("gpt2") << sentence << spaced + QStringList{",", "it's", "2026"};
        QTest::newRow("SentencePiece") << folder("llama") << sentence << spaced + QStringList{",", "it's", "2026"};
        QTest::newRow("WordPiece") << folder("bert") << sentence
                                   << spaced + QStringList{",", "it", "'", "s", "2026", "!"};
        QTest::newRow("tokens of bytes") << folder("gpt2") << QStringLiteral("the 牛奶 cat")
                                         << QStringList{"the", "牛奶"};
        QTest::newRow("characters without spaces")
            << folder("bert") << QStringLiteral("the dog ß") << QStringList{"the", "dog", "ß"};
        QTest::newRow("the sample") << QStringLiteral(ATTNLAB_MODELS_DIR "/sample")
                                    << QStringLiteral("when john and mary went to the shop, john gave a drink to")
                                    << QStringList{"when", "john", "and",  "mary", "went", "to",   "the",
                                                   "shop", ",",    "john", "gave", "a",    "drink"};
    }
    void wordsOfATokenizer() {
        QFETCH(QString, path);
        QFETCH(QString, text);
        const auto model = Model::open(path.toStdString());
        const auto input = model.input_of(model.tokenizer()->encode(text.toStdString()));
        const auto result = model.run(input);
        const auto words = model::words_of(model, result, 0);
        QTEST(texts_of(words), "words");
        std::int64_t before = 0;
        for (const auto& word : words) {
            QVERIFY(word.positions.first >= before && word.positions.last > word.positions.first);
            before = word.positions.last;
        }
    }

    void theAnswerWithoutEachWord() {
        const auto model = Model::open(model_folder("gpt2"));
        const auto input = input_of("gpt2", expected_arrays("gpt2"));
        const auto result = model.run(input, {.ablations = {{"decoder.1.self", 2}}});
        const auto words = model::words_of(model, result, 0);
        double reported = 0.0;
        RunControl control;
        control.progress = [&](double fraction) { reported = fraction; };
        const auto logits = model::logits_without(model, result, 0, words, control);
        QCOMPARE(logits.rows, std::ssize(words) + 1);
        QCOMPARE(reported, 1.0);
        const auto last = logits.row_span(logits.rows - 1);
        QVERIFY(std::ranges::equal(last, result.logits.values));
        const auto& third = words[2].positions;
        Options options{.ablations = result.ablations};
        for (auto position = third.first; position < third.last; ++position)
            options.hidden.push_back(position);
        QVERIFY(options.hidden.size() > 1); // a word of several tokens
        const auto alone = model.run(input, options);
        QVERIFY(difference(logits.row_span(2), std::span<const float>(alone.logits.values), true) <= tolerance);
        control.cancelled = [] { return true; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, model::logits_without(model, result, 0, words, control));
    }

    void whatCannotBeHiddenIsRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::vector<std::int64_t>>("hidden");
        QTest::addColumn<QString>("said");
        QTest::newRow("behind the end") << "gpt2" << std::vector<std::int64_t>{26}
                                        << "There is no position 26, expected a number from 0 to 25";
        QTest::newRow("twice") << "gpt2" << std::vector<std::int64_t>{3, 3}
                               << "Hidden position 3 stands behind 3, expected ascending order";
        QTest::newRow("a sound") << "wav2vec2" << std::vector<std::int64_t>{1}
                                 << "Positions of a text are hidden, and this model reads none";
        QTest::newRow("a decoder that reads the text")
            << "bart_classes" << std::vector<std::int64_t>{1}
            << "No word can be hidden from this model: its decoder reads the text, too";
    }
    void whatCannotBeHiddenIsRefused() {
        QFETCH(QString, name);
        QFETCH(std::vector<std::int64_t>, hidden);
        const auto folder = name.toStdString();
        const auto model = Model::open(model_folder(folder));
        QString said;
        try {
            model.run(input_of(folder, expected_arrays(folder)), {.hidden = hidden});
        } catch (const Error& error) {
            said = QString::fromUtf8(error.what());
        }
        QTEST(said, "said");
    }

    void whatElseReads() {
        QVERIFY(!model::reads_without_attention(Model::open(model_folder("gpt2")).description()));
        for (const auto* name : {"lfm2", "convbert"})
            QVERIFY(model::reads_without_attention(Model::open(model_folder(name)).description()));
    }
};

ATTNLAB_TEST(TestHiddenWords)
#include "test_hidden_words.moc"
