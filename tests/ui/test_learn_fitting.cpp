// In a presentation every page of every step is readable: nothing scrolls or is cut, letters and matrices are large.
#include "tests/test_main.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/drawing/formula_view.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/curve_card.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/presentation.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/text.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFontInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnFitting : public QObject {
    Q_OBJECT

    std::unique_ptr<LearnPage> page_;

    LessonPage& lesson() { return *page_->lessonPage(); }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(page_->frame()->model().result() && !page_->frame()->model().isComputing(), 30000);
        QCoreApplication::processEvents();
    }

    /// What the present pages cut or draw too small; empty if nothing.
    QStringList faultsOfPage(int height) {
        QStringList faults;
        const double least_letters = 20.0 * height / 720.0;
        const bool has_text = page_->showing() == LearnPage::Showing::Lesson;
        if (has_text && lesson().panel()->scrolls())
            faults << QStringLiteral("the text scrolls");
        const auto& board = has_text ? static_cast<const BoardPage&>(lesson()) : *page_->labPage();
        if (board.boardScrolls())
            faults << QStringLiteral("the board of %1 x %2 px scrolls")
                          .arg(board.frame()->width())
                          .arg(board.frame()->height());
        for (const auto* area : page_->frame()->findChildren<QScrollArea*>())
            if (area->isVisible() &&
                (area->verticalScrollBar()->maximum() > 0 || area->horizontalScrollBar()->maximum() > 0))
                faults << QLatin1String(area->metaObject()->className()) + QStringLiteral(" scrolls");
        for (const auto* widget : page_->findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            const bool draws = qobject_cast<const DrawingCanvas*>(widget) || qobject_cast<const HeatmapView*>(widget);
            const bool writes = qobject_cast<const QLabel*>(widget) || qobject_cast<const QAbstractButton*>(widget) ||
                                qobject_cast<const QComboBox*>(widget);
            if (!draws && !writes)
                continue;
            const QFont font = draws ? labelFont(widget->font()) : widget->font();
            if (QFontInfo(font).pixelSize() < std::floor(least_letters))
                faults << QStringLiteral("%1: letters of %2 px")
                              .arg(QLatin1String(widget->metaObject()->className()))
                              .arg(QFontInfo(font).pixelSize());
        }
        for (const auto* formula : page_->findChildren<FormulaView*>())
            if (formula->isVisible() && formula->shownEm() < std::floor(least_letters))
                faults << QStringLiteral("%1: letters of %2 px").arg(formula->plainText()).arg(formula->shownEm());
        const auto* cards = page_->frame()->findChild<CardsArea*>();
        for (const auto* card : cards && cards->isVisible() ? cards->cards() : std::vector<CardView*>()) {
            if (!card->isVisible())
                continue;
            if (!card->parentWidget()->rect().contains(card->geometry()))
                faults << card->content().title + QStringLiteral(" is cut");
            const HeatmapView& heatmap = *card->heatmap();
            const QSizeF cells = heatmap.frame().body.size();
            if (heatmap.isVisible() &&
                (!card->rect().contains(heatmap.geometry()) || std::max(cells.width(), cells.height()) < 200.0))
                faults << QStringLiteral("%1: its matrix has %2 x %3 px")
                              .arg(card->content().title)
                              .arg(cells.width())
                              .arg(cells.height());
        }
        return faults;
    }

    /// Over all pages of the text and of the board.
    QString faults(int height) {
        QStringList faults;
        const bool has_text = page_->showing() == LearnPage::Showing::Lesson;
        while (has_text && lesson().panel()->turnPage(-1)) {
        }
        do {
            QCoreApplication::processEvents();
            faults << faultsOfPage(height);
        } while (has_text && lesson().panel()->turnPage(1));
        auto* board = qobject_cast<CardsBoard*>(page_->frame()->board());
        for (int page = 1; board && page < board->pages()->pageCount(); ++page) {
            board->pager()->click();
            QCoreApplication::processEvents();
            faults << faultsOfPage(height);
        }
        if (board && board->pages()->pageCount() > 1)
            board->pager()->click();
        faults.removeDuplicates();
        return faults.join(QStringLiteral("; "));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabFittingTest");
    }
    void init() { QSettings().clear(); }
    void cleanup() {
        page_.reset();
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
    }

    void theListEndsWithItsContent() {
        page_ = std::make_unique<LearnPage>();
        page_->resize(1280, 720);
        page_->show();
        page_->showList();
        QCoreApplication::processEvents();
        const auto* last = page_->list()->forgetButton();
        const auto* area = page_->list()->findChild<QScrollArea*>();
        const int bottom = last->mapTo(area->widget(), last->rect().bottomLeft()).y();
        const int range = area->verticalScrollBar()->maximum() + area->viewport()->height();
        QVERIFY(range >= bottom);
        QVERIFY2(range - bottom < 40, qPrintable(QStringLiteral("%1 below the last button").arg(range - bottom)));
    }

    void theListIsWiderWithLargerLetters() {
        constexpr int height = 720;
        page_ = std::make_unique<LearnPage>();
        page_->resize(1280, height);
        page_->show();
        page_->showList();
        QCoreApplication::processEvents();
        const int usual = page_->list()->rows().front()->width();
        page_->setFont(Presentation::presentationFont(height, QApplication::font()));
        QTRY_VERIFY(page_->list()->rows().front()->width() > usual);
        QVERIFY(page_->list()->rows().front()->width() > 1100);
    }

    void everyLabFits_data() {
        QTest::addColumn<int>("board");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("language");
        for (const auto& [name, board] :
             {std::pair{"scale lab", lab::BoardKind::ScaleLab}, {"mask lab", lab::BoardKind::MaskLab}}) {
            for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)}) {
                QTest::addRow("%s at %d", name, size.width())
                    << static_cast<int>(board) << size << QStringLiteral("en");
                QTest::addRow("%s at %d in Chinese", name, size.width())
                    << static_cast<int>(board) << size << QStringLiteral("zh_CN");
            }
        }
    }

    void everyLabFits() {
        QFETCH(int, board);
        QFETCH(QSize, size);
        QFETCH(QString, language);
        applyLanguage(language);
        page_ = std::make_unique<LearnPage>();
        page_->setFont(Presentation::presentationFont(size.height(), QApplication::font()));
        page_->resize(size);
        page_->show();
        page_->showLab(static_cast<lab::BoardKind>(board));
        page_->setPresenting(true);
        settle();
        const auto* cards = qobject_cast<CardsBoard*>(page_->frame()->board());
        QTRY_VERIFY_WITH_TIMEOUT(cards->isSettled(), 30000);
        if (const QString folder = qEnvironmentVariable("ATTNLAB_STEP_PICTURES"); !folder.isEmpty())
            page_->grab().save(
                QStringLiteral("%1/lab%2-%3-%4.png").arg(folder).arg(board).arg(size.width()).arg(language));
        const QString wrong = faults(size.height());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    /// Outside a presentation, cards scroll; their matrices are seen all the same.
    void curvesHaveAPageWhereCardsNeedTheRoom_data() {
        QTest::addColumn<double>("letters");
        QTest::addColumn<int>("pages");
        QTest::newRow("usual letters") << 1.0 << 1;
        QTest::newRow("letters of 150 %") << 1.5 << 2;
    }
    void curvesHaveAPageWhereCardsNeedTheRoom() {
        QFETCH(double, letters);
        QFETCH(int, pages);
        page_ = std::make_unique<LearnPage>();
        page_->setFont(scaledFont(QApplication::font(), letters));
        page_->resize(1220, 690);
        page_->show();
        page_->showLab(lab::BoardKind::ScaleLab);
        settle();
        auto* board = qobject_cast<CardsBoard*>(page_->frame()->board());
        QTRY_VERIFY_WITH_TIMEOUT(board->isSettled(), 30000);
        QTRY_COMPARE(board->pages()->pageCount(), pages);
        QCOMPARE(board->pager()->isVisible(), pages > 1);
        const HeatmapView& matrix = *board->area()->cards().front()->heatmap();
        const QRectF cells(matrix.mapTo(board->area()->viewport(), matrix.frame().body.topLeft().toPoint()),
                           matrix.frame().body.size());
        QVERIFY2(QRectF(board->area()->viewport()->rect()).contains(cells), "the matrix is below the edge");
        if (pages > 1) {
            QVERIFY(!board->curve()->isVisible());
            board->pager()->click();
        }
        QVERIFY(board->curve()->isVisible());
    }

    /// The field of the width has the focus at first.
    void lettersInANumberFieldAreKeysOfTheBoard() {
        constexpr int height = 720;
        page_ = std::make_unique<LearnPage>();
        page_->setFont(Presentation::presentationFont(height, QApplication::font()));
        page_->resize(1280, height);
        page_->show();
        page_->showLab(lab::BoardKind::ScaleLab);
        page_->setPresenting(true);
        settle();
        QVERIFY(QTest::qWaitForWindowActive(page_.get()));
        const auto* board = qobject_cast<CardsBoard*>(page_->frame()->board());
        QTRY_VERIFY_WITH_TIMEOUT(board->pages()->pageCount() > 1, 30000);
        auto* field = page_->findChild<QSpinBox*>();
        field->setFocus();
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClick(field, Qt::Key_M);
        QCOMPARE(board->pages()->page(), 1);
        QTest::keyClick(field, Qt::Key_7); // digits are its own
        QVERIFY2(field->cleanText().contains(QLatin1Char('7')), qPrintable(field->cleanText()));
    }

    void everyStepFits_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("language");
        const int count = static_cast<int>(LearnPage().lessons().size());
        const bool all = qEnvironmentVariableIsSet("ATTNLAB_ALL_SIZES"); // takes minutes more
        for (int index = 0; index < count; ++index)
            for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)}) {
                QTest::addRow("%d at %d", index + 1, size.width()) << index << size << QStringLiteral("en");
                if (all || size.width() == 1280)
                    QTest::addRow("%d at %d in Chinese", index + 1, size.width())
                        << index << size << QStringLiteral("zh_CN");
            }
    }

    void everyStepFits() {
        QFETCH(int, index);
        QFETCH(QSize, size);
        QFETCH(QString, language);
        applyLanguage(language);
        page_ = std::make_unique<LearnPage>();
        page_->setFont(Presentation::presentationFont(size.height(), QApplication::font()));
        page_->resize(size);
        page_->show();
        page_->showLesson(index);
        page_->setPresenting(true);
        QStringList wrong;
        for (int step = 0; step < lesson().lesson()->stepCount(); ++step) {
            lesson().showStep(step);
            settle();
            const auto note = [&](const char* when) {
                if (const QString what = faults(size.height()); !what.isEmpty())
                    wrong << QStringLiteral("%1 (%2): %3")
                                 .arg(lesson().lesson()->stepId(step), QLatin1String(when), what);
            };
            note("covered");
            if (lesson().lesson()->hasQuestion(step)) {
                auto& question = *lesson().panel()->question();
                question.choose(0);
                QTRY_VERIFY_WITH_TIMEOUT(question.hasHint() || !question.answerText().isEmpty(), 30000);
                if (question.hasHint()) {
                    QVERIFY(question.answerButton()->isVisible());
                    settle();
                    note("hint");
                    question.requestAnswer();
                }
                QVERIFY(!question.answerText().isEmpty());
                settle();
                note("answered");
            }
            if (const QString folder = qEnvironmentVariable("ATTNLAB_STEP_PICTURES"); !folder.isEmpty())
                page_->grab().save(QStringLiteral("%1/%2-%3-%4-%5.png")
                                       .arg(folder)
                                       .arg(index + 1)
                                       .arg(step + 1)
                                       .arg(size.width())
                                       .arg(language));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

ATTNLAB_TEST(TestLearnFitting)
#include "test_learn_fitting.moc"
