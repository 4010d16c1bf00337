// Every shipped lesson, from its first to its last step in the window, in every language.
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_files.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/learn/handout.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/setting_board.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson_export.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/lesson_page.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <algorithm>
#include <QAccessible>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Group by group, as lessons are listed.
const QStringList& lessonFolders() {
    static const QStringList sorted = [] {
        const QString resources = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources");
        const auto folders = QDir(resources + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        QStringList all;
        for (const auto& group : lessons::lesson_groups)
            for (const auto& folder : folders) {
                const auto path = (resources + "/lessons/" + folder).toStdString();
                if (lessons::load_lesson(path, lessons::files_below(path, resources.toStdString())).group == group.id)
                    all << folder;
            }
        return all;
    }();
    return sorted;
}

/// The error that the board shows; empty if none.
QString problemOf(const BoardFrame& frame) {
    const auto& model = frame.model();
    for (std::size_t i = 0; i < model.result()->settings.size(); ++i)
        if (const auto& error = model.result()->settings[i].error)
            return QString::fromStdString(model.scene().settings[i].id) + ": " + translated(*error);
    if (const auto* cards = qobject_cast<const CardsBoard*>(frame.board()); cards && !cards->error().isEmpty())
        return cards->error();
    if (const auto* exhibit = qobject_cast<const ExhibitBoard*>(frame.board()); exhibit && !exhibit->error().isEmpty())
        return exhibit->error();
    return frame.board()->picture() ? QString() : QStringLiteral("no picture");
}

} // namespace

