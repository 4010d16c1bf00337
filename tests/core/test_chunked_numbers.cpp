// The storages of a tensor: one piece of memory, chunks, and sources with chunks on top.
#include "core/chunked_numbers.h"
#include "core/io/file_formats.h"
#include "core/random.h"
#include "core/tensor.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <thread>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// 0, 1, 2, ... of any size; counts how many were read.
class CountedSource : public NumberSource {
public:
    explicit CountedSource(std::int64_t size) : size_(size) {}
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

Tensor counted(std::int64_t size) {
    return Tensor::from({size}, std::make_shared<const CountedSource>(size), DType::Float64);
}

template <class Number>
std::vector<Number> read_from(const Tensor& tensor, std::int64_t first, std::size_t count) {
    std::vector<Number> numbers(count);
    tensor.read(first, std::span(numbers));
    return numbers;
}

std::vector<double> all_numbers(const Tensor& tensor) {
    return read_from<double>(tensor, 0, static_cast<std::size_t>(tensor.size()));
}

/// Equal to the bit: -0.0 is not 0.0, and NaN is NaN.
bool equal_bits(std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

enum class Storage { OnePiece, Chunks, Booleans, Source, WrittenSource, File };

/// A tensor with this storage.
Tensor stored_as(Storage kind, std::int64_t size, const QTemporaryDir& folder) {
    Tensor tensor({size});
    Random random(3);
    for (double& number : tensor.mutable_values())
        number = kind == Storage::Booleans ? (random.uniform() < 0.3 ? 1.0 : 0.0) : random.normal();
    switch (kind) {
    case Storage::OnePiece:
        break;
    case Storage::Chunks:
    case Storage::Booleans: {
        auto other = tensor.reshaped({size});
        other.mutable_values().front() += 1.0;
        Tensor::share_chunks(other, tensor);
        break;
    }
    case Storage::WrittenSource:
    case Storage::Source:
        tensor = counted(size);
        if (kind == Storage::WrittenSource)
            tensor.write(size / 3,
                         std::vector<double>(static_cast<std::size_t>(std::min<std::int64_t>(200, size / 2)), -1.5));
        break;
    case Storage::File: {
        constexpr io::ReadLimits leave_all{.map_from = 1};
        const auto path = to_path(folder.filePath("numbers.npy"));
        io::write_tensors(path, {{"numbers", tensor}});
        tensor = io::read_tensors(path, leave_all).at("numbers");
        break;
    }
    }
    return tensor;
}

std::size_t memory_of(std::initializer_list<const Tensor*> tensors) {
    std::set<const void*> seen;
    std::size_t bytes = 0;
    for (const auto* tensor : tensors)
        tensor->each_allocation([&](const void* identity, std::size_t size) {
            const bool is_new = seen.insert(identity).second;
            bytes += is_new ? size : 0;
            return is_new;
        });
    return bytes;
}

} // namespace

class TestChunkedNumbers : public QObject {
    Q_OBJECT
private slots:
    void everyStorageIsAValue_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<qint64>("size");
        const std::pair<const char*, Storage> kinds[] = {
            {"one piece", Storage::OnePiece}, {"chunks", Storage::Chunks}, {"booleans", Storage::Booleans},
            {"source", Storage::Source},      {"file", Storage::File},     {"written source", Storage::WrittenSource}};
        for (const auto& [name, kind] : kinds)
            for (const qint64 size : {1, 127, 128, 129, 1000, 8192, 40000, 100001})
                QTest::addRow("%s of %lld", name, size) << static_cast<int>(kind) << size;
    }

