// Attention on a unit that multiplies matrices of bfloat16: what it computes against float64, and the check before it
// is used. Masks and odd numbers are those of core.flash_forward and core.attention_map, which run on it too.
#include "core/flash/matrix_unit.h"
#include "core/flash/measure.h"
#include "core/flash/panel_mask.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <bit>

using namespace attnlab;
using namespace attnlab::test;
using flash::Precision;

namespace {

struct Computed {
    std::vector<float> output, lse;
};

Computed forward_of(const flash::Workload& workload, Precision precision) {
    const auto& s = workload.shape;
    Computed computed{std::vector<float>(static_cast<std::size_t>(s.B * s.H * s.L * s.Ev)),
                      std::vector<float>(static_cast<std::size_t>(s.B * s.H * s.L))};
    auto problem = workload.problem();
    problem.precision = precision;
    flash::forward(problem, {computed.output.data(), computed.lse.data()});
    return computed;
}

flash::Deviation deviation_of(const flash::Workload& workload, Precision precision, std::int64_t rows = 1 << 20) {
    const auto computed = forward_of(workload, precision);
    return flash::deviation(workload, computed.output.data(), computed.lse.data(), rows);
}

/// Split numbers have no values.
flash::Workload workload_of(const Sizes& s, bool causal, Precision precision) {
    flash::Workload workload({s.B, s.H, s.Hkv, s.L, s.S, s.E, precision == Precision::Split ? 0 : s.Ev}, causal);
    if (precision == Precision::BFloat16)
        for (auto* numbers : {&workload.query, &workload.key, &workload.value})
            flash::round_to_bfloat16(*numbers);
    return workload;
}

/// A weight rounded to bfloat16 is off by 2^-9 of it; a split score by 2^-16 of |q| |k|. Products of bfloat16 are
/// exact.
struct Allowed {
    double output, lse;
};
Allowed allowed(Precision precision) {
    return precision == Precision::BFloat16 ? Allowed{2e-2, 2e-6} : Allowed{0.0, 2e-4};
}

constexpr auto precisions = {Precision::Split, Precision::BFloat16};

void add_precisions() {
    QTest::addColumn<Precision>("precision");
    for (const auto precision : precisions)
        QTest::newRow(std::string(flash::name_of(precision)).c_str()) << precision;
}

/// The scores of a panel and a block of keys, by the unit alone.
std::vector<float> scores_of(const flash::MatrixKernel& kernel, Precision precision, std::int64_t E) {
    const auto width = kernel.width;
    const auto workload = workload_of({1, 1, 1, width, 128, E, 0}, false, precision);
    auto problem = workload.problem();
    problem.precision = precision;
    const flash::MatrixPath path(problem, kernel, {}, 1);
    flash::MatrixPath::Panel packed(path);
    flash::MatrixPath::Scratch scratch(path);
    const auto panel = flash::aligned_floats(E * width);
    flash::layout_kernel().pack(problem.query, width, E, static_cast<float>(problem.scale * flash::log2_e), width,
                                panel.get());
    path.start(problem.query, width, panel.get(), packed);
    const flash::MatrixUnitScope uses(&kernel);
    const flash::Tile tile{
        .queries = panel.get(), .keys = problem.key, .count = 128, .E = E, .next_keys = {}, .next_values = {}};
    const float* scores = path.score(tile, packed, scratch, 0, 0);
    return {scores, scores + 128 * width};
}

flash::MatrixKernel wrong_kernel;

} // namespace

Q_DECLARE_METATYPE(attnlab::flash::Precision)

class TestMatrixUnit : public QObject {
    Q_OBJECT
private slots:
    void equalsFloat64_data() {
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("causal");
        for (const auto precision : precisions)
            for (int size = 0; size < static_cast<int>(std::size(sizes)); ++size)
                for (const bool causal : {false, true})
                    QTest::addRow("%s, %s, %s", std::string(flash::name_of(precision)).c_str(),
                                  qPrintable(text_of(sizes[size])), causal ? "causal" : "full")
                        << precision << size << causal;
    }

