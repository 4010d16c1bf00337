#include "core/model/forward.h"
#include "core/model/image.h"
#include "core/model/model.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/model/untrained.h"
#include "tests/core/engine_support.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using model::Ablation, model::Model, model::Options;

namespace {

constexpr double rounding = 2e-5;

void add_rows_of(std::initializer_list<const char*> names) {
    QTest::addColumn<QString>("name");
    for (const auto* name : names)
        QTest::newRow(name) << name;
}

struct Opened {
    explicit Opened(const QString& name)
        : expected(expected_arrays(name.toStdString())), model(Model::open(model_folder(name.toStdString()))),
          input(input_of(name.toStdString(), expected)) {}

    TensorMap expected;
    Model model;
    model::Input input;
};

} // namespace

class TestModel : public QObject {
    Q_OBJECT

private slots:
    void weightsOfARowSumToOne_data() {
        add_rows_of(
            {"bert", "gpt2", "gemma2", "mistral", "t5", "bart", "gpt_oss", "deepseek_v3", "deberta_v2", "beit"});
    }
    void weightsOfARowSumToOne() {
        QFETCH(QString, name);
        const Opened opened(name);
        const auto result = opened.model.run(opened.input);
        for (const auto& pass : result.passes)
            for (std::int64_t head = 0; head < pass->heads; ++head) {
                const auto weights = pass->weights(head);
                for (std::int64_t row = 0; row < pass->queries; ++row) {
                    double sum = 0.0;
                    for (std::int64_t key = 0; key < pass->keys; ++key) {
                        const float weight = weights[static_cast<std::size_t>(row * pass->keys + key)];
                        const auto range = pass->readable(row);
                        QVERIFY(weight >= 0.0F);
                        QVERIFY(weight == 0.0F || (key >= range.first && key < range.last));
                        sum += weight;
                    }
                    if (pass->sinks.empty())
                        QVERIFY(std::abs(sum - 1.0) < rounding);
                    else
                        QVERIFY(sum > 0.0 && sum < 1.0);
                }
            }
    }

