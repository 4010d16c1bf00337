#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/lessons/lesson_files.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QtEndian>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::test;

namespace {

struct Sample {
    DType dtype;
    std::vector<double> values;
};

/// The same numbers as sample() in tests/data/make_fixtures.py.
Sample sample(const QString& code) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (code == "b1")
        return {DType::Bool, {0, 1, 1, 0, 0, 1}};
    if (code == "f2")
        return {DType::Float16, {0.5, -0.0, inf, 0x1p-24, -65504, nan}};
    if (code == "f4")
        return {DType::Float32, {0.5, -0.0, inf, 0x1p-149, -double(std::numeric_limits<float>::max()), nan}};
    if (code == "f8")
        return {DType::Float64, {0.5, -0.0, inf, 5e-324, -std::numeric_limits<double>::max(), nan}};
    const int bits = 8 * code.mid(1).toInt();
    const bool is_signed = code.startsWith('i');
    const double high = std::min(std::ldexp(1.0, bits - (is_signed ? 1 : 0)) - 1, 0x1p53);
    const double low = is_signed ? std::max(-std::ldexp(1.0, bits - 1), -0x1p53) : 0.0;
    return {DType::Int64, {0, 1, 2, low, high, 7}};
}

/// The position of the directory entry of the n-th member.
qsizetype entry(const QByteArray& zip, int n) {
    qsizetype position = -1;
    for (int i = 0; i <= n; ++i)
        position = zip.indexOf(QByteArray("PK\1\2"), position + 1);
    return position;
}

enum Field { Flags = 8, Method = 10, Crc = 16, CompressedSize = 20, Size = 24, Name = 46 };

QByteArray patched16(QByteArray zip, int n, Field field, quint16 value) {
    qToLittleEndian(value, zip.data() + entry(zip, n) + field);
    return zip;
}

QByteArray patched32(QByteArray zip, int n, Field field, quint32 value) {
    qToLittleEndian(value, zip.data() + entry(zip, n) + field);
    return zip;
}

QByteArray renamed(QByteArray zip, int n, const QByteArray& name) {
    return zip.replace(entry(zip, n) + Name, name.size(), name);
}

io::Archive read(const QByteArray& bytes, const io::ReadLimits& limits = {}) {
    return io::read_npz(as_span(bytes), "f.npz", limits);
}