    void equalsFloat64() {
        QFETCH(Precision, precision);
        QFETCH(int, size);
        QFETCH(bool, causal);
        const auto workload = workload_of(sizes[size], causal, precision);
        const WithEmulatedAmx emulated;
        const auto deviation = deviation_of(workload, precision);
        QVERIFY2(deviation.output <= allowed(precision).output, qPrintable(QString::number(deviation.output)));
        QVERIFY2(deviation.lse <= allowed(precision).lse, qPrintable(QString::number(deviation.lse)));
    }

    void largeScores_data() { add_precisions(); }

    /// Scores beyond those whose weights need no maximum.
    void largeScores() {
        QFETCH(Precision, precision);
        auto workload = workload_of({1, 2, 1, 70, 300, 40, 24}, true, precision);
        for (float& number : workload.query)
            number *= 8.0f;
        const WithEmulatedAmx emulated;
        const auto deviation = deviation_of(workload, precision);
        QVERIFY2(deviation.output <= allowed(precision).output, qPrintable(QString::number(deviation.output)));
        // Scores are off by more.
        QVERIFY2(deviation.lse <= 16.0 * allowed(precision).lse, qPrintable(QString::number(deviation.lse)));
    }

    /// Values of about 1 add up without cancelling each other: rounding errors that all point the same way would grow
    /// with S, those of either sign with its square root, and the sum of the weights divides both by S.
    void longRows() {
        const WithEmulatedAmx emulated;
        for (const std::int64_t S : {1024, 4096, 16384}) {
            auto workload = workload_of({1, 1, 1, 32, S, 64, 16}, false, Precision::BFloat16);
            for (float& number : workload.value)
                number = 1.0f + 0.25f * number;
            flash::round_to_bfloat16(workload.value);
            const auto deviation = deviation_of(workload, Precision::BFloat16, 16);
            const double growth = std::sqrt(static_cast<double>(S) / 1024.0);
            QVERIFY2(deviation.output <= 1e-3 * growth,
                     qPrintable(QStringLiteral("%1 at %2").arg(deviation.output).arg(S)));
        }
    }

    /// Values whose parts would be too small for the unit are left to vectors.
    void smallValues() {
        auto workload = workload_of({1, 1, 1, 40, 300, 8, 8}, true, Precision::BFloat16);
        for (float& number : workload.value)
            number *= 0x1p-110f;
        const WithEmulatedAmx emulated;
        const auto deviation = deviation_of(workload, Precision::BFloat16);
        QVERIFY2(deviation.output <= 0x1p-110 * 4e-6, qPrintable(QString::number(deviation.output)));
    }

    void threadsAgree_data() { add_precisions(); }

    void threadsAgree() {
        QFETCH(Precision, precision);
        const auto workload = workload_of({1, 3, 1, 300, 700, 20, 12}, true, precision);
        const WithEmulatedAmx emulated;
        const auto with_threads = [&](int threads) {
            std::vector<float> output(3 * 300 * 12), lse(3 * 300);
            auto problem = workload.problem();
            problem.precision = precision;
            flash::forward(problem, {output.data(), lse.data()}, {}, threads);
            return std::pair(output, lse);
        };
        const auto one = with_threads(1);
        QVERIFY(with_threads(2) == one);
        QVERIFY(with_threads(5) == one);
    }

    void cancelsWhilePacking() {
        const auto workload = workload_of({1, 1, 1, 256, 4096, 64, 64}, false, Precision::BFloat16);
        auto problem = workload.problem();
        problem.precision = Precision::BFloat16;
        const WithEmulatedAmx emulated;
        int polls = 0;
        RunControl control;
        control.cancelled = [&] { return ++polls > 1; };
        std::vector<float> output(256 * 64), lse(256);
        QVERIFY_THROWS_EXCEPTION(Cancelled, flash::forward(problem, {output.data(), lse.data()}, control, 1));
        QVERIFY(polls < 5);
    }

    void acceptsARightKernel() {
        on_every_instruction_set([] { QCOMPARE(flash::wrong_results_of(*emulated_amx()), std::string()); });
    }

