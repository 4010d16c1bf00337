// What each head does to the answer of a model, beside what Transformers computes with hooks.
#include "core/model/effects.h"
#include "core/model/model_results.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using model::Ablation, model::HeadEffect, model::Model, model::Options;

namespace {

constexpr double tolerance = 2e-5;

TensorMap expected_effects(const std::string& name) {
    return io::read_npz(std::filesystem::path(ATTNLAB_TEST_DATA_DIR) / "effects" / (name + ".npz"), {},
                        io::Members::All)
        .tensors;
}

model::OutcomePair pair_in(const TensorMap& arrays) {
    const auto ids = ids_in(arrays, "pair");
    return {ids.at(0), ids.at(1)};
}

struct Plain {
    explicit Plain(const std::string& name)
        : model(Model::open(model_folder(name))), input(input_of(name, expected_arrays(name))),
          result(model.run(input)) {}

    Model model;
    model::Input input;
    model::Result result;
};

std::vector<HeadEffect> effects_in(const Plain& plain, const model::EffectOptions& options,
                                   const RunControl& control = {}) {
    std::vector<HeadEffect> effects;
    model::effects_of(plain.model, plain.result, options, control,
                      [&](const HeadEffect& effect) { effects.push_back(effect); });
    return effects;
}

std::int64_t index_of_pass(const model::Result& result, const std::string& name) {
    return std::ranges::find(result.passes, name, [](const auto& pass) { return pass->name; }) - result.passes.begin();
}

bool are_close(double value, double expected) { return std::abs(value - expected) <= tolerance; }

} // namespace

