// The errors of tiles must not accumulate in a row: bounds are the same for every number of keys. The kernels' own
// sources on the CPU against float64.
#include "tests/gpu/emulated_forward.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/forward_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::gpu;
using namespace attnlab::gpu::hopper;
using emulated::Delay;
using emulated::Example;

namespace {

/// The longest rows of every kernel take minutes: with ATTNLAB_LONG_ROWS set.
bool is_tested(int keys, bool always) {
    return keys <= 16384 || always || qEnvironmentVariableIsSet("ATTNLAB_LONG_ROWS");
}

void verify(double output, double lse, Precision precision) {
    qInfo("lse off by %.2g, output by %.2g", lse, output);
    QVERIFY2(lse < 3e-6, QByteArray::number(lse).constData());
    QVERIFY2(output < (precision == Precision::Float32 ? 1e-6 : 2e-3), QByteArray::number(output).constData());
}

} // namespace

class TestLongRows : public QObject {
    Q_OBJECT

private slots:
    void hopper_data() {
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("width");
        for (const int keys : {1024, 16384, 131072})
            for (const int width : {64, 128, 256}) {
                if (!is_tested(keys, width == 64))
                    continue;
                if (width < 256)
                    QTest::addRow("float32 %d, %d", width, keys)
                        << keys << static_cast<int>(Precision::Float32) << width;
                QTest::addRow("bfloat16 %d, %d", width, keys) << keys << static_cast<int>(Precision::BFloat16) << width;
                if (width < 256)
                    QTest::addRow("float16 %d, %d", width, keys)
                        << keys << static_cast<int>(Precision::Float16) << width;
            }
    }
    void hopper() {
        QFETCH(int, keys);
        QFETCH(int, precision);
        QFETCH(int, width);
        Example example(static_cast<Precision>(precision), 1, 1, 1, 2, keys, width);
        emulated::run_forward(example.arguments, Order::Overlapped, 1, Delay::None);
        const auto off = emulated::difference(example);
        verify(off.output, off.lse, example.arguments.precision);
    }

    void portable_data() {
        QTest::addColumn<int>("keys");
        QTest::addColumn<QString>("kernel");
        for (const int keys : {1024, 16384, 131072})
            for (const auto& kernel : emulator::forward_kernels())
                if (is_tested(keys, false) && (kernel.width == 0 || kernel.width == 64 || kernel.width == 128))
                    QTest::addRow("%s, %d", kernel.name, keys) << keys << QString(kernel.name);
    }
    void portable() {
        QFETCH(int, keys);
        QFETCH(QString, kernel);
        for (const auto& one : emulator::forward_kernels()) {
            if (kernel != one.name)
                continue;
            const int width = one.width > 0 ? one.width : 64;
            ForwardData data({.precision = one.precision, .L = 2, .S = keys, .E = width, .Ev = width}, one.width);
            QCOMPARE(one.launch(data.arguments, {}, nullptr), 0);
            const auto off = data.difference();
            verify(off.output, off.lse, one.precision);
        }
    }
};

ATTNLAB_TEST(TestLongRows)
#include "test_long_rows.moc"
