// The check of a device's kernels over a device in ordinary memory. This program is its own child process: the kernels
// in it are wrong, hang, crash or spoil the device as an environment variable says.
#include "gpu/self_check.h"
#include "tests/gpu/faulty_kernels.h"
#include "tests/test_main.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;
using namespace attnlab::gpu::faulty;

namespace {

constexpr const char* variable = "ATTNLAB_FAKE_DEVICE"; ///< "hangs:float32 16"
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
std::vector<KernelVerdict> checked(const std::string& what, std::vector<std::string> names, KernelVerdicts& known,
                                   const RunControl& control = {}, std::vector<std::string>* begun = nullptr,
                                   const CheckLimits& limits = {.start_seconds = 120.0, .kernel_seconds = 120.0}) {
    qputenv(variable, what.c_str());
    const auto command = QCoreApplication::applicationFilePath().toStdString();
    check_in_children(
        child_of({command, "self_check"}), std::move(names), known, control,
        [&](const std::string& kernel) {
            if (begun)
                begun->push_back(kernel);
        },
        limits);
    return known.verdicts();
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
        KernelVerdicts known({}, key);
        std::vector<std::string> begun;
        const auto verdicts = checked("nothing", {first, second, any_width, of_maps}, known, {}, &begun);
        QCOMPARE(verdicts.size(), std::size_t{4});
        QCOMPARE(wrong_ones(verdicts), QStringList());
        QCOMPARE(begun, (std::vector<std::string>{first, second, any_width, of_maps}));
        QVERIFY(known.trusts(first) && !known.trusts("another"));
    }

