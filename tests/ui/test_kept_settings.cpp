// Settings that version 0.1 wrote keep their meaning.
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/settings.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class KeptSettingsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabKeptSettingsTest");
        QFile written(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/versions/settings.conf"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto text = written.readAll().replace("/home/reader", folder_.path().toUtf8());
        for (const char* name : {"heads.npz", "工作/a b.npz", "model"}) {
            const QFileInfo place(folder_.filePath(QString::fromUtf8(name)));
            QVERIFY(QDir().mkpath(place.path()));
            QVERIFY(QFile(place.filePath()).open(QIODevice::WriteOnly));
        }
        const QString path = QSettings().fileName();
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile kept(path);
        QVERIFY(kept.open(QIODevice::WriteOnly));
        kept.write(text);
    }
    void cleanupTestCase() { QSettings().clear(); }

    void choices() {
        QCOMPARE(settings::themeChoice(), ThemeChoice::Dark);
        QVERIFY(settings::reducedMotion());
        QCOMPARE(settings::language(), QStringLiteral("zh_CN"));
        QVERIFY(!settings::reopensLast());
        QVERIFY(!settings::isPartShown("heads"));
        QCOMPARE(settings::mapFromCells(), std::int64_t{250000});
        QCOMPARE(settings::mapBytes(), std::size_t{64} << 20);
    }
    /// Never a folder that does not exist.
    void dialogsBeginInAFolderThatIs() {
        const QString last = settings::lastFolder();
        settings::setLastFolder(folder_.filePath("gone"));
        QVERIFY2(QFileInfo(settings::lastFolder()).isDir(), qPrintable(settings::lastFolder()));
        QTemporaryDir home; // without documents
        const QByteArray usual = qgetenv("HOME");
        qputenv("HOME", home.path().toUtf8());
        const QString here = settings::lastFolder();
        qputenv("HOME", usual);
        settings::setLastFolder(last);
        QCOMPARE(here, home.path());
    }
    void files() {
        QCOMPARE(settings::lastFolder(), folder_.path());
        QCOMPARE(settings::lastDocument(), QStringList{folder_.filePath("heads.npz")});
        QCOMPARE(settings::recentFiles(),
                 (QStringList{folder_.filePath("heads.npz"), folder_.filePath(QStringLiteral("工作/a b.npz"))}));
        QCOMPARE(settings::recentModels(), QStringList{folder_.filePath("model")});
    }
    void progress() {
        QVERIFY(hasProgress());
        const LessonProgress expected{"weights", {"scores", "weights"}, {{"scores", "two"}}};
        QCOMPARE(lessonProgress("01-what-attention-computes"), expected);
    }
    void window() {
        MainWindow window{Backends(backends)};
        // Qt takes a size back only on a screen about as wide, which tests do not have.
        QVERIFY(settings::windowGeometry().startsWith("\x01\xd9\xd0\xcb"));
        constexpr int of_a_high_screen_and_wide_window = 2; // ui/window/panel_docks.cpp
        QVERIFY(window.restoreState(settings::windowState(), of_a_high_screen_and_wide_window));
    }

private:
    QTemporaryDir folder_;
};

ATTNLAB_TEST(KeptSettingsTest)
#include "test_kept_settings.moc"
