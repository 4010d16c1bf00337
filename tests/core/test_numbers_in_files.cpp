// File-backed arrays.
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr io::ReadLimits leave_all{.map_from = 1};

Tensor numbers(Shape shape, DType dtype = DType::Float32) {
    Tensor tensor(std::move(shape), 0.0, dtype);
    double next = -2.0;
    for (double& value : tensor.mutable_values())
        value = next += 0.25;
    return tensor;
}

} // namespace

class TestNumbersInFiles : public QObject {
    Q_OBJECT
private slots:
    void readsTheSameNumbers_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<int>("dtype");
        for (const char* suffix : {"npy", "safetensors"})
            for (const auto dtype : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64})
                QTest::addRow("%s of %s", suffix, std::string(name_of(dtype)).c_str())
                    << suffix << static_cast<int>(dtype);
    }

    void readsTheSameNumbers() {
        QFETCH(QString, suffix);
        QFETCH(int, dtype);
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x." + suffix));
        const auto written = numbers({3, 5, 7}, static_cast<DType>(dtype));
        io::write_tensors(path, {{"x", written}});
        const auto held = io::read_tensors(path, {}).at("x");
        const auto left = io::read_tensors(path, leave_all).at("x");
        QVERIFY(held.in_memory());
        QVERIFY(!left.in_memory());
        QCOMPARE(left.shape(), held.shape());
        QCOMPARE(left.dtype(), held.dtype());
        QCOMPARE(left.value(104), held.value(104));
        QCOMPARE(left.at({1, 2, 3}), held.at({1, 2, 3}));
        std::vector<double> doubles(20), expected(20);
        left.read(40, std::span(doubles));
        held.read(40, std::span(expected));
        QCOMPARE(doubles, expected);
        std::vector<float> floats(105), expected_floats(105);
        left.read(0, std::span(floats));
        held.read(0, std::span(expected_floats));
        QCOMPARE(floats, expected_floats);
        QVERIFY(!left.in_memory()); // reading pieces does not load all
        QCOMPARE(left, held);       // nor does this
        QVERIFY(!left.in_memory());
        QVERIFY(std::ranges::equal(left.values(), held.values())); // this does
        QVERIFY(left.in_memory());
    }

    void storedMembersStayInTheArchive() {
        for (const char* file : {"stored.npz", "zip64.npz", "versions.npz", "compressed.npz"}) {
            const auto path = data_path(file);
            const auto held = io::read_npz(path).tensors, left = io::read_npz(path, leave_all).tensors;
            QCOMPARE(left.size(), held.size());
            for (const auto& [name, tensor] : held) {
                const auto& other = left.at(name);
                QCOMPARE(other.shape(), tensor.shape());
                if (tensor.size() == 0)
                    continue;
                // As in a separate file: integers may be refused, and columns must be converted to rows.
                const bool stays = QLatin1String(file) != QLatin1String("compressed.npz") &&
                                   tensor.dtype() != DType::Int64 && tensor.dtype() != DType::Bool &&
                                   name.find(".F") == std::string::npos;
                QVERIFY2(other.in_memory() == !stays, (file + (": " + name)).c_str());
                QCOMPARE(other, tensor);
            }
        }
    }

    void aDamagedMemberIsAnError() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        QVERIFY(QFile::copy(QString::fromStdString(data_path("zip64.npz")), path));
        QFile file(path);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && file.open(QIODevice::ReadWrite));
        auto bytes = file.readAll();
        const auto at = bytes.indexOf("NUMPY") + 140; // in the numbers
        bytes[at] = static_cast<char>(bytes[at] + 1);
        file.seek(0);
        file.write(bytes);
        file.close();
        QVERIFY(error_of([&] { io::read_npz(to_path(path), leave_all); }).contains(QStringLiteral("checksum")));
    }

    /// Arbitrary data in place of the directory and the members' headers: an error or the same numbers.
    void anArchiveThatLiesIsNoCrash() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        for (const char* name : {"versions.npz", "zip64.npz"}) {
            QFile original(QString::fromStdString(data_path(name)));
            QVERIFY(original.open(QIODevice::ReadOnly));
            const auto bytes = original.readAll();
            const auto expected = io::read_npz(data_path(name)).tensors;
            // In place: some file systems wait for the disk when a file is truncated and rewritten.
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(bytes.size()));
            for (qsizetype at = 0; at < bytes.size(); ++at) {
                auto changed = bytes;
                changed[at] = static_cast<char>(changed[at] ^ 0xff);
                file.seek(0);
                file.write(changed);
                file.flush();
                // Long ago, since recent changes cause a wait.
                std::filesystem::last_write_time(to_path(path),
                                                 std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
                try {
                    for (const auto& [member, tensor] : io::read_npz(to_path(path), leave_all).tensors)
                        if (const auto known = expected.find(member); known != expected.end())
                            QCOMPARE(tensor, known->second);
                } catch (const Error&) {
                }
            }
        }
    }

    void onlyCompressedMembersNeedMemory() {
        io::ReadLimits none = leave_all;
        none.max_bytes = 0;
        QCOMPARE(io::read_npz(data_path("versions.npz"), none).tensors.size(), 3u);
        none.max_bytes = -(std::int64_t{1} << 17); // no memory for headers either
        QVERIFY(error_of([&] {
                    io::read_npz(data_path("compressed.npz"), none);
                }).contains(QStringLiteral("Uncompressed (numpy.savez) it could stay in its file")));
    }

    void textsCannotStayInTheirFile() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("lesson.attnlesson"));
        io::Archive lesson;
        lesson.others.emplace("en.md", std::string(1 << 20, 'a'));
        io::write_npz(path, lesson);
        io::ReadLimits none = leave_all;
        none.max_bytes = 0;
        const auto said = error_of([&] { io::read_npz(path, none, io::Members::All); });
        QVERIFY2(said.contains("lesson.attnlesson: takes 1048576 bytes; at most 0 ") && !said.contains("numpy"),
                 qPrintable(said));
    }

    void whatIsSmallOrMayBeRefusedIsRead() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        io::write_tensors(path, {{"x", numbers({4})}});
        QVERIFY(io::read_npy(path, {}).in_memory());
        io::write_tensors(path, {{"x", Tensor({2}, {1, 2}, DType::Int64)}});
        QVERIFY(io::read_npy(path, leave_all).in_memory());
        QFile file(folder.filePath("fortran.npy"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray header("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }");
        file.write(QByteArray("\x93NUMPY\x01\x00", 8) + QByteArray(1, static_cast<char>(header.size())) +
                   QByteArray(1, 0) + header + QByteArray(8, 0));
        file.close();
        QVERIFY(io::read_npy(to_path(file.fileName()), leave_all).in_memory());
    }

    void aCopyThatIsWrittenToIsItsOwn() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        io::write_tensors(path, {{"x", numbers({2, 3})}});
        const auto left = io::read_npy(path, leave_all);
        auto changed = left;
        changed.set({1, 1}, 99.0);
        QCOMPARE(changed.at({1, 1}), 99.0);
        QCOMPARE(left.at({1, 1}), numbers({2, 3}).at({1, 1}));
        QVERIFY(changed != left);
        QVERIFY(!changed.in_memory() && !left.in_memory());
    }

    void savingTakesPieces_data() {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"npz", "npy", "safetensors", "csv"})
            QTest::newRow(suffix) << suffix;
    }

    /// With less memory than the numbers require.
    void savingTakesPieces() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer has its own view of memory");