    /// A decoder that reads the text itself gets it without being told.
    void classesOfBartReadTheText() {
        const Opened opened("bart_classes");
        QVERIFY(opened.model.run({.ids = opened.input.ids}).logits.values ==
                opened.model.run(opened.input).logits.values);
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.decoder_ids(opened.input.ids, {3}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = {3, 4}}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = opened.input.ids, .decoder_ids = {2}}));
    }

    /// Classes of a decoder are those of the last token that is no padding; of padding alone, those of the first.
    void classesIgnorePadding() {
        const Opened opened("llama_classes");
        constexpr std::int64_t padding = 0;
        const auto logits = [&](const std::vector<std::int64_t>& ids) {
            return opened.model.run({.ids = ids}).logits.values;
        };
        const auto is_same = [](const auto& one, const auto& other) {
            return difference(one, std::span<const float>(other), true) < rounding;
        };
        QVERIFY(is_same(logits({5, 7, padding, padding}), logits({5, 7})));
        QVERIFY(is_same(logits({padding, padding, padding}), logits({padding})));
        QVERIFY(!is_same(logits({5, 7, 5}), logits({5, 7})));
    }

    /// Typing on: only what is new is computed, and nothing differs.
    void prefixIsReused_data() {
        add_rows_of({"gpt2", "llama", "llama_yarn", "mistral", "gemma2", "gemma3", "gpt_oss", "opt", "phi3"});
    }
    void prefixIsReused() {
        QFETCH(QString, name);
        const Opened opened(name);
        const auto& ids = opened.input.ids;
        const auto whole = opened.model.run({.ids = ids});
        for (const std::size_t known : {std::size_t{1}, std::size_t{7}, ids.size() - 1, ids.size()}) {
            auto before = ids;
            before.resize(known);
            before.push_back(3);
            before.push_back(4);
            const auto previous = opened.model.run({.ids = before});
            const auto reused = opened.model.run({.ids = ids}, {}, {}, &previous);
            QCOMPARE(reused.passes.size(), whole.passes.size());
            for (std::size_t i = 0; i < whole.passes.size(); ++i) {
                const auto& one = *reused.passes[i];
                const auto& other = *whole.passes[i];
                QVERIFY(difference(one.query, std::span<const float>(other.query), true) < rounding);
                QVERIFY(difference(one.key, std::span<const float>(other.key), true) < rounding);
                QVERIFY(difference(one.value, std::span<const float>(other.value), true) < rounding);
                QVERIFY(difference(one.lse, std::span<const float>(other.lse), true) < rounding);
            }
            QVERIFY(difference(reused.logits.values, std::span<const float>(whole.logits.values), true) < rounding);
        }
    }

    void encoderIsReused_data() { add_rows_of({"t5", "bart"}); }
    void encoderIsReused() {
        QFETCH(QString, name);
        const Opened opened(name);
        auto shorter = opened.input;
        shorter.decoder_ids.resize(4);
        const auto previous = opened.model.run(shorter);
        const auto reused = opened.model.run(opened.input, {}, {}, &previous);
        const auto whole = opened.model.run(opened.input);
        QVERIFY(reused.encoder_hidden.front() == previous.encoder_hidden.front());
        QVERIFY(difference(reused.logits.values, std::span<const float>(whole.logits.values), true) < rounding);
    }

    /// Without any head, what a block adds is the bias of its projection, whatever the queries are.
    void allHeadsOffIsTheBiasAlone_data() { add_rows_of({"gpt2", "bert", "opt"}); }
    void allHeadsOffIsTheBiasAlone() {
        QFETCH(QString, name);
        const Opened opened(name);
        Options options{.logits = Options::Logits::None};
        const auto pass = opened.model.pass_names().front();
        const auto heads = opened.model.run(opened.input).passes.front()->heads;
        for (std::int64_t head = 0; head < heads; ++head)
            options.ablations.push_back({pass, head});
        auto other = opened.input;
        std::reverse(other.ids.begin(), other.ids.end());
        other.ids.back() = opened.input.ids.back();
        const auto one = opened.model.run(opened.input, options), two = opened.model.run(other, options);
        // The last token is the same in both: without attention the others cannot reach it.
        const auto& hidden = [](const model::Result& result) -> const auto& {
            return result.decoder_hidden.empty() ? result.encoder_hidden : result.decoder_hidden;
        };
        const auto last = [&](const model::Result& result) {
            const auto& matrix = *hidden(result)[1];
            return std::vector<float>(matrix.row(matrix.rows - 1), matrix.row(matrix.rows - 1) + matrix.columns);
        };
        QVERIFY(difference(last(one), std::span<const float>(last(two)), true) < rounding);
    }

    void meanOfAHeadIsTheSameEverywhere() {
        const Opened opened("gpt2");
        const auto plain = opened.model.run(opened.input);
        const Options options{.ablations = {{"decoder.1.self", 0, Ablation::By::Mean}}};
        const auto off = opened.model.run(opened.input, options, {}, &plain);
        QVERIFY(difference(off.decoder_hidden[1]->values, std::span<const float>(plain.decoder_hidden[1]->values),
                           true) == 0.0);
        QVERIFY(difference(off.logits.values, std::span<const float>(plain.logits.values), true) > 1e-4);
    }

    void unknownPassesAndHeadsAreRefused() {
        const Opened opened("gpt2");
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run(opened.input, {.ablations = {{"decoder.9.self", 0}}}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run(opened.input, {.ablations = {{"decoder.0.self", 4}}}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run(opened.input, {.ablations = {{"decoder.0.self", -1}}}));
    }

    void inputsThatDoNotFitAreRefused() {
        const Opened opened("gpt2");
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = {528}}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = {-1}}));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = std::vector<std::int64_t>(97, 1)}));
        const Opened image("vit");
        QVERIFY_THROWS_EXCEPTION(Error, image.model.run({.ids = {1}}));
        const Opened pair("bert");
        QVERIFY_THROWS_EXCEPTION(Error, pair.model.run({.ids = {1, 2}, .types = {0}}));
        QVERIFY_THROWS_EXCEPTION(Error, pair.model.run({.ids = {1, 2}, .types = {0, 2}}));
    }

    /// Computed by the reference engine, a head has the weights and the output that the model has.
    void headsAreProblems_data() { add_rows_of({"llama", "deepseek_v2", "deepseek_v3", "deberta_v2", "beit", "esm"}); }
    void headsAreProblems() {
        QFETCH(QString, name);
        const Opened opened(name);
        const auto result = opened.model.run(opened.input);
        for (const auto& pass : result.passes) {
            const auto trace = test::run(model::problem_of(*pass, 1, {}));
            const auto weights = pass->weights(1);
            const auto* stage = trace.find("weights");
            QVERIFY(stage);
            QVERIFY(difference(weights, stage->value.values(), false) < rounding);
            const auto outputs = model::outputs_of(*pass, {});
            const auto width = pass->width_of_values();
            const auto* output = trace.find("output");
            QVERIFY(output);
            std::vector<float> own;
            for (std::int64_t row = 0; row < outputs.rows; ++row)
                own.insert(own.end(), outputs.row(row) + width, outputs.row(row) + 2 * width);
            QVERIFY(difference(own, output->value.values(), true) < rounding);
        }
    }

    /// The middle of a picture is kept, in its own numbers.
    void picturesAreCut() {
        const QTemporaryDir folder;
        QFile settings(folder.filePath("preprocessor_config.json"));
        QVERIFY(settings.open(QIODevice::WriteOnly));
        settings.write(R"({"do_resize": false, "do_normalize": false, "rescale_factor": 1.0, "do_center_crop": true,
                           "crop_size": {"height": 2, "width": 4}})");
        settings.close();
        model::Picture picture{4, 7, {}}; // rows of 7 pixels, red is 10 * row + column
        for (std::uint8_t row = 0; row < 4; ++row)
            for (std::uint8_t column = 0; column < 7; ++column)
                for (const std::uint8_t value : {static_cast<std::uint8_t>(10 * row + column), row, column})
                    picture.values.push_back(value);
        const model::Patches patches{.image_height = 2, .image_width = 4, .height = 1, .width = 1};
        const auto prepared = model::prepare(picture, patches, folder.path().toStdString());
        const auto& red = prepared.pixels.values;
        QCOMPARE(std::vector<float>(red.begin(), red.begin() + 8),
                 (std::vector<float>{12.0F, 13.0F, 14.0F, 15.0F, 22.0F, 23.0F, 24.0F, 25.0F})); // 1.5 is rounded to 2
        QCOMPARE(prepared.region.height, 0.5);
        QCOMPARE(prepared.region.width, 4.0 / 7.0);
        const model::Patches other{.image_height = 4, .image_width = 4, .height = 1, .width = 1};
        QVERIFY_THROWS_EXCEPTION(Error, model::prepare(picture, other, folder.path().toStdString()));
    }

    /// The shorter side becomes the size, and the longer one keeps the shape.
    void picturesKeepTheirShape() {
        const QTemporaryDir folder;
        QFile settings(folder.filePath("preprocessor_config.json"));
        QVERIFY(settings.open(QIODevice::WriteOnly));
        settings.write(R"({"size": {"shortest_edge": 2}, "do_center_crop": true, "crop_size": 2})");
        settings.close();
        const model::Picture picture{4, 8, std::vector<std::uint8_t>(96, 255)};
        const model::Patches patches{.image_height = 2, .image_width = 2, .height = 1, .width = 1};
        const auto prepared = model::prepare(picture, patches, folder.path().toStdString());
        QCOMPARE(prepared.pixels.values, std::vector<float>(12, 1.0F));
        QCOMPARE(prepared.region.left, 0.25);
        QCOMPARE(prepared.region.width, 0.5);
    }

    void memoryIsAskedForBeforeItIsTaken() {
        const Opened opened("llama");
        RunControl control;
        control.memory_limit = 1 << 16;
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.run({.ids = std::vector<std::int64_t>(4096, 1)}, {}, control));
    }

    void canBeCancelled() {
        const Opened opened("llama");
        RunControl control;
        control.cancelled = [] { return true; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, opened.model.run(opened.input, {}, control));
    }

    void figuresByBlocksAreThoseOfTheWhole() {
        const Opened opened("gpt_oss");
        const auto result = opened.model.run(opened.input);
        const auto& pass = *result.passes.front();
        const auto weights = pass.weights(0);
        const std::vector<double> wide(weights.begin(), weights.end());
        std::vector<double> blocked(wide.size(), 1.0);
        for (std::int64_t row = 0; row < pass.queries; ++row)
            for (auto key = pass.readable(row).first; key < pass.readable(row).last; ++key)
                blocked[static_cast<std::size_t>(row * pass.keys + key)] = 0.0;
        std::vector<std::string> tokens;
        for (const auto id : opened.input.ids)
            tokens.push_back(std::to_string(id));
        const auto whole = explain::head_figures({.weights = {wide.data(), pass.queries, pass.keys},
                                                  .blocked = {blocked.data(), pass.queries, pass.keys},
                                                  .keys_are_queries = true,
                                                  .tokens = tokens,
                                                  .has_sink = true});
        const auto figures = model::figures_of(pass, tokens).front();
        QCOMPARE(figures.rows, whole.rows);
        QCOMPARE(figures.entropy, whole.entropy);
        QCOMPARE(*figures.sink, *whole.sink);
        QCOMPARE(figures.previous->mean, whole.previous->mean);
        QCOMPARE(figures.same_token->mean, whole.same_token->mean);
        QCOMPARE(figures.induction->mean, whole.induction->mean);
    }

    void untrained_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("untrained");
        for (const auto& [name, untrained] : {std::pair("albert", true),
                                              {"camembert", true},
                                              {"bloom", true},
                                              {"codegen", true},
                                              {"bert", false},
                                              {"bart", false},
                                              {"apertus", false}})
            QTest::newRow(name) << name << untrained;
    }
    /// By norms that are as libraries create them.
    void untrained() {
        QFETCH(QString, name);
        QFETCH(bool, untrained);
        QCOMPARE(model::is_untrained(Model::open(model_folder(name.toStdString())).description()), untrained);
    }
};

ATTNLAB_TEST(TestModel)
#include "test_model.moc"