    /// Where there is AMX: its results are right, and its products those of the emulated instructions to the last bit.
    void emulationEqualsTheProcessor() {
        if (!flash::processor_has_amx() || !flash::system_permits_amx() || !flash::amx_kernel())
            QSKIP("This processor has no AMX, or the system does not permit it");
        QCOMPARE(flash::wrong_results_of(*flash::amx_kernel()), std::string());
        for (const auto precision : precisions)
            for (const std::int64_t E : {1, 33, 64, 130}) {
                const auto expected = scores_of(*emulated_amx(), precision, E);
                QVERIFY2(scores_of(*flash::amx_kernel(), precision, E) == expected, qPrintable(QString::number(E)));
            }
    }

    /// On any processor, so that the test above tests something.
    void scoresAreProducts() {
        constexpr std::int64_t E = 33;
        const auto workload = workload_of({1, 1, 1, emulated_amx()->width, 128, E, 0}, false, Precision::BFloat16);
        const auto scores = scores_of(*emulated_amx(), Precision::BFloat16, E);
        const auto width = static_cast<std::size_t>(emulated_amx()->width);
        for (std::size_t j = 0; j < 128; ++j)
            for (std::size_t q = 0; q < width; ++q) {
                double expected = 0.0;
                for (std::size_t c = 0; c < E; ++c)
                    expected +=
                        static_cast<double>(workload.query[q * E + c]) * static_cast<double>(workload.key[j * E + c]);
                expected *= workload.problem().scale * flash::log2_e;
                QVERIFY(std::abs(static_cast<double>(scores[j * width + q]) - expected) < 4e-6);
            }
    }

    /// A split score is the sum of three products of parts. The smallest ones come first, or the sum of the larger ones
    /// would round each of them.
    void roundsFewSums() {
        constexpr std::int64_t E = 130;
        const auto workload = workload_of({1, 1, 1, emulated_amx()->width, 128, E, 0}, false, Precision::Split);
        const auto scores = scores_of(*emulated_amx(), Precision::Split, E);
        const auto width = static_cast<std::size_t>(emulated_amx()->width);
        const auto factor = static_cast<float>(workload.problem().scale * flash::log2_e);
        const auto part_of = [](float x) { // 8 bits, of two the larger one
            const auto bits = std::bit_cast<std::uint32_t>(x) + 0x8000u;
            return std::bit_cast<float>(bits & 0xffff0000u);
        };
        double squares = 0.0;
        for (std::size_t j = 0; j < 128; ++j)
            for (std::size_t q = 0; q < width; ++q) {
                double expected = 0.0;
                for (std::size_t c = 0; c < E; ++c) {
                    const float x = workload.query[q * E + c] * factor, y = workload.key[j * E + c];
                    const double x1 = part_of(x), x2 = part_of(x - part_of(x)), y1 = part_of(y),
                                 y2 = part_of(y - part_of(y));
                    expected += x1 * y1 + x1 * y2 + x2 * y1;
                }
                squares += std::pow(static_cast<double>(scores[j * width + q]) - expected, 2);
            }
        const double error = std::sqrt(squares / static_cast<double>(scores.size()));
        QVERIFY2(error < 1.3e-7, qPrintable(QString::number(error)));
    }

    /// Float32, and split numbers with values, have the same bits with a unit and without.
    void otherResultsDoNotDependOnTheUnit() {
        const flash::Workload workload({1, 2, 1, 300, 400, 20, 12}, true);
        for (const auto precision : {Precision::Float32, Precision::Split}) {
            flash::use_matrix_kernel(nullptr);
            const auto without = forward_of(workload, precision);
            flash::use_matrix_kernel(std::nullopt);
            const WithEmulatedAmx emulated;
            const auto with = forward_of(workload, precision);
            QVERIFY(with.output == without.output);
            QVERIFY(with.lse == without.lse);
        }
        const WithEmulatedAmx emulated;
        QVERIFY(cpu_backend().title().find("AMX") == std::string::npos);
        QVERIFY(forward_of(workload, Precision::BFloat16).output != forward_of(workload, Precision::Float32).output);
    }

