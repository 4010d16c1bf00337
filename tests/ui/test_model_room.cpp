// The room of the model page: large letters fold rows of controls before pictures shrink, and a large window is used.
#include "tests/test_main.h"
#include "tests/ui/layout_window.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/text_panel.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"
#include "ui/window/model_mode.h"

#include <QPushButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelRoom : public QObject, LayoutFixture {
    Q_OBJECT

    const ModelPage& page() { return *window_->modelMode()->page(); }
    void openSample() {
        window_->actions().sample_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->modelMode()->isOn() && page().wall()->chosen() &&
                                     page().effects()->state() == HeadEffects::State::Done,
                                 30000);
        QTRY_VERIFY(settles(*window_));
    }
    int below(const QWidget& widget) { return widget.mapTo(window_.get(), QPoint(0, widget.height())).y(); }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { end(); }

    void largeLettersKeepTheMatrix_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void largeLettersKeepTheMatrix() {
        QFETCH(QString, language);
        begin({1280, 800}, 1.5, language);
        openSample();
        QVERIFY(page().heads()->titleLine()->isVisible());
        const HeatmapView& map = *page().heatmap();
        const int last = map.tableRows() - 1;
        const QRectF cells = map.cellRect({0, 0}).united(map.cellRect({last, last}));
        QVERIFY2(cells.height() >= 200.0 && cells.width() >= 200.0,
                 qPrintable(QStringLiteral("%1 x %2").arg(cells.width()).arg(cells.height())));
    }

    void aLargeWindowIsUsed() {
        begin({1910, 1060});
        openSample();
        const HeadsWall& wall = *page().wall();
        const MatrixTile& last = *wall.tile(wall.shown().back());
        const QPoint end = last.mapTo(&wall, QPoint(last.width(), last.height()));
        QVERIFY2(
            end.y() > wall.height() * 3 / 4 && end.x() > wall.width() * 4 / 5,
            qPrintable(
                QStringLiteral("%1, %2 of %3 x %4").arg(end.x()).arg(end.y()).arg(wall.width()).arg(wall.height())));
        const auto* guesses = page().guesses();
        const int blank = below(*guesses->writeButton()) - below(*guesses->bars().front());
        QVERIFY2(blank < 200, qPrintable(QString::number(blank)));
    }
};

ATTNLAB_TEST(TestModelRoom)
#include "test_model_room.moc"