/// Two deflated members, a.npy and b.npy.
QByteArray two_members() {
    const QTemporaryDir folder;
    const auto path = folder.filePath("two.npz");
    io::write_npz(to_path(path), {{{"a", Tensor({200}, 1.0)}, {"b", Tensor({200}, 2.0)}}, {}});
    return file_bytes(path);
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private slots:
    void readsWhatNumpyWrote_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        for (const char* file : {"stored.npz", "compressed.npz"})
            for (const char* code : {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
                QTest::addRow("%s %s", file, code) << QString(file) << QString(code);
    }
    void readsWhatNumpyWrote() {
        QFETCH(QString, file);
        QFETCH(QString, code);
        const auto archive = io::read_npz(data_path(file.toStdString()));
        const auto expected = sample(code);
        for (const char* order : {"little.C", "little.F", "big.C", "big.F"}) {
            const auto found = archive.tensors.find((code + "." + order).toStdString());
            QVERIFY2(found != archive.tensors.end(), order);
            QCOMPARE(found->second, Tensor({2, 3}, expected.values, expected.dtype));
            QCOMPARE(std::signbit(found->second.values()[1]), std::signbit(expected.values[1]));
        }
    }

    void readsScalarsEmptyAndCubes() {
        const auto arrays = io::read_npz(data_path("stored.npz")).tensors;
        QCOMPARE(arrays.at("scalar"), Tensor(Shape{}, std::vector{2.5}));
        QCOMPARE(arrays.at("empty"), Tensor({0, 4}, 0.0, DType::Float32));
        std::vector<double> counted(24);
        for (std::size_t i = 0; i < counted.size(); ++i)
            counted[i] = static_cast<double>(i);
        QCOMPARE(arrays.at("cube.F"), Tensor({2, 3, 4}, counted));
    }

    void readsEveryVersionAndZip64() {
        const Tensor counted({2, 3}, {0, 1, 2, 3, 4, 5});
        const auto versions = io::read_npz(data_path("versions.npz")).tensors;
        QCOMPARE(versions.size(), 3u);
        for (const char* name : {"v1", "v2", "v3"})
            QCOMPARE(versions.at(name), counted);
        const auto large = io::read_npz(data_path("zip64.npz")).tensors;
        QCOMPARE(large, (TensorMap{{"query", counted}, {"key", Tensor({3}, 1.0, DType::Float32)}}));
    }

    void roundTrip() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        const io::Archive archive{{{"out_proj.weight", Tensor({1, 2}, {-0.0, 0.1})},
                                   {"../etc/query", Tensor({2}, {1, 0}, DType::Bool)},
                                   {"заголовок", Tensor(Shape{}, std::vector{1.0})}},
                                  {{"workspace.json", std::string("\0\1\xff", 3)}}};
        io::write_npz(to_path(path), archive);
        const auto read_back = io::read_npz(to_path(path));
        QCOMPARE(read_back.others, archive.others);
        QCOMPARE(read_back.tensors.size(), archive.tensors.size());
        for (const auto& [name, tensor] : archive.tensors)
            QVERIFY2(same_bits(read_back.tensors.at(name), tensor), name.c_str());
        QCOMPARE(entries(folder.path()), QStringList{"x.npz"});
    }

    void equalArchivesAreEqualFiles() {
        const auto first = two_members();
        QCOMPARE(two_members(), first);
        // Deflated, dated 1 January 1980.
        QCOMPARE(qFromLittleEndian<quint16>(first.constData() + entry(first, 0) + Method), quint16{8});
        QCOMPARE(qFromLittleEndian<quint32>(first.constData() + entry(first, 0) + 12), quint32{0x00210000});
        QVERIFY(first.size() < 1600);
    }

    void emptyArchive() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        io::write_npz(to_path(path), {});
        QCOMPARE(file_bytes(path).size(), 22);
        const auto archive = io::read_npz(to_path(path));
        QVERIFY(archive.tensors.empty() && archive.others.empty());
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto zip = two_members();
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << QString(message);
        };
        row("nothing", "", "f.npz: is empty");
        row("no zip", QByteArray(100, 'x'), "f.npz: is not a zip archive, or was cut off");
        row("cut short", zip.left(zip.size() - 30), "f.npz: is not a zip archive, or was cut off");
        row("cut to its first half", zip.left(zip.size() / 2), "was cut off");
        row("duplicate", renamed(zip, 1, "a.npy"), "f.npz: a.npy: is there twice");
        row("folder", renamed(zip, 1, "b.np/"), "f.npz: b.np/: is a folder, expected arrays (.npy)");
        row("encrypted", patched16(zip, 1, Flags, 1), "f.npz: b.npy: is encrypted");
        row("bzip2", patched16(zip, 0, Method, 12),
            "f.npz: a.npy: is compressed by method 12, expected stored (0) or deflated (8)");
        row("wrong checksum", patched32(zip, 1, Crc, 1), "f.npz: b.npy: is damaged: its checksum does not match");
        row("declared beyond the limit", patched32(zip, 0, Size, 0xfffffffe),
            "f.npz: a.npy: is declared to inflate from");
        row("inflates to more", patched32(zip, 0, Size, 1000),
            "f.npz: a.npy: inflates to more than the 1000 bytes that the archive declares");
        row("inflates to less", patched32(zip, 0, Size, 2000), "f.npz: a.npy: ");
        row("compressed beyond the file", patched32(zip, 0, CompressedSize, 0x7fffffff),
            "f.npz: a.npy: is declared with 2147483647 bytes in an archive of");
        row("stored and deflated", patched16(zip, 0, Method, 0), "f.npz: a.npy: is declared to inflate");
        auto scrambled = zip;
        scrambled.replace(60, 10, QByteArray(10, '\x55'));
        row("scrambled", scrambled, "f.npz: a.npy: is damaged");
    }
    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto said = error_of([&] { read(bytes); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    void membersNameTheirArray() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        // A member named like an array that is not one.
        auto zip = two_members();
        zip = patched32(zip, 0, Size, 0);
        QVERIFY(error_of([&] { read(zip); }).startsWith("f.npz: a.npy: "));
        put_file(path, zip);
        QVERIFY(error_of([&] { io::read_npz(to_path(path)); }).startsWith(path + ": a.npy: "));
    }

    void limitsHoldForAllMembersTogether() {
        const auto zip = two_members();
        QVERIFY(error_of([&] { read(zip, {200, 3200}); }).isEmpty());
        QVERIFY(error_of([&] {
                    read(zip, {200, 3199});
                }).startsWith("f.npz: takes 3200 bytes in memory, 8 for a number; at most 3199 more"));
        QVERIFY(error_of([&] { read(zip, {199, 3200}); }).contains("f.npz: a.npy: has shape (200,)"));
    }

    void membersAreNeverUnpacked() {
        const QTemporaryDir outer;
        QDir(outer.path()).mkpath("inner");
        const auto path = outer.filePath("inner/a.npz");
        io::write_npz(to_path(path), {{{"../b", Tensor({2})}, {"/tmp/attnlab-c", Tensor({2})}}, {{"../d.json", "{}"}}});
        const auto before = QDir::currentPath();
        QDir::setCurrent(outer.filePath("inner"));
        const auto archive = io::read_npz(to_path(path), {}, io::Members::All);
        QDir::setCurrent(before);
        QCOMPARE(archive.tensors.size(), std::size_t{2});
        QCOMPARE(entries(outer.path()), QStringList{"inner"});
        QCOMPARE(entries(outer.filePath("inner")), QStringList{"a.npz"});
        QVERIFY(!QFile::exists("/tmp/attnlab-c") && !QFile::exists("/tmp/attnlab-c.npy"));
    }

    void bombEndsInAnError() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("bomb.npz");
        io::write_npz(to_path(path), {{{"zeros", Tensor({1 << 21})}}, {}});
        QVERIFY(file_bytes(path).size() < 100000);
        const auto said = error_of([&] { io::read_npz(to_path(path), {1 << 16, 1 << 19}); });
        QVERIFY2(said.contains("bomb.npz: zeros.npy: takes 16777344 bytes; at most"), qPrintable(said));
    }

    /// Sizes are added up before an array is inflated: the damage of the first one is not met.
    void sizesAreAddedUpFirst() {
        auto zip = two_members();
        zip = patched32(zip, 0, Crc, 1);
        QVERIFY(error_of([&] { read(zip); }).contains("a.npy: is damaged"));
        QVERIFY(error_of([&] { read(zip, {.memory = 3199}); }).startsWith("f.npz: takes 3200 bytes in memory"));
        QVERIFY(error_of([&] { read(zip, {.memory = 1000}); }).contains("has shape (200,)"));
    }

    /// Several files share the memory, in archives and elsewhere.
    void sizesOfSeveralFilesAreAddedUp() {
        const QTemporaryDir folder;
        std::vector<std::filesystem::path> paths;
        for (const char* name : {"a.npz", "b.safetensors", "c.npy"}) {
            paths.push_back(to_path(folder.filePath(name)));
            io::write_tensors(paths.back(), {{name, Tensor({100}, 1.0)}});
        }
        const auto contents = io::read_contents(paths, {.memory = 2400});
        QCOMPARE(contents.arrays.size(), std::size_t{3});
        for (const auto& array : contents.arrays)
            QCOMPARE(array.tensor, Tensor({100}, 1.0));
        const auto said = error_of([&] { io::read_contents(paths, {.memory = 2399}); });
        QVERIFY2(said.contains("c.npy: takes 800 bytes in memory, 8 for a number; at most 799 more"), qPrintable(said));
    }

    void headersAlone() {
        auto zip = two_members();
        zip = patched32(zip, 0, Crc, 1); // numbers are not inflated, so that the damage is not met
        const QTemporaryDir folder;
        const auto path = folder.filePath("f.npz");
        put_file(path, zip);
        const auto archive = io::read_npz(to_path(path), {.memory = 1, .defer = true});
        QCOMPARE(archive.tensors.at("a").shape(), Shape{200});
        QVERIFY(!archive.tensors.at("a").in_memory());
        const auto within = io::read_npz(to_path(path), {.defer = true});
        QCOMPARE(within.tensors.at("b").value(150), 2.0);
        QCOMPARE(within.tensors.at("b").value(3), 2.0);
    }

    void membersOfALessonAreAddedUp() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.attnlesson");
        io::Archive archive;
        for (const char* name : {"scene.json", "en.md", "a.md", "b.md"})
            archive.others[name] = std::string(std::size_t{17} << 20, ' ');
        io::write_npz(to_path(path), archive);
        QVERIFY(file_bytes(path).size() < (1 << 20));
        QVERIFY(error_of([&] { lessons::members_of(to_path(path))("scene.json"); }).contains("more may be read"));
    }

    /// Many members with the same bytes would be inflated again and again.
    void membersThatShareTheirBytes() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("one.npz");
        Tensor tensor({200});
        for (std::int64_t i = 0; i < 200; ++i)
            tensor.set({i}, std::sqrt(static_cast<double>(i)));
        io::write_npz(to_path(path), {{{"a", tensor}}, {}});
        const auto zip = file_bytes(path);
        const auto directory = entry(zip, 0), end = zip.indexOf(QByteArray("PK\5\6"));
        const auto own = zip.mid(directory, end - directory);
        constexpr quint16 members = 20;
        auto bomb = zip.left(end);
        for (int n = 1; n < members; ++n)
            bomb += QByteArray(own).replace(Name, 1, QByteArray(1, static_cast<char>('a' + n)));
        auto tail = zip.mid(end);
        qToLittleEndian(members, tail.data() + 8);
        qToLittleEndian(members, tail.data() + 10);
        qToLittleEndian(static_cast<quint32>(bomb.size() - directory), tail.data() + 12);
        const auto said = error_of([&] { read(bomb + tail); });
        QVERIFY2(said.startsWith("f.npz: its members are declared with"), qPrintable(said));
    }

    void everyCutIsAnError() {
        const auto zip = two_members();
        for (qsizetype length = 0; length < zip.size(); ++length)
            QVERIFY2(!error_of([&] { read(zip.left(length)); }).isEmpty(), qPrintable(QString::number(length)));
    }

    void namesThatCannotBeWritten_data() {
        QTest::addColumn<QString>("array");
        QTest::addColumn<QString>("other");
        QTest::newRow("no name") << ""
                                 << "x";
        QTest::newRow("zero byte") << QString(QChar(0)) << "x";
        QTest::newRow("other without a name") << "q"
                                              << "";
        QTest::newRow("other called an array") << "q"
                                               << "x.npy";
        QTest::newRow("folder") << "q"
                                << "x/";
    }
    void namesThatCannotBeWritten() {
        QFETCH(QString, array);
        QFETCH(QString, other);
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        const io::Archive archive{{{array.toStdString(), Tensor({1})}}, {{other.toStdString(), "x"}}};
        QVERIFY(error_of([&] { io::write_npz(to_path(path), archive); }).contains("cannot be the name of a member"));
        QVERIFY(entries(folder.path()).isEmpty());
    }

    void nameThatIsNoUtf8() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("x.npz");
        const io::Archive archive{{{"\xff\xfe", Tensor({1})}}, {}};
        QVERIFY(error_of([&] { io::write_npz(to_path(path), archive); }).contains("cannot be written"));
        QVERIFY(entries(folder.path()).isEmpty());
    }
};

ATTNLAB_TEST(TestNpz)
#include "test_npz.moc"