    /// Of bins, the two that are computed again may be the wrong ones.
    void one_fault_leaves_the_others_alone_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("why");
        QTest::newRow("wrong numbers") << "errs" << first << "257 x 389: lse 256 is";
        QTest::newRow("wrong bins") << "errs" << of_maps << "bins of 64 x 64: maximum 1 is|gave max = ";
        QTest::newRow("crash") << "crashes" << first << "crashed: Killed";
        QTest::newRow("a device that stays broken") << "breaks" << first << "failed: broken";
        QTest::newRow("a device that stays broken, maps") << "breaks" << of_maps << "failed: broken";
    }
    void one_fault_leaves_the_others_alone() {
        QFETCH(QString, fault);
        QFETCH(QString, kernel);
        QFETCH(QString, why);
        KernelVerdicts known({}, key);
        const auto verdicts = checked((fault + ':' + kernel).toStdString(), {first, second, of_maps}, known);
        QCOMPARE(verdicts.size(), std::size_t{3});
        QCOMPARE(wrong_ones(verdicts), QStringList{kernel});
        const auto found = QString::fromStdString(known.verdict(kernel.toStdString())->why);
        QVERIFY2(found.contains(QRegularExpression(why)), qPrintable(found));
    }

    void no_kind_of_problem_is_left_out_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("why");
        QTest::newRow("outputs") << "errs in outputs" << first << "^257 x 389: output 0 is";
        QTest::newRow("causal") << "errs if causal" << first << "^257 x 389, causal: lse 256 is";
        QTest::newRow("padding at the end") << "errs with lengths" << first << "^257 x 389, padded: lse 256 is";
        QTest::newRow("padding between") << "errs with padding" << first << "^257 x 389, masked: lse 256 is";
        QTest::newRow("long rows") << "errs in long rows" << first << "^1 x 16384: lse 0 is";
        QTest::newRow("sums of bins") << "errs in sums" << of_maps << "^bins of 64 x 64: sum 1 is|gave sum = ";
        QTest::newRow("counts of bins") << "errs in counts" << of_maps << "^bins of 64 x 64: count 1 is|gave kept = ";
        QTest::newRow("cells of a map") << "errs in a cell" << of_maps << "^weight 7 is";
    }
    /// A kernel that is wrong for this alone.
    void no_kind_of_problem_is_left_out() {
        QFETCH(QString, fault);
        QFETCH(QString, kernel);
        QFETCH(QString, why);
        KernelVerdicts known({}, key);
        const auto verdicts = checked((fault + ':' + kernel).toStdString(), {kernel.toStdString()}, known);
        QCOMPARE(wrong_ones(verdicts), QStringList{kernel});
        const auto found = QString::fromStdString(verdicts[0].why);
        QVERIFY2(found.contains(QRegularExpression(why)), qPrintable(found));
    }

    void what_hangs_is_stopped() {
        KernelVerdicts known({}, key);
        const auto verdicts = checked("hangs:float32 16", {first, of_maps}, known, {}, nullptr,
                                      {.start_seconds = 120.0, .kernel_seconds = 25.0});
        QCOMPARE(wrong_ones(verdicts), QStringList{first});
        QCOMPARE(known.verdict(first)->why, std::string("did not end in time"));
        QVERIFY(known.trusts(of_maps));
    }

    void a_child_that_does_not_start_is_an_error() {
        KernelVerdicts known({}, key);
        QVERIFY_THROWS_EXCEPTION(Error, checked("does not start", {first}, known));
        QVERIFY_THROWS_EXCEPTION(Error, check_in_children(child_of({"/no/such/program"}), {first}, known, {}));
        QVERIFY(known.verdicts().empty());
    }

    /// Where a parent ignores SIGCHLD, the system keeps no exit codes: a crash must not pass for a clean end.
    void a_lost_child_is_no_clean_end() {
        KernelVerdicts known({}, key);
        const auto usual = std::signal(SIGCHLD, SIG_IGN);
        const auto verdicts = checked("crashes:float32 16", {first, second}, known);
        QString why;
        try {
            checked("does not start", {of_maps}, known);
        } catch (const Error& error) {
            why = error.what();
        }
        std::signal(SIGCHLD, usual);
        QCOMPARE(wrong_ones(verdicts), QStringList{first});
        QCOMPARE(known.verdict(first)->why, std::string("ended, and how is not known: the system kept no exit code"));
        QVERIFY(known.trusts(second));
        QVERIFY2(why.contains("how is not known"), qPrintable(why));
    }

    void a_check_can_be_cancelled() {
        KernelVerdicts known({}, key);
        RunControl control;
        int asked = 0;
        control.cancelled = [&] { return ++asked > 3; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, checked("hangs:float32 16", {first}, known, control));
        QVERIFY(known.verdicts().empty());
    }

    /// Another driver or build, or another device, needs its own check.
    void verdicts_are_kept_for_what_they_were_found_on() {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "a folder" / "kernels";
        KernelVerdicts(file, key).put({"one", true});
        KernelVerdicts(file, key).put({"two", false, "off\tby\n1"});
        const KernelVerdicts again(file, key);
        QVERIFY(again.trusts("one") && !again.trusts("two"));
        QCOMPARE(again.verdict("two")->why, std::string("off by 1"));
        for (const auto& other : {VerdictKey{"GPU-1", "13.1", "build 1"}, VerdictKey{"GPU-1", "13.0", "build 2"},
                                  VerdictKey{"GPU-2", "13.0", "build 1"}})
            QVERIFY(KernelVerdicts(file, other).verdicts().empty());
        KernelVerdicts(file, {"GPU-2", "13.0", "build 1"}).put({"one", false, "hangs"});
        QVERIFY(KernelVerdicts(file, key).trusts("one")); // of the first device
        KernelVerdicts(file, {"GPU-1", "13.1", "build 1"}).put({"one", true});
        QVERIFY(KernelVerdicts(file, key).verdicts().empty()); // the driver has changed
        QVERIFY(!KernelVerdicts(file, {"GPU-2", "13.0", "build 1"}).trusts("one"));
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
        const KernelVerdicts known(path.toStdString(), key);
        QCOMPARE(known.verdicts().size(), std::size_t{1});
        QVERIFY(known.trusts("three"));
        KernelVerdicts unwritable("/proc/no folder/kernels", key);
        unwritable.put({"one", true});
        QVERIFY(unwritable.trusts("one"));
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
