// Acts that change what the page of the workspace shows, not where: no part of it moves or changes its size.
#include "layout_window.h"
#include "tests/test_main.h"
#include "ui/document/document.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/mask/mask_tray.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/tool_tray.h"
#include "ui/window/actions.h"
#include "ui/window/status_line.h"
#include "ui/window/top_bar.h"
#include "ui/window/work_area.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QMap>
#include <QMouseEvent>
#include <QProgressBar>
#include <QToolBar>
#include <QUndoStack>

#include <functional>
#include <utility>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

using Rects = QMap<QString, QRectF>;

QString differenceOf(const Rects& before, const Rects& after) {
    QStringList moved;
    for (const auto& [name, place] : before.asKeyValueRange())
        if (const QRectF now = after.value(name); now != place)
            moved << QStringLiteral("%1: %2 %3 %4 x %5 -> %6 %7 %8 x %9")
                         .arg(name)
                         .arg(place.x())
                         .arg(place.y())
                         .arg(place.width())
                         .arg(place.height())
                         .arg(now.x())
                         .arg(now.y())
                         .arg(now.width())
                         .arg(now.height());
    return moved.join(QLatin1Char('\n'));
}

/// Where everything is when a widget is painted for the first time.
class FirstPaint : public QObject {
public:
    FirstPaint(QWidget& painted, std::function<Rects()> look) : look_(std::move(look)) {
        painted.installEventFilter(this);
    }
    const Rects& rects() const { return rects_; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && rects_.isEmpty())
            rects_ = look_();
        return false;
    }

private:
    std::function<Rects()> look_;
    Rects rects_;
};

} // namespace

class TestNothingMoves : public QObject, protected LayoutFixture {
    Q_OBJECT

