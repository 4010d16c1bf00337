// What the mouse drags or points at, by keys: dividers of pages and panels, panels themselves, points of a curve.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/learn/lab/curve_card.h"
#include "ui/panels/help/reference_dialog.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/window_focus.h"

#include <QAccessible>
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestByKeys : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    enum Panel { Inputs, Mask, Inspector };

    QDockWidget& panel(Panel which) const { return *window_->panelDocks()->all()[which]; }
    static QAccessibleInterface* spoken(QWidget* widget) { return QAccessible::queryAccessibleInterface(widget); }
    static QString name(QWidget* widget) { return spoken(widget)->text(QAccessible::Name); }
    static QWidget* focused() { return QApplication::focusWidget(); }
    static void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(focused(), key, with); }

    /// F8 until the divider with this name has the focus.
    bool goTo(const char* wanted) {
        QStringList seen;
        do {
            press(Qt::Key_F8);
            const QString now = name(focused());
            if (now == QLatin1String(wanted))
                return true;
            if (seen.contains(now))
                break;
            seen << now;
        } while (seen.size() < 10);
        qWarning() << seen;
        return false;
    }
    QAction* placeOf(Panel which, const char* entry) {
        QMenu* menu = window_->panelDocks()->placeActions()[which]->menu();
        emit menu->aboutToShow();
        const auto actions = menu->actions();
        const auto found = std::ranges::find(actions, QLatin1String(entry), &QAction::text);
        return found == actions.end() ? nullptr : *found;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabByKeysTest");
        installAccessibility();
    }
    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1920, 1300);
        window_->panelDocks()->layOut();
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->files().openSample(QStringLiteral("milk_or_cat_sweet"));
        QTRY_VERIFY(!window_->isComputing() && window_->computed());
        QTRY_VERIFY(focused());
    }
    void cleanup() { window_.reset(); }

    void arrowsMoveASplitter() {
        QWidget dialog;
        auto* layout = new QVBoxLayout(&dialog);
        auto* parts = new Splitter(Qt::Horizontal);
        auto* first = new QLineEdit;
        auto* second = new QLineEdit;
        for (auto* part : {first, second}) {
            part->setMinimumWidth(40);
            parts->addWidget(part);
        }
        parts->setDividerName(1, QStringLiteral("Width of the list"));
        parts->setSizes({200, 200});
        layout->addWidget(parts);
        dialog.resize(440, 100);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        first->setFocus();
        press(Qt::Key_Tab);
        QWidget* handle = focused();
        if (handle == second) { // the order of making
            press(Qt::Key_Tab);
            handle = focused();
        }
        QCOMPARE(handle, static_cast<QWidget*>(parts->handle(1)));
        const int before = first->width();
        press(Qt::Key_Right);
        QCOMPARE(first->width(), before + DividerShortcuts::step);
        press(Qt::Key_Left);
        press(Qt::Key_Left);
        QCOMPARE(first->width(), before - DividerShortcuts::step);
        auto* interface = spoken(handle);
        QCOMPARE(interface->role(), QAccessible::Separator);
        QCOMPARE(name(handle), QStringLiteral("Width of the list"));
        QVERIFY(interface->valueInterface());
        QCOMPARE(interface->valueInterface()->currentValue().toInt(), first->width());
        press(Qt::Key_Up); // is not its key
        QCOMPARE(first->width(), before - DividerShortcuts::step);
        press(Qt::Key_Escape);
        QCOMPARE(first->width(), before);
        press(Qt::Key_End);
        QVERIFY(second->width() <= 40 || !second->isVisible());
    }

    void f8WalksTheDividersOfPanels() {
        QWidget* before = focused();
        QVERIFY(goTo("Width of the panel Inputs"));
        const int width = panel(Inputs).width();
        for (int i = 0; i < 3; ++i)
            press(Qt::Key_Right);
        QTRY_COMPARE(panel(Inputs).width(), width + 3 * DividerShortcuts::step);
        QCOMPARE(spoken(focused())->valueInterface()->currentValue().toInt(), panel(Inputs).geometry().right() + 1);
        press(Qt::Key_Escape);
        QTRY_COMPARE(panel(Inputs).width(), width);
        QCOMPARE(focused(), before);
        QVERIFY(goTo("Height of the panel Inputs"));
        const int height = panel(Inputs).height();
        press(Qt::Key_Up);
        QTRY_COMPARE(panel(Inputs).height(), height - DividerShortcuts::step);
        press(Qt::Key_Return);
        QCOMPARE(focused(), before);
        QCOMPARE(panel(Inputs).height(), height - DividerShortcuts::step);
        QVERIFY(goTo("Width of the panel Inspector"));
        const int inspector = panel(Inspector).width();
        press(Qt::Key_Left); // towards the centre
        QTRY_COMPARE(panel(Inspector).width(), inspector + DividerShortcuts::step);
        press(Qt::Key_Return);
        QTRY_VERIFY(window_->findChildren<PanelDivider*>().isEmpty());
    }

    void withoutAPanelThereIsNoDivider() {
        for (const auto which : {Inputs, Mask, Inspector})
            panel(which).hide();
        QWidget* before = focused();
        press(Qt::Key_F8);
        QCOMPARE(focused(), before);
        PanelDividers dividers(*window_);
        QVERIFY(!dividers.focusNext());
    }

    void dividersOfThePageOfAModelAreInTheWalk() {
        window_->actions().sample_model->trigger();
        QTRY_VERIFY(window_->findChild<Splitter*>() && window_->findChild<Splitter*>()->isVisible());
        auto* splitter = window_->findChild<Splitter*>();
        QTRY_VERIFY(splitter->handle(2)->isVisible() && focused());
        QVERIFY(goTo("Width of the heads"));
        const int width = splitter->sizes().front();
        press(Qt::Key_Right);
        QCOMPARE(splitter->sizes().front(), width + DividerShortcuts::step);
        press(Qt::Key_F8);
        QCOMPARE(name(focused()), QStringLiteral("Width of the head on show"));
    }

    void theReferenceHasADividerToTabTo() {
        ReferenceDialog dialog;
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto* handle = dialog.findChild<Splitter*>()->handle(1);
        for (int i = 0; i < 8 && focused() != handle; ++i)
            press(Qt::Key_Tab);
        QCOMPARE(focused(), static_cast<QWidget*>(handle));
        const int before = handle->x();
        press(Qt::Key_Right);
        QCOMPARE(handle->x(), before + DividerShortcuts::step);
    }

    void aCurveThatCannotBePickedIsReadOff() {
        LineChart chart;
        LineChartDrawing drawing;
        drawing.lines.push_back({});
        drawing.lines.front().points = {{1, 10}, {2, 20}, {4, 40}};
        chart.setChart(drawing);
        chart.setPickable(false);
        chart.resize(400, 200);
        chart.show();
        QVERIFY(QTest::qWaitForWindowActive(&chart));
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_End);
        QCOMPARE(chart.chart().hovered, std::optional(4.0));
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("40")));
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.chart().hovered, std::optional(2.0));
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("20")));
        chart.clearFocus();
        QVERIFY(!chart.chart().hovered);
    }

    void aPanelIsPlacedByAMenu() {
        struct Place {
            const char* entry;
            Qt::DockWidgetArea area;
        };
        for (const auto& [entry, area] :
             {Place{"At the right", Qt::RightDockWidgetArea}, Place{"Above", Qt::TopDockWidgetArea},
              Place{"Below", Qt::BottomDockWidgetArea}, Place{"At the left", Qt::LeftDockWidgetArea}}) {
            QAction* action = placeOf(Mask, entry);
            QVERIFY2(action, entry);
            QVERIFY(!action->isChecked());
            action->trigger();
            QCOMPARE(window_->dockWidgetArea(&panel(Mask)), area);
            QVERIFY(panel(Mask).isVisible() && placeOf(Mask, entry)->isChecked());
        }
        const auto entries = window_->actions().panels->actions();
        QVERIFY(entries.contains(window_->panelDocks()->placeActions().first()));
    }

    void aFloatingPanelMovesAndGrowsByKeys() {
        placeOf(Inspector, "In a window of its own")->trigger();
        QVERIFY(panel(Inspector).isFloating() && panel(Inspector).isVisible());
        auto* grip = panel(Inspector).findChild<PanelGrip*>();
        QCOMPARE(grip->focusPolicy(), Qt::TabFocus);
        panel(Inspector).activateWindow();
        grip->setFocus();
        const QPoint place = panel(Inspector).pos();
        const QSize size = panel(Inspector).size();
        QTest::keyClick(grip, Qt::Key_Right);
        QTest::keyClick(grip, Qt::Key_Down);
        QCOMPARE(panel(Inspector).pos(), place + QPoint(16, 16));
        QTest::keyClick(grip, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(grip, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(panel(Inspector).size(), size + QSize(16, 16));
        placeOf(Inspector, "At the right")->trigger();
        QVERIFY(!panel(Inspector).isFloating() && panel(Inspector).isVisible());
        QCOMPARE(grip->focusPolicy(), Qt::NoFocus);
    }
};

ATTNLAB_TEST(TestByKeys)
#include "test_by_keys.moc"