class TestLearnLessons : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    LearnPage& page() { return *window_->learnMode()->page(); }
    LessonPage& lesson() { return *page().lessonPage(); }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(page().frame()->model().result() && !page().frame()->model().isComputing() &&
                                     page().frame()->board()->isSettled(),
                                 30000);
    }
    /// Each option may be chosen; one of them is right.
    void answer() {
        auto& question = *lesson().panel()->question();
        for (int option = 0; option < static_cast<int>(question.options().size()); ++option) {
            question.choose(option);
            QTRY_VERIFY_WITH_TIMEOUT(question.hasHint() || !question.answerText().isEmpty(), 30000);
            if (question.hasHint()) {
                QVERIFY(option == 0 && !question.hintText().isEmpty());
                QCOMPARE(page().frame()->isCovered(), lesson().lesson()->coversBoard(lesson().step()));
                question.requestAnswer();
            }
            QVERIFY(!question.answerText().isEmpty());
            const auto right = std::ranges::count_if(question.options(), [](const OptionButton* button) {
                return button->mark() == OptionButton::Mark::Right;
            });
            QCOMPARE(right, 1);
            for (const auto* button : question.options()) {
                // In words, not as the expression of the check: "variance(none.scores)".
                static const QRegularExpression code(R"([a-z]\([a-z]|[a-z]_[a-z]|[a-z]\.[a-z]|[a-z]\[|–)");
                const QString measured = button->measured();
                const QString words = QString(measured).remove(QStringLiteral("exp("), Qt::CaseInsensitive);
                QVERIFY(!measured.isEmpty());
                QVERIFY2(!code.match(words).hasMatch(), qPrintable(measured));
            }
        }
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLessonsTest");
        QSettings().clear();
        installAccessibility();
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }

    void cleanupTestCase() {
        window_.reset();
        QSettings().clear();
    }

    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void walksFromFirstToLastStep_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("language");
        const auto folders = lessonFolders();
        for (int i = 0; i < folders.size(); ++i)
            for (const auto& language : languages())
                QTest::addRow("%s %s", qPrintable(folders[i]), language.code) << i << QString(language.code);
    }

    void walksFromFirstToLastStep() {
        QFETCH(int, index);
        QFETCH(QString, language);
        QSettings().clear();
        applyLanguage(language);
        QCoreApplication::sendPostedEvents(); // the window makes its widgets anew
        window_->learnMode()->showLesson(index);
        const auto lectures = shippedLectures(page().lessons()).size();
        QCOMPARE(page().lessons().size(), static_cast<std::size_t>(lessonFolders().size()) + lectures);
        const auto lesson_on_show = lesson().lesson();
        QCOMPARE(lesson_on_show->key(), lessonFolders()[index]);
        for (int step = 0; step < lesson_on_show->stepCount(); ++step) {
            QCOMPARE(lesson().step(), step);
            settle();
            const QString where = lesson_on_show->stepId(step);
            QVERIFY2(problemOf(*page().frame()).isEmpty(), qPrintable(where + ": " + problemOf(*page().frame())));
            QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
            const QString text = lesson().panel()->bodyText();
            QVERIFY2(!text.isEmpty() && !text.contains("{{"), qPrintable(where));
            QCOMPARE(text, plainText(lesson().stepText()));
            answer();
            // A larger size would extend the window beyond a small screen.
            QVERIFY2(window_->minimumSizeHint().width() <= 1280 && window_->minimumSizeHint().height() <= 800,
                     qPrintable(where));
            lesson().next();
        }
        QVERIFY(lesson().lesson() != lesson_on_show || page().showing() == LearnPage::Showing::List);
    }

    void theListIsGrouped_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QStringList>("headings");
        QTest::newRow("en") << "en" << QStringList{"Lecture",           "The idea",
                                                   "Scale and softmax", "Masks and positions",
                                                   "Heads and models",  "Large inputs"};
        QTest::newRow("zh_CN") << "zh_CN" << QStringList();
    }

    void theListIsGrouped() {
        QFETCH(QString, language);
        QFETCH(QStringList, headings);
        applyLanguage(language);
        QCoreApplication::sendPostedEvents();
        window_->learnMode()->showList();
        const auto& list = *page().list();
        const auto top = [&](const QWidget* widget) { return widget->mapTo(&list, QPoint()).y(); };
        QTRY_VERIFY(list.rows().front()->isVisible() && top(list.rows().front()) != top(list.rows().back()));
        QStringList words;
        for (const auto* heading : list.headings()) {
            words << heading->text();
            QVERIFY(heading->isVisible());
            QCOMPARE(heading->focusPolicy(), Qt::NoFocus);
            auto* accessible = QAccessible::queryAccessibleInterface(const_cast<QLabel*>(heading));
            QCOMPARE(accessible->role(), QAccessible::Heading);
            QCOMPARE(accessible->text(QAccessible::Name), heading->text());
        }
        QCOMPARE(words.size(), 6);
        if (!headings.isEmpty())
            QCOMPARE(words, headings);

        // The lecture comes first, and Down goes from row to row, whatever heading is between them.
        auto order = list.rows();
        std::ranges::sort(order, {}, top);
        QCOMPARE(order.front(), list.rows().back());
        QCOMPARE(order[1], list.rows().front());
        QVERIFY(top(list.headings()[0]) < top(order[0]) && top(order[0]) < top(list.headings()[1]) &&
                top(list.headings()[1]) < top(order[1]));
        order.front()->setFocus();
        for (std::size_t i = 1; i < order.size(); ++i) {
            QTest::keyClick(order[i - 1], Qt::Key_Down);
            QCOMPARE(window_->focusWidget(), order[i]);
        }
        QTest::keyClick(order.back(), Qt::Key_Home);
        QCOMPARE(window_->focusWidget(), order.front());
        QTest::keyClick(order.front(), Qt::Key_Tab);
        QCOMPARE(window_->focusWidget(), order[1]);

        for (std::size_t i = 0; i < list.rows().size(); ++i) {
            const auto& lesson = *page().lessons()[i];
            const auto* row = list.rows()[i];
            QVERIFY(row->minutesText().contains(QString::number(lesson.readingMinutes())));
            QVERIFY(row->accessibleDescription().contains(row->minutesText()));
            const auto& labels = list.headings();
            const auto above =
                std::find_if(labels.rbegin(), labels.rend(), [&](const QLabel* one) { return top(one) < top(row); });
            QVERIFY(above != labels.rend());
            QVERIFY(row->accessibleDescription().startsWith((*above)->text()));
        }
        QVERIFY(list.rows()[0]->accessibleName().contains('1'));
    }

    void theListIsGroupedFromRightToLeft() {
        QCoreApplication::sendPostedEvents(); // the window makes its widgets anew after a change of language
        window_->learnMode()->showList();
        qApp->setLayoutDirection(Qt::RightToLeft);
        const auto restore = qScopeGuard([] { qApp->setLayoutDirection(Qt::LeftToRight); });
        const auto& list = *page().list();
        const auto* row = list.rows().front();
        const auto left = [&](const QString& words) {
            for (const auto* label : row->findChildren<QLabel*>())
                if (label->text() == words)
                    return label->mapTo(row, QPoint()).x();
            return -1;
        };
        const auto right = [&](const QWidget* widget) { return widget->mapTo(&list, widget->rect().topRight()).x(); };
        QTRY_VERIFY(left(row->minutesText()) < left(row->nextText()));
        QVERIFY(left(row->nextText()) < left(page().lessons().front()->title()));
        QTRY_COMPARE(right(list.headings().front()), right(row));
    }

    void theMenuLeadsToEveryLesson() {
        auto* menu = window_->actions().lesson_menu;
        emit menu->aboutToShow();
        const auto entries = menu->actions();
        QCOMPARE(entries.size(), static_cast<qsizetype>(page().lessons().size()));
        entries[2]->trigger();
        QCOMPARE(lesson().lesson()->key(), lessonFolders()[2]);
    }

    void everyLessonMakesAHandout_data() {
        QTest::addColumn<int>("index");
        const auto folders = lessonFolders();
        for (int i = 0; i < folders.size(); ++i)
            QTest::addRow("%s", qPrintable(folders[i])) << i;
    }

    void everyLessonMakesAHandout() {
        QFETCH(int, index);
        const auto lesson = page().lessons()[static_cast<std::size_t>(index)];
        const auto handout = makeHandout(lesson, HandoutKind::Solutions);
        QCOMPARE(handout.steps.size(), static_cast<std::size_t>(lesson->stepCount()));
        for (int step = 0; step < lesson->stepCount(); ++step) {
            const auto& made = handout.steps[static_cast<std::size_t>(step)];
            QVERIFY2(made.picture, qPrintable(lesson->stepId(step)));
            QVERIFY(!made.text.isEmpty());
            QCOMPARE(!made.question.text.isEmpty(), lesson->hasQuestion(step));
        }
        const auto pdf = handoutData(handout, QPageSize::A4);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.size() > 20000);
    }
};

ATTNLAB_TEST(TestLearnLessons)
#include "test_learn_lessons.moc"
