// Errors of CUDA's calls, over a stand-in of its header.
#include "tests/gpu/stand_in/cuda_runtime_api.h"

#include "gpu/cuda/errors.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::gpu;

class TestErrors : public QObject {
    Q_OBJECT

private slots:
    void success_throws_nothing() { require("cudaMalloc", cudaSuccess); }

    /// Otherwise the next launch, which asks for the last error, would report it as its own.
    void an_error_that_was_reported_is_cleared_data() {
        QTest::addColumn<int>("code");
        QTest::newRow("memory") << static_cast<int>(cudaErrorMemoryAllocation);
        QTest::newRow("any other") << static_cast<int>(cudaErrorInvalidConfiguration);
    }
    void an_error_that_was_reported_is_cleared() {
        QFETCH(int, code);
        const auto error = static_cast<cudaError_t>(code);
        last_cuda_error = error;
        bool for_room = false;
        try {
            require("cudaMalloc", error);
            QFAIL("nothing was thrown");
        } catch (const OutOfMemory&) {
            for_room = true;
        } catch (const Error& thrown) {
            QCOMPARE(thrown.message().english(), std::string("cudaMalloc failed: a broken call (cudaErrorOfATest)"));
        }
        QCOMPARE(for_room, error == cudaErrorMemoryAllocation);
        QCOMPARE(static_cast<int>(cudaGetLastError()), static_cast<int>(cudaSuccess));
    }
};

ATTNLAB_TEST(TestErrors)
#include "test_errors.moc"