    /// Random writes, copies and edits in place, compared with plain vectors.
    void everyStorageIsAValue() {
        QFETCH(int, kind);
        QFETCH(qint64, size);
        const QTemporaryDir folder;
        auto tensor = stored_as(static_cast<Storage>(kind), size, folder);
        std::vector<double> expected = all_numbers(tensor);
        Random random(1);
        const auto below = [&](std::int64_t end) {
            return static_cast<std::int64_t>(random.uniform() * static_cast<double>(end));
        };
        std::vector<std::pair<Tensor, std::vector<double>>> earlier;
        for (int edit = 0; edit < 40; ++edit) {
            if (edit % 8 == 0)
                earlier.emplace_back(tensor, expected);
            const auto first = below(size), count = 1 + below(std::min<std::int64_t>(size - first, 700));
            std::vector<double> numbers(static_cast<std::size_t>(count));
            for (double& number : numbers)
                number = edit % 3 == 0 ? (random.uniform() < 0.5 ? 1.0 : 0.0) : random.normal();
            numbers.front() = edit % 5 == 0 ? -0.0 : edit % 5 == 1 ? std::nan("") : numbers.front();
            const Tensor before = tensor;
            switch (edit % 4) {
            case 0:
            case 1:
                tensor.write(first, numbers);
                break;
            case 2:
                std::copy(numbers.begin(), numbers.end(), tensor.mutable_values().begin() + first);
                break;
            default:
                tensor.set({first}, numbers.front());
                numbers.resize(1);
            }
            std::copy(numbers.begin(), numbers.end(), expected.begin() + first);
            Tensor old = before;
            if (edit % 2 == 0)
                Tensor::share_chunks(old, tensor); // the numbers of both stay what they are
            QVERIFY(equal_bits(all_numbers(old), all_numbers(before)));
            QVERIFY(equal_bits(all_numbers(tensor), expected));
            QVERIFY(old == before);
            QCOMPARE(tensor == before, Tensor({size}, all_numbers(tensor)) == Tensor({size}, all_numbers(before)));
        }
        QVERIFY(equal_bits(tensor.values(), expected));
        QVERIFY(equal_bits(tensor.released().values(), expected));
        QVERIFY(equal_bits(tensor.reshaped({1, size}).values(), expected));
        QVERIFY(tensor == Tensor({size}, expected));
        const auto first = size / 3;
        std::vector<float> rounded(expected.begin() + first, expected.end());
        const auto floats = read_from<float>(tensor, first, rounded.size());
        QVERIFY(std::memcmp(floats.data(), rounded.data(), rounded.size() * sizeof(float)) == 0);
        for (const auto& [copy, numbers] : earlier) { // written copies are independent
            QVERIFY(equal_bits(all_numbers(copy), numbers));
            QVERIFY(equal_bits(copy.values(), numbers));
        }
    }

    void chunksInMemoryAreInMemory() {
        Tensor before({100, 100}), after = before;
        after.set({50, 50}, 2.0);
        Tensor::share_chunks(before, after);
        QVERIFY(after.in_memory() && !after.source());
        QVERIFY(before.in_memory());
        const auto* data = after.data(); // one piece again, until it is released
        QCOMPARE(after.data(), data);
        QVERIFY(after.released().shares_storage_with(after));
        QVERIFY(!after.shares_storage_with(before));
        Tensor same = before;
        same.write(0, std::vector<double>(1, 0.0));
        QVERIFY(same == before);
    }

