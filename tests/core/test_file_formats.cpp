#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <sys/resource.h>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// ".npz, .npy, ...": as errors name them.
QString listed(const std::vector<std::string>& suffixes) {
    QString text;
    for (const auto& suffix : suffixes)
        text += (text.isEmpty() ? "." : ", .") + QString::fromStdString(suffix);
    return text;
}

/// While it exists, files cannot grow beyond `bytes`: imitates a full disk for any user.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit before_;
};

Tensor noise(std::int64_t count) {
    Tensor tensor({1, count});
    auto values = tensor.mutable_values();
    std::uint64_t state = 1;
    for (auto& value : values) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<double>(state >> 11) * 0x1p-53;
    }
    return tensor;
}

} // namespace

class TestFileFormats : public QObject {
    Q_OBJECT

private slots:
    void aCancelledWriteLeavesTheOldFile_data() {
        QTest::addColumn<QString>("file");
        for (const char* suffix : {"npz", "npy", "safetensors", "csv"})
            QTest::newRow(suffix) << QString("x.%1").arg(suffix);
    }
    void aCancelledWriteLeavesTheOldFile() {
        QFETCH(QString, file);
        const QTemporaryDir folder;
        const auto path = folder.filePath(file).toStdString();
        const Tensor before({1, 2}, {1, 2});
        io::write_tensors(path, {{"x", before}});
        int asked = 0;
        RunControl control;
        control.cancelled = [&asked] { return ++asked > 1; }; // once the work has begun
        QVERIFY_THROWS_EXCEPTION(Cancelled, io::write_tensors(path, {{"x", noise(1 << 17)}}, control));
        QVERIFY(asked > 1);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{file});
        QCOMPARE(io::read_tensors(path).begin()->second, before);
    }

    void archivesSayHowFarTheyAre() {
        const QTemporaryDir folder;
        double last = 0.0;
        int calls = 0;
        RunControl control;
        control.progress = [&](double fraction) {
            QVERIFY(fraction >= last);
            last = fraction;
            ++calls;
        };
        io::write_tensors(folder.filePath("x.npz").toStdString(), {{"a", noise(1 << 17)}, {"b", noise(1 << 17)}},
                          control);
        QVERIFY(calls > 2);
        QCOMPARE(last, 1.0);
    }

    void roundTrip_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<Tensor>("tensor");
        QTest::addColumn<Tensor>("expected");
        const Tensor matrix({2, 2}, {0.1, -0.0, 5e-324, 1.0 / 3.0});
        auto suffixes = io::writable_suffixes();
        suffixes.insert(suffixes.end(), {"CSV", "Npz", "SafeTensors"});
        for (const auto& suffix : suffixes)
            QTest::newRow(suffix.c_str()) << QString("x.%1").arg(suffix.c_str()) << matrix << matrix;
        QTest::newRow("rank 1 as csv") << "x.csv" << Tensor({3}, {1, 2, 3}) << Tensor({1, 3}, {1, 2, 3});
        QTest::newRow("rank 0 as csv") << "x.csv" << Tensor(Shape{}, std::vector{1.0}) << Tensor({1, 1}, 1);
        QTest::newRow("rank 4 as csv") << "x.csv" << matrix.reshaped({1, 1, 2, 2}) << matrix;
        QTest::newRow("rank 4 as npy") << "x.npy" << matrix.reshaped({1, 1, 2, 2}) << matrix.reshaped({1, 1, 2, 2});
        QTest::newRow("bool as csv") << "x.csv" << Tensor({1, 2}, {1, 0}, DType::Bool)
                                     << Tensor({1, 2}, {1, 0}, DType::Bool);
    }
    void roundTrip() {
        QFETCH(QString, file);
        QFETCH(Tensor, tensor);
        QFETCH(Tensor, expected);
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath(file));
        io::write_tensors(path, {{"x", tensor}});
        const auto read = io::read_tensors(path);
        QCOMPARE(read.size(), 1u);
        QVERIFY(same_bits(read.at("x"), expected));
        QCOMPARE(entries(folder.path()), QStringList{file});
    }

    void nameIsTheStem() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("out_proj.weight.npy"));
        io::write_tensors(path, {{"anything", Tensor({1})}});
        QVERIFY(io::read_tensors(path).contains("out_proj.weight"));
    }

    void formatsDiffer() {
        std::set<int> places;
        std::set<std::string_view> suffixes;
        for (const auto& format : io::file_formats()) {
            QVERIFY(places.insert(format.place).second);
            for (const auto& one : format.suffixes) {
                QVERIFY2(suffixes.insert(one.suffix).second, one.suffix.data());
                QVERIFY2(!one.write || one.title, one.suffix.data());
            }
        }
        QCOMPARE(suffixes.size(), io::readable_suffixes().size());
        QCOMPARE(listed(io::usual_suffixes()), QString(".npz, .npy, .safetensors, .pt, .csv, .tsv"));
    }

    void writtenFilesAreRecognised() {
        const QTemporaryDir folder;
        const auto nameless = to_path(folder.filePath("x.dat"));
        for (const auto& format : io::file_formats())
            for (const auto& one : format.suffixes) {
                if (!one.write)
                    continue;
                const auto path = to_path(folder.filePath("x.")) += one.suffix;
                io::write_tensors(path, {{"x", Tensor({2, 2}, {1, 2, 3, 4})}});
                QVERIFY2(io::format_of(path) == &format, one.suffix.data());
                std::filesystem::copy_file(path, nameless, std::filesystem::copy_options::overwrite_existing);
                QVERIFY2(io::format_of(nameless) == (format.match ? &format : nullptr), one.suffix.data());
                std::ifstream file(path, std::ios::binary);
                std::string bytes(256, ' ');
                file.read(bytes.data(), std::ssize(bytes));
                bytes.resize(static_cast<std::size_t>(file.gcount()));
                QVERIFY2(io::format_of_beginning(bytes) == (format.match ? &format : nullptr), one.suffix.data());
            }
    }

    /// Masks of 0 and 1 in "mask.CSV" were added to the scores.
    void tablesHaveNoTypes() {
        const QTemporaryDir folder;
        const auto has_type = [&](const char* name, const QByteArray& bytes) {
            put_file(folder.filePath(name), bytes);
            const auto path = to_path(folder.filePath(name));
            return io::read_contents(std::span(&path, 1)).arrays.front().has_type;
        };
        for (const char* name : {"x.csv", "x.CSV", "x.tsv", "x.txt", "x.Txt"})
            QVERIFY2(!has_type(name, "0,1\n1,0\n"), name);
        QVERIFY(has_type("array.csv", data_bytes("float64.npy")));
    }

    void contentDecidesBeforeTheSuffix() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("array.csv");
        put_file(path, data_bytes("float64.npy"));
        QCOMPARE(io::read_tensors(to_path(path)).at("array").shape(), (Shape{2, 3}));
        put_file(path, data_bytes("zip64.npz"));
        QVERIFY(io::read_tensors(to_path(path)).contains("query"));
        put_file(path, data_bytes("torch_mha_self.safetensors"));
        QVERIFY(io::read_tensors(to_path(path)).contains("in_proj_weight"));
        QVERIFY(!io::stores_workspaces(to_path(path)));
        put_file(path, QByteArray("PK\5\6", 4) + QByteArray(18, '\0'));
        QVERIFY(io::read_tensors(to_path(path)).empty());
    }

    void workspaceGivesItsTensors() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("w.npz"));
        AttentionProblem problem;
        problem.tensors = {{"query", Tensor({2}, {1, 2})}};
        io::write_workspace(path, problem);
        QCOMPARE(io::read_tensors(path), problem.tensors);
        io::write_workspace(path, AttentionProblem{});
        QVERIFY(io::read_tensors(path).empty());
    }

    void refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const QByteArray nothing;
        QTest::newRow("missing") << "missing.npy" << nothing << "missing.npy: no such file";
        QTest::newRow("folder") << "." << nothing << ": is a folder, expected a file";
        QTest::newRow("empty") << "x.npy" << QByteArray("") << "x.npy: is empty";
        QTest::newRow("no array") << "x.npy" << QByteArray("1,2") << "x.npy: is not a NumPy array";
        QTest::newRow("no archive") << "x.npz" << QByteArray("1,2") << "x.npz: is not a zip archive";
        QTest::newRow("cut archive") << "x.npz" << data_bytes("stored.npz").left(500)
                                     << "x.npz: is not a zip archive, or was cut off";
        QTest::newRow("cut array") << "x.npy" << data_bytes("float64.npy").left(130)
                                   << "x.npy: has 2 bytes of numbers, expected 48";
        QTest::newRow("no table") << "x.csv" << QByteArray("1,x") << "x.csv: line 1, column 2 is 'x'";
        QTest::newRow("no safetensors") << "x.safetensors" << QByteArray("{}")
                                        << "x.safetensors: is cut short within its header: has 2 bytes";
        QTest::newRow("cut safetensors") << "x.safetensors" << data_bytes("torch_mha_self.safetensors").chopped(1)
                                         << "the file is cut short";
        QTest::newRow("unknown") << "x.bmp" << QByteArray("\x89PNG")
                                 << "x.bmp: is of an unknown type, expected " + listed(io::readable_suffixes());
        QTest::newRow("model") << "x.gguf" << QByteArray("GGUF\3")
                               << "x.gguf: holds a model (GGUF), which 'attnlab model' opens; expected arrays: .npz";
        QTest::newRow("no suffix") << "x" << QByteArray("1 2") << "x: is of an unknown type";
    }
    void refused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const auto path = folder.filePath(file);
        if (!bytes.isNull())
            put_file(path, bytes);
        const auto said = error_of([&] { io::read_tensors(to_path(path)); });
        QVERIFY2(said.startsWith(folder.path()) && said.contains(message), qPrintable("says: " + said));
    }

    void archiveWithoutArrays() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("model.pt");
        io::write_npz(to_path(path), {{}, {{"model/weights.txt", "x"}}});
        QVERIFY(error_of([&] {
                    io::read_tensors(to_path(path));
                }).contains("without arrays (.npy members); its first member is 'model/weights.txt'"));
    }

    void limitsHoldForText() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.csv");
        put_file(path, "1,2,3\n");
        QVERIFY(error_of([&] {
                    io::read_tensors(to_path(path), {2, 1000});
                }).contains("x.csv: has 1 rows of 3 numbers; at most 2 numbers may be read"));
        QCOMPARE(io::read_tensors(to_path(path), {3, 24}).size(), 1u);
    }

    void cannotBeWritten_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("count");
        QTest::addColumn<Tensor>("tensor");
        QTest::addColumn<QString>("message");
        const Tensor matrix({2, 2});
        QTest::newRow("two as npy") << "x.npy" << 2 << matrix
                                    << "x.npy: a .npy file holds one array, not 2; save as .npz";
        QTest::newRow("none as csv") << "x.csv" << 0 << matrix << "x.csv: a .csv file holds one array, not 0";
        QTest::newRow("cube as csv") << "x.csv" << 1 << Tensor({2, 2, 2})
                                     << "x.csv: 't0' has shape (2, 2, 2), expected one matrix";
        QTest::newRow("empty as tsv") << "x.tsv" << 1 << Tensor({0, 2}) << "'t0' has shape (0, 2), expected one matrix";
        QTest::newRow("unknown") << "x.png" << 1 << matrix
                                 << "x.png: cannot be written as this type, expected " +
                                        listed(io::writable_suffixes());
        QTest::newRow("no folder") << "missing/x.npy" << 1 << matrix
                                   << "missing/x.npy: cannot be written: No such file or directory";
        QTest::newRow("no folder, safetensors")
            << "missing/x.safetensors" << 1 << matrix << "missing/x.safetensors: cannot be written: No such file";
        QTest::newRow("no folder, archive")
            << "missing/x.npz" << 1 << matrix << "missing/x.npz: cannot be written: No such file or directory";
    }
    void cannotBeWritten() {
        QFETCH(QString, file);
        QFETCH(int, count);
        QFETCH(Tensor, tensor);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        TensorMap tensors;
        for (int i = 0; i < count; ++i)
            tensors.emplace("t" + std::to_string(i), tensor);
        const auto said = error_of([&] { io::write_tensors(to_path(folder.filePath(file)), tensors); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
        QVERIFY(entries(folder.path()).isEmpty());
    }

    void fullDiskKeepsTheOldFile_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"x.npz", "x.npy", "x.safetensors", "x.csv"})
            QTest::newRow(file) << QString(file);
    }
    void fullDiskKeepsTheOldFile() {
        QFETCH(QString, file);
        const QTemporaryDir folder;
        const auto path = folder.filePath(file);
        put_file(path, "precious");
        QString said;
        {
            const FullDisk full(4096);
            said = error_of([&] { io::write_tensors(to_path(path), {{"x", noise(10000)}}); });
        }
        QVERIFY2(said.startsWith(path + ": cannot be written: "), qPrintable(said));
        QCOMPARE(file_bytes(path), QByteArray("precious"));
        QCOMPARE(entries(folder.path()), QStringList{file});
    }

    void permissionsAndLinksStay() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npy");
        put_file(path, "old");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        QVERIFY(QFile::link(path, folder.filePath("link.npy")));
        io::write_tensors(to_path(folder.filePath("link.npy")), {{"x", Tensor({1})}});
        QVERIFY(QFileInfo(folder.filePath("link.npy")).isSymLink());
        QVERIFY(file_bytes(path).startsWith("\x93NUMPY"));
        QCOMPARE(std::filesystem::status(to_path(path)).permissions(), std::filesystem::perms(0600));
    }

    void relativePath() {
        const QTemporaryDir folder;
        const auto before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto said = error_of([&] { io::write_tensors("x.npz", {{"x", Tensor({1})}}); });
        QDir::setCurrent(before);
        QVERIFY2(said.isEmpty(), qPrintable(said));
        QCOMPARE(entries(folder.path()), QStringList{"x.npz"});
    }

    /// What a table refuses does not become labels in a .txt.
    void numbersOfTextsAreNoLabels() {
        const QTemporaryDir folder;
        const auto read = [&](const char* name, const char* text) {
            put_file(folder.filePath(name), text);
            const auto path = to_path(folder.filePath(name));
            return io::read_contents(std::span(&path, 1));
        };
        for (const char* name : {"t.csv", "t.txt"}) {
            QVERIFY2(error_of([&] { read(name, "1e400,2"); }).contains("1e400"), name);
            QCOMPARE(read(name, "1,2\r3,4\r").arrays.at(0).tensor, Tensor({2, 2}, {1, 2, 3, 4}));
            QCOMPARE(read(name, "1;2\n3;4\n").arrays.at(0).tensor, Tensor({2, 2}, {1, 2, 3, 4}));
        }
        QCOMPARE(read("words.txt", "the\rcat, sat\r,\r").labels.at(0).labels,
                 (std::vector<std::string>{"the", "cat, sat", ","}));
    }

    void namesHaveALimit() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.filePath("x.safetensors"));
        io::write_tensors(path, {{std::string(3000000, 'n'), Tensor({1})}});
        const auto said = error_of([&] { io::read_tensors(path); });
        QVERIFY2(said.contains("has 3000000 bytes; at most 1000 may be read") && said.size() < 1000, "long");
    }
};

ATTNLAB_TEST(TestFileFormats)
#include "test_file_formats.moc"
