// What is shown of a model beside its heads: rollout, differences of two runs, guesses for masked tokens.
#include "core/model/model_results.h"
#include "core/model/pass_figures.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <numeric>

using namespace attnlab;
using namespace attnlab::model;

class TestModelViews : public QObject {
    Q_OBJECT

    static Result runOf(const Model& model, std::string_view text) {
        model::Input input;
        for (const auto& token : model.tokenizer()->encode(text))
            input.ids.push_back(token.id);
        return model.run(std::move(input));
    }

    /// (A + I) / 2 with rows that sum to 1, cell by cell.
    static std::vector<double> mixing(const model::Pass& pass) {
        const auto n = static_cast<std::size_t>(pass.queries);
        std::vector<double> mixed(n * n);
        for (std::int64_t head = 0; head < pass.heads; ++head) {
            const auto weights = pass.weights(head);
            for (std::size_t i = 0; i < mixed.size(); ++i)
                mixed[i] += static_cast<double>(weights[i]) / (2.0 * static_cast<double>(pass.heads));
        }
        for (std::size_t i = 0; i < n; ++i) {
            mixed[i * n + i] += 0.5;
            const auto row = std::span(mixed).subspan(i * n, n);
            const double sum = std::accumulate(row.begin(), row.end(), 0.0);
            for (double& cell : row)
                cell /= sum;
        }
        return mixed;
    }

    static std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
        std::vector<double> c(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < n; ++k)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
        return c;
    }

