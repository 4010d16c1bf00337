// Number sources with overwritten numbers.
#include "core/patched_numbers.h"
#include "core/random.h"
#include "core/tensor.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// 0, 1, 2, ... of any size; counts how many were read.
class Counting : public NumberSource {
public:
    explicit Counting(std::int64_t size) : size_(size) {}
    std::int64_t size() const override { return size_; }
    void read(std::int64_t first, std::span<double> values) const override { fill(first, values); }
    void read(std::int64_t first, std::span<float> values) const override { fill(first, values); }
    std::int64_t asked() const { return asked_; }

private:
    template <class Number>
    void fill(std::int64_t first, std::span<Number> values) const {
        asked_ += std::ssize(values);
        for (auto& value : values)
            value = static_cast<Number>(first++);
    }
    std::int64_t size_;
    mutable std::int64_t asked_ = 0;
};

Tensor counting(std::int64_t size) {
    return Tensor::from({size}, std::make_shared<const Counting>(size), DType::Float64);
}

template <class Number>
std::vector<Number> read(const Tensor& tensor, std::int64_t first, std::size_t count) {
    std::vector<Number> numbers(count);
    tensor.read(first, std::span(numbers));
    return numbers;
}

} // namespace

class TestPatchedNumbers : public QObject {
    Q_OBJECT
private slots:
    void writesAreReadAgain_data() {
        QTest::addColumn<qint64>("size");
        for (const qint64 size : {1, 127, 128, 129, 1000, 40000, 100000})
            QTest::addRow("%lld", size) << size;
    }

    void writesAreReadAgain() {
        QFETCH(qint64, size);
        auto patched = counting(size);
        std::vector<double> expected(static_cast<std::size_t>(size));
        patched.read(0, std::span(expected));
        Random random(1);
        const auto below = [&](std::int64_t end) {
            return static_cast<std::int64_t>(random.uniform() * static_cast<double>(end));
        };
        std::vector<std::pair<Tensor, std::vector<double>>> earlier;
        for (int edit = 0; edit < 50; ++edit) {
            const auto first = below(size), count = 1 + below(std::min<std::int64_t>(size - first, 700));
            std::vector<double> numbers(static_cast<std::size_t>(count));
            for (double& number : numbers)
                number = random.normal();
            if (edit % 10 == 0)
                earlier.emplace_back(patched, expected);
            patched.write(first, numbers);
            std::copy(numbers.begin(), numbers.end(), expected.begin() + first);
        }
        QCOMPARE(read<double>(patched, 0, expected.size()), expected);
        const auto first = size / 3;
        const std::vector<float> rounded(expected.begin() + first, expected.end());
        QCOMPARE(read<float>(patched, first, rounded.size()), rounded);
        for (const auto& [tensor, numbers] : earlier) // written copies are independent
            QCOMPARE(read<double>(tensor, 0, numbers.size()), numbers);
        QVERIFY(!patched.in_memory());
    }

    void oneNumberCostsItsBlock() {
        constexpr std::int64_t ten_gigabytes = std::int64_t{10} << 27;
        auto source = std::make_shared<const Counting>(ten_gigabytes);
        const auto before = Tensor::from({ten_gigabytes / 64, 64}, source, DType::Float32);
        auto after = before;
        after.set({ten_gigabytes / 64 - 1, 63}, -1.0);
        QCOMPARE(source->asked(), PatchedNumbers::block_size);
        QVERIFY(after != before);
        auto back = after;
        back.set({ten_gigabytes / 64 - 1, 63}, static_cast<double>(ten_gigabytes - 1));
        QVERIFY(back == before);
        QVERIFY(source->asked() < 20 * PatchedNumbers::block_size);
    }

    void differentSourcesAreComparedNumberByNumber() {
        auto a = counting(200000), b = counting(200000);
        QVERIFY(a == b);
        a.set({199999}, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(a != b);
        b.set({199999}, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(a == b);
        QVERIFY(!a.in_memory() && !b.in_memory());
    }

    void allNumbersHoldWhatWasWritten() {
        auto tensor = counting(1000);
        QCOMPARE(tensor.values()[500], 500.0); // all of them are in memory now
        auto changed = tensor;
        changed.set({500}, 7.0);
        QVERIFY(!changed.in_memory()); // an edit only costs its block
        QCOMPARE(changed.values()[500], 7.0);
        QCOMPARE(changed.values()[499], 499.0);
        QCOMPARE(tensor.values()[500], 500.0);
    }

    void otherDTypesAndShapesKeepThem() {
        auto tensor = counting(1000);
        tensor.set({500}, -1.0);
        QCOMPARE(tensor.reshaped({10, 100}).at({5, 0}), -1.0);
        QCOMPARE(tensor.with_dtype(DType::Float32).at({500}), -1.0);
    }

    void onlyNumbersThatAreThereAreWritten() {
        for (auto tensor : {counting(10), Tensor({10})}) {
            const double numbers[3] = {1, 2, 3};
            QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.write(8, numbers));
            QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.write(-1, numbers));
            tensor.write(7, numbers);
            QCOMPARE(tensor.value(9), 3.0);
        }
    }
};

ATTNLAB_TEST(TestPatchedNumbers)
#include "test_patched_numbers.moc"
