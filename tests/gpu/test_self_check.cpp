// The check of a device's kernels over a device in ordinary memory. This program is its own child process: the kernels
// in it are wrong, hang, crash or spoil the device as an environment variable says.
#include "flash_support.h"
#include "gpu/host/backend.h"
#include "gpu/host/device_map.h"
#include "gpu/self_check.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"
#include "tests/test_main.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;

namespace {

constexpr const char* variable = "ATTNLAB_FAKE_DEVICE"; ///< "hangs:float32 16"
constexpr const char *first = "float32 16", *second = "bfloat16 16", *any_width = "plain float32",
                     *of_maps = "map 3xtf32 32";

template <class Kernels>
auto kernel_named(Kernels kernels, std::string_view name) {
    for (const auto& kernel : kernels)
        if (kernel.name == name)
            return kernel;
    throw std::invalid_argument(std::string(name));
}

/// What a kernel does on the fake device after it has computed.
struct Fault {
    std::string what, kernel;
    FakeRuntime* runtime = nullptr;

    void happen(const char* name) const {
        if (kernel != name)
            return;
        if (what == "hangs")
            for (;;)
                ::pause();
        if (what == "crashes")
            std::raise(SIGKILL);
        if (what == "breaks") {
            runtime->failing_call = runtime->calls + 1;
            runtime->stays_broken = true;
        }
    }
    bool is_wrong(const char* name) const { return kernel == name && what == "errs"; }
};
Fault fault;

template <const char* const& name>
int launch_with_fault(const ForwardArguments& arguments, const Device& device, void* stream) {
    kernel_named(emulator::forward_kernels(), name).launch(arguments, device, stream);
    if (fault.is_wrong(name))
        arguments.lse[arguments.L - 1] += 0.25f;
    fault.happen(name);
    return 0;
}
int launch_map_with_fault(const MapArguments& arguments, const Device& device, void* stream) {
    kernel_named(emulator::map_kernels(), of_maps).launch(arguments, device, stream);
    if (fault.is_wrong(of_maps) && arguments.largest)
        arguments.largest[1] += 0.25f;
    fault.happen(of_maps);
    return 0;
}

struct Tables {
    std::vector<ForwardKernel> forwards;
    std::vector<MapKernel> maps;

    Tables() {
        const auto add = [&](const char* name, auto* launch) {
            auto kernel = kernel_named(emulator::forward_kernels(), name);
            kernel.launch = launch;
            forwards.push_back(kernel);
        };
        add(first, launch_with_fault<first>);
        add(second, launch_with_fault<second>);
        add(any_width, launch_with_fault<any_width>);
        maps.push_back(kernel_named(emulator::map_kernels(), of_maps));
        maps.back().launch = launch_map_with_fault;
    }
    ForwardKernels forward_table() const { return {forwards.data(), static_cast<int>(forwards.size())}; }
    MapKernels map_table() const { return {maps.data(), static_cast<int>(maps.size())}; }
};

constexpr std::size_t plenty = std::size_t{1} << 28;

int run_as_child(const std::string& wanted, const std::vector<std::string>& names) {
    if (wanted == "does not start")
        return 7;
    if (const auto colon = wanted.find(':'); colon != std::string::npos)
        fault = {wanted.substr(0, colon), wanted.substr(colon + 1)};
    const Tables tables;
    FakeRuntime runtime(plenty);
    fault.runtime = &runtime;
    return run_checks(runtime, tables.forward_table(), tables.map_table(), names, STDOUT_FILENO) ? 0 : 1;
}

const VerdictKey key{"GPU-1", "13.0", "build 1"};

/// Names are given in the order of the tables.
std::vector<KernelVerdict> checked(const std::string& what, std::vector<std::string> names, Trust& trust,
                                   const RunControl& control = {}, std::vector<std::string>* begun = nullptr,
                                   const CheckLimits& limits = {.start_seconds = 120.0, .kernel_seconds = 120.0}) {
    qputenv(variable, what.c_str());
    const auto command = QCoreApplication::applicationFilePath().toStdString();
    check_in_children(
        child_of({command, "self_check"}), std::move(names), trust, control,
        [&](const std::string& kernel) {
            if (begun)
                begun->push_back(kernel);
        },
        limits);
    return trust.verdicts();
}

/// "wrong numbers" of the kernels that are not right, by name.
QStringList wrong_ones(const std::vector<KernelVerdict>& verdicts) {
    QStringList names;
    for (const auto& verdict : verdicts)
        if (!verdict.right)
            names << QString::fromStdString(verdict.kernel);
    return names;
}

} // namespace

