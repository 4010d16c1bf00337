// Fills and biases of every magnitude, up to the limits of float32 and float64, by the cpu backend and in maps,
// compared with the reference.
#include "core/stages/scale.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cfloat>
#include <numeric>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr double least_float16 = -65504.0, least_bfloat16 = -0x1.fep127, least_float32 = -FLT_MAX;

constexpr double shifts[] = {least_float16, least_bfloat16, least_float32, -0x1p127, -2.3e38, -2.4e38,  -1e38,
                             -1e300,        -DBL_MAX,       -1e9,          -1e12,    -1e15,   -1e20,    -1e4,
                             -100.0,        -64.0,          64.0,          100.0,    65504.0, 1e9,      FLT_MAX,
                             1e300,         DBL_MAX,        DBL_TRUE_MIN,  -1e-40,   -0.0,    -infinity};

/// Whether row i is shifted at key j: rows 0, 5, 10, ... are shifted as a whole, the others at about every other key.
bool is_moved(std::int64_t i, std::int64_t j) { return i % 5 == 0 || (i * 7 + j * j) % 3 == 0; }

template <class Value>
Tensor cells(std::int64_t L, std::int64_t S, DType dtype, Value value) {
    Tensor tensor({L, S}, 0.0, dtype);
    const auto out = tensor.mutable_values();
    for (std::int64_t i = 0; i < L; ++i)
        for (std::int64_t j = 0; j < S; ++j)
            out[static_cast<std::size_t>(i * S + j)] = value(i, j);
    return tensor;
}

void block(AttentionProblem& problem, std::int64_t L, std::int64_t S) {
    add_mask(problem, "attn_mask");
    problem.tensors["attn_mask"] = cells(L, S, DType::Bool, [](auto i, auto j) { return is_moved(i, j) ? 1.0 : 0.0; });
}

/// A way to shift cells by `shift`.
struct Way {
    const char* name;
    void (*apply)(AttentionProblem&, std::int64_t L, std::int64_t S, double shift);
};

const Way ways[] = {
    {"fill",
     [](AttentionProblem& p, std::int64_t L, std::int64_t S, double shift) {
         block(p, L, S);
         p.spec.mask_fill.value = shift;
     }},
    {"bias",
     [](AttentionProblem& p, std::int64_t L, std::int64_t S, double shift) {
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] =
             cells(L, S, DType::Float64, [&](auto i, auto j) { return is_moved(i, j) ? shift : 0.0; });
     }},
    {"bias of two sizes",
     [](AttentionProblem& p, std::int64_t L, std::int64_t S, double shift) {
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] = cells(L, S, DType::Float64, [&](auto i, auto j) {
             return j % 4 == 1 ? shift / 2 : is_moved(i, j) ? shift : i % 3 == 1 ? -3.0 : shift;
         });
     }},
    {"bias everywhere, and a fill",
     [](AttentionProblem& p, std::int64_t L, std::int64_t S, double shift) {
         block(p, L, S);
         p.spec.mask_fill.value = shift;
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] =
             cells(L, S, DType::Float64, [&](auto i, auto) { return i % 2 == 0 ? shift : shift / 2; });
     }},
    {"bias under a causal mask",
     [](AttentionProblem& p, std::int64_t L, std::int64_t S, double shift) {
         add_mask(p, "causal:bottom_right");
         add_mask(p, "attn_bias");
         p.tensors["attn_bias"] =
             cells(L, S, DType::Float64, [&](auto i, auto j) { return is_moved(i, j) ? shift : 1.0; });
     }},
};

struct Length {
    std::int64_t L, S;
};
/// Panels of rows with more than a tile of keys, and few rows whose keys are shared among threads.
constexpr Length lengths[] = {{37, 150}, {3, 1100}};

AttentionProblem problem_of(const Way& way, const Length& length, double shift) {
    auto problem = flash_problem(1, 2, 1, length.L, length.S, 9, 5);
    way.apply(problem, length.L, length.S, shift);
    return problem;
}

