// The list of lessons: small pictures of boards, and the focus.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lesson_list.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>

using namespace attnlab;
using namespace attnlab::ui;

class TestLessonPictures : public QObject, protected LearnFixture {
    Q_OBJECT

    const std::vector<LessonRow*>& rows() { return page().list()->rows(); }
    /// Rows that are seen, even in part.
    std::vector<LessonRow*> seen() {
        std::vector<LessonRow*> all;
        std::ranges::copy_if(rows(), std::back_inserter(all),
                             [](const LessonRow* row) { return !row->visibleRegion().isEmpty(); });
        return all;
    }
    static int coloursOf(const QImage& image) {
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qAlpha(image.pixel(x, y)) > 200)
                    colours.insert(image.pixel(x, y));
        return static_cast<int>(colours.size());
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void theListHasTheFocus_data() {
        QTest::addColumn<bool>("from_matrix");
        QTest::newRow("from the matrix") << true;
        QTest::newRow("from nowhere") << false;
    }
    void theListHasTheFocus() {
        QFETCH(bool, from_matrix);
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        if (from_matrix)
            window_->matrixPage()->heatmap()->setFocus();
        else if (auto* focus = QApplication::focusWidget())
            focus->clearFocus();
        actions().lessons->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::List);
        QCoreApplication::processEvents();
        auto* first = qobject_cast<LessonRow*>(QApplication::focusWidget());
        QVERIFY2(first, qPrintable(QApplication::focusWidget() ? QApplication::focusWidget()->metaObject()->className()
                                                               : "no focus"));
        for (const auto* row : rows())
            QVERIFY(row->mapTo(page().list(), QPoint()).y() >= first->mapTo(page().list(), QPoint()).y());
        // After a lesson, its own row.
        learn().showLesson(5);
        learn().showList();
        QCoreApplication::processEvents();
        QCOMPARE(QApplication::focusWidget(), rows()[5]);
        QTRY_VERIFY(!rows()[5]->visibleRegion().isEmpty());
        // And after the workspace.
        learn().leave();
        learn().showList();
        QCoreApplication::processEvents();
        QCOMPARE(QApplication::focusWidget(), rows()[5]);
    }

    void rowsThatAreSeenGetAPicture() {
        learn().showList();
        QTRY_VERIFY(seen().size() >= 3);
        const auto now = seen();
        QVERIFY2(now.size() < rows().size(), qPrintable(QString::number(now.size())));
        for (const auto* row : now)
            QTRY_VERIFY_WITH_TIMEOUT(row->hasPicture(), 60000);
        // The others wait until the list is scrolled.
        const auto unseen = std::ranges::find_if(rows(), [](const LessonRow* row) { return !row->hasPicture(); });
        QVERIFY(unseen != rows().end());
        (*unseen)->setFocus();
        page().list()->focusRow(static_cast<int>(unseen - rows().begin()));
        QTRY_VERIFY_WITH_TIMEOUT((*unseen)->hasPicture(), 60000);
        // They stay where they were drawn, and none is drawn where nobody looks.
        learn().showLesson(0);
        for (const auto* row : now)
            QVERIFY(row->hasPicture());
    }

    void everyLessonHasAPicture() {
        LessonPictures pictures;
        std::map<int, std::shared_ptr<const Drawing>> drawn;
        connect(&pictures, &LessonPictures::drawn, this,
                [&](int index, const std::shared_ptr<const Drawing>& picture) { drawn[index] = picture; });
        const auto& lessons = page().lessons();
        const auto count = static_cast<int>(lessons.size());
        for (int i = 0; i < count; ++i)
            pictures.want(i, lessons[static_cast<std::size_t>(i)]);
        QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(drawn.size()), count, 120000);
        for (const auto& [index, picture] : drawn) {
            const auto image = LessonPictures::thumbnail(*picture, QSize(120, 76), 1.0).toImage();
            QCOMPARE(image.size(), QSize(120, 76));
            QVERIFY2(coloursOf(image) > 8, qPrintable(QString::number(index)));
        }
    }

    void aPictureFollowsTheTheme() {
        learn().showList();
        QTRY_VERIFY_WITH_TIMEOUT(!seen().empty() && seen().front()->hasPicture(), 60000);
        auto* row = seen().front();
        const auto shown = [row] { return row->grab().toImage(); };
        applyTheme(ThemeChoice::Light);
        const auto light = shown();
        applyTheme(ThemeChoice::Dark);
        QTRY_VERIFY(shown() != light);
        applyTheme(ThemeChoice::Light);
        QTRY_COMPARE(shown(), light);
    }

    /// The list is painted in the window's thread.
    /// Forgotten while one is drawn, they are drawn again.
    void clearedWhileOneIsDrawn() {
        LessonPictures pictures;
        QSignalSpy drawn(&pictures, &LessonPictures::drawn);
        const auto lesson = page().lessons().front();
        pictures.want(0, lesson);
        QTest::qWait(40); // it is on the board
        pictures.clear();
        pictures.want(0, lesson);
        QTRY_COMPARE_WITH_TIMEOUT(drawn.count(), 1, 30000);
    }

    void aLargeBoardIsDrawnQuickly() {
        replaceIn(lesson_folder_ + "/scene.json", R"("L": 6, "S": 6, "E": 64)", R"("L": 1500, "S": 1500, "E": 64)");
        const auto lesson = readLesson(lesson_folder_, lesson_folder_);
        lesson_folder_ = writeLesson(folder_.path());
        LessonPictures pictures;
        std::shared_ptr<const Drawing> drawn;
        connect(&pictures, &LessonPictures::drawn, this,
                [&](int, const std::shared_ptr<const Drawing>& picture) { drawn = picture; });
        pictures.want(0, lesson);
        QTRY_VERIFY_WITH_TIMEOUT(drawn, 60000);
        QElapsedTimer timer;
        timer.start();
        const auto image = LessonPictures::thumbnail(*drawn, QSize(120, 76), 1.0).toImage();
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(coloursOf(image) > 8);
    }

    void stopsWhenNobodyLooks() {
        LessonPictures pictures;
        bool drawn = false;
        connect(&pictures, &LessonPictures::drawn, this, [&] { drawn = true; });
        pictures.want(0, page().lessons().front());
        pictures.clear();
        QTest::qWait(300);
        QVERIFY(!drawn);
        pictures.want(0, page().lessons().front());
        QTRY_VERIFY_WITH_TIMEOUT(drawn, 60000);
    }
};

ATTNLAB_TEST(TestLessonPictures)
#include "test_lesson_pictures.moc"
