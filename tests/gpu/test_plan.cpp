#include "gpu/host/plan.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

Footprint footprint_of(const flash::Shape& shape) { return {.shape = shape, .element_bytes = 4}; }

} // namespace

class TestPlan : public QObject {
    Q_OBJECT

private slots:
    void a_small_problem_is_one_piece();
    void a_piece_has_no_more_heads_than_keep_the_device_busy();
    void tight_memory_cuts_batches_then_heads_then_rows_then_keys();
    void every_plan_fits_its_budget();
    void no_plan_where_nothing_fits();
    void pieces_cover_every_cell_once();
    void without_keys_there_are_pieces_all_the_same();
};

void TestPlan::a_small_problem_is_one_piece() {
    const flash::Shape shape{2, 4, 2, 100, 300, 64, 64};
    const auto plan = plan_forward(footprint_of(shape), std::size_t{1} << 30, 1 << 20);
    QVERIFY(plan.has_value());
    QCOMPARE(pieces_of(shape, *plan).size(), std::size_t{1});
}

void TestPlan::a_piece_has_no_more_heads_than_keep_the_device_busy() {
    const flash::Shape shape{4, 32, 8, 1000, 1000, 64, 64};
    const auto plan = plan_forward(footprint_of(shape), std::size_t{1} << 40, 10000);
    QCOMPARE(plan->batches, 1);
    QCOMPARE(plan->kv_heads, 3); // of 4 x 1000 rows each
    QCOMPARE(plan->rows, 1000);
    QCOMPARE(plan_forward(footprint_of(shape), std::size_t{1} << 40, 64000)->batches, 2);
}

void TestPlan::tight_memory_cuts_batches_then_heads_then_rows_then_keys() {
    const flash::Shape shape{4, 8, 4, 5000, 50000, 64, 64};
    const auto footprint = footprint_of(shape);
    Plan before{4, 4, 5000, 50000};
    bool rows_cut = false, keys_cut = false;
    for (std::size_t budget = bytes_of(footprint, before); const auto plan = plan_forward(footprint, budget, 1 << 30);
         budget /= 2) {
        if (plan->kv_heads < 4)
            QCOMPARE(plan->batches, 1);
        if (plan->rows < 5000)
            QCOMPARE(plan->kv_heads, 1);
        if (plan->keys < 50000)
            QCOMPARE(plan->rows, 128);
        QVERIFY(plan->keys % 32 == 0 || plan->keys == 50000);
        rows_cut = rows_cut || plan->rows < 5000;
        keys_cut = keys_cut || plan->keys < 50000;
    }
    QVERIFY(rows_cut && keys_cut);
}

void TestPlan::every_plan_fits_its_budget() {
    Footprint footprint = footprint_of({2, 6, 3, 777, 9999, 128, 128});
    footprint.cell_bytes_of_32_keys = 132;
    footprint.cells_by_head = true;
    for (std::size_t budget = std::size_t{1} << 20; budget < std::size_t{1} << 30; budget += budget / 3)
        if (const auto plan = plan_forward(footprint, budget, 1 << 20)) {
            QVERIFY(plan->bytes <= budget);
            QCOMPARE(plan->bytes, bytes_of(footprint, *plan));
        }
}

void TestPlan::no_plan_where_nothing_fits() {
    QVERIFY(!plan_forward(footprint_of({1, 1, 1, 4096, 4096, 64, 64}), 1000, 1));
}

void TestPlan::pieces_cover_every_cell_once() {
    const flash::Shape shape{3, 10, 5, 70, 90, 1, 1};
    std::vector<int> times(static_cast<std::size_t>(shape.B * shape.Hkv * shape.L * shape.S));
    for (const auto& piece : pieces_of(shape, {2, 2, 32, 64}))
        for (auto b = piece.first_batch; b < piece.first_batch + piece.batches; ++b)
            for (auto h = piece.first_kv_head; h < piece.first_kv_head + piece.kv_heads; ++h)
                for (auto i = piece.first_row; i < piece.first_row + piece.rows; ++i)
                    for (auto j = piece.first_key; j < piece.first_key + piece.keys; ++j)
                        ++times.at(static_cast<std::size_t>(((b * shape.Hkv + h) * shape.L + i) * shape.S + j));
    QVERIFY(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; }));
}

void TestPlan::without_keys_there_are_pieces_all_the_same() {
    const flash::Shape shape{1, 2, 2, 3, 0, 4, 4};
    const auto plan = plan_forward(footprint_of(shape), 1 << 20, 1 << 20);
    QCOMPARE(pieces_of(shape, *plan).size(), std::size_t{1});
    QCOMPARE(pieces_of(shape, *plan)[0].keys, 0);
}

ATTNLAB_TEST(TestPlan)
#include "test_plan.moc"