void add_rows() {
    QTest::addColumn<int>("way");
    QTest::addColumn<int>("length");
    QTest::addColumn<double>("shift");
    for (int way = 0; way < static_cast<int>(std::size(ways)); ++way)
        for (int length = 0; length < static_cast<int>(std::size(lengths)); ++length)
            for (const double shift : shifts)
                QTest::addRow("%s of %g, %d x %d", ways[way].name, shift, static_cast<int>(lengths[length].L),
                              static_cast<int>(lengths[length].S))
                    << way << length << shift;
}

} // namespace

class TestFarFills : public QObject {
    Q_OBJECT
private slots:
    void agreeWithTheReference_data() { add_rows(); }
    void agreeWithTheReference() {
        QFETCH(int, way);
        QFETCH(int, length);
        QFETCH(double, shift);
        compare_numbers(problem_of(ways[way], lengths[length], shift),
                        [](double got, double expected) { return close(got, expected, 5e-6); });
    }

    void mapsAgreeWithTheReference_data() { add_rows(); }
    void mapsAgreeWithTheReference() {
        QFETCH(int, way);
        QFETCH(int, length);
        QFETCH(double, shift);
        const auto [L, S] = lengths[length];
        const auto problem = problem_of(ways[way], lengths[length], shift);
        const auto trace = run(problem);
        const Expected expected(problem, trace, 0, 1);
        const AttentionMap map(inputs_of_map(problem), 0, 1);
        std::vector<float> weights(static_cast<std::size_t>(L * S));
        map.weights(map.all(), weights.data());
        for (std::int64_t i = 0; i < L; ++i) {
            check("lse", i, 0, static_cast<double>(map.lse()[static_cast<std::size_t>(i)]),
                  stage(trace, "lse").at({0, 1, i}), 5e-6);
            for (std::int64_t j = 0; j < S; ++j) {
                const auto at = static_cast<std::size_t>(i * S + j);
                check("weight", i, j, static_cast<double>(weights[at]),
                      expected.kept[at] ? expected.weights[at] : not_a_number, 5e-6);
            }
        }
        const BinGrid grid{{1, L, 2, S}, 7, 40};
        const auto bins = map.pool(grid, Pool::Mean);
        for (std::int64_t row = 0; row < grid.rows(); ++row)
            for (std::int64_t column = 0; column < grid.columns(); ++column) {
                const auto bin = expected.bin(grid.bin(row, column));
                const auto at = bins.index(row, column);
                check("kept", row, column, static_cast<double>(bins.kept[at]), bin.kept, 0.0);
                check("max", row, column, static_cast<double>(bins.max(at)), bin.kept > 0 ? bin.max : not_a_number,
                      5e-6);
                check("mean", row, column, static_cast<double>(bins.mean(at)),
                      bin.kept > 0 ? bin.sum / bin.kept : not_a_number, 5e-6);
            }
    }

    /// The pass that computes lse and bins at once has to leave such rows to another pass.
    void mapsOpenWithFarRows() {
        const std::int64_t L = 700, S = 200;
        auto problem = flash_problem(1, 1, 1, L, S, 4, 4);
        add_mask(problem, "attn_bias");
        problem.tensors["attn_bias"] =
            cells(L, S, DType::Float64, [](auto i, auto) { return i >= 300 && i % 3 == 0 ? least_float32 : 0.0; });
        const Expected expected(problem, run(problem), 0, 0);
        const BinGrid grid{{0, L, 0, S}, 8, 16};
        const auto bins = pool_of_head(inputs_of_map(problem), 0, 0, grid, Pool::Max).bins;
        for (std::int64_t row = 0; row < grid.rows(); ++row)
            for (std::int64_t column = 0; column < grid.columns(); ++column)
                check("max", row, column, static_cast<double>(bins.max(bins.index(row, column))),
                      expected.bin(grid.bin(row, column)).max, 5e-6);
    }