class TestEffects : public QObject {
    Q_OBJECT

private slots:
    void everyHead_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("array");
        QTest::addColumn<int>("by");
        for (const auto* name : {"gpt2", "llama"})
            for (const auto& [array, by] :
                 {std::pair("zero", Ablation::By::Zero), {"mean", Ablation::By::Mean}, {"other", Ablation::By::Other}})
                QTest::addRow("%s, %s", name, array) << name << array << static_cast<int>(by);
    }
    void everyHead() {
        QFETCH(QString, name);
        QFETCH(QString, array);
        QFETCH(int, by);
        const Plain plain(name.toStdString());
        const auto arrays = expected_effects(name.toStdString());
        const auto other = plain.model.run({.ids = ids_in(arrays, "other_ids")});
        model::EffectOptions options{.by = static_cast<Ablation::By>(by), .pair = pair_in(arrays)};
        options.other = options.by == Ablation::By::Other ? &other : nullptr;
        const auto effects = effects_in(plain, options);
        const auto& expected = arrays.at(array.toStdString());
        constexpr std::int64_t figures = 5;
        QCOMPARE(std::ssize(effects) * figures, expected.size());
        QCOMPARE(effects.front().pass, plain.result.passes.back()->name);
        for (const auto& effect : effects) {
            const auto* row =
                expected.values().data() +
                (index_of_pass(plain.result, effect.pass) * plain.result.passes.front()->heads + effect.head) * figures;
            const auto label = effect.pass + " " + std::to_string(effect.head);
            QVERIFY2(effect.answer == static_cast<std::int64_t>(row[0]), label.c_str());
            QVERIFY2(are_close(effect.answer_probability, row[1]), label.c_str());
            QVERIFY2(are_close(effect.probability, row[2]), label.c_str());
            QVERIFY2(are_close(effect.moved, row[3]), label.c_str());
            QVERIFY2(are_close(effect.difference_change.value(), row[4]), label.c_str());
        }
    }

    void whatHeadsAddDirectly_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"gpt2", "llama"})
            QTest::newRow(name) << name;
    }
    void whatHeadsAddDirectly() {
        QFETCH(QString, name);
        const Plain plain(name.toStdString());
        const auto arrays = expected_effects(name.toStdString());
        const auto pair = pair_in(arrays);
        for (const auto& [array, b] : {std::pair("direct", std::optional(pair.b)), {"direct_to_one", std::nullopt}}) {
            const auto effects = model::direct_effects(plain.model, plain.result, 0, pair.a, b);
            const auto& expected = arrays.at(array);
            QVERIFY(effects);
            QCOMPARE(std::ssize(*effects), expected.size());
            for (std::size_t i = 0; i < effects->size(); ++i)
                QVERIFY2(are_close((*effects)[i].difference, expected.values()[i]), std::to_string(i).c_str());
        }
    }

    /// A head that is replaced adds what it is replaced by.
    void whatReplacedHeadsAdd_data() { whatHeadsAddDirectly_data(); }
    void whatReplacedHeadsAdd() {
        QFETCH(QString, name);
        const Plain plain(name.toStdString());
        const auto pass = plain.result.passes.back();
        const auto added = [&](const model::Input& input, std::vector<Ablation> ablations) {
            const auto result = plain.model.run(input, {.ablations = std::move(ablations)});
            const auto effects = *model::direct_effects(plain.model, result, 0, 1, 2);
            return std::ranges::find_if(effects,
                                        [&](const auto& one) { return one.pass == pass->name && one.head == 1; })
                ->difference;
        };
        const double whole = added(plain.input, {});
        QVERIFY(std::abs(whole) > 1e-6);
        QCOMPARE(added(plain.input, {{pass->name, 1, Ablation::By::Zero}}), 0.0);
        QVERIFY(are_close(added(plain.input, {{pass->name, 1, Ablation::By::Other, pass}}), whole));
        QVERIFY(!are_close(added(plain.input, {{pass->name, 1, Ablation::By::Mean}}), whole));
        auto other_input = plain.input;
        std::ranges::reverse(other_input.ids);
        const auto other = plain.model.run(other_input).passes.back();
        QVERIFY(!are_close(added(plain.input, {{pass->name, 1, Ablation::By::Other, other}}), whole));
        const model::Input short_input{.ids = {plain.input.ids.front()}}; // whose mean is itself
        QVERIFY(are_close(added(short_input, {{pass->name, 1, Ablation::By::Mean}}), added(short_input, {})));
    }

    void lensOfEachLayer_data() { whatHeadsAddDirectly_data(); }
    void lensOfEachLayer() {
        QFETCH(QString, name);
        const Plain plain(name.toStdString());
        const auto logits = model::lens(plain.model, plain.result, 0);
        const auto expected = expected_effects(name.toStdString()).at("lens");
        QCOMPARE(logits.rows, expected.dim(0));
        QVERIFY(difference(logits.values, expected.values(), true) <= tolerance);
        const auto last = std::span(logits.values).last(static_cast<std::size_t>(logits.columns));
        QVERIFY(difference(last, std::span<const float>(plain.result.logits.values), true) <= tolerance);
    }

    /// A head whose addition is normalized again adds nothing by itself.
    void noDirectEffectBehindANorm_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"gemma2", "bert", "olmo2"})
            QTest::newRow(name) << name;
    }
    void noDirectEffectBehindANorm() {
        QFETCH(QString, name);
        const Plain plain(name.toStdString());
        QVERIFY(!model::direct_effects(plain.model, plain.result, 0, 1, 2));
    }

    /// A run that takes the blocks before the replaced head from another is the same as one that does not.
    void earlierBlocksAreTaken_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("by");
        for (const auto* name : {"gpt2", "gemma3", "mistral", "gptj", "bert", "t5", "bart"})
            for (const auto& [word, by] : {std::pair("zero", Ablation::By::Zero), {"mean", Ablation::By::Mean}})
                QTest::addRow("%s, %s", name, word) << name << static_cast<int>(by);
    }
    void earlierBlocksAreTaken() {
        QFETCH(QString, name);
        QFETCH(int, by);
        const Plain plain(name.toStdString());
        auto before = std::make_shared<model::Result>(plain.result);
        for (const auto& pass : plain.model.pass_names()) {
            const Options options{.ablations = {{pass, 1, static_cast<Ablation::By>(by)}}};
            const auto reused = plain.model.run(plain.input, options, {}, before.get());
            const auto whole = plain.model.run(plain.input, options);
            QCOMPARE(reused.passes.size(), whole.passes.size());
            for (std::size_t i = 0; i < whole.passes.size(); ++i) {
                QCOMPARE(reused.passes[i]->name, whole.passes[i]->name);
                QVERIFY(difference(reused.passes[i]->value, std::span<const float>(whole.passes[i]->value), true) <=
                        tolerance);
            }
            QVERIFY(difference(reused.logits.values, std::span<const float>(whole.logits.values), true) <= tolerance);
            QCOMPARE(reused.before_norm->values.size(), whole.before_norm->values.size());
            const auto& hidden = [](const model::Result& result) {
                return std::pair(result.encoder_hidden.size(), result.decoder_hidden.size());
            };
            QVERIFY(hidden(reused) == hidden(whole));
            // Each begins where the one before it ended: both change.
            before = std::make_shared<model::Result>(reused);
        }
    }

    void onlyWhatIsBehindIsComputed() {
        const Plain plain("gpt2");
        const auto off = plain.model.run(plain.input, {.ablations = {{"decoder.1.self", 2}}}, {}, &plain.result);
        QVERIFY(off.passes[0] == plain.result.passes[0]);
        QVERIFY(off.passes[1] != plain.result.passes[1]);
        QVERIFY(off.decoder_hidden[0] == plain.result.decoder_hidden[0]);
        QCOMPARE(model::blocks_from(plain.model, "decoder.1.self"), 2);
        const auto on = plain.model.run(plain.input, {}, {}, &off);
        QVERIFY(on.passes[0] == plain.result.passes[0]);
        QCOMPARE(on.logits.values, plain.result.logits.values);
    }

    void resultsComeOneByOneUntilCancelled() {
        const Plain plain("gpt2");
        int found = 0;
        RunControl control;
        control.cancelled = [&] { return found == 3; };
        double reported = 0.0;
        control.progress = [&](double fraction) { reported = fraction; };
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, model::effects_of(plain.model, plain.result, {}, control, [&](const HeadEffect&) { ++found; }));
        QCOMPARE(found, 3);
        // Of 4 * (1 + 2 + 3) blocks, in the third head of the last block.
        QVERIFY(reported > 2.0 / 24.0 && reported <= 3.0 / 24.0);
    }

    void knownHeadsAreLeftOut() {
        const Plain plain("gpt2");
        const auto all = effects_in(plain, {});
        const auto rest = effects_in(plain, {.skips = [](const std::string& pass, std::int64_t head) {
                                         return pass != "decoder.1.self" || head == 2;
                                     }});
        QCOMPARE(rest.size(), 3U);
        QCOMPARE(rest.back().head, 3);
        QCOMPARE(rest.back().probability, all[7].probability); // behind the four of the last block
    }

    /// Another text must have as many tokens, and there must be something to change.
    void whatCannotBeComparedIsRefused() {
        const Plain plain("gpt2");
        auto shorter = plain.input;
        shorter.ids.pop_back();
        const auto other = plain.model.run(shorter);
        QVERIFY_THROWS_EXCEPTION(Error, effects_in(plain, {.by = Ablation::By::Other}));
        QVERIFY_THROWS_EXCEPTION(Error, effects_in(plain, {.by = Ablation::By::Other, .other = &other}));
        QVERIFY_THROWS_EXCEPTION(Error, effects_in(plain, {.row = 1}));
        QVERIFY_THROWS_EXCEPTION(Error, effects_in(plain, {.pair = model::OutcomePair{0, 528}}));
        const auto silent = plain.model.run(plain.input, {.logits = Options::Logits::None});
        QVERIFY_THROWS_EXCEPTION(Error, model::effects_of(plain.model, silent, {}, {}, [](const HeadEffect&) {}));
    }
};

ATTNLAB_TEST(TestEffects)
#include "test_effects.moc"
