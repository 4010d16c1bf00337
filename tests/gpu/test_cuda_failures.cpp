// What the backend does where a device has too little memory or fails: the cores compute, and a note says why.
#include "core/stages/scale.h"
#include "tests/gpu/backend_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;

class TestCudaFailures : public QObject {
    Q_OBJECT

private slots:
    void too_little_memory_goes_to_the_cpu();
    void memory_that_others_took_makes_smaller_pieces();
    void any_failure_goes_to_the_cpu_data();
    void any_failure_goes_to_the_cpu();
    void a_failure_that_no_cpu_can_mend_comes_out();
};

void TestCudaFailures::too_little_memory_goes_to_the_cpu() {
    auto problem = flash_problem(1, 1, 1, 300, 200, 16, 16);
    FakeRuntime runtime(10000);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    const auto trace = backend->run(problem, {});
    QCOMPARE(runtime.launches, 0);
    QVERIFY(has_note(trace, "The cpu backend computed this instead of cuda: The device Fake has 0 MB free"));
    QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
    problem.spec.scale = parse_scale("softcap:1"); // unsupported by the cpu backend
    QVERIFY_THROWS_EXCEPTION(OutOfMemory, backend->run(problem, {}));
}

void TestCudaFailures::memory_that_others_took_makes_smaller_pieces() {
    const auto problem = flash_problem(1, 8, 8, 64, 64, 16, 16);
    FakeRuntime runtime(100000);
    runtime.pretended = std::size_t{1} << 30;
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    const auto trace = backend->run(problem, {});
    QVERIFY(runtime.launches > 1);
    QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
}

void TestCudaFailures::any_failure_goes_to_the_cpu_data() {
    QTest::addColumn<bool>("for_room");
    QTest::addColumn<bool>("stays_broken");
    QTest::newRow("one call") << false << false;
    QTest::newRow("every call from then on") << false << true;
    QTest::newRow("no room, once") << true << false;
    QTest::newRow("no room from then on") << true << true;
}

/// For any failing call: several pieces on both streams.
void TestCudaFailures::any_failure_goes_to_the_cpu() {
    QFETCH(bool, for_room);
    QFETCH(bool, stays_broken);
    const auto problem = flash_problem(2, 8, 8, 96, 16, 12, 12);
    const auto expected = run(problem);
    const auto run_failing = [&](int call) {
        FakeRuntime runtime(plenty_of_memory);
        runtime.failing_call = call;
        runtime.fails_for_room = for_room;
        runtime.stays_broken = stays_broken;
        {
            const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
            const auto trace = backend->run(problem, {});
            if (difference(stage(trace, "output"), stage(expected, "output"), 4e-6) != QString() ||
                difference(stage(trace, "lse"), stage(expected, "lse"), 4e-6) != QString())
                throw std::logic_error("wrong numbers");
            // Work that does not fit may fit in smaller pieces. The final wait for an idle stream may fail unnoticed.
            const bool noted = has_note(trace, "The cpu backend computed this instead of cuda: ");
            const bool named = has_note(trace, runtime.failed) || for_room;
            if (!noted && !(runtime.failed.empty() || runtime.failed == "cudaStreamSynchronize" || for_room))
                throw std::logic_error("no note after " + runtime.failed);
            if (noted && !named)
                throw std::logic_error("the note does not say what failed");
            if (noted && trace.notes.size() != 1)
                throw std::logic_error("several notes");
        }
        if (runtime.used != 0 || runtime.pinned != 0)
            throw std::logic_error("memory is left behind");
        return runtime.calls;
    };
    const int calls = run_failing(0);
    QVERIFY(calls > 20);
    for (int call = 1; call <= calls; ++call)
        try {
            run_failing(call);
        } catch (const std::exception& error) {
            QFAIL(qPrintable(QStringLiteral("call %1: %2").arg(call).arg(QString::fromUtf8(error.what()))));
        }
}

void TestCudaFailures::a_failure_that_no_cpu_can_mend_comes_out() {
    auto problem = flash_problem(1, 1, 1, 30, 20, 16, 16);
    problem.spec.scale = parse_scale("softcap:1"); // unsupported by the cpu backend
    FakeRuntime runtime(plenty_of_memory);
    runtime.failing_call = 4;
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    QVERIFY_THROWS_EXCEPTION(Error, backend->run(problem, {}));
    QVERIFY(!runtime.failed.empty());
    QCOMPARE(runtime.used, std::size_t{0});
}

ATTNLAB_TEST(TestCudaFailures)
#include "test_cuda_failures.moc"