    /// The lse and the weights of a map have the same rounding, however few its rows: with scores of 1e9 it amounts to
    /// hundreds.
    void weightsOfHugeScoresAreWeights_data() {
        QTest::addColumn<int>("rows");
        for (const int rows : {1, 2, 3, 8, 40})
            QTest::addRow("%d", rows) << rows;
    }
    void weightsOfHugeScoresAreWeights() {
        QFETCH(int, rows);
        const std::int64_t S = 300;
        auto problem = flash_problem(1, 1, 1, rows, S, 65, 4);
        problem.spec.scale = parse_scale("custom:1e9");
        on_every_engine(problem, [&](const AttentionProblem& given, const Trace&, flash::Precision precision) {
            const AttentionMap map(inputs_of_map(given, precision), 0, 0);
            std::vector<float> weights(static_cast<std::size_t>(rows * S));
            map.weights(map.all(), weights.data());
            for (int i = 0; i < rows; ++i) {
                const auto row =
                    std::span(weights).subspan(static_cast<std::size_t>(i * S), static_cast<std::size_t>(S));
                check("sum", i, 0, std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-5);
            }
        });
    }

    /// If a key's score is -inf, the row reads those that a bias moves far away.
    void aScoreOfMinusInfinityLeavesAFarRow_data() {
        QTest::addColumn<double>("shift");
        for (const double shift : {-1e9, -1e20, least_float32, -1e300})
            QTest::addRow("%g", shift) << shift;
    }
    void aScoreOfMinusInfinityLeavesAFarRow() {
        QFETCH(double, shift);
        auto problem = flash_problem(1, 1, 1, 20, 30, 2, 3);
        for (std::int64_t i = 0; i < 20; ++i)
            problem.tensors["query"].set({0, 0, i, 0}, -1.0);
        problem.tensors["key"].set({0, 0, 4, 0}, infinity);
        add_mask(problem, "attn_bias");
        problem.tensors["attn_bias"] =
            cells(20, 30, DType::Float64, [&](auto, auto j) { return j == 4 ? 0.0 : shift; });
        compare_numbers(problem, [](double got, double wanted) { return close(got, wanted, 5e-6); });
    }

    /// Kept keys have weight 0 where all scores are -inf.
    void aFarRowThatReadsNothingWeighsNothing() {
        auto problem = flash_problem(1, 1, 1, 3, 6, 1, 2);
        problem.tensors["query"].set({0, 0, 1, 0}, -infinity);
        for (std::int64_t j = 0; j < 6; ++j)
            problem.tensors["key"].set({0, 0, j, 0}, 1.0 + static_cast<double>(j));
        add_mask(problem, "attn_bias");
        problem.tensors["attn_bias"] = Tensor({3, 6}, -1e38);
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        std::vector<float> weights(18);
        map.weights(map.all(), weights.data());
        const auto bins = map.pool({map.all(), 1, 6}, Pool::Mean);
        for (std::size_t j = 0; j < 6; ++j)
            QCOMPARE(weights[6 + j], 0.0f);
        QCOMPARE(bins.max(1), 0.0f);
        QCOMPARE(bins.mean(1), 0.0f);
    }

    /// Keys blocked by a bias of -inf are not read, in tiles and outside.
    void aBiasOfMinusInfinityBlocksAKeyThatIsNoNumber_data() {
        QTest::addColumn<double>("number");
        QTest::newRow("NaN") << not_a_number;
        QTest::newRow("inf") << infinity;
        QTest::newRow("-inf") << -infinity;
    }
    void aBiasOfMinusInfinityBlocksAKeyThatIsNoNumber() {
        QFETCH(double, number);
        for (const std::int64_t key : {3, 290}) {
            auto problem = flash_problem(1, 1, 1, 40, 300, 4, 3);
            problem.tensors["key"].set({0, 0, key, 1}, number);
            add_mask(problem, "attn_bias");
            problem.tensors["attn_bias"] =
                cells(40, 300, DType::Float64, [&](auto i, auto j) { return j == key && i < 30 ? -infinity : 0.0; });
            const auto expected = run(problem);
            for (std::int64_t i = 0; i < 30; ++i)
                QVERIFY(std::isfinite(stage(expected, "output").at({0, 0, i, 0})));
            compare_numbers(problem, [](double got, double wanted) { return close(got, wanted, 5e-6); });
        }
    }
};

ATTNLAB_TEST(TestFarFills)
#include "test_far_fills.moc"
