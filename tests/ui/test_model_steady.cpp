// What stays where it is on the model page while a head is switched off, a word is changed or another view is chosen.
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"

#include <QComboBox>
#include <QPushButton>
#include <QStackedWidget>

#include <functional>
#include <map>
#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelSteady : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }
    bool isCurrent() { return !session().isRunning() && !session().isOutdated(); }

    /// Those in sight, by name.
    std::map<QString, QRect> places() {
        const std::map<QString, QWidget*> parts{{"tabs of heads", page().heads()->tabs()},
                                                {"wall", page().heads()->pictures()},
                                                {"first tile", page().wall()->tile({0, 0})},
                                                {"last tile", page().wall()->tile({2, 3})},
                                                {"title of the head", page().head()->titleLine()},
                                                {"off", page().offButton()},
                                                {"by", page().head()->offBy()},
                                                {"tabs of the head", page().head()->tabs()},
                                                {"views", page().head()->views()},
                                                {"view of weights", page().head()->weights()->viewPicker()},
                                                {"colours", page().head()->colorsButton()},
                                                {"words", page().sentence()},
                                                {"next tokens", page().outcomes()},
                                                {"go on", page().guesses()->writeButton()},
                                                {"edit", page().texts()->editButton()}};
        std::map<QString, QRect> places;
        for (const auto& [name, part] : parts)
            if (part->isVisible())
                places[name] = {part->mapTo(&shown_->window(), QPoint()), part->size()};
        places["title of the head"].setWidth(0);             // takes what the buttons leave
        for (const char* tile : {"first tile", "last tile"}) // has a caption in some tabs
            if (const auto place = places.find(tile); place != places.end())
                place->second.setHeight(0);
        for (const int row : {0, 7, 8}) // of eight
            places[QStringLiteral("bar %1").arg(row)] = page().outcomes()->wholeBar(row).toRect();
        return places;
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelSteadyTest"); }
    void init() { shown_ = std::make_unique<ModelWindow>(); }
    void cleanup() { shown_.reset(); }

    void nothingMoves_data() {
        QTest::addColumn<QString>("act");
        for (const char* act : {"head off", "head on again", "all on", "two heads off", "lines", "rollout", "compare",
                                "reads", "differences", "layers", "words", "a word in B"})
            QTest::newRow(act) << QString::fromLatin1(act);
    }
    void nothingMoves() {
        QFETCH(QString, act);
        shown_->window().actions().sample_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn() && page().wall()->chosen() &&
                                     page().effects()->state() == HeadEffects::State::Done,
                                 30000);
        const auto toggle = [this](HeadIndex head) {
            page().wall()->choose(head);
            page().offButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(isCurrent(), 10000);
            QTRY_VERIFY(page().workspaceButton()->isEnabled());
        };
        const auto view = [this](HeadView* one) { page().head()->show(one); };
        const auto tab = [this](int index) { page().heads()->tabs()->setCurrentIndex(index); };
        std::function<void()> prepare = [] {}, then;
        if (act == "head off")
            then = [&] { toggle({1, 1}); };
        else if (act == "head on again")
            then = [&] {
                toggle({1, 1});
                toggle({1, 1});
            };
        else if (act == "all on")
            then = [&] {
                toggle({1, 1});
                page().head()->allOnButton()->click();
                QTRY_VERIFY_WITH_TIMEOUT(isCurrent(), 10000);
            };
        else if (act == "two heads off")
            then = [&] {
                toggle({1, 1});
                toggle({0, 0});
            };
        else if (act == "lines")
            then = [&] { view(page().head()->arcs()); };
        else if (act == "rollout")
            then = [&] { view(page().head()->rollout()); };
        else if (act == "compare") {
            prepare = [&] { toggle({1, 1}); };
            then = [&] { view(page().head()->difference()); };
        } else if (act == "reads")
            then = [&] { tab(HeadsPanel::Wall); };
        else if (act == "differences") {
            prepare = [&] { toggle({1, 1}); };
            then = [&] { tab(HeadsPanel::Differences); };
        } else if (act == "layers")
            then = [&] { tab(HeadsPanel::Layers); };
        else if (act == "words")
            then = [&] { tab(HeadsPanel::Words); };
        else {
            prepare = [&] {
                page().texts()->compareButton()->click();
                QTRY_VERIFY(isCurrent() && page().second()->wordField());
            };
            then = [&] {
                page().second()->wordField()->setText({});
                QTest::keyClicks(page().second()->wordField(), "Mary");
                QTest::keyClick(page().second()->wordField(), Qt::Key_Return);
                QTRY_VERIFY(isCurrent() && session().result()->comparesOtherTexts());
            };
        }
        prepare();
        QTest::qWait(50);
        const auto before = places();
        then();
        QTest::qWait(50);
        QString moved;
        for (const auto& [name, place] : places())
            if (const auto was = before.find(name); was != before.end() && was->second != place)
                moved += QStringLiteral("%1: %2,%3 %4x%5 -> %6,%7 %8x%9; ")
                             .arg(name)
                             .arg(was->second.x())
                             .arg(was->second.y())
                             .arg(was->second.width())
                             .arg(was->second.height())
                             .arg(place.x())
                             .arg(place.y())
                             .arg(place.width())
                             .arg(place.height());
        QVERIFY2(moved.isEmpty(), qPrintable(moved));
    }
};

ATTNLAB_TEST(TestModelSteady)
#include "test_model_steady.moc"
