#include "gpu/map.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
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
    void the_fastest_device_is_preferred();
    void kernels_of_the_program_data();
    void kernels_of_the_program();
    void maps_of_the_program_data();
    void maps_of_the_program();
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

void TestDispatch::the_fastest_device_is_preferred() {
    const auto device_of = [](int capability, int multiprocessors) {
        Device device;
        device.capability = capability;
        device.multiprocessors = multiprocessors;
        return device;
    };
    const auto faster = [](const Device& one, const Device& other) {
        return is_faster({kernels, std::size(kernels)}, one, other);
    };
    const auto turing = device_of(75, 72), small = device_of(86, 20), large = device_of(90, 132);
    QVERIFY(faster(small, turing) && !faster(turing, small)); // whose tensor cores no kernel uses
    QVERIFY(faster(large, small) && !faster(small, large));
    QVERIFY(!faster(small, small)); // the driver's order stays
}

void TestDispatch::kernels_of_the_program_data() {
    QTest::addColumn<int>("capability");
    QTest::addColumn<int>("precision");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("kernel");
    const auto row = [](const char* name, int capability, Precision precision, int width, const char* kernel) {
        QTest::newRow(name) << capability << static_cast<int>(precision) << width << QString(kernel);
    };
    row("Hopper", 90, Precision::BFloat16, 64, "hopper bfloat16 64");
    row("Hopper, padded", 90, Precision::Float16, 96, "hopper float16 128");
    row("Hopper, float32", 90, Precision::Float32, 64, "hopper 6 x bfloat16 64");
    row("Hopper, narrow float32", 90, Precision::Float32, 16, "tiled 3xtf32 16");
    row("Hopper, wide float32", 90, Precision::Float32, 256, "tiled 3xtf32 256");
    row("Ampere", 80, Precision::BFloat16, 128, "tiled bfloat16 128");
    row("Blackwell", 100, Precision::BFloat16, 128, "tiled bfloat16 128");
    row("Blackwell of desktops", 120, Precision::Float32, 64, "tiled 3xtf32 64");
    row("Turing", 75, Precision::Float16, 64, "plain float16");
}

/// By the table that the program is built with.
void TestDispatch::kernels_of_the_program() {
    if (forward_kernels().count == 0)
        QSKIP("built without CUDA");
    QFETCH(int, capability);
    QFETCH(int, precision);
    QFETCH(int, width);
    QFETCH(QString, kernel);
    auto arguments = of_widths(width, width);
    arguments.precision = static_cast<Precision>(precision);
    arguments.L = arguments.S = 300;
    const auto* found = choose(forward_kernels(), capability, arguments);
    QVERIFY(found);
    QCOMPARE(QString(found->name), kernel);
    Device device;
    device.capability = capability;
    QCOMPARE(has_fast_kernels(forward_kernels(), device), capability >= 80);
}

void TestDispatch::maps_of_the_program_data() {
    QTest::addColumn<int>("capability");
    QTest::addColumn<int>("precision");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("bin_columns"); // 0: single cells
    QTest::addColumn<QString>("kernel");
    const auto row = [](const char* name, int capability, Precision precision, int width, int columns,
                        const char* kernel) {
        QTest::newRow(name) << capability << static_cast<int>(precision) << width << columns << QString(kernel);
    };
    // Maps have bins of 2^n columns, at most 4096 of them.
    row("64k keys", 90, Precision::Float32, 64, 16, "hopper map 6 x bfloat16 64");
    row("128k keys", 90, Precision::Float32, 64, 32, "hopper map 6 x bfloat16 64");
    row("256k keys", 90, Precision::Float32, 128, 64, "hopper map 6 x bfloat16 128");
    row("1M keys", 90, Precision::Float32, 128, 256, "hopper map 6 x bfloat16 128");
    row("128k keys, bfloat16", 90, Precision::BFloat16, 128, 32, "hopper map bfloat16 128");
    row("32k keys", 90, Precision::Float32, 64, 8, "map 3xtf32 64");
    row("cells", 90, Precision::Float32, 64, 0, "map 3xtf32 64");
    row("wide", 90, Precision::Float32, 256, 32, "map 3xtf32 256");
    row("Ampere", 80, Precision::Float32, 64, 32, "map 3xtf32 64");
    row("Blackwell", 120, Precision::BFloat16, 64, 32, "map bfloat16 64");
    row("Turing", 75, Precision::Float32, 64, 32, "none");
}

void TestDispatch::maps_of_the_program() {
    if (map_kernels().count == 0)
        QSKIP("built without CUDA");
    QFETCH(int, capability);
    QFETCH(int, precision);
    QFETCH(int, width);
    QFETCH(int, bin_columns);
    QFETCH(QString, kernel);
    MapArguments arguments;
    arguments.scores = of_widths(width, width);
    arguments.scores.precision = static_cast<Precision>(precision);
    arguments.scores.L = arguments.scores.S = 300;
    float cell = 0.0f;
    arguments.cells = bin_columns == 0 ? &cell : nullptr;
    arguments.bin_rows = arguments.bin_columns = std::max(1, bin_columns);
    const auto* found = choose(map_kernels(), capability, arguments);
    QCOMPARE(found ? QString(found->name) : "none", kernel);
}

ATTNLAB_TEST(TestDispatch)
#include "test_dispatch.moc"