class TestSelfCheck : public QObject {
    Q_OBJECT

private slots:
    void right_kernels_are_trusted() {
        Trust trust({}, key);
        std::vector<std::string> begun;
        const auto verdicts = checked("nothing", {first, second, any_width, of_maps}, trust, {}, &begun);
        QCOMPARE(verdicts.size(), std::size_t{4});
        QCOMPARE(wrong_ones(verdicts), QStringList());
        QCOMPARE(begun, (std::vector<std::string>{first, second, any_width, of_maps}));
        QVERIFY(trust.trusts(first) && !trust.trusts("another"));
    }

    void one_fault_leaves_the_others_alone_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("why");
        QTest::newRow("wrong numbers") << "errs" << first << "257 x 389: lse 256 is";
        QTest::newRow("wrong bins") << "errs" << of_maps << "bins of 64 x 64: maximum 1 is";
        QTest::newRow("crash") << "crashes" << first << "crashed: Killed";
        QTest::newRow("a device that stays broken") << "breaks" << first << "failed: broken";
        QTest::newRow("a device that stays broken, maps") << "breaks" << of_maps << "failed: broken";
    }
    void one_fault_leaves_the_others_alone() {
        QFETCH(QString, fault);
        QFETCH(QString, kernel);
        QFETCH(QString, why);
        Trust trust({}, key);
        const auto verdicts = checked((fault + ':' + kernel).toStdString(), {first, second, of_maps}, trust);
        QCOMPARE(verdicts.size(), std::size_t{3});
        QCOMPARE(wrong_ones(verdicts), QStringList{kernel});
        const auto found = QString::fromStdString(trust.verdict(kernel.toStdString())->why);
        QVERIFY2(found.contains(why), qPrintable(found));
    }

    void what_hangs_is_stopped() {
        Trust trust({}, key);
        const auto verdicts = checked("hangs:float32 16", {first, of_maps}, trust, {}, nullptr,
                                      {.start_seconds = 120.0, .kernel_seconds = 25.0});
        QCOMPARE(wrong_ones(verdicts), QStringList{first});
        QCOMPARE(trust.verdict(first)->why, std::string("did not end in time"));
        QVERIFY(trust.trusts(of_maps));
    }

    void a_child_that_does_not_start_is_an_error() {
        Trust trust({}, key);
        QVERIFY_EXCEPTION_THROWN(checked("does not start", {first}, trust), Error);
        QVERIFY_EXCEPTION_THROWN(check_in_children(child_of({"/no/such/program"}), {first}, trust, {}), Error);
        QVERIFY(trust.verdicts().empty());
    }

    void a_check_can_be_cancelled() {
        Trust trust({}, key);
        RunControl control;
        int asked = 0;
        control.cancelled = [&] { return ++asked > 3; };
        QVERIFY_EXCEPTION_THROWN(checked("hangs:float32 16", {first}, trust, control), Cancelled);
        QVERIFY(trust.verdicts().empty());
    }

    /// Another driver or build, or another device, needs its own check.
    void verdicts_are_kept_for_what_they_were_found_on() {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "a folder" / "kernels";
        Trust(file, key).put({"one", true});
        Trust(file, key).put({"two", false, "off\tby\n1"});
        const Trust again(file, key);
        QVERIFY(again.trusts("one") && !again.trusts("two"));
        QCOMPARE(again.verdict("two")->why, std::string("off by 1"));
        for (const auto& other : {VerdictKey{"GPU-1", "13.1", "build 1"}, VerdictKey{"GPU-1", "13.0", "build 2"},
                                  VerdictKey{"GPU-2", "13.0", "build 1"}})
            QVERIFY(Trust(file, other).verdicts().empty());
        Trust(file, {"GPU-2", "13.0", "build 1"}).put({"one", false, "hangs"});
        QVERIFY(Trust(file, key).trusts("one")); // of the first device
        Trust(file, {"GPU-1", "13.1", "build 1"}).put({"one", true});
        QVERIFY(Trust(file, key).verdicts().empty()); // the driver has changed
        QVERIFY(!Trust(file, {"GPU-2", "13.0", "build 1"}).trusts("one"));
    }

    void a_file_that_is_something_else_is_no_verdict() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("kernels");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        constexpr char text[] =
            "GPU-1\t13.0\tbuild 1\tone\tright\nGPU-1\t13.0\tbuild 1\ttwo\tperhaps\t\n\0\n\t\t\t\t\t\n"
            "GPU-1\t13.0\tbuild 1\tthree\tright\t\n";
        file.write(text, sizeof text - 1);
        file.close();
        const Trust trust(path.toStdString(), key);
        QCOMPARE(trust.verdicts().size(), std::size_t{1});
        QVERIFY(trust.trusts("three"));
        Trust unwritable("/proc/no folder/kernels", key);
        unwritable.put({"one", true});
        QVERIFY(unwritable.trusts("one"));
    }

    /// A kernel may also be wrong for what no check has tried.
    void rows_that_differ_end_the_trust_in_a_kernel() {
        const Tables tables;
        FakeRuntime runtime(plenty);
        Trust trust({}, key);
        for (const auto* name : {first, any_width})
            trust.put({name, true});
        const auto problem = flash_problem(1, 1, 1, 1, 90, 16, 16); // any row is the wrong one
        const auto expected = run(problem);
        const auto backend = backend_on(runtime, tables.forward_table(), Precision::Float32, &trust);
        fault = {"errs", first};
        const auto notes_of_run = [&] {
            const auto trace = backend->run(problem, {});
            const auto differs = difference(stage(trace, "lse"), stage(expected, "lse"), 4e-6);
            return trace.notes.empty() ? differs : QString::fromStdString(trace.notes[0].message.english()) + differs;
        };
        const auto note = notes_of_run();
        QVERIFY2(note.startsWith("The cpu backend computed this instead of cuda: The kernel float32 16 gave lse = "),
                 qPrintable(note));
        QVERIFY(!trust.trusts(first));
        QVERIFY(!backend->why_not(problem).has_value());
        QCOMPARE(notes_of_run(), QString()); // by the next kernel
        QCOMPARE(runtime.last_kernel, std::string(any_width));
        trust.put({any_width, false});
        QVERIFY(QString::fromStdString(backend->why_not(problem)->english()).contains("has passed its check"));
        fault = {};
    }

    void bins_that_differ_end_the_trust_in_a_kernel() {
        const Tables tables;
        FakeRuntime runtime(plenty);
        Trust trust({}, key);
        for (const auto* name : {first, any_width, of_maps})
            trust.put({name, true});
        const auto engine =
            map_engine_on(runtime, tables.forward_table(), tables.map_table(), Precision::Float32, plenty, &trust);
        auto problem = flash_problem(1, 1, 1, 60, 90, 16, 16);
        const AttentionMap map(std::make_shared<const MapInputs>(problem, engine.get()), 0, 0),
            cores(std::make_shared<const MapInputs>(problem), 0, 0);
        fault = {"errs", of_maps};
        const BinGrid grid{{0, 60, 0, 90}, 60, 45}; // two bins: one of them is wrong
        for (int k = 0; k < 20 && map.notes().empty(); ++k)
            map.pool(grid, Pool::Max);
        fault = {};
        QCOMPARE(map.notes().size(), std::size_t{1});
        const auto note = QString::fromStdString(map.notes()[0].english());
        QVERIFY2(note.contains("The kernel map 3xtf32 32 gave max = "), qPrintable(note));
        QVERIFY(!trust.trusts(of_maps));
        const auto got = map.pool(grid, Pool::Max).values(Pool::Max),
                   expected = cores.pool(grid, Pool::Max).values(Pool::Max);
        for (std::size_t bin = 0; bin < expected.size(); ++bin)
            QVERIFY(std::abs(got[bin] - expected[bin]) < 1e-5f);
        QVERIFY(map_width(tables.map_table(), 80, Precision::Float32, 16, trusted_maps(&trust)) == 0);
    }

    void kernels_of_a_device() {
        Device device;
        device.capability = 75;
        QCOMPARE(kernels_of(device, emulator::forward_kernels(), emulator::map_kernels()).size(), std::size_t{3});
        QVERIFY(!has_fast_kernels(emulator::forward_kernels(), device)); // Turing: the cores are faster
        device.capability = 80;
        QVERIFY(kernels_of(device, emulator::forward_kernels(), emulator::map_kernels()).size() > 20);
        QVERIFY(has_fast_kernels(emulator::forward_kernels(), device));
    }
};

static const attnlab::test::TestFile registered(__FILE__, [](int argc, char** argv) {
    if (const char* wanted = std::getenv(variable))
        return run_as_child(wanted, {argv + 1, argv + argc});
    TestSelfCheck test;
    return QTest::qExec(&test, argc, argv);
});
#include "test_self_check.moc"