    void findsWrongKernels_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("found");
        QTest::newRow("does nothing") << 0 << "split; split, large scores; bfloat16; bfloat16, large scores";
        QTest::newRow("one sum is wrong") << 1 << "split; split, large scores; bfloat16; bfloat16, large scores";
        QTest::newRow("one output is wrong") << 2 << "bfloat16; bfloat16, large scores";
        QTest::newRow("products of parts are missing") << 3 << "split; split, large scores";
        QTest::newRow("the last keys are missing")
            << 4 << "split; split, large scores; bfloat16; bfloat16, large scores";
        QTest::newRow("not a number") << 5 << "split; split, large scores; bfloat16; bfloat16, large scores";
        QTest::newRow("the last outputs are missing") << 6 << "products with weights; products in three parts";
        QTest::newRow("the last inputs are missing") << 7 << "products with weights; products in three parts";
        QTest::newRow("the last parts are missing") << 8 << "products in three parts";
        QTest::newRow("weights are not transposed") << 9 << "products in three parts";
    }

    void findsWrongKernels() {
        QFETCH(int, fault);
        QFETCH(QString, found);
        wrong_kernel = *emulated_amx();
        if (fault == 0)
            wrong_kernel.attend = [](const flash::MatrixTile&) {};
        if (fault == 1)
            wrong_kernel.attend = [](const flash::MatrixTile& tile) {
                emulated_amx()->attend(tile);
                tile.row_sum[5] *= 1.01f;
            };
        if (fault == 2)
            wrong_kernel.attend = [](const flash::MatrixTile& tile) {
                emulated_amx()->attend(tile);
                if (tile.Ev > 0)
                    tile.output[5] *= 1.05f;
            };
        if (fault == 3)
            wrong_kernel.attend = [](const flash::MatrixTile& tile) {
                auto fewer = tile;
                fewer.parts = 1;
                emulated_amx()->attend(fewer);
            };
        if (fault == 4)
            wrong_kernel.attend = [](const flash::MatrixTile& tile) {
                auto fewer = tile;
                fewer.count = std::max<std::int64_t>(1, tile.count - 1);
                emulated_amx()->attend(fewer);
            };
        if (fault == 5)
            wrong_kernel.attend = [](const flash::MatrixTile& tile) {
                emulated_amx()->attend(tile);
                tile.row_sum[0] = std::numeric_limits<float>::quiet_NaN();
            };
        if (fault == 6)
            wrong_kernel.multiply = [](const flash::WeightProduct& product) {
                auto fewer = product;
                --fewer.outputs;
                return emulated_amx()->multiply(fewer);
            };
        if (fault == 7)
            wrong_kernel.pack_activations = [](const float* x, std::int64_t first, std::int64_t rows,
                                               std::int64_t inputs, flash::Factors factors, std::uint16_t* packed) {
                auto fewer = std::vector<float>(x, x + rows * inputs);
                for (std::int64_t row = 0; row < rows; ++row)
                    fewer[static_cast<std::size_t>(row * inputs + inputs - 1)] = 0.0F;
                return emulated_amx()->pack_activations(fewer.data(), first, rows, inputs, factors, packed);
            };
        if (fault == 8)
            wrong_kernel.multiply = [](const flash::WeightProduct& product) {
                std::vector<float> rounded;
                for (std::int64_t at = 0;
                     product.factors == flash::Factors::Float32 && at < product.inputs * product.outputs; ++at)
                    rounded.push_back(product.weights[at] * (1.0F + 0x1p-16F));
                auto other = product;
                other.weights = rounded.data();
                return emulated_amx()->multiply(other);
            };
        if (fault == 9)
            wrong_kernel.multiply = [](const flash::WeightProduct& product) {
                auto other = product;
                if (product.inputs_first)
                    other.weight_stride = product.inputs;
                return emulated_amx()->multiply(other);
            };
        QCOMPARE(QString::fromStdString(flash::wrong_results_of(wrong_kernel)), found);
    }

    void backendSaysWhatItComputesIn() {
        const auto problem = flash_problem(1, 2, 1, 70, 90, 8, 8);
        const auto& backend = cpu_backend(Precision::BFloat16);
        flash::use_matrix_kernel(nullptr);
        QVERIFY(backend.title().starts_with("cpu · bfloat16 · "));
        QVERIFY(has_note(backend.run(problem, {}), "rounded to bfloat16, which is not faster"));
        flash::use_matrix_kernel(std::nullopt);
        const WithEmulatedAmx emulated;
        QVERIFY(backend.title().find("emulated AMX") != std::string::npos);
        QVERIFY(!has_note(backend.run(problem, {}), "bfloat16"));
    }

    /// On a unit or not, results are those of rounded inputs.
    void backendRoundsToBfloat16() {
        auto problem = flash_problem(1, 2, 1, 70, 90, 24, 8);
        add_mask(problem, "causal");
        const auto expected = run(in_bfloat16(problem));
        const auto differs = [&](double within) {
            const auto got = cpu_backend(Precision::BFloat16).run(problem, {});
            return difference(stage(got, "output"), stage(expected, "output"), within);
        };
        flash::use_matrix_kernel(nullptr);
        QCOMPARE(differs(2e-6), QString());
        flash::use_matrix_kernel(std::nullopt);
        const WithEmulatedAmx emulated;
        QCOMPARE(differs(2e-2), QString());
        QVERIFY(!differs(1e-6).isEmpty()); // the unit was used
    }

    void maps_data() { add_precisions(); }

    void maps() {
        QFETCH(Precision, precision);
        auto problem = flash_problem(1, 1, 1, 600, 700, 33, 1);
        add_mask(problem, "causal");
        if (precision == Precision::BFloat16)
            problem = in_bfloat16(problem);
        const auto within = precision == Precision::Split ? 3e-4 : 3e-6;
        const Expected expected(problem, run(problem), 0, 0);
        const WithEmulatedAmx emulated;
        const auto inputs = std::make_shared<const MapInputs>(problem, nullptr, precision);
        const AttentionMap map(inputs, 0, 0);
        QVERIFY(map.notes().empty());
        QVERIFY(map.backend().find(flash::name_of(precision)) != std::string::npos);
        const CellRect cells{101, 233, 57, 219}; // within no tile
        std::vector<float> weights(static_cast<std::size_t>(cells.rows() * cells.columns()));
        map.weights(cells, weights.data());
        for (std::int64_t i = 0; i < cells.rows(); ++i)
            for (std::int64_t j = 0; j < cells.columns(); ++j) {
                const auto at = static_cast<std::size_t>((cells.first_row + i) * 700 + cells.first_column + j);
                const auto got = static_cast<double>(weights[static_cast<std::size_t>(i * cells.columns() + j)]);
                QCOMPARE(std::isnan(got), !expected.kept[at]);
                if (expected.kept[at])
                    check("weight", i, j, got, expected.weights[at], within);
            }
        const auto grid = grid_of(map.all(), 13, 11);
        const auto bins = pool_of_head(inputs, 0, 0, grid, Pool::Max).bins;
        for (std::int64_t row = 0; row < grid.rows(); ++row)
            for (std::int64_t column = 0; column < grid.columns(); ++column)
                if (const auto bin = expected.bin(grid.bin(row, column)); bin.kept > 0.0)
                    check("maximum", row, column, static_cast<double>(bins.max(bins.index(row, column))), bin.max,
                          within);
    }

    void mapsSayWhatTheyWereComputedIn() {
        const auto problem = flash_problem(1, 1, 1, 60, 70, 8, 1);
        flash::use_matrix_kernel(nullptr);
        const auto notes_in = [&](Precision precision) {
            return AttentionMap(std::make_shared<const MapInputs>(problem, nullptr, precision), 0, 0).notes();
        };
        const auto split = notes_in(Precision::Split), bfloat16 = notes_in(Precision::BFloat16);
        const bool none = notes_in(Precision::Float32).empty();
        flash::use_matrix_kernel(std::nullopt);
        QVERIFY(none);
        QCOMPARE(split.size(), 1u);
        QVERIFY(split.front().english().find("float32 instead of split") != std::string::npos);
        QCOMPARE(bfloat16.size(), 1u);
    }

    void saysWhyThereIsNone() {
        flash::use_matrix_kernel(nullptr);
        QVERIFY(flash::matrix_unit_unavailable_reason().has_value());
        flash::use_matrix_kernel(std::nullopt);
        QCOMPARE(flash::matrix_unit_unavailable_reason().has_value(), flash::matrix_kernel() == nullptr);
    }
};

ATTNLAB_TEST(TestMatrixUnit)
#include "test_matrix_unit.moc"
