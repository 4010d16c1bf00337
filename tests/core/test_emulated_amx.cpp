// The emulated instructions of AMX, and the packed numbers that they read.
#include "core/flash/tile_kernel.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <bit>

using namespace attnlab;
using namespace attnlab::test;

namespace {

float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t to_bfloat16(float x) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16); }

/// One row and one column of 32 numbers.
struct Vectors {
    alignas(64) std::uint16_t left[32] = {}, right[16][2] = {};
    float sum = 0.0f;

    void set(int k, float a, float b) {
        left[k] = to_bfloat16(a);
        right[k / 2][k % 2] = to_bfloat16(b);
    }

    float multiplied() const {
        MatrixRegisters registers;
        registers.configure({1, 1, 16, 0, 0, 0, 0, 0}, {4, 64, 4, 0, 0, 0, 0, 0});
        registers.load(0, &sum, 4);
        registers.load(1, left, 64);
        registers.load(2, right, 4);
        registers.multiply(0, 1, 2);
        float result = -1.0f;
        registers.store(0, &result, 4);
        return result;
    }
};

/// Numbers of every size that can be packed.
std::vector<float> numbers_of_all_sizes(std::int64_t count, std::uint64_t seed) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    Random random(seed);
    for (auto& number : numbers)
        number = static_cast<float>(random.normal() * std::exp2(random.uniform() * 120.0 - 60.0));
    return numbers;
}

/// The sum of the parts of the number at `at`.
double sum_of_parts(const std::vector<std::uint16_t>& packed, int parts, std::int64_t at) {
    double sum = 0.0;
    const auto of_a_part = std::ssize(packed) / parts;
    for (std::int64_t part = 0; part < parts; ++part)
        sum += static_cast<double>(from_bfloat16(packed[static_cast<std::size_t>(part * of_a_part + at)]));
    return sum;
}

/// The largest relative error of numbers with so many parts.
constexpr double part_errors[] = {0x1p-8, 0x1p-17};

bool is_packed(float number, double sum, int parts) {
    const auto expected = static_cast<double>(number);
    return std::abs(sum - expected) <= part_errors[parts - 1] * std::abs(expected);
}

} // namespace

class TestEmulatedAmx : public QObject {
    Q_OBJECT
private slots:
    /// Sums of even and of odd products are formed apart, and added to what was there at the end.
    void multipliesInTheOrderOfTheProcessor() {
        Vectors vectors;
        vectors.set(0, 4096.0f, 4096.0f); // 2^24: a 1 added to it is lost
        for (const int k : {1, 2, 3, 4, 5})
            vectors.set(k, 1.0f, 1.0f);
        vectors.sum = 1.0f;
        QCOMPARE(vectors.multiplied(), 16777220.0f); // 2^24 + 0 + 3 + 1 in steps of 2: ties to even
    }

    void takesSmallNumbersForZero() {
        Vectors vectors;
        vectors.set(0, 0x1p-127f, 0x1p60f); // a factor below the normal range
        QCOMPARE(vectors.multiplied(), 0.0f);
        vectors.set(0, 0x1p-70f, 0x1p-60f); // a product
        QCOMPARE(vectors.multiplied(), 0.0f);
        vectors.set(0, 0.0f, 0.0f);
        vectors.sum = 0x1p-130f; // and what they are added to
        QCOMPARE(vectors.multiplied(), 0.0f);
        vectors.set(0, 0x1p-60f, 0x1p-60f);
        QCOMPARE(vectors.multiplied(), 0x1p-120f);
    }

    void keepsNumbersThatAreNone() {
        Vectors vectors;
        vectors.set(3, std::numeric_limits<float>::infinity(), 2.0f);
        QCOMPARE(vectors.multiplied(), std::numeric_limits<float>::infinity());
        vectors.set(7, std::numeric_limits<float>::infinity(), -2.0f);
        QVERIFY(std::isnan(vectors.multiplied()));
    }

