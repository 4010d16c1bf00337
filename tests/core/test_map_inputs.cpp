// A map reads only one head of a problem.
#include "core/chunked_numbers.h"
#include "core/inputs.h"
#include "core/map/attention_map.h"
#include "core/map/row_problem.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <atomic>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Counts reads within `first` .. `last` and elsewhere.
class Watched : public NumberSource {
public:
    Watched(std::int64_t count, std::int64_t first, std::int64_t last) : count_(count), first_(first), last_(last) {}
    std::int64_t size() const override { return count_; }
    void read(std::int64_t at, std::span<double> values) const override { take(at, values); }
    void read(std::int64_t at, std::span<float> values) const override { take(at, values); }
    mutable std::atomic<int> outside = 0, inside = 0;

private:
    template <class Number>
    void take(std::int64_t at, std::span<Number> values) const {
        const bool own = at >= first_ && at + std::ssize(values) <= last_;
        ++(own ? inside : outside);
        std::fill(values.begin(), values.end(), static_cast<Number>(0.5));
    }
    std::int64_t count_, first_, last_;
};

} // namespace

class TestMapInputs : public QObject {
    Q_OBJECT
private slots:
    /// Only the displayed head is read from a file of many heads.
    void readsItsOwnHeadOnly() {
        constexpr std::int64_t B = 2, H = 6, Hkv = 3, L = 300, S = 500, E = 8, batch = 1, head = 4;
        const auto q =
            std::make_shared<Watched>(B * H * L * E, (batch * H + head) * L * E, (batch * H + head + 1) * L * E);
        const auto k = std::make_shared<Watched>(B * Hkv * S * E, (batch * Hkv + 2) * S * E, (batch * Hkv + 3) * S * E);
        const auto v = std::make_shared<Watched>(B * Hkv * S * E, 0, 0);
        AttentionProblem problem;
        problem.tensors = {{"query", Tensor::from({B, H, L, E}, q, DType::Float32)},
                           {"key", Tensor::from({B, Hkv, S, E}, k, DType::Float32)},
                           {"value", Tensor::from({B, Hkv, S, E}, v, DType::Float32)}};
        QVERIFY(!MapInputs::why_not(problem));
        const AttentionMap map(std::make_shared<const MapInputs>(problem), batch, head);
        map.pool(grid_of(map.all(), 10, 10), Pool::Max);
        QCOMPARE(q->outside + k->outside + v->outside + v->inside, 0);
        QVERIFY(q->inside > 0 && k->inside > 0);
    }

    void projectionsAreCancelled() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        complete_inputs(problem, 1);
        QVERIFY(!MapInputs::why_not(problem));
        const RunControl stopped{.cancelled = [] { return true; }};
        QVERIFY_EXCEPTION_THROWN(MapInputs(problem, nullptr, flash::Precision::Float32, stopped), Cancelled);
        RowProblems rows(problem);
        const AttentionMap map(std::make_shared<const MapInputs>(problem), 0, 0);
        QVERIFY_EXCEPTION_THROWN(rows.row(map, 0, 0, 1, stopped), Cancelled);
        QVERIFY_EXCEPTION_THROWN(rows.score_moments(0, 0, stopped), Cancelled);
        QCOMPARE(rows.row(map, 0, 0, 1).tensors.count("query"), std::size_t{1}); // the next request starts anew
    }

    void refusesNumbersBeyondFloat32() {
        auto problem = flash_problem(1, 2, 2, 20, 30, 4, 4);
        problem.tensors["key"].set({0, 1, 3, 0}, 1e300);
        const auto inputs = std::make_shared<const MapInputs>(problem);
        const AttentionMap first(inputs, 0, 0); // its numbers are valid
        QVERIFY_THROWS_EXCEPTION(Error, AttentionMap(inputs, 0, 1));
    }
};

ATTNLAB_TEST(TestMapInputs)
#include "test_map_inputs.moc"
