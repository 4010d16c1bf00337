// The Tab key through the window: few stops, each with a name, in reading order.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/controls.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/window_focus.h"
#include "ui/window/work_area.h"

#include <QAccessible>
#include <QDockWidget>
#include <QLabel>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestWindowTabStops : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    template <class Widget>
    Widget* find() const {
        return window_->findChild<Widget*>();
    }
    bool tabReaches(const QWidget* wanted, Qt::Key key = Qt::Key_Tab) {
        for (int i = 0; i < 60 && QApplication::focusWidget() != wanted; ++i)
            QTest::keyClick(QApplication::focusWidget(), key);
        return QApplication::focusWidget() == wanted;
    }
    static QString words(const QWidget* widget) {
        auto* interface = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        return QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
               (interface ? interface->text(QAccessible::Name) : QString());
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTabStopsTest");
    }
    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1920, 1000); // with room for all panels
        window_->panelDocks()->layOut();
        for (auto* dock : window_->panelDocks()->all())
            dock->show(); // every panel at once: the most stops
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->files().openSample("multi_head_fox"); // 9 tokens of 12 numbers
        settle();
    }
    void cleanup() { window_.reset(); }

    void fewStopsEachWithAName() {
        const auto first = QApplication::focusWidget();
        QVERIFY(first);
        QSet<QWidget*> seen;
        auto* at = first;
        do {
            seen << at;
            auto* interface = QAccessible::queryAccessibleInterface(at);
            QVERIFY(interface);
            QVERIFY2(!interface->text(QAccessible::Name).trimmed().isEmpty(), qPrintable(words(at)));
            QTest::keyClick(at, Qt::Key_Tab);
            at = QApplication::focusWidget();
        } while (at != first);
        QStringList all;
        for (auto* stop : tabStops(*window_))
            all << words(stop);
        QVERIFY2(all.size() < 40, qPrintable(all.join('\n'))); // with every panel open
        QCOMPARE(seen.size(), all.size());                     // every stop is passed before the first one again
    }

    void shiftTabGoesTheSameWayBack() {
        const auto stops = tabStops(*window_);
        stops.first()->setFocus();
        for (auto i = stops.size() - 1; i > 0; --i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
            QVERIFY2(QApplication::focusWidget() == stops[i], qPrintable(words(QApplication::focusWidget())));
        }
    }

    void stopsAreInReadingOrder() {
        // From the toolbar through the panels at the left and the centre to those at the right.
        const auto stops = tabStops(*window_);
        const auto position = [&](const QWidget* part) {
            for (qsizetype i = 0; i < stops.size(); ++i)
                if (part->isAncestorOf(stops[i]))
                    return i;
            return qsizetype{-1};
        };
        const auto docks = window_->panelDocks()->all();
        const auto inputs = position(docks[0]), mask = position(docks[1]), centre = position(window_->centralWidget());
        QVERIFY(inputs > 0 && inputs < mask && mask < centre);
        const auto* area = window_->workArea();
        const QList<const QWidget*> parts{window_->stageStrip(), area->ribbon(), area->pages(), area->headsColumn(),
                                          docks[2]};
        for (qsizetype i = 1; i < parts.size(); ++i)
            QVERIFY2(position(parts[i - 1]) >= 0 && position(parts[i - 1]) < position(parts[i]),
                     parts[i]->metaObject()->className());
        // Also after the user has moved a panel.
        window_->addDockWidget(Qt::RightDockWidgetArea, docks[0]);
        QCoreApplication::processEvents();
        const auto moved = tabStops(*window_);
        for (qsizetype i = 1; i < moved.size(); ++i)
            QVERIFY(!docks[0]->isAncestorOf(moved[i - 1]) || !window_->centralWidget()->isAncestorOf(moved[i]));
    }

    void theTableIsOneStop() {
        auto* table = find<InputsPanel>()->table();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(1, 1));
        QTest::keyClick(table, Qt::Key_Right);
        QCOMPARE(table->currentIndex(), table->model()->index(1, 2));
        QTest::keyClick(table, Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != table);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), table);
        QCOMPARE(table->currentIndex(), table->model()->index(1, 2));
    }

    void arrowsMoveAmongButtonsOfOneStop() {
        const auto* chips = find<MaskPanel>()->chips();
        auto* causal = chips->chip("causal");
        auto* window = chips->chip("window");
        QVERIFY(tabReaches(causal));
        QTest::keyClick(causal, Qt::Key_Right);
        QCOMPARE(QApplication::focusWidget(), window);
        QTest::keyClick(window, Qt::Key_Space);
        QVERIFY(window->isChecked());
        settle();
        // Tab leaves, and comes back to the same one.
        QTest::keyClick(window, Qt::Key_Tab);
        QVERIFY(qobject_cast<Chip*>(QApplication::focusWidget()) == nullptr);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), window);
        QTest::keyClick(window, Qt::Key_End);
        QCOMPARE(QApplication::focusWidget(), chips->more());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
        QCOMPARE(QApplication::focusWidget(), causal);
    }

    void toolsOfTheMaskAreOneStop() {
        auto* tools = find<MaskPanel>()->tools();
        int stops = 0;
        for (auto* stop : tabStops(*window_))
            stops += tools->isAncestorOf(stop);
        QCOMPARE(stops, 1);
        tools->button(MaskTool::Brush)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(QApplication::focusWidget(), tools->button(MaskTool::Rectangle));
        QVERIFY(!tools->button(MaskTool::Rectangle)->isChecked()); // moving chooses nothing
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QVERIFY(tools->button(MaskTool::Rectangle)->isChecked());
    }
};

ATTNLAB_TEST(TestWindowTabStops)
#include "test_window_tab_stops.moc"