    /// In the window, of every part that is there before and after.
    Rects rects() {
        Rects all;
        const auto add = [&](const QString& name, const QWidget* part) {
            if (part && part->isVisible())
                all[name] = QRectF(part->mapTo(window_.get(), QPoint()), part->size());
        };
        const auto* top = window_->findChild<TopBar*>();
        add("toolbar", top);
        add("chooser", top->chooser());
        for (const auto* button : window_->mechanismBar()->findChildren<QAbstractButton*>())
            if (!button->window()->isHidden() && button->window() == window_.get() &&
                !window_->workArea()->isAncestorOf(button))
                add("tool " + button->accessibleName() + QString::number(all.size()), button);
        auto* strip = window_->stageStrip();
        add("strip", strip);
        for (const QString& stage : strip->shownStages())
            add("stage " + stage, strip->tile(stage));
        for (int i = 0; i < 4; ++i)
            add(QStringLiteral("operation %1").arg(i), strip->button(static_cast<StageStrip::Operator>(i)));
        auto* ribbon = window_->workArea()->ribbon();
        add("ribbon", ribbon);
        add("answer", ribbon->answer());
        all["first word"] = ribbon->arcs()
                                ->chipRect(RibbonTokens::Side::Keys, 0)
                                .translated(ribbon->arcs()->mapTo(window_.get(), QPoint()));
        auto* page = window_->matrixPage();
        add("page", page);
        add("header", page->header());
        const auto* heatmap = page->heatmap();
        all["cells"] = heatmap->frame().body.translated(heatmap->mapTo(window_.get(), QPoint()));
        for (const int head : {0, 1, 2, 3, int{ViewState::mean_of_heads}})
            add(QStringLiteral("head %1").arg(head), window_->heads()->tile(head));
        auto* inspector = window_->findChild<InspectorPanel*>();
        add("inspector", inspector);
        add("bars", inspector->rowCard()->bars());
        add("status", window_->findChild<StatusLine*>());
        return all;
    }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
        QVERIFY(settles(*window_));
    }
    void open(QSize size, double font_scale = 1.0) {
        begin(size, font_scale);
        settle();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        settle();
    }
    void setScale(const char* id) {
        auto next = window_->document().problem();
        next.spec.scale = {id, {}};
        window_->document().edit(QStringLiteral("Choose a scale"), next);
    }
    void rename(const QString& word) {
        auto* ribbon = window_->workArea()->ribbon();
        ribbon->rename(RibbonTokens::Side::Queries, 4);
        auto* field = ribbon->arcs()->findChild<QLineEdit*>();
        if (!field)
            field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field);
        QTest::keyClicks(field, word);
        QTest::keyClick(field, Qt::Key_Return);
    }
    ToolTray* trayOf(StageStrip::Operator which) {
        using Operator = StageStrip::Operator;
        using Tray = MechanismBar::Tray;
        if (which == Operator::Mask)
            return window_->findChild<MaskTray*>();
        return window_->mechanismBar()->tray(which == Operator::Scores  ? Tray::Scores
                                             : which == Operator::Scale ? Tray::Scale
                                                                        : Tray::Weights);
    }
    void toggle(StageStrip::Operator which, bool open) {
        auto* button = window_->stageStrip()->button(which);
        QVERIFY(button->isVisible());
        if (open)
            QTest::mouseClick(button, Qt::LeftButton);
        else
            trayOf(which)->close();
        QCOMPARE(trayOf(which)->isOpen(), open);
    }
    void drag() {
        toggle(StageStrip::Operator::Scale, true);
        auto& slider = *trayOf(StageStrip::Operator::Scale)->findChild<ScaleSlider*>()->slider();
        const double y = slider.height() - 12.0, from = slider.xOf(slider.number());
        QTest::mousePress(&slider, Qt::LeftButton, {}, QPointF(from, y).toPoint());
        const Rects before = rects();
        for (const double number : {0.3, 1.0, 3.7, 12.0, 16.0}) {
            const QPointF at(slider.xOf(number), y);
            QMouseEvent event(QEvent::MouseMove, at, slider.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(&slider, &event);
            settle();
            QCOMPARE(differenceOf(before, rects()), QString());
        }
        QTest::mouseRelease(&slider, Qt::LeftButton);
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { end(); }

    void stays_data() {
        QTest::addColumn<QString>("act");
        QTest::addColumn<QSize>("size");
        for (const char* act : {"dark", "black on white", "the first change", "undone", "another word",
                                "a shorter word", "tray of scores", "tray of the scale", "tray of the mask",
                                "tray of the weights", "stage of scores", "stage after the mask", "stage of the output",
                                "head 1", "average of the heads", "another word is read", "drag", "causal"})
            for (const QSize size : {QSize(1280, 800), smallest_window}) {
                const bool is_low = size == smallest_window;
                if (is_low && QByteArray(act) == "a shorter word") // names of columns fit side by side then
                    continue;
                if (is_low && QByteArray(act) == "another word is read") // the words scroll to it
                    continue;
                QTest::addRow("%s, %s", act, qPrintable(sizeText(size))) << QString(act) << size;
            }
    }
    /// What is compared is the page with a word chosen, before and after.
    void stays() {
        using Operator = StageStrip::Operator;
        QFETCH(QString, act);
        QFETCH(QSize, size);
        open(size);
        window_->viewState().setPinned(Cell{3, 2});
        settle();
        Rects before = rects();
        QVERIFY(before.contains("answer") && before.contains("head 3") && before["cells"].width() > 100.0);
        const std::map<QString, Operator> trays{{"tray of scores", Operator::Scores},
                                                {"tray of the scale", Operator::Scale},
                                                {"tray of the mask", Operator::Mask},
                                                {"tray of the weights", Operator::Weights}};
        if (act == "dark" || act == "black on white") {
            applyTheme(act == "dark" ? ThemeChoice::Dark : ThemeChoice::ContrastLight);
        } else if (act == "the first change" || act == "undone") {
            setScale("dk");
        } else if (act == "another word" || act == "a shorter word") {
            rename(act == "another word" ? "hopped" : "ran");
        } else if (const auto tray = trays.find(act); tray != trays.end()) {
            toggle(tray->second, true);
            settle();
            QCOMPARE(differenceOf(before, rects()), QString());
            toggle(tray->second, false);
        } else if (act.startsWith("stage")) {
            if (act == "stage of the output") // which has another shape
                before.remove("cells");
            window_->viewState().setStage(act == "stage of scores"       ? "scores"
                                          : act == "stage of the output" ? "head_output"
                                                                         : "masked");
        } else if (act.endsWith("heads") || act == "head 1") {
            window_->viewState().setHead(act == "head 1" ? 1 : int{ViewState::mean_of_heads});
        } else if (act == "another word is read") {
            window_->viewState().setPinned(Cell{7, 1});
        } else if (act == "drag") {
            drag();
        } else if (act == "causal") {
            auto next = window_->document().problem();
            next.spec.masks = {{"causal", {}}};
            window_->document().edit(QStringLiteral("Choose a mask"), next);
        }
        settle();
        if (act == "undone") {
            window_->document().undoStack()->undo();
            settle();
        }
        QCOMPARE(differenceOf(before, rects()), QString());
    }

    void aVisitToAnotherPage_data() {
        QTest::addColumn<bool>("model");
        QTest::addColumn<double>("font_scale");
        for (const double font_scale : {1.0, 1.5})
            for (const bool model : {true, false})
                QTest::addRow("%s, %g", model ? "model" : "lessons", font_scale) << model << font_scale;
    }
    /// The page of the workspace is as before, from the first time that it is painted.
    void aVisitToAnotherPage() {
        QFETCH(bool, model);
        QFETCH(double, font_scale);
        open(QSize(1280, 800), font_scale);
        window_->viewState().setPinned(Cell{3, 2});
        settle();
        auto* heatmap = window_->matrixPage()->heatmap();
        heatmap->setFocus();
        const Rects before = rects();
        QVERIFY(before.contains("bars") && before["cells"].width() > 100.0);
        for (int visit = 0; visit < 2; ++visit) {
            // As by a click on the side bar, whose buttons get the focus.
            auto* rail = window_->findChild<QToolBar*>(QStringLiteral("rail"));
            const auto go = [rail](QAction* place) {
                auto* button = rail->widgetForAction(place);
                button->setFocus(Qt::MouseFocusReason);
                place->trigger();
            };
            go(model ? window_->actions().go_model : window_->actions().go_lessons);
            QTRY_VERIFY_WITH_TIMEOUT(!heatmap->isVisible(), 20000);
            QVERIFY(settles(*window_));
            FirstPaint painted(*heatmap, [this] { return rects(); });
            go(window_->actions().go_workspace);
            QTRY_VERIFY_WITH_TIMEOUT(!painted.rects().isEmpty(), 10000);
            QCOMPARE(differenceOf(before, painted.rects()), QString());
            settle();
            QCOMPARE(differenceOf(before, rects()), QString());
            QCOMPARE(window_->focusWidget(), heatmap);
        }
    }

    /// While a result is awaited, the line with progress and Cancel is as high as without.
    void progressTakesNoRoom() {
        open(QSize(1280, 800));
        const Rects before = rects();
        auto* status = window_->findChild<StatusLine*>();
        status->begin();
        auto* progress = status->findChild<QProgressBar*>();
        QTRY_VERIFY(progress->isVisible());
        QVERIFY(settles(*window_));
        QCOMPARE(differenceOf(before, rects()), QString());
        status->end();
    }
};

ATTNLAB_TEST(TestNothingMoves)
#include "test_nothing_moves.moc"
