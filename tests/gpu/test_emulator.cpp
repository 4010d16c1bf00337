// Errors that the emulated device detects, and the consistency of its instructions.
#include "tests/gpu/emulator/machine.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::emulator;

namespace {

/// The fault of a block of two warps; empty if none.
QString fault_of(const std::function<void()>& kernel) {
    try {
        run_grid(1, 64, 1024, kernel);
    } catch (const Fault& fault) {
        return QString::fromUtf8(fault.what());
    }
    return {};
}

alignas(16) const float sixteen[64] = {};

} // namespace

class TestEmulator : public QObject {
    Q_OBJECT

private slots:
    void kernels_without_faults_run();
    void faults_are_found_data();
    void faults_are_found();
    void shuffles_exchange();
    void numbers_round_to_even();
};

void TestEmulator::kernels_without_faults_run() {
    QCOMPARE(fault_of([] {
                 Emulated::store(4 * Emulated::thread(), Emulated::thread());
                 Emulated::sync_block();
                 if (Emulated::load<int>(4 * (63 - Emulated::thread())) != 63 - Emulated::thread())
                     throw Fault("wrong number");
             }),
             QString());
}

void TestEmulator::faults_are_found_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("kernel");
    const char* const faults[] = {"read of what another warp wrote without a barrier between",
                                  "without a barrier between",
                                  "read of what nobody wrote",
                                  "read of what is still being copied",
                                  "out of range",
                                  "misaligned",
                                  "threads wait for others that never come",
                                  "lanes of a warp are at",
                                  "read of what another warp wrote without a barrier between"};
    for (int k = 0; k < static_cast<int>(std::size(faults)); ++k)
        QTest::addRow("%d: %s", k, faults[k]) << faults[k] << k;
}

void TestEmulator::faults_are_found() {
    QFETCH(QString, what);
    QFETCH(int, kernel);
    const std::function<void()> kernels[] = {
        [] {
            if (Emulated::thread() < 32)
                Emulated::store(4 * Emulated::thread(), 1);
            else
                Emulated::load<int>(4 * (63 - Emulated::thread()));
        },
        [] {
            Emulated::store(4 * Emulated::thread(), 1);
            Emulated::sync_block();
            if (Emulated::thread() < 32)
                Emulated::load<int>(4 * (63 - Emulated::thread()));
            else
                Emulated::store(4 * Emulated::thread(), 2);
        },
        [] { Emulated::load<int>(0); },
        [] {
            Emulated::copy16(16 * Emulated::thread(), sixteen, true);
            Emulated::commit();
            Emulated::load<int>(16 * Emulated::thread());
        },
        [] { Emulated::store(1024, 1); },
        [] { Emulated::store(2, 1); },
        [] {
            if (Emulated::thread() < 40)
                Emulated::sync_block();
        },
        [] {
            if (Emulated::thread() % 2)
                Emulated::sync_warp();
            else
                Emulated::shuffle_xor(1, 1);
        },
        [] { // waits for its own copies, but not for those of other threads
            Emulated::copy16(16 * Emulated::thread(), sixteen, true);
            Emulated::commit();
            Emulated::wait<0>();
            if (Emulated::thread() >= 32)
                Emulated::load<int>(16 * (63 - Emulated::thread()));
        },
    };
    const auto found = fault_of(kernels[kernel]);
    QVERIFY2(found.contains(what), qPrintable(found));
}

void TestEmulator::shuffles_exchange() {
    QCOMPARE(fault_of([] {
                 const int lane = Emulated::thread() % 32;
                 if (Emulated::shuffle_xor(lane, 5) != (lane ^ 5) || Emulated::shuffle(lane, 31 - lane) != 31 - lane)
                     throw Fault("wrong lane");
             }),
             QString());
}

void TestEmulator::numbers_round_to_even() {
    QCOMPARE(gpu::from_bfloat16(gpu::to_bfloat16(1.00390625f)), 1.0f);
    QCOMPARE(gpu::from_bfloat16(gpu::to_bfloat16(1.01171875f)), 1.015625f);
    QCOMPARE(gpu::from_float16(gpu::to_float16(65519.0f)), 65504.0f);
    QVERIFY(std::isinf(gpu::from_float16(gpu::to_float16(65520.0f))));
    QCOMPARE(gpu::from_float16(gpu::to_float16(-0x1p-24f)), -0x1p-24f);
    QCOMPARE(gpu::from_float16(gpu::to_float16(0x1.8p-24f)), 0x1p-23f);
    QVERIFY(std::isnan(gpu::from_float16(gpu::to_float16(NAN))));
    QVERIFY(std::isnan(gpu::from_bfloat16(gpu::to_bfloat16(NAN))));
    for (unsigned bits = 0; bits < 0x7c00u; ++bits)
        QCOMPARE(gpu::to_float16(gpu::from_float16(static_cast<std::uint16_t>(bits))),
                 static_cast<std::uint16_t>(bits));
}

ATTNLAB_TEST(TestEmulator)
#include "test_emulator.moc"
