// The Hopper forward's own source on the CPU, for awkward shapes, masks and orders of events.
#include "tests/gpu/emulated_forward.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab::gpu;
using namespace attnlab::gpu::hopper;
using emulated::Delay;
using emulated::Example;

namespace {

struct Case {
    const char* name;
    Precision precision;
    int B, H, Hkv, L, S, width;
    Band band = {};
};

constexpr auto f32 = Precision::Float32, bf16 = Precision::BFloat16, fp16 = Precision::Float16;
constexpr int all = Band::unlimited;

constexpr std::pair<Delay, const char*> delays[] = {
    {Delay::Longest, "late"}, {Delay::Products, "products late"}, {Delay::Random, "any time"}};

constexpr Case cases[] = {
    {"one cell", bf16, 1, 1, 1, 1, 1, 64},
    {"exact tiles", bf16, 1, 1, 1, 192, 256, 64},
    {"ragged", bf16, 1, 2, 1, 113, 203, 64},
    {"ragged 128", fp16, 1, 1, 1, 130, 259, 128},
    {"ragged 256", bf16, 1, 1, 1, 65, 129, 256},
    {"narrow tiles 128", bf16, 1, 1, 1, 130, 250, 128},
    {"narrow tiles 256", bf16, 1, 1, 1, 65, 127, 256},
    {"wide tiles, exact", fp16, 1, 1, 1, 128, 352, 128},
    {"wide tiles", bf16, 2, 2, 1, 140, 519, 128},
    {"wide tiles 256", bf16, 1, 1, 1, 70, 395, 256},
    {"many tiles", fp16, 1, 1, 1, 17, 1300, 64},
    {"batches and groups", bf16, 2, 4, 2, 70, 140, 128},
    {"causal", bf16, 1, 2, 2, 300, 300, 128, {all, 0, 0}},
    {"causal 64", bf16, 1, 1, 1, 400, 400, 64, {all, 0, 0}},
    {"causal 256", bf16, 1, 1, 1, 150, 150, 256, {all, 0, 0}},
    {"causal, bottom right, fewer keys", bf16, 1, 1, 1, 300, 130, 128, {all, 130 - 300, 0}},
    {"causal, bottom right, more keys", fp16, 1, 1, 1, 130, 400, 128, {all, 400 - 130, 0}},
    {"window", bf16, 1, 1, 1, 500, 500, 64, {100, 30, 0}},
    {"narrow window", bf16, 1, 1, 1, 270, 270, 128, {3, 2, 0}},
    {"causal with prefix", bf16, 1, 1, 1, 200, 300, 128, {all, 0, 150}},
    {"window past the keys", bf16, 1, 1, 1, 420, 100, 128, {20, 0, 0}},
};

void verify(const Example& example, Order order, int blocks, Delay delay, unsigned seed = 1) {
    try {
        emulated::run_forward(example.arguments, order, blocks, delay, seed);
    } catch (const emulated::Fault& fault) {
        QFAIL(fault.what());
    }
    const auto off = emulated::difference(example);
    const auto precision = example.arguments.precision;
    const double bound = precision == f32 ? 2e-6 : precision == bf16 ? 0.01 : 0.0012;
    QVERIFY2(off.output < bound, QByteArray::number(off.output).constData());
    QVERIFY2(off.lse < (precision == f32 ? 4e-6 : 1e-4), QByteArray::number(off.lse).constData());
    QVERIFY(!off.wrote_outside);
}

} // namespace

