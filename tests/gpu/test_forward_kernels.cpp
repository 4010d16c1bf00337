// The sources of the kernels on the emulated device against float64.
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/forward_support.h"

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

struct Limits {
    double output, lse;
};

/// Weights are rounded to the precision before they meet the values, which are about 1 and multiplied by 1.5.
Limits limits_of(const ForwardCase& c) {
    Limits limits = c.precision == Precision::Float32    ? Limits{1e-5, 1e-5}
                    : c.precision == Precision::BFloat16 ? Limits{1.5e-2, 1e-5}
                                                         : Limits{2e-3, 1e-5};
    if (!c.output_is_float32)
        limits.output *= 2.0;
    limits.output *= std::max(1.0, c.size);
    return limits;
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
    const auto add = [](const char* what, ForwardCase c) {
        c.precision = Precision::BFloat16;
        QTest::addRow("bfloat16, %s", what) << "bfloat16 32" << c;
        c.precision = Precision::Float32;
        QTest::addRow("float32, %s", what) << "float32 32" << c;
        c.precision = Precision::Float16;
        QTest::addRow("plain float16, %s", what) << "plain float16" << c;
    };
    const ForwardCase some{.H = 2, .Hkv = 2, .L = 70, .S = 150, .E = 32, .Ev = 32};
    const auto with = [&](auto change) {
        auto changed = some;
        change(changed);
        return changed;
    };
    add("one cell", {.L = 1, .S = 1, .E = 1, .Ev = 1});
    add("no keys", {.L = 3, .S = 0, .E = 4, .Ev = 4});
    add("batches and groups of heads", {.B = 2, .H = 4, .Hkv = 2, .L = 33, .S = 40, .E = 20, .Ev = 7});
    add("causal", with([](auto& c) { c.band.after = 0; }));
    add("causal from the end", with([](auto& c) { c.band.after = 80; }));
    add("more queries than keys, causal from the end", with([](auto& c) { c.S = 30, c.band.after = 30 - 70; }));
    add("window", with([](auto& c) { c.band.before = c.band.after = 5; }));
    add("prefix", with([](auto& c) { c.band.after = 0, c.band.prefix = 77; }));
    add("part of a larger problem", with([](auto& c) {
            c.first_row = 100, c.first_key = 64;
            c.band.after = 0, c.band.before = 60;
        }));
    add("lengths", with([](auto& c) { c.B = 2, c.lengths = true; }));
    add("lengths of each row", with([](auto& c) { c.B = 2, c.lengths_by_row = true; }));
    add("padding", with([](auto& c) { c.B = 2, c.S = 259, c.padding = true; }));
    add("boolean mask", with([](auto& c) { c.kept = true; }));
    add("bias", with([](auto& c) { c.bias = true; }));
    add("everything", with([](auto& c) {
            c.B = 2, c.lengths = c.padding = c.kept = c.bias = true;
            c.band.before = 90, c.band.after = 40;
        }));
    add("fill instead",
        with([](auto& c) { c.band.after = 0, c.kept = true, c.blocked = Blocked::Replaced, c.fill = -3.0f; }));
    add("fill added",
        with([](auto& c) { c.band.after = 0, c.padding = c.bias = true, c.blocked = Blocked::Added, c.fill = -2.0f; }));
    add("softcap", with([](auto& c) { c.softcap = 2.0f, c.size = 3.0; }));
    add("softcap, causal", with([](auto& c) { c.softcap = 2.0f, c.size = 3.0, c.band.after = 0; }));
    add("negative scale", with([](auto& c) { c.scale = -0.3f; }));
    add("scale of 0", with([](auto& c) { c.scale = 1e-30f; }));
    add("large scores", with([](auto& c) { c.size = 4.0, c.band.after = 0; }));
    add("output of the same precision", with([](auto& c) { c.output_is_float32 = false; }));
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
    qInfo("output %.2g, lse %.2g", difference.output, difference.lse);
    QVERIFY2(difference.output <= limits.output, qPrintable(QString::number(difference.output)));
    QVERIFY2(difference.lse <= limits.lse * std::max(1.0, forward.size * forward.size),
             qPrintable(QString::number(difference.lse)));
}

QTEST_APPLESS_MAIN(TestForwardKernels)
#include "test_forward_kernels.moc"
