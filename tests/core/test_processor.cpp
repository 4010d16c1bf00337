#include "core/flash/processor.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;

#if defined(__x86_64__)
namespace {

/// Whether the processor says so, and says which registers are in use: XGETBV with ECX = 1.
bool tells_registers_in_use() {
    unsigned a = 0xd, b = 0, c = 1, d = 0;
    asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return __builtin_cpu_supports("avx") && (a & 4U) != 0;
}

bool upper_halves_in_use() {
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return (low & 4U) != 0;
}

} // namespace
#endif

class ProcessorTest : public QObject {
    Q_OBJECT
private slots:
    void releases_upper_registers() {
#if defined(__x86_64__)
        if (!tells_registers_in_use())
            QSKIP("this processor does not say which registers are in use");
        asm volatile("vpcmpeqd %%ymm1, %%ymm1, %%ymm1" ::: "xmm1");
        QVERIFY(upper_halves_in_use());
        release_upper_registers();
        QVERIFY(!upper_halves_in_use());
#else
        release_upper_registers();
#endif
    }
};

ATTNLAB_TEST(ProcessorTest)
#include "test_processor.moc"
