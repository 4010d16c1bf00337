#include "gpu/forward.h"
#include "tests/test_main.h"

#include <QTest>

#include <string>

using namespace attnlab::gpu;

namespace {

bool anything(const ForwardArguments&) { return true; }
bool without_bias(const ForwardArguments& arguments) { return !arguments.bias.values; }
bool of_width_64(const ForwardArguments& arguments) { return arguments.E == 64 && arguments.Ev == 64; }
int launch(const ForwardArguments&, const Device&, void*) { return 0; }

constexpr ForwardKernel kernels[] = {
    {"hopper 64", 90, 90, Precision::BFloat16, 64, 2.0, without_bias, launch},
    {"hopper 128", 90, 90, Precision::BFloat16, 128, 2.0, without_bias, launch},
    {"tiled 64", 80, 999, Precision::BFloat16, 64, 1.0, of_width_64, launch},
    {"tiled 96", 80, 999, Precision::BFloat16, 96, 1.0, anything, launch},
    {"tiled 128", 80, 999, Precision::BFloat16, 128, 1.0, anything, launch},
    {"plain", 75, 999, Precision::BFloat16, 0, 0.05, anything, launch},
};

ForwardArguments of_widths(int E, int Ev) {
    ForwardArguments arguments;
    arguments.precision = Precision::BFloat16;
    arguments.E = E;
    arguments.Ev = Ev;
    return arguments;
}

std::string chosen(int capability, const ForwardArguments& arguments) {
    const auto* kernel = choose({kernels, std::size(kernels)}, capability, arguments);
    return kernel ? kernel->name : "none";
}

} // namespace

class TestDispatch : public QObject {
    Q_OBJECT

private slots:
    void the_fastest_that_fits_is_chosen_data();
    void the_fastest_that_fits_is_chosen();
    void what_a_kernel_does_not_support_goes_to_the_next();
    void other_precisions_find_none();
    void an_old_device_finds_none();
    void widths_are_padded_to_the_kernel();
};

void TestDispatch::the_fastest_that_fits_is_chosen_data() {
    QTest::addColumn<int>("capability");
    QTest::addColumn<int>("E");
    QTest::addColumn<int>("Ev");
    QTest::addColumn<QString>("kernel");
    QTest::newRow("exact, Hopper") << 90 << 64 << 64 << "hopper 64";
    QTest::newRow("exact, Ampere") << 80 << 64 << 64 << "tiled 64";
    QTest::newRow("exact, Blackwell is no Hopper") << 120 << 128 << 128 << "tiled 128";
    QTest::newRow("padded") << 86 << 3 << 5 << "tiled 64";
    QTest::newRow("the wider of the two counts") << 86 << 16 << 70 << "tiled 96";
    QTest::newRow("padding to a faster kernel") << 90 << 96 << 96 << "hopper 128";
    QTest::newRow("too wide for tiles") << 90 << 129 << 128 << "plain";
    QTest::newRow("too old for tiles") << 75 << 64 << 64 << "plain";
}

void TestDispatch::the_fastest_that_fits_is_chosen() {
    QFETCH(int, capability);
    QFETCH(int, E);
    QFETCH(int, Ev);
    QFETCH(QString, kernel);
    QCOMPARE(QString::fromStdString(chosen(capability, of_widths(E, Ev))), kernel);
}

void TestDispatch::what_a_kernel_does_not_support_goes_to_the_next() {
    auto arguments = of_widths(64, 64);
    const float bias = 0.0f;
    arguments.bias.values = &bias;
    QCOMPARE(chosen(90, arguments), std::string("tiled 64"));
}

void TestDispatch::other_precisions_find_none() {
    auto arguments = of_widths(64, 64);
    arguments.precision = Precision::Float16;
    QCOMPARE(chosen(90, arguments), std::string("none"));
}

void TestDispatch::an_old_device_finds_none() { QCOMPARE(chosen(70, of_widths(64, 64)), std::string("none")); }

void TestDispatch::widths_are_padded_to_the_kernel() {
    const auto padded = padded_for(kernels[3], of_widths(70, 5));
    QCOMPARE(padded.E, 96);
    QCOMPARE(padded.Ev, 96);
    const auto kept = padded_for(kernels[5], of_widths(70, 5));
    QCOMPARE(kept.E, 70);
    QCOMPARE(kept.Ev, 5);
}

ATTNLAB_TEST(TestDispatch)
#include "test_dispatch.moc"