class TestHopperForward : public QObject {
    Q_OBJECT

private slots:
    void shapes_and_bands_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("order");
        QTest::addColumn<int>("delay");
        int index = 0;
        for (const auto& row : cases) {
            for (const int order : {0, 1})
                for (const auto& [delay, when] : delays)
                    QTest::addRow("%s, %s, %s", row.name, order ? "overlapped" : "in turn", when)
                        << index << order << static_cast<int>(delay);
            ++index;
        }
    }
    void shapes_and_bands() {
        QFETCH(int, index);
        QFETCH(int, order);
        QFETCH(int, delay);
        const auto& row = cases[index];
        Example example(row.precision, row.B, row.H, row.Hkv, row.L, row.S, row.width);
        example.arguments.band = row.band;
        // Fewer blocks than work: they must continue with more.
        verify(example, static_cast<Order>(order), 2, static_cast<Delay>(delay));
    }

    void scale_and_output_scale() {
        Example example(bf16, 1, 2, 1, 70, 100, 64);
        example.arguments.scale = 0.31f;
        example.arguments.output_scale = 0.5f;
        verify(example, Order::Overlapped, 1, Delay::Random);
    }
    void negative_scale() {
        Example example(bf16, 1, 1, 1, 70, 100, 64);
        example.arguments.scale = -0.2f;
        verify(example, Order::Overlapped, 1, Delay::Longest);
    }
    void sixteen_bit_output() {
        for (const auto precision : {bf16, fp16}) {
            Example example(precision, 1, 2, 1, 70, 100, 128);
            example.arguments.output_is_float32 = false;
            verify(example, Order::Overlapped, 1, Delay::Random);
        }
    }
    void lengths_of_batches() {
        for (const auto order : {Order::InTurn, Order::Overlapped}) {
            Example example(bf16, 5, 1, 1, 70, 300, 64);
            example.limit_keys(false);
            example.lengths = {300, 0, 7, 129, 1000};
            example.arguments.valid_lengths.lengths = example.lengths.data();
            verify(example, order, 2, Delay::Longest);
        }
    }
    void lengths_of_rows() {
        Example example(bf16, 2, 1, 1, 200, 150, 64);
        example.limit_keys(true);
        verify(example, Order::Overlapped, 2, Delay::Longest);
    }
    void bits_bias_and_softcap() {
        Example example(fp16, 2, 2, 1, 100, 150, 128);
        example.keep_some(17);
        example.pad_some_keys();
        example.add_bias();
        example.arguments.softcap = 3.0f;
        example.arguments.band = {90, 40, 10};
        verify(example, Order::Overlapped, 2, Delay::Random);
    }
    void a_fill_for_blocked_cells() {
        for (const auto blocked : {Blocked::Replaced, Blocked::Added}) {
            Example example(bf16, 1, 1, 1, 70, 203, 256);
            example.arguments.band = {Band::unlimited, 0, 0};
            example.arguments.blocked = blocked;
            example.arguments.fill = -2.0f;
            verify(example, Order::Overlapped, 2, Delay::Random);
        }
    }
    void a_part_of_a_problem() {
        for (const auto order : {Order::InTurn, Order::Overlapped}) {
            Example example(bf16, 1, 1, 1, 140, 170, 128);
            example.arguments.first_row = 200;
            example.arguments.first_key = 130;
            example.arguments.band = {100, 0, 140};
            example.limit_keys(false);
            example.lengths = {290};
            example.arguments.valid_lengths.lengths = example.lengths.data();
            verify(example, order, 1, Delay::Random);
        }
    }
    void many_orders_of_events() {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            Example example(bf16, 1, 2, 1, 200, 300, seed % 2 ? 64 : 128, seed);
            example.arguments.band = {Band::unlimited, 0, 0};
            verify(example, Order::Overlapped, 2, Delay::Random, seed);
        }
    }

    void float32_data() {
        QTest::addColumn<int>("delay");
        for (const auto& [delay, when] : delays)
            QTest::addRow("%s", when) << static_cast<int>(delay);
    }
    void float32() {
        QFETCH(int, delay);
        for (const int width : {64, 128}) {
            Example full(f32, 2, 2, 1, 70, 203, width);
            verify(full, Order::InTurn, 2, static_cast<Delay>(delay));
            Example causal(f32, 1, 1, 1, 200, 170, width);
            causal.arguments.band = {Band::unlimited, 170 - 200, 0};
            verify(causal, Order::InTurn, 1, static_cast<Delay>(delay));
        }
        Example masked(f32, 1, 2, 1, 65, 130, 64);
        masked.keep_some(3);
        masked.add_bias();
        verify(masked, Order::InTurn, 1, static_cast<Delay>(delay));
    }

    /// The largest magnitudes of a fill and a bias: a row without a kept key has the mean of all values.
    void the_furthest_fill() {
        constexpr int empty_row = 17;
        for (const float sign : {-1.0f, 1.0f}) {
            Example example(bf16, 1, 1, 1, 70, 300, 64);
            example.keep_some(empty_row);
            example.add_bias();
            for (std::size_t k = 0; k < example.bias.size(); k += 3)
                example.bias[k] = -1e38f;
            example.arguments.blocked = Blocked::Replaced;
            example.arguments.fill = sign * 1e38f;
            emulated::run_forward(example.arguments, Order::InTurn, 1, Delay::Random);
            QVERIFY2(std::abs(example.lse[empty_row] / (sign * 1e38f) - 1.0f) < 1e-6f,
                     QByteArray::number(static_cast<double>(example.lse[empty_row])).constData());
            QVERIFY(emulated::difference(example).output < 0.01);
        }
    }

    /// 5 blocks of 128 rows read 1 + 2 + 3 + 4 + 5 tiles of 128 keys under a causal mask, taken by a counter, and 5
    /// each without one, in equal shares. If two blocks process the same work, more bytes are copied; if none does, its
    /// rows are never written.
    void every_work_once_data() {
        QTest::addColumn<bool>("causal");
        QTest::addColumn<int>("order");
        QTest::addColumn<int>("delay");
        for (const bool causal : {true, false})
            for (const int order : {0, 1})
                for (const auto& [delay, when] : delays)
                    QTest::addRow("%s, %s, %s", causal ? "causal" : "full", order ? "overlapped" : "in turn", when)
                        << causal << order << static_cast<int>(delay);
    }
    void every_work_once() {
        QFETCH(bool, causal);
        QFETCH(int, order);
        QFETCH(int, delay);
        Example example(bf16, 1, 2, 1, 600, 600, 128);
        example.arguments.band.after = causal ? 0 : all;
        const int tiles = causal ? 15 : 25;
        for (const int blocks : causal ? std::vector<int>{1, 2, 2, 3, 10} : std::vector<int>{2, 3}) {
            example.output.assign(example.output.size(), Example::untouched);
            std::int64_t bytes = 0;
            try {
                bytes = emulated::run_forward(example.arguments, static_cast<Order>(order), blocks,
                                              static_cast<Delay>(delay), static_cast<unsigned>(blocks));
            } catch (const emulated::Fault& fault) {
                QFAIL(fault.what());
            }
            QCOMPARE(bytes, std::int64_t{2} * (5 * 128 + tiles * 2 * 128) * 128 * 2);
            const auto off = emulated::difference(example);
            QVERIFY2(off.output < 0.01, QByteArray::number(off.output).constData());
        }
    }
};

ATTNLAB_TEST(TestHopperForward)
#include "test_hopper_forward.moc"