    /// Every product of two rows and columns is where it belongs, and nothing beyond the configured sizes is touched.
    void loadsAndStoresConfiguredSizes() {
        constexpr int rows = 5, pairs = 3, columns = 7;
        std::uint16_t left[rows][2 * pairs + 1] = {}, right[pairs][2 * columns + 3] = {};
        for (int m = 0; m < rows; ++m)
            for (int k = 0; k < 2 * pairs; ++k)
                left[m][k] = to_bfloat16(static_cast<float>(m + k));
        for (int k = 0; k < 2 * pairs; ++k)
            for (int n = 0; n < columns; ++n)
                right[k / 2][2 * n + k % 2] = to_bfloat16(static_cast<float>(n - k));
        MatrixRegisters registers;
        registers.configure({rows, rows, pairs, 0, 0, 0, 0, 0}, {4 * columns, 4 * pairs, 4 * columns, 0, 0, 0, 0, 0});
        registers.zero(0);
        registers.load(1, left, sizeof left[0]);
        registers.load(2, right, sizeof right[0]);
        registers.multiply(0, 1, 2);
        float sums[rows + 1][columns + 1];
        std::fill(&sums[0][0], &sums[0][0] + (rows + 1) * (columns + 1), -1.0f);
        registers.store(0, sums, sizeof sums[0]);
        for (int m = 0; m <= rows; ++m)
            for (int n = 0; n <= columns; ++n) {
                float expected = m < rows && n < columns ? 0.0f : -1.0f;
                for (int k = 0; k < 2 * pairs && m < rows && n < columns; ++k)
                    expected += static_cast<float>((m + k) * (n - k));
                QCOMPARE(sums[m][n], expected);
            }
    }

    void packsEveryNumber_data() {
        QTest::addColumn<int>("parts");
        for (const int parts : {1, 2})
            QTest::addRow("%d parts", parts) << parts;
    }

    void packsEveryNumber() {
        QFETCH(int, parts);
        constexpr std::int64_t count = 101, E = 45, Ev = 37;
        const auto& kernel = *emulated_amx();
        const auto packed = [&](std::int64_t of_a_part) {
            return std::vector<std::uint16_t>(static_cast<std::size_t>(of_a_part * parts), 0xffff);
        };
        const auto keys = numbers_of_all_sizes(count * E, 1), values = numbers_of_all_sizes(count * Ev, 2);
        auto packed_keys = packed(flash::PackedSizes::keys(E));
        kernel.pack_keys(keys.data(), count, E, parts, packed_keys.data());
        for (std::int64_t j = 0; j < 128; ++j)
            for (std::int64_t c = 0; c < 64; ++c) {
                const float number = j < count && c < E ? keys[static_cast<std::size_t>(j * E + c)] : 0.0f;
                const auto at = (j / 16 * 2 + c / 32) * 512 + j % 16 * 32 + c % 32;
                QVERIFY(is_packed(number, sum_of_parts(packed_keys, parts, at), parts));
            }
        std::vector<std::uint16_t> packed_values(static_cast<std::size_t>(flash::PackedSizes::values(Ev)), 0xffff);
        kernel.pack_values(values.data(), count, Ev, packed_values.data());
        for (std::int64_t j = 0; j < 128; ++j)
            for (std::int64_t c = 0; c < 48; ++c) {
                const float number = j < count && c < Ev ? values[static_cast<std::size_t>(j * Ev + c)] : 0.0f;
                const auto at = (c / 16 * 4 + j / 32) * 512 + c % 16 * 32 + j % 32;
                QVERIFY(is_packed(number, sum_of_parts(packed_values, 1, at), 1));
            }
        const std::int64_t width = kernel.width, columns = std::min<std::int64_t>(16, width);
        const auto queries = numbers_of_all_sizes(E * width, 3);
        auto aligned = flash::aligned_floats(E * width);
        std::copy(queries.begin(), queries.end(), aligned.get());
        auto packed_queries = packed(flash::PackedSizes::queries(E, kernel.width));
        kernel.pack_queries(aligned.get(), E, parts, packed_queries.data());
        for (std::int64_t c = 0; c < 64; ++c)
            for (std::int64_t q = 0; q < width; ++q) {
                const float number = c < E ? queries[static_cast<std::size_t>(c * width + q)] : 0.0f;
                const auto at = (c / 32 * (width / columns) + q / 16) * 512 + c % 32 / 2 * 32 + q % 16 * 2 + c % 2;
                QVERIFY(is_packed(number, sum_of_parts(packed_queries, parts, at), parts));
            }
    }
};

ATTNLAB_TEST(TestEmulatedAmx)
#include "test_emulated_amx.moc"