    void anEditTakesWhatItChanges() {
        constexpr std::int64_t side = 2000;
        Tensor before({side, side}, 0.0, DType::Bool), after = before;
        for (std::int64_t row = 100; row < 200; ++row)
            after.write(row * side + 500, std::vector<double>(10, 1.0));
        Tensor::share_chunks(before, after);
        const auto one = memory_of({&before}), both = memory_of({&before, &after});
        QVERIFY2(one < 6'000'000, qPrintable(QString::number(one))); // 32 MB in one piece
        QVERIFY2(both - one < 100'000, qPrintable(QString::number(both - one)));
        // Another edit of chunks shares them without a comparison.
        auto last = after;
        last.set({0, 0}, 1.0);
        QVERIFY(memory_of({&before, &after, &last}) - both < 30'000);
        // Numbers that are not 0 and 1 take 8 bytes, in their chunks alone.
        auto scaled = last;
        scaled.set({7, 7}, 0.5);
        QVERIFY(memory_of({&scaled}) < one + 100'000);
        QCOMPARE(scaled.at({7, 7}), 0.5);
        // Small tensors are not worth it.
        Tensor small({64, 64}), other({64, 64}, 1.0);
        Tensor::share_chunks(small, other);
        QCOMPARE(memory_of({&small, &other}), 2 * 64 * 64 * sizeof(double));
    }

    /// Threads read copies of each storage while other copies are written.
    void threadsReadWhileCopiesAreWritten_data() { everyStorageIsAValue_data(); }
    void threadsReadWhileCopiesAreWritten() {
        QFETCH(int, kind);
        QFETCH(qint64, size);
        if (size != 40000)
            return;
        const QTemporaryDir folder;
        const auto original = stored_as(static_cast<Storage>(kind), size, folder);
        const auto expected = all_numbers(original);
        std::atomic<int> wrong = 0;
        Tensor written = original;
        {
            std::vector<std::jthread> readers;
            for (int reader = 0; reader < 3; ++reader)
                readers.emplace_back([copy = original, &expected, &wrong, reader] {
                    for (int round = 0; round < 20; ++round) {
                        const auto same = reader == 0 ? copy.released() : copy;
                        wrong += equal_bits(all_numbers(same), expected) ? 0 : 1;
                        if (reader == 1)
                            wrong += equal_bits(same.values(), expected) ? 0 : 1;
                    }
                });
            for (int round = 0; round < 50; ++round) {
                const Tensor before = written;
                written.write(round * 700, std::vector<double>(600, round));
                if (round % 10 == 9) {
                    Tensor shared = before;
                    written.mutable_values()[static_cast<std::size_t>(round)] = -1.0;
                    Tensor::share_chunks(shared, written);
                }
            }
        }
        QCOMPARE(wrong.load(), 0);
        QVERIFY(equal_bits(all_numbers(original), expected));
        QCOMPARE(written.value(49 * 700 + 599), 49.0);
    }

    void oneNumberCostsItsChunk() {
        constexpr std::int64_t ten_gigabytes = std::int64_t{10} << 27;
        auto source = std::make_shared<const CountedSource>(ten_gigabytes);
        const auto before = Tensor::from({ten_gigabytes / 64, 64}, source, DType::Float32);
        auto after = before;
        after.set({ten_gigabytes / 64 - 1, 63}, -1.0);
        QCOMPARE(source->asked(), ChunkedNumbers::chunk_size);
        QVERIFY(after != before);
        auto back = after;
        back.set({ten_gigabytes / 64 - 1, 63}, static_cast<double>(ten_gigabytes - 1));
        QVERIFY(back == before);
        QVERIFY(source->asked() < 20 * ChunkedNumbers::chunk_size);
    }

    void differentSourcesAreComparedNumberByNumber() {
        auto a = counted(200000), b = counted(200000);
        QVERIFY(a == b);
        a.set({199999}, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(a != b);
        b.set({199999}, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(a == b);
        QVERIFY(!a.in_memory() && !b.in_memory());
    }

    void allNumbersHoldWhatWasWritten() {
        auto tensor = counted(1000);
        QCOMPARE(tensor.values()[500], 500.0); // all of them are in memory now
        auto changed = tensor;
        changed.set({500}, 7.0);
        QVERIFY(!changed.in_memory()); // an edit only costs its chunk
        QCOMPARE(changed.values()[500], 7.0);
        QCOMPARE(changed.values()[499], 499.0);
        QCOMPARE(tensor.values()[500], 500.0);
    }

    void otherDTypesAndShapesKeepThem() {
        auto tensor = counted(1000);
        tensor.set({500}, -1.0);
        QCOMPARE(tensor.reshaped({10, 100}).at({5, 0}), -1.0);
        QCOMPARE(tensor.with_dtype(DType::Float32).at({500}), -1.0);
    }

    void onlyNumbersThatAreThereAreWritten() {
        for (auto tensor : {counted(10), Tensor({10})}) {
            const double numbers[3] = {1, 2, 3};
            QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.write(8, numbers));
            QVERIFY_THROWS_EXCEPTION(std::out_of_range, tensor.write(-1, numbers));
            tensor.write(7, numbers);
            QCOMPARE(tensor.value(9), 3.0);
        }
    }
};

ATTNLAB_TEST(TestChunkedNumbers)
#include "test_chunked_numbers.moc"
