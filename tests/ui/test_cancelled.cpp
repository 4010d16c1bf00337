// What a window shows after Cancel and after an error, and how the user goes on.
#include "tests/ui/layout_support.h"
#include "tests/ui/map_page_support.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/arithmetic_view.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/widgets/state_box.h"
#include "ui/window/actions.h"
#include "ui/window/results.h"
#include "ui/window/status_line.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <QUndoStack>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Its map has several parts, and takes long enough to be cancelled.
AttentionProblem hugeProblem(int heads = 1) {
    auto problem = problemOf(heads, 40000, 40000, 4);
    problem.spec.masks = {{"causal", {}}};
    return problem;
}

bool isVeiled(const QWidget* part) {
    const auto* veil = part->findChild<QWidget*>(QStringLiteral("staleVeil"), Qt::FindDirectChildrenOnly);
    return veil && !veil->isHidden();
}

const StateBox* stateOf(const QWidget* part) {
    return part->findChild<StateBox*>(QStringLiteral("stateBox"), Qt::FindDirectChildrenOnly);
}

} // namespace

class TestCancelled : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    LargeInputs& large() { return *window_->largeInputs(); }
    MatrixPage& page() { return *window_->matrixPage(); }
    StatusLine& status() { return *window_->findChild<StatusLine*>(); }

    /// Cancelled when its first part is on show.
    void cancelMap(const AttentionProblem& problem) {
        QSignalSpy parts(&large().session(), &MapSession::partReady);
        window_->document().edit(QStringLiteral("Large"), problem);
        QTRY_VERIFY_WITH_TIMEOUT(parts.count() > 0, 20000);
        emit status().cancelRequested();
        QTest::qWait(100); // for what the worker has sent before
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabCancelledTest");
    }

    void init() {
        QSettings().clear();
        settings::setMapFromCells(10'000);
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(settles(*window_));
    }

    void cleanup() { window_.reset(); }

    void aCancelledMapSaysSo() {
        QVERIFY(page().cancelledText().isEmpty());
        QVERIFY(!window_->actions().compute->isEnabled());
        cancelMap(hugeProblem());
        if (QTest::currentTestFailed())
            return;
        QVERIFY(large().isOpen() && large().isCancelled() && !large().isComputing());
        QVERIFY(!page().heatmap()->message().contains("Computing"));
        QVERIFY(!large().session().parts().empty()); // what is there stays, marked
        QVERIFY(large().source()->hasCells());
        QVERIFY2(page().cancelledText().contains("Incomplete"), qPrintable(page().cancelledText()));
        QVERIFY(page().computeButton()->isVisible());
        QVERIFY(window_->actions().compute->isEnabled());
    }

    void anIncompleteMapIsNotExported() {
        cancelMap(hugeProblem());
        if (QTest::currentTestFailed())
            return;
        for (QAction* action : {window_->actions().export_shown, window_->actions().copy_picture}) {
            window_->messageBar()->showMessage(MessageBar::Kind::Notice, QStringLiteral("before"));
            action->trigger();
            QVERIFY(!window_->findChild<QDialog*>());
            QVERIFY2(window_->messageBar()->text().contains("incomplete"), qPrintable(window_->messageBar()->text()));
        }
    }

    /// The row of the head before is no row of one whose map was cancelled.
    void noRowOfAnotherHead() {
        window_->document().edit(QStringLiteral("Large"), hugeProblem(2));
        QTRY_VERIFY_WITH_TIMEOUT(large().isComplete(), 60000);
        const auto* inspector = window_->findChild<InspectorPanel*>();
        window_->viewState().setPinned(Cell{100, 90});
        QTRY_COMPARE(inspector->cellCard()->place(), QStringLiteral("row 100, column 90, from 0"));
        QTRY_VERIFY(inspector->rowCard()->isVisible() && inspector->scoresCard()->isVisible());
        QSignalSpy parts(&large().session(), &MapSession::partReady);
        window_->viewState().setHead(1);
        QTRY_VERIFY_WITH_TIMEOUT(parts.count() > 0, 20000);
        emit status().cancelRequested();
        QTRY_VERIFY(!inspector->cellCard()->hint().isEmpty());
        QVERIFY(!inspector->rowCard()->isVisible() && !inspector->scoresCard()->isVisible());
        large().resume();
        QTRY_VERIFY_WITH_TIMEOUT(inspector->cellCard()->hint().isEmpty(), 60000);
        QTRY_VERIFY(inspector->rowCard()->isVisible());
    }

    /// Beside a cancelled map no row is read: a pin on another one is not answered with the row before.
    void noOtherRow() {
        window_->document().edit(QStringLiteral("Large"), hugeProblem());
        QTRY_VERIFY_WITH_TIMEOUT(large().isComplete(), 60000);
        const auto* inspector = window_->findChild<InspectorPanel*>();
        window_->viewState().setPinned(Cell{100, 90});
        QTRY_COMPARE(inspector->cellCard()->place(), QStringLiteral("row 100, column 90, from 0"));
        QSignalSpy parts(&large().session(), &MapSession::partReady);
        page().poolPicker()->setCurrentIndex(1);
        emit page().poolPicker()->activated(1);
        QTRY_VERIFY_WITH_TIMEOUT(parts.count() > 0, 20000);
        emit status().cancelRequested();
        QVERIFY(large().isCancelled());
        QTest::qWait(400);
        QVERIFY(inspector->rowCard()->isVisible()); // of the same head, however its map is pooled
        window_->viewState().setPinned(Cell{200, 90});
        QTRY_VERIFY(!inspector->cellCard()->hint().isEmpty());
        QVERIFY(!inspector->rowCard()->isVisible());
        large().resume();
        QTRY_COMPARE_WITH_TIMEOUT(inspector->cellCard()->place(), QStringLiteral("row 200, column 90, from 0"), 60000);
        QTRY_VERIFY(inspector->rowCard()->isVisible());
    }

    /// A row of a map that is not on show any more explains nothing.
    void aRowGoesWithItsMap() {
        window_->document().edit(QStringLiteral("Large"), longProblem(1));
        QTRY_VERIFY_WITH_TIMEOUT(large().isComplete(), 20000);
        const auto* inspector = window_->findChild<InspectorPanel*>();
        window_->viewState().setPinned(Cell{100, 90});
        QTRY_VERIFY(inspector->rowCard()->isVisible());
        settings::setMapFromCells(1'000'000'000);
        window_->document().edit(QStringLiteral("Long"), problemOf(1, 1500, 1500, 8));
        emit status().cancelRequested();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 20000);
        QVERIFY(!inspector->cellCard()->hint().isEmpty());
        QVERIFY(!inspector->rowCard()->isVisible() && !inspector->scoresCard()->isVisible());
        QVERIFY2(window_->messageBar()->text().contains("no result"), qPrintable(window_->messageBar()->text()));
        window_->actions().compute->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 60000);
        QVERIFY(inspector->rowCard()->isVisible());
    }

    void itIsComputedAfterAll_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"button", "menu", "mean", "undo and redo"})
            QTest::newRow(how) << QString(how);
    }

    void itIsComputedAfterAll() {
        QFETCH(QString, how);
        cancelMap(problemOf(1, 12000, 12000, 2));
        if (QTest::currentTestFailed())
            return;
        if (!large().isCancelled())
            QSKIP("computed before it could be cancelled");
        if (how == "button") {
            QTest::mouseClick(page().computeButton(), Qt::LeftButton);
        } else if (how == "menu") {
            window_->actions().compute->trigger();
        } else if (how == "mean") {
            page().poolPicker()->setCurrentIndex(1);
            emit page().poolPicker()->activated(1);
        } else {
            window_->document().undoStack()->undo();
            QVERIFY(settles(*window_));
            QVERIFY(!large().isOpen());
            QVERIFY(page().cancelledText().isEmpty());
            window_->document().undoStack()->redo();
        }
        QVERIFY(!large().isCancelled());
        QVERIFY(!page().computeButton()->isVisible());
        QVERIFY(!window_->actions().compute->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(large().isComplete(), 60000);
        QCOMPARE(large().session().choice().pool, how == "mean" ? Pool::Mean : Pool::Max);
    }

    void aCancelledResultIsComputedAfterAll() {
        settings::setMapFromCells(1'000'000'000);
        const auto before = window_->computed();
        window_->document().edit(QStringLiteral("Long"), problemOf(1, 1500, 1500, 8));
        emit status().cancelRequested();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 20000);
        QCOMPARE(window_->computed(), before);
        QVERIFY(window_->outdatedOverlay()->isDimmed());
        QVERIFY(window_->actions().compute->isEnabled());
        const auto* box = stateOf(window_->centre());
        QVERIFY(box && box->isVisible());
        QVERIFY2(box->state().why.contains("cancelled"), qPrintable(box->state().why));
        QTest::mouseClick(box->button(), Qt::LeftButton);
        QVERIFY(!window_->actions().compute->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 60000);
        QVERIFY(!box->isVisible());
        QVERIFY(window_->computed() != before);
        QVERIFY(!window_->outdatedOverlay()->isDimmed());
    }

    /// While a result is awaited, the sentence keeps its answer and its arcs below the veil.
    void awaitedNumbersStay() {
        auto* ribbon = window_->workArea()->ribbon();
        window_->viewState().setPinned(Cell{3, 2});
        const QString claim = ribbon->claim();
        QVERIFY(claim.contains("reads"));
        window_->outdatedOverlay()->wait();
        QTRY_VERIFY(isVeiled(ribbon));
        QCOMPARE(ribbon->claim(), claim);
        QVERIFY(ribbon->arcs()->arcWidth(2) > 0.0);
        window_->outdatedOverlay()->clear();
    }

    /// After an error every part with numbers of the result before is dimmed, and none answers with them.
    void nothingOldAnswers() {
        auto* ribbon = window_->workArea()->ribbon();
        window_->viewState().setPinned(Cell{3, 2});
        QVERIFY2(ribbon->claim().contains("reads mostly"), qPrintable(ribbon->claim()));
        auto wrong = window_->document().problem();
        wrong.tensors["w_k"] = Tensor({5, 77}, 1.0);
        window_->document().edit(QStringLiteral("Wrong"), wrong);
        QTRY_VERIFY(window_->outdatedOverlay()->isDimmed());
        const std::vector<const QWidget*> parts{ribbon, window_->stageStrip(), window_->workArea()->headsColumn(),
                                                window_->findChild<InspectorPanel*>(), window_->centre()};
        for (const QWidget* part : parts)
            QTRY_VERIFY2(isVeiled(part), part->metaObject()->className());
        QCOMPARE(ribbon->claim(), OutdatedOverlay::words());
        const auto* box = stateOf(window_->centre());
        QVERIFY(box && box->isVisible());
        QCOMPARE(box->state().look, PictureState::Look::Error);
        QCOMPARE(box->state().what, OutdatedOverlay::words());
        QCOMPARE(box->state().why, window_->messageBar()->text());
        QVERIFY(!box->button()->isVisible());
        auto* close = window_->messageBar()->findChild<QToolButton*>();
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(window_->messageBar()->isHidden());
        QTest::mouseClick(box->button(), Qt::LeftButton);
        QVERIFY(!window_->messageBar()->isHidden());
        QVERIFY(ribbon->details().isEmpty());
        QTest::mouseClick(ribbon->arcs(), Qt::LeftButton, {},
                          ribbon->arcs()->chipRect(RibbonTokens::Side::Queries, 1).center().toPoint());
        QCOMPARE(ribbon->claim(), OutdatedOverlay::words());
        QVERIFY(!ribbon->arcs()->accessibleName().contains("%"));
        QVERIFY(status().shapeLine().isEmpty());
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QTRY_VERIFY(!isVeiled(ribbon));
        QVERIFY(ribbon->claim().contains("reads"));
        QVERIFY(status().shapeLine().contains(QString::fromUtf8("9 × 9")));
    }
};

ATTNLAB_TEST(TestCancelled)
#include "test_cancelled.moc"
