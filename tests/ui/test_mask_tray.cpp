// The tray of the masks, and the panels that open beside it, in windows of all sizes.
#include "layout_window.h"
#include "tests/test_main.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_tray.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/panel_docks.h"
#include "ui/window/work_area.h"

#include <QDockWidget>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>

#include <set>

using namespace attnlab;
using namespace attnlab::ui;

class TestMaskTray : public QObject, protected LayoutFixture {
    Q_OBJECT

    MaskTray& tray() { return *window_->findChild<MaskTray*>(); }
    MaskPanel& masks() { return *window_->findChild<MaskPanel*>(); }
    void open(QSize size) {
        begin(size);
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
        window_->viewState().setPinned(Cell{3, 2});
        QVERIFY(settles(*window_));
        QTest::mouseClick(window_->stageStrip()->button(StageStrip::Operator::Mask), Qt::LeftButton);
        QVERIFY(tray().isVisible() && settles(*window_));
    }
    static void addSizes() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1280, 800), smallest_window})
            QTest::newRow(qPrintable(sizeText(size))) << size;
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { end(); }

    void oneLine_data() { addSizes(); }
    /// All controls have one centre, the hint is whole, and the sentence with its answer stays in sight.
    void oneLine() {
        QFETCH(QSize, size);
        open(size);
        const int centre = tray().rect().center().y();
        for (const auto* control : tray().findChildren<QAbstractButton*>())
            if (control->isVisible()) {
                const int own = control->mapTo(&tray(), control->rect().center()).y();
                QVERIFY2(std::abs(own - centre) <= 1,
                         qPrintable(control->accessibleName() + control->text() + QString::number(own - centre)));
            }
        const auto* hint = tray().findChild<ElidedLabel*>();
        QCOMPARE(hint->shownText(), hint->text());
        const auto* ribbon = window_->workArea()->ribbon();
        const QRect covered = tray().geometry().intersected(ribbon->geometry());
        QVERIFY2(covered.height() < ribbon->height() / 2, qPrintable(QString::number(covered.height())));
    }

    void allMasks_data() { addSizes(); }
    /// In the place of the inspector, without a tab bar and without a second matrix; that comes with the next opening.
    void allMasks() {
        QFETCH(QSize, size);
        open(size);
        QTest::mouseClick(tray().panelButton(), Qt::LeftButton);
        QVERIFY(masks().isVisible() && settles(*window_));
        QVERIFY(!masks().grid()->isVisible());
        QVERIFY(!window_->findChild<InspectorPanel*>()->isVisible());
        for (const auto* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY(tabs->count() < 2);                                                   // one tab is not shown
        QTest::mouseClick(&masks(), Qt::LeftButton, {}, QPoint(2, masks().height() - 2)); // closes the tray
        QTRY_VERIFY(!tray().isOpen() && masks().grid()->isVisible());
        auto* dock = window_->panelDocks()->all()[1];
        dock->close();
        QTRY_VERIFY(window_->findChild<InspectorPanel*>()->isVisible());
        dock->toggleViewAction()->trigger();
        QTRY_VERIFY(masks().grid()->isVisible());
    }

    void buttonsOfInputs_data() { addSizes(); }
    void buttonsOfInputs() {
        QFETCH(QSize, size);
        open(size);
        window_->panelDocks()->all()[0]->toggleViewAction()->trigger();
        QVERIFY(settles(*window_));
        auto* inputs = window_->panelDocks()->all()[0]->widget();
        std::set<int> lines;
        for (const auto* button : inputs->findChildren<QToolButton*>())
            if (button->isVisible() && button->text() != QString() && !button->inherits("QTabBar") &&
                button->mapTo(inputs, QPoint()).y() > inputs->height() / 2)
                lines.insert(button->mapTo(inputs, button->rect().center()).y());
        QCOMPARE(lines.size(), 1U);
    }
};

ATTNLAB_TEST(TestMaskTray)
#include "test_mask_tray.moc"
