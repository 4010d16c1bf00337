// A lesson that is opened as a file: by a double click, on the command line, by another program.
#include "core/lessons/lesson_files.h"
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/windows.h"

using namespace attnlab;
using namespace attnlab::ui;

class OpenedLessonTest : public QObject, LearnFixture {
    Q_OBJECT
private slots:
    void initTestCase() {
        prepare();
        packed_ = folder_.filePath("packed.attnlesson");
        lessons::write_archive(packed_.toStdString(), lessons::files_below(lesson_folder_.toStdString(), {}));
    }
    void init() { begin(); }
    void cleanup() { end(); }

    void opens_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("folder") << lesson_folder_;
        QTest::newRow("file") << packed_;
    }
    void opens() {
        QFETCH(QString, path);
        window_->open({path});
        QVERIFY(learn().isOn());
        learn().leave();
        window_->shownFiles().show({path});
        QVERIFY(learn().isOn());
    }

    void aBrokenFileLeavesTheWorkspace() {
        const QString path = folder_.filePath("broken.attnlesson");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("PK no archive");
        file.close();
        window_->open({path});
        QVERIFY(!learn().isOn());
        QVERIFY(window_->messageBar()->isVisible());
        QVERIFY2(window_->messageBar()->text().contains("broken.attnlesson"),
                 qPrintable(window_->messageBar()->text()));
    }

private:
    QString packed_;
};

ATTNLAB_TEST(OpenedLessonTest)
#include "test_opened_lesson.moc"