#endif
        QFETCH(QString, suffix);
        const QTemporaryDir folder;
        const auto to = folder.filePath("y." + suffix);
        put_sparse_npy(folder.filePath("x.npy"), {suffix == "csv" ? 1 << 12 : 1 << 15, 1 << 10}); // 128 MiB of float32
        auto tensor = io::read_npy(to_path(folder.filePath("x.npy")), leave_all);
        tensor.set({777, 7}, 0.25);
        const auto child = ::fork();
        if (child == 0) {
            constexpr rlim_t little = 24 << 20;
            const rlimit limit{little, little};
            int code = ::setrlimit(RLIMIT_DATA, &limit) == 0 ? 0 : 1;
            try {
                io::write_tensors(to_path(to), {{"y", tensor}});
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                code = 2;
            }
            ::_exit(code);
        }
        int status = -1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QVERIFY(!tensor.in_memory());
        const auto read = io::read_tensors(to_path(to)).at("y");
        if (suffix != "csv") {
            QVERIFY(!read.in_memory()); // still large enough to be file-backed again
            QCOMPARE(read.dtype(), DType::Float32);
        }
        QVERIFY(read.with_dtype(DType::Float32) == tensor);
    }

    void savingCanBeCancelledWithinAnArray_data() { savingTakesPieces_data(); }

    void savingCanBeCancelledWithinAnArray() {
        QFETCH(QString, suffix);
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("x.npy"), {1 << 12, 1 << 10});
        const auto tensor = io::read_npy(to_path(folder.filePath("x.npy")), leave_all);
        const auto to = to_path(folder.filePath("y." + suffix));
        double last = 0.0;
        RunControl control;
        control.progress = [&last](double fraction) { last = std::max(last, fraction); };
        control.cancelled = [&last] { return last > 0.3; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, io::write_tensors(to, {{"y", tensor}}, control));
        QVERIFY2(last < 0.5, qPrintable(QString::number(last)));
        QVERIFY(!std::filesystem::exists(to));
    }

    void savingSaysWhatCannotBeRead() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npy");
        put_sparse_npy(path, {1 << 12, 1 << 10});
        const auto tensor = io::read_npy(to_path(path), leave_all);
        QVERIFY(QFile::resize(path, 1 << 20));
        for (const char* name : {"y.npz", "y.npy", "y.safetensors"}) {
            const auto to = to_path(folder.filePath(name));
            QVERIFY(error_of([&] { io::write_tensors(to, {{"y", tensor}}); }).contains("was cut short"));
            QVERIFY(!std::filesystem::exists(to));
        }
    }

    void whatAFileDoesNotHoldIsWrittenWider() {
        const QTemporaryDir folder;
        put_sparse_npy(folder.filePath("x.npy"), {2, 3});
        auto tensor = io::read_npy(to_path(folder.filePath("x.npy")), leave_all);
        tensor.set({0, 1}, 0.1); // not a float32
        for (const char* name : {"y.npz", "y.npy", "y.safetensors"}) {
            const auto to = to_path(folder.filePath(name));
            io::write_tensors(to, {{"y", tensor}});
            QVERIFY(same_bits(io::read_tensors(to).at("y").with_dtype(DType::Float32), tensor));
        }
    }

    void severalThreadsAskAtOnce() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        const auto written = numbers({100, 100}, DType::Float64);
        io::write_tensors(path, {{"x", written}});
        const auto left = io::read_npy(path, leave_all);
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (std::int64_t i = t; i < 1000; i += 4)
                    wrong += left.value(i) != written.value(i);
                wrong += left.values()[9999] != written.values()[9999];
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }

    void aFileCutShortIsAnError() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        io::write_tensors(path, {{"x", numbers({100000})}});
        const auto size = std::filesystem::file_size(path);
        const auto left = io::read_npy(path, leave_all);
        QVERIFY(QFile::resize(folder.filePath("x.npy"), 4096));
        QVERIFY(error_of([&] { left.value(99999); }).contains(QStringLiteral("x.npy: was cut short")));
        QVERIFY(error_of([&] { left.values(); }).contains(QStringLiteral("was cut short")));
        // Restoring the size with other numbers does not make it valid again.
        std::filesystem::resize_file(path, size);
        QVERIFY(error_of([&] { left.value(0); }).contains(QStringLiteral("x.npy: was changed while it was open")));
    }

    void aFileWrittenAnewIsAnError_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"x.npy", "x.npz", "x.safetensors"})
            QTest::newRow(file) << QString(file);
    }
    void aFileWrittenAnewIsAnError() {
        QFETCH(QString, file);
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath(file));
        if (file == "x.npz")
            std::filesystem::copy_file(data_path("zip64.npz"), path);
        else
            io::write_tensors(path, {{"x", numbers({1000})}});
        const auto tensors = io::read_tensors(path, leave_all);
        const auto& left = tensors.begin()->second;
        QVERIFY(!left.in_memory());
        std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(-8, std::ios::end).write("anything", 8);
        stream.close();
        // Some file systems store times in coarse ticks.
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
        const auto said = error_of([&] { left.value(0); });
        QVERIFY2(said.contains("was changed while it was open; open it again"), qPrintable(said));
        std::vector<float> floats(2);
        QVERIFY(!error_of([&] { left.read(0, std::span(floats)); }).isEmpty());
    }

    /// A new file with the same name does not affect the open one.
    void aFileThatIsReplacedIsReadOn() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        io::write_tensors(path, {{"x", numbers({1000}, DType::Float64)}});
        const auto left = io::read_npy(path, leave_all);
        io::write_tensors(path, {{"x", Tensor({10}, 7.0)}});
        QCOMPARE(left, numbers({1000}, DType::Float64));
    }

    /// Accessing a truncated mapping would end the process: only reading is safe.
    void aFileMayBeCutShortWhileItIsRead() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        const auto written = numbers({1 << 18});
        io::write_tensors(path, {{"x", written}});
        const auto size = std::filesystem::file_size(path);
        const auto left = io::read_npy(path, leave_all);
        std::atomic<bool> done = false, begun = false;
        std::jthread other([&] {
            while (!done) {
                std::filesystem::resize_file(path, 4096);
                begun = true;
                std::filesystem::resize_file(path, size);
            }
        });
        std::vector<float> values(1 << 18);
        while (!begun)
            std::this_thread::yield();
        int refused = 0;
        constexpr int reads = 200;
        for (int i = 0; i < reads; ++i)
            refused += !error_of([&] { left.read(0, std::span(values)); }).isEmpty();
        done = true;
        QCOMPARE(refused, reads);
    }

    void sizesAreCheckedBeforeAnythingIsRead() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.npy"));
        io::write_tensors(path, {{"x", numbers({1000})}});
        QVERIFY(QFile::resize(folder.filePath("x.npy"), 500));
        QVERIFY(error_of([&] { io::read_npy(path, leave_all); }).contains(QStringLiteral("expected")));
    }
};

ATTNLAB_TEST(TestNumbersInFiles)
#include "test_numbers_in_files.moc"