private slots:
    void rolloutIsTheProductOfItsLayers_data() {
        QTest::addColumn<std::string>("name");
        for (const char* name : {"gpt2", "bert", "mistral", "gpt_oss", "t5"})
            QTest::newRow(name) << std::string(name);
    }

    void rolloutIsTheProductOfItsLayers() {
        QFETCH(std::string, name);
        const auto model = Model::open(test::model_folder(name));
        const auto result =
            runOf(model, "the quick brown fox jumped over the lazy dog. the quick brown fox jumped over "
                         "the lazy dog. the quick brown fox jumped over the lazy dog");
        std::vector<double> expected;
        std::size_t n = 0;
        std::string stack;
        for (const auto& pass : result.passes) {
            if (pass->is_cross())
                continue;
            if (pass->name.substr(0, 7) != stack) { // another stack begins anew
                stack = pass->name.substr(0, 7);
                n = static_cast<std::size_t>(pass->queries);
                expected.assign(n * n, 0.0);
                for (std::size_t i = 0; i < n; ++i)
                    expected[i * n + i] = 1.0;
            }
            expected = product(mixing(*pass), expected, n);
            const auto rolled = rollout(result, pass->name);
            QCOMPARE(rolled.shape(), (Shape{pass->queries, pass->queries}));
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY2(std::abs(rolled.values()[i] - expected[i]) < 1e-12, pass->name.c_str());
        }
        QVERIFY(!expected.empty());
    }

    void rolloutRefusesWhatItCannotRead() {
        const auto model = Model::open(test::model_folder("t5"));
        const auto result = runOf(model, "the fox");
        QVERIFY_THROWS_EXCEPTION(Error, rollout(result, "decoder.0.cross"));
        QVERIFY_THROWS_EXCEPTION(Error, rollout(result, "decoder.9.self"));
        const auto llama = Model::open(test::model_folder("llama"));
        const auto largest =
            llama.run({.ids = std::vector<std::int64_t>(max_rollout_positions, 3)}, {.logits = Options::Logits::None});
        QVERIFY_THROWS_EXCEPTION(Cancelled, rollout(largest, "decoder.0.self", {.cancelled = [] { return true; }}));
        const auto larger = llama.run({.ids = std::vector<std::int64_t>(max_rollout_positions + 1, 3)},
                                      {.logits = Options::Logits::None});
        QVERIFY_THROWS_EXCEPTION(Error, rollout(larger, "decoder.0.self"));
    }

    void differencesOfTwoTexts() {
        const auto model = Model::open(test::model_folder("bert"));
        const auto one = runOf(model, "the quick brown fox"), two = runOf(model, "the lazy dog");
        const model::Pass &a = *one.passes[1], &b = *two.passes[1];
        QVERIFY(a.queries > b.queries);
        const auto found = head_difference(a, b, 2, 1);
        QCOMPARE(found.pooled.shape(), (Shape{b.queries, b.keys}));
        const auto weights_a = a.weights(2), weights_b = b.weights(2);
        double distance = 0.0, largest = 0.0;
        for (std::int64_t i = 0; i < b.queries; ++i)
            for (std::int64_t j = 0; j < b.keys; ++j) {
                const double expected = static_cast<double>(weights_b[static_cast<std::size_t>(i * b.keys + j)]) -
                                        static_cast<double>(weights_a[static_cast<std::size_t>(i * a.keys + j)]);
                QCOMPARE(found.pooled.at({i, j}), expected);
                distance += std::abs(expected) / 2.0 / static_cast<double>(b.queries);
                largest = std::abs(expected) > std::abs(largest) ? expected : largest;
            }
        QVERIFY(std::abs(found.distance - distance) < 1e-12);
        QVERIFY(distance > 0.0);
        QCOMPARE(head_difference(a, b, 2, 100).pooled.value(0), largest);
        QCOMPARE(head_difference(a, a, 2, 1).distance, 0.0);
    }

    void meanOfOneTokenIsItself() {
        const auto model = Model::open(test::model_folder("gpt2"));
        const model::Input input{.ids = {7}};
        const auto plain = model.run(input);
        const auto mean = model.run(input, {.ablations = {{"decoder.1.self", 0, Ablation::By::Mean}}});
        const auto zero = model.run(input, {.ablations = {{"decoder.1.self", 0, Ablation::By::Zero}}});
        QVERIFY(test::difference(mean.logits.values, std::span<const float>(plain.logits.values), true) < 1e-6);
        QVERIFY(test::difference(zero.logits.values, std::span<const float>(plain.logits.values), true) > 1e-4);
    }

    void guessesForMasks_data() {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("mask");
        QTest::newRow("bert") << std::string("bert") << std::string("[MASK]");
        QTest::newRow("distilbert") << std::string("distilbert") << std::string("[MASK]");
        QTest::newRow("roberta") << std::string("roberta") << std::string("<mask>");
    }

    /// The same as from the logits of every position.
    void guessesForMasks() {
        QFETCH(std::string, name);
        QFETCH(std::string, mask);
        const auto model = Model::open(test::model_folder(name));
        QVERIFY(fills_masks(model));
        QCOMPARE(mask_spelling(model), std::optional(mask));
        model::Input input;
        for (const auto& token : model.tokenizer()->encode("the " + mask + " jumped over the " + mask + " dog"))
            input.ids.push_back(token.id);
        const auto positions = masked_positions(model, input.ids);
        QCOMPARE(positions.size(), 2u);
        const auto all = model.run(input, {.logits = Options::Logits::All});
        const auto some = model.run(input, {.logits = Options::Logits::Chosen, .positions = positions});
        QCOMPARE(some.logits.rows, std::int64_t{2});
        QCOMPARE(some.logit_positions, positions);
        for (std::int64_t row = 0; row < 2; ++row) {
            const auto expected = likeliest(model, all, 5, positions[static_cast<std::size_t>(row)]);
            const auto found = likeliest(model, some, 5, row);
            QCOMPARE(found.size(), 5u);
            QCOMPARE(found.front().id, expected.front().id);
            QVERIFY(std::abs(found.front().probability - expected.front().probability) < 1e-5);
        }
        QVERIFY_THROWS_EXCEPTION(Error, model.run(input, {.logits = Options::Logits::Chosen, .positions = {99}}));
    }

    void decodersFillNoMasks() {
        for (const char* name : {"gpt2", "t5", "vit"})
            QVERIFY2(!fills_masks(Model::open(test::model_folder(name))), name);
        QVERIFY(!mask_spelling(Model::open(test::model_folder("gpt2"))));
    }
};

ATTNLAB_TEST(TestModelViews)
#include "test_model_views.moc"
