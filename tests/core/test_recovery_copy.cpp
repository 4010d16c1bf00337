// The copy of unsaved work on the disk.
#include "core/io/file_numbers.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/saved/recovery_copy.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

#include <sys/stat.h>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr io::ReadLimits map_all{.map_from = 1};

Tensor mapped(const QString& path) { return io::read_npy(to_path(path), map_all); }

Tensor numbers(Shape shape, DType dtype) {
    Tensor tensor(std::move(shape), 0.0, dtype);
    double next = 0.0;
    for (double& value : tensor.mutable_values())
        value = std::fmod(next += 0.25, 4.0) - 2.0;
    return tensor;
}

struct Place {
    QTemporaryDir folder;
    io::RecoveryCopy copy{to_path(folder.filePath("copy"))};

    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
    std::filesystem::path where() const { return to_path(folder.filePath("copy")); }
    io::RecoveredWork read() const { return io::read_recovery_copy(where()); }
    qint64 bytes() const {
        qint64 sum = 0;
        for (const auto& entry : std::filesystem::directory_iterator(where()))
            sum += static_cast<qint64>(entry.file_size());
        return sum;
    }
};

} // namespace

class TestRecoveryCopy : public QObject {
    Q_OBJECT
private slots:
    void everythingComesBack() {
        Place place;
        io::UnsavedWork work;
        const double inf = std::numeric_limits<double>::infinity();
        work.problem.tensors = {{"query", Tensor({2, 3}, {0.1, -0.0, inf, -inf, std::nan(""), 1e-310}, DType::Float16)},
                                {"na\xefve/%", Tensor({1}, 3, DType::Int64)},
                                {"large", numbers({1000, 200}, DType::BFloat16)},
                                {"flags", Tensor({600, 600}, 1.0, DType::Bool)},
                                {"odd flags", Tensor({600, 600}, 0.3, DType::Bool)},
                                {"empty", Tensor({0, 4})}};
        work.problem.query_tokens = {"milk", "cat"};
        work.problem.spec.scale.id = "none";
        work.view_json = "{\"head\":3}";
        work.title = "kernel.npz";
        work.path = "/a b/\xff%/kernel.npz";
        work.stamp = io::FileStamp{3, 4, 5};
        place.copy.write(work);

        const auto found = place.read();
        QVERIFY(found.missing.empty());
        QVERIFY(found.work.problem == work.problem);
        for (const auto& [name, tensor] : work.problem.tensors)
            QVERIFY2(same_bits(found.work.problem.tensors.at(name), tensor), name.c_str());
        QCOMPARE(found.work.view_json, work.view_json);
        QCOMPARE(found.work.title, work.title);
        QCOMPARE(found.work.path, work.path);
        QVERIFY(found.work.stamp == work.stamp);
        QCOMPARE(io::recovery_label(place.where())->title, work.title);
        place.copy.remove();
        QVERIFY(!std::filesystem::exists(place.where()));
        QVERIFY(!io::recovery_label(place.where()));
    }

    void arraysInFilesCostWhatWasWritten() {
        Place place;
        const auto path = place.path("query.npy");
        put_sparse_npy(path, {1 << 14, 1 << 16}); // 4 GiB
        io::UnsavedWork work;
        work.problem.tensors = {{"query", mapped(path)}, {"key", Tensor({2, 2}, 1.0)}};
        auto& query = work.problem.tensors.at("query");
        query.set({1 << 13, 5}, 0.1);
        query.set({0, 0}, -0.0);
        place.copy.write(work);
        QVERIFY2(place.bytes() < 20000, qPrintable(QString::number(place.bytes())));
        QVERIFY(!query.in_memory());

        const auto found = place.read();
        QVERIFY(found.missing.empty());
        const auto& read = found.work.problem.tensors.at("query");
        QVERIFY(!read.in_memory());
        QCOMPARE(read.at({1 << 13, 5}), 0.1);
        QVERIFY(std::signbit(read.at({0, 0})));
        QVERIFY(found.work.problem == work.problem);
    }

    void largeArraysAreWrittenOnce() {
        Place place;
        io::UnsavedWork work;
        work.problem.tensors = {{"value", numbers({2000, 500}, DType::Float32)}};
        place.copy.write(work);
        struct stat first {
        }, second{};
        QCOMPARE(::stat((place.where() / "array-1.npy").c_str(), &first), 0);
        QVERIFY(first.st_size < 4'000'200); // in its own type
        auto& value = work.problem.tensors.at("value");
        value.set({1999, 499}, std::nan(""));
        place.copy.write(work);
        QCOMPARE(::stat((place.where() / "array-1.npy").c_str(), &second), 0);
        QVERIFY(first.st_ino == second.st_ino);
        QVERIFY(place.bytes() < first.st_size + 20000);
        QVERIFY(same_bits(place.read().work.problem.tensors.at("value"), value));
        // If nearly everything differs, no differences are stored.
        value = Tensor(value.shape(), 3.0, DType::Float32);
        place.copy.write(work);
        QVERIFY(!std::filesystem::exists(place.where() / "array-1.npy"));
        QVERIFY(same_bits(place.read().work.problem.tensors.at("value"), value));
        work.problem.tensors.clear();
        place.copy.write(work);
        QVERIFY(!std::filesystem::exists(place.where() / "array-2.npy"));
        QVERIFY(place.read().work.problem.tensors.empty());
    }

