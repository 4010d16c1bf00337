// Text that models write on, beside what Transformers writes.
#include "core/model/effects.h"
#include "core/model/generation.h"
#include "core/model/model_results.h"
#include "core/model/weights/weight_files.h"
#include "tests/core/model_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace attnlab;
using namespace attnlab::test;
using model::Ablation, model::Model, model::Written, model::WrittenToken;

namespace {

std::vector<std::int64_t> written_by_transformers(const std::string& name) {
    return ids_in(
        io::read_npz(std::filesystem::path(ATTNLAB_TEST_DATA_DIR) / "effects" / (name + ".npz"), {}, io::Members::All)
            .tensors,
        "written");
}

/// One token behind the ids, by a run that takes nothing from another.
std::int64_t drawn_after(const Model& model, const std::vector<std::int64_t>& ids, double temperature, double draw) {
    const auto result = model.run({.ids = ids});
    double sum = 0.0, passed = 0.0;
    for (const float logit : result.logits.values)
        sum += std::exp(static_cast<double>(logit) / temperature);
    for (std::size_t id = 0; id < result.logits.values.size(); ++id) {
        passed += std::exp(static_cast<double>(result.logits.values[id]) / temperature) / sum;
        if (passed > draw)
            return static_cast<std::int64_t>(id);
    }
    return -1;
}

} // namespace

class TestGeneration : public QObject {
    Q_OBJECT

private slots:
    void theLikeliestAsTransformers_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"gpt2", "llama", "t5", "bart"})
            QTest::newRow(name) << name;
    }
    void theLikeliestAsTransformers() {
        QFETCH(QString, name);
        const auto model = Model::open(model_folder(name.toStdString()));
        const auto ids = ids_in(expected_arrays(name.toStdString()), "input_ids");
        std::vector<WrittenToken> found;
        const auto written =
            model::write_on(model, {.ids = ids}, {.count = 8}, {}, [&](const auto& token) { found.push_back(token); });
        const bool translates = model.description().encoder.has_value();
        QVERIFY((translates ? written.input.decoder_ids : written.input.ids) ==
                written_by_transformers(name.toStdString()));
        QVERIFY(written.stop == Written::Stop::Count);
        QCOMPARE(found.size(), 8U);
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].id, written.tokens[i].id);
            QVERIFY(found[i].probability > 0.0 && found[i].probability <= 1.0);
        }
    }

    void aSeedDrawsTheSame_data() {
        QTest::addColumn<double>("temperature");
        QTest::newRow("as they are") << 1.0;
        QTest::newRow("flatter") << 2.5;
        QTest::newRow("sharper") << 0.3;
    }
    void aSeedDrawsTheSame() {
        QFETCH(double, temperature);
        const auto model = Model::open(model_folder("gpt2"));
        auto ids = ids_in(expected_arrays("gpt2"), "input_ids");
        constexpr std::uint64_t seed = 7;
        const auto written =
            model::write_on(model, {.ids = ids}, {.count = 12, .temperature = temperature, .seed = seed});
        std::mt19937_64 engine(seed);
        for (const auto& token : written.tokens) {
            constexpr int dropped_bits = 11;
            const double draw = std::ldexp(static_cast<double>(engine() >> dropped_bits), -53);
            QCOMPARE(token.id, drawn_after(model, ids, temperature, draw));
            ids.push_back(token.id);
        }
        QVERIFY(written.input.ids == ids);
        const auto other = model::write_on(model, {.ids = {1, 2, 3}}, {.count = 12, .temperature = 1.0, .seed = 8});
        const auto again = model::write_on(model, {.ids = {1, 2, 3}}, {.count = 12, .temperature = 1.0, .seed = 9});
        QVERIFY(other.input.ids != again.input.ids);
    }

    void headsStayOff() {
        const auto model = Model::open(model_folder("gpt2"));
        const auto ids = ids_in(expected_arrays("gpt2"), "input_ids");
        for (const auto by : {Ablation::By::Zero, Ablation::By::Mean}) {
            const std::vector<Ablation> off{{"decoder.0.self", 1, by}};
            const auto written = model::write_on(model, {.ids = ids}, {.count = 4, .ablations = off});
            auto now = ids;
            for (const auto& token : written.tokens) {
                const auto result = model.run({.ids = now}, {.ablations = off});
                QCOMPARE(token.id, model::likeliest(model, result, 1).front().id);
                now.push_back(token.id);
            }
        }
    }

    void stopsWhereTheModelReadsNoMore() {
        const auto model = Model::open(model_folder("gpt2"));
        const auto longest = model.description().longest;
        const std::vector<std::int64_t> ids(static_cast<std::size_t>(longest - 3), 5);
        const auto written = model::write_on(model, {.ids = ids}, {.count = 10});
        QVERIFY(written.stop == Written::Stop::Longest);
        QCOMPARE(written.tokens.size(), 3U);
        QVERIFY_THROWS_EXCEPTION(Error, model::write_on(model, written.input, {.count = 1}));
    }

    /// A token that ends the text is left out.
    void theModelEndsItsText() {
        const auto opened = Model::open(model_folder("gpt2"));
        const auto ids = ids_in(expected_arrays("gpt2"), "input_ids");
        const auto all = model::write_on(opened, {.ids = ids}, {.count = 8});
        auto description = opened.description();
        const auto end = all.tokens[3].id;
        const auto first = std::ranges::find(all.tokens, end, &WrittenToken::id) - all.tokens.begin();
        description.ends = {end};
        const auto weights = model::open_weights(model_folder("gpt2"));
        const Model ended(description, weights, nullptr);
        const auto written = model::write_on(ended, {.ids = ids}, {.count = 8});
        QVERIFY(written.stop == Written::Stop::End);
        QCOMPARE(std::ssize(written.tokens), first);
    }

    void whatCannotWriteIsRefused() {
        const auto gpt2 = Model::open(model_folder("gpt2")), bert = Model::open(model_folder("bert"));
        QVERIFY_THROWS_EXCEPTION(Error, model::write_on(bert, {.ids = {1, 2, 3}}, {}));
        QVERIFY_THROWS_EXCEPTION(Error, model::write_on(gpt2, {.ids = {1, 2, 3}}, {.temperature = -1.0}));
        const auto other = gpt2.run({.ids = {3, 2, 1}});
        QVERIFY_THROWS_EXCEPTION(
            Error, model::write_on(gpt2, {.ids = {1, 2, 3}},
                                   {.ablations = {{"decoder.0.self", 0, Ablation::By::Other, other.passes.front()}}}));
        RunControl control;
        int found = 0;
        control.cancelled = [&] { return found == 2; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, model::write_on(gpt2, {.ids = {1, 2, 3}}, {.count = 9}, control,
                                                            [&](const WrittenToken&) { ++found; }));
        QCOMPARE(found, 2);
    }
};

ATTNLAB_TEST(TestGeneration)
#include "test_generation.moc"
