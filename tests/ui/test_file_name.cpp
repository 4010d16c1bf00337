// File names that are not valid text.
#include "core/io/file_formats.h"
#include "tests/test_main.h"
#include "ui/document/document.h"
#include "ui/document/local_files.h"
#include "ui/document/open_files.h"
#include "ui/document/settings.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace attnlab;
using namespace attnlab::ui;

class TestFileName : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// In the temporary folder, with an invalid UTF-8 byte.
    std::filesystem::path odd(const char* suffix) const {
        return std::filesystem::path(folder_.path().toStdString()) / (std::string("na\xffme") + suffix);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabFileNameTest");
    }

    void anyBytesComeBack_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("ASCII") << QByteArray("/tmp/a b.npz");
        QTest::newRow("UTF-8") << QByteArray("/tmp/牛奶😀.npz");
        QTest::newRow("Latin-1") << QByteArray("/tmp/m\xfcnchen.npz");
        QTest::newRow("cut character") << QByteArray("x\xe7\x89");
        QTest::newRow("overlong") << QByteArray("\xc0\xaf");
        QTest::newRow("surrogate") << QByteArray("\xed\xb2\x80");
        QTest::newRow("beside text") << QByteArray("\xff牛\xfe😀\x80");
        QByteArray all;
        for (int byte = 1; byte < 256; ++byte)
            all += static_cast<char>(byte);
        QTest::newRow("all") << all;
    }
    void anyBytesComeBack() {
        QFETCH(QByteArray, bytes);
        const auto name = fromFileName({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        QCOMPARE(QByteArray::fromStdString(toPath(name).native()), bytes);
        QCOMPARE(fromPath(toPath(name)), name);
        if (bytes.isValidUtf8())
            QCOMPARE(name, QString::fromUtf8(bytes));
        for (const QChar c : displayName(name))
            QVERIFY(c.unicode() < 0xDC80 || c.unicode() > 0xDCFF || bytes.contains("😀"));
    }

    void urls() {
        QCOMPARE(localFile(QUrl("https://example.org/x.npy")), QString());
        QCOMPARE(localFile(QUrl::fromLocalFile("/tmp/a b%20牛.npy")), QString("/tmp/a b%20牛.npy"));
        QCOMPARE(toPath(localFile(QUrl::fromEncoded("file:///tmp/m%FCnchen.npy"))).native(),
                 std::string("/tmp/m\xfcnchen.npy"));
    }

    void aFewOfMany() {
        QStringList names;
        for (int i = 0; i < 6; ++i)
            names << QString::number(i);
        QCOMPARE(someOf(names), QString("0, 1, 2, 3, 4, 5"));
        QCOMPARE(someOf(names << "6"), QString("0, 1, 2, 3, 4 and 2 more"));
    }

    void openedShownAndRemembered() {
        const auto path = odd(".npz");
        TensorMap tensors;
        for (const char* name : {"query", "key", "value"})
            tensors.emplace(name, Tensor({2, 2}, 0.5));
        io::write_tensors(path, tensors);
        const auto name = fromPath(path);
        const auto opened = openFiles({name});
        QCOMPARE(opened.problem.tensors, tensors);
        QCOMPARE(opened.title, QString::fromUtf8("na\uFFFDme.npz"));
        Document document;
        document.reset(opened.problem, name);
        QCOMPARE(document.title(), QString::fromUtf8("na\uFFFDme.npz"));
        settings::clearRecentFiles();
        settings::addRecentFiles({name});
        QSettings().sync();
        QCOMPARE(settings::recentFiles(), QStringList{name});
        std::filesystem::remove(path);
        QCOMPARE(settings::recentFiles(), QStringList());
    }

    void errorsHaveTheBytes() {
        try {
            openFiles({fromPath(odd(".npy"))});
            QFAIL("there is no such file");
        } catch (const Error& error) {
            QCOMPARE(error.what(), odd(".npy").native() + ": no such file");
        }
    }

    /// A long list of names would hide the missing one.
    void manyArraysAreCounted() {
        TensorMap tensors;
        for (int i = 0; i < 1000; ++i)
            tensors.emplace("array" + std::to_string(i), Tensor({1, 1}));
        const auto path = folder_.filePath("many.npz");
        io::write_tensors(path.toStdString(), tensors);
        const auto opened = openFiles({path});
        QVERIFY(opened.unclear);
        const auto recognition = recognise(*opened.contents);
        const auto said = QString::fromStdString(lacking(recognition, recognition.problem)->english());
        QVERIFY2(said.contains("array0 (1, 1), array1 (1, 1)") && said.contains("(1000)") && said.size() < 500,
                 qPrintable(said));
    }
};

ATTNLAB_TEST(TestFileName)
#include "test_file_name.moc"