    void otherBytesAreNeverReadInstead_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("gone") << "gone"
                              << "query.npy: is gone, and query was in it";
        QTest::newRow("longer") << "longer"
                                << "query.npy: has changed since, and query was in it";
        QTest::newRow("rewritten") << "rewritten"
                                   << "query.npy: has changed since, and query was in it";
        QTest::newRow("a folder") << "folder"
                                  << "query.npy: has changed since, and query was in it";
    }

    void otherBytesAreNeverReadInstead() {
        QFETCH(QString, what);
        QFETCH(QString, said);
        Place place;
        const auto path = place.path("query.npy");
        put_sparse_npy(path, {300, 1000});
        {
            io::UnsavedWork work;
            work.problem.tensors = {{"query", mapped(path)}, {"key", Tensor({2, 2}, 1.0)}};
            place.copy.write(work);
        }
        if (what == "gone" || what == "folder")
            QVERIFY(QFile::remove(path));
        if (what == "folder")
            QVERIFY(QDir().mkdir(path));
        if (what == "longer")
            QVERIFY(QFile::resize(path, QFileInfo(path).size() + 4));
        if (what == "rewritten") {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 4) && file.write("abcd") == 4);
        }
        const auto found = place.read();
        QCOMPARE(found.missing.size(), 1u);
        const auto text = QString::fromStdString(found.missing.front().english());
        QVERIFY2(text.endsWith(said), qPrintable(text));
        QVERIFY(!found.work.problem.tensors.contains("query"));
        QCOMPARE(found.work.problem.tensors.at("key"), Tensor({2, 2}, 1.0));
    }

    void numbersOfAReplacedFileAreCopied() {
        Place place;
        const auto path = place.path("query.npy");
        put_sparse_npy(path, {300, 1000});
        io::UnsavedWork work;
        work.problem.tensors = {{"query", mapped(path)}};
        work.problem.tensors.at("query").set({299, 999}, 5.0);
        put_sparse_npy(place.path("other.npy"), {300, 1000});
        QVERIFY(std::rename(qPrintable(place.path("other.npy")), qPrintable(path)) == 0);
        place.copy.write(work);
        QVERIFY(QFile::remove(path));
        const auto found = place.read();
        QVERIFY(found.missing.empty());
        QVERIFY(found.work.problem == work.problem);
    }

    void aWriteThatEndsEarlyLeavesTheLastOne() {
        Place place;
        io::UnsavedWork work;
        work.problem.tensors = {{"a", numbers({400, 400}, DType::Float32)}, {"b", Tensor({1}, 1)}};
        place.copy.write(work);
        const auto before = work.problem;
        work.problem.tensors = {{"a", numbers({500, 400}, DType::Float32)}, {"b", Tensor({1}, 2)}};
        for (int polls = 0;; ++polls) {
            int left = polls;
            RunControl control;
            control.cancelled = [&left] { return left-- == 0; };
            try {
                place.copy.write(work, control);
                QVERIFY(polls > 5);
                break;
            } catch (const Cancelled&) {
                QVERIFY(place.read().work.problem == before);
            }
        }
        QVERIFY(place.read().work.problem == work.problem);
    }

    /// Any byte changed: an error, or work with correct numbers.
    void aDamagedCopyIsNoCrash() {
        Place place;
        put_sparse_npy(place.path("query.npy"), {300, 1000});
        io::UnsavedWork work;
        work.problem.tensors = {{"query", mapped(place.path("query.npy"))}, {"key", Tensor({2}, 1.0)}};
        work.problem.tensors.at("query").set({1, 1}, 2.0);
        place.copy.write(work);
        const auto path = QString::fromStdString((place.where() / "work.npz").string());
        const auto bytes = file_bytes(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        int refused = 0;
        for (qsizetype at = 0; at < bytes.size(); ++at) {
            auto changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ 0x41);
            file.seek(0);
            file.write(changed);
            file.flush();
            refused += error_of([&] { place.read(); }).isEmpty() ? 0 : 1;
        }
        QVERIFY(refused > bytes.size() / 2);
        QVERIFY(file.resize(bytes.size() / 2));
        QVERIFY(!error_of([&] { place.read(); }).isEmpty());
    }

    void aFolderThatCannotBeWrittenIsAnError() {
        QTemporaryDir folder;
        put_file(folder.filePath("x"), "x");
        io::RecoveryCopy copy(to_path(folder.filePath("x/copy")));
        QVERIFY(error_of([&] { copy.write({}); }).contains("cannot be written"));
    }
};

ATTNLAB_TEST(TestRecoveryCopy)
#include "test_recovery_copy.moc"
