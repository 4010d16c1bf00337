// The sources of the kernels on the emulated device against float64.
#include "tests/gpu/check/cases.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/test_main.h"

#include <QTest>

#include <cstring>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

const ForwardKernel& kernel_named(const char* name) {
    for (const auto& kernel : emulator::forward_kernels())
        if (std::strcmp(kernel.name, name) == 0)
            return kernel;
    throw std::invalid_argument(name);
}

} // namespace

Q_DECLARE_METATYPE(ForwardCase)

class TestForwardKernels : public QObject {
    Q_OBJECT

private slots:
    void agrees_with_float64_data();
    void agrees_with_float64();
};

void TestForwardKernels::agrees_with_float64_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<ForwardCase>("forward");
    // Every kernel, on a shape that fills neither its rows, its keys nor its width.
    for (const auto& kernel : emulator::forward_kernels()) {
        ForwardCase c{.precision = kernel.precision, .H = 2, .Hkv = 1, .L = 19, .S = 83};
        c.E = c.Ev = kernel.width > 0 ? kernel.width - 3 : 21;
        QTest::newRow(kernel.name) << QString(kernel.name) << c;
        c.band.after = 83 - 19;
        c.bias = true;
        QTest::addRow("%s, causal and biased", kernel.name) << QString(kernel.name) << c;
    }
    const auto add = [](const std::string& what, ForwardCase c) {
        c.precision = Precision::BFloat16;
        QTest::addRow("bfloat16, %s", what.c_str()) << "bfloat16 32" << c;
        c.precision = Precision::Float32;
        QTest::addRow("float32, %s", what.c_str()) << "float32 32" << c;
        c.precision = Precision::Float16;
        QTest::addRow("plain float16, %s", what.c_str()) << "plain float16" << c;
    };
    for (const auto& [name, forward] : mask_cases_of({.H = 2, .Hkv = 2, .L = 70, .S = 150, .E = 32, .Ev = 32}))
        add(name, forward);
    add("one cell", {.L = 1, .S = 1, .E = 1, .Ev = 1});
    add("no keys", {.L = 3, .S = 0, .E = 4, .Ev = 4});
    add("batches and groups of heads", {.B = 2, .H = 4, .Hkv = 2, .L = 33, .S = 40, .E = 20, .Ev = 7});
    add("output of the same precision", {.L = 20, .S = 40, .E = 20, .Ev = 20, .output_is_float32 = false});
}

void TestForwardKernels::agrees_with_float64() {
    QFETCH(QString, kernel);
    QFETCH(ForwardCase, forward);
    const auto& chosen = kernel_named(kernel.toUtf8().constData());
    if (chosen.precision == Precision::Float32)
        forward.output_is_float32 = true;
    ForwardData data(forward, chosen.width);
    QVERIFY(chosen.supports(data.arguments));
    QCOMPARE(chosen.launch(data.arguments, {}, nullptr), 0);
    const auto difference = data.difference();
    const auto limits = limits_of(forward);
    QVERIFY2(difference.output <= limits.output, qPrintable(QString::number(difference.output)));
    QVERIFY2(difference.lse <= limits.lse, qPrintable(QString::number(difference.lse)));
}

ATTNLAB_TEST(TestForwardKernels)
#include "test_forward_kernels.moc"
