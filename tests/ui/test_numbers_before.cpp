// The numbers of a row under an earlier setting, beside the present ones.
#include "tests/test_main.h"
#include "tests/ui/sample_window.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/tool_tray.h"
#include "ui/window/actions.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

class TestNumbersBefore : public QObject, protected SampleFixture {
    Q_OBJECT

    RowCard& row() { return *window_->findChild<InspectorPanel*>()->rowCard(); }
    bool hasFrames() {
        return std::ranges::any_of(row().bars()->bars(), [](const Bar& bar) { return bar.before.has_value(); });
    }
    void setScale(const char* id) {
        auto next = window_->document().problem();
        next.spec.scale = {id, {}};
        window_->document().edit(QStringLiteral("Choose a scale"), next);
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        begin();
        openSample("multi_head_fox");
        window_->viewState().setPinned(Cell{3, 2});
    }
    void cleanup() { window_.reset(); }

    void earlierNumbersStayBesideThePresentOnes() {
        QVERIFY(!hasFrames() && row().legend().isEmpty());
        const double before = window_->computed()->trace.find("weights")->value.at({0, 0, 3, 2});
        setScale("dk");
        QVERIFY(hasFrames());
        const auto& bars = row().bars()->bars();
        const auto brown = std::ranges::find(bars, QStringLiteral("brown"), &Bar::label);
        QVERIFY(brown != bars.end());
        QCOMPARE(brown->before, std::optional(before));
        QVERIFY(brown->value < before);
        QVERIFY(row().legend().contains(QString::fromUtf8("1/√d")));
        const QString largest = row().numbers()->number(QStringLiteral("largest"));
        QVERIFY2(largest.contains(QStringLiteral("was 0.687")), qPrintable(largest));
        setScale("none"); // still beside the first setting
        QCOMPARE(std::ranges::find(row().bars()->bars(), QStringLiteral("brown"), &Bar::label)->before,
                 std::optional(before));
        setScale("sqrt_dk"); // the same number by another name
        QVERIFY2(!row().numbers()->number(QStringLiteral("largest")).contains(QStringLiteral("was")),
                 qPrintable(row().numbers()->number(QStringLiteral("largest"))));
        setScale("");
        QVERIFY(!hasFrames() && row().legend().isEmpty());
        setScale("dk");
        QVERIFY(hasFrames());
        window_->viewState().fitColors(); // other colours, the same change
        QVERIFY(hasFrames() && row().legend().contains(QString::fromUtf8("1/√d")));
        setScale("none");
        QVERIFY(hasFrames());
        openSample("milk_or_cat_sweet");
        window_->viewState().setPinned(Cell{1, 1});
        QVERIFY(!hasFrames());
    }

    void maskedKeysHaveWhatTheyHad() {
        auto next = window_->document().problem();
        next.spec.masks = {{"causal", {}}};
        window_->document().edit(QStringLiteral("Choose a mask"), next);
        settle();
        const auto& bars = row().bars()->bars();
        int masked = 0;
        for (int i = 0; i < static_cast<int>(bars.size()); ++i)
            if (bars[static_cast<std::size_t>(i)].blocked) {
                ++masked;
                QVERIFY(bars[static_cast<std::size_t>(i)].before.value_or(0.0) > 0.0);
            }
        QCOMPARE(masked, 5);
    }

    /// Also where the present numbers came back by an undo.
    void anOpenedTrayComparesWithThePresentNumbers() {
        ToolTray* tray = window_->mechanismBar()->tray(MechanismBar::Tray::Scale);
        const auto open = [this, tray] {
            QTest::mouseClick(window_->stageStrip()->scaleButton(), Qt::LeftButton);
            QVERIFY(tray->isOpen());
        };
        open();
        setScale("dk");
        QTRY_VERIFY(hasFrames());
        tray->close();
        window_->actions().undo->trigger();
        settle();
        open();
        QTRY_VERIFY(!hasFrames());
        setScale("dk");
        QTRY_VERIFY(hasFrames());
    }

    void theyLeave_data() {
        QTest::addColumn<QString>("act");
        QTest::addColumn<bool>("in_tray");
        for (const bool in_tray : {false, true})
            for (const char* act : {"cell", "stage", "head"})
                QTest::addRow("%s%s", act, in_tray ? ", behind a tray" : "") << act << in_tray;
    }
    /// At the next choice of what to look at, also while a tray is open or was closed.
    void theyLeave() {
        QFETCH(QString, act);
        QFETCH(bool, in_tray);
        ToolTray* tray = window_->mechanismBar()->tray(MechanismBar::Tray::Scale);
        if (in_tray)
            QTest::mouseClick(window_->stageStrip()->scaleButton(), Qt::LeftButton);
        QCOMPARE(tray->isOpen(), in_tray);
        setScale("dk");
        const auto answer = [this] {
            return window_->workArea()->ribbon()->answer()->shownLines().join(QLatin1Char('\n'));
        };
        QTRY_VERIFY(hasFrames() && answer().contains("was"));
        if (in_tray) {
            window_->viewState().setHead(1); // to compare with
            window_->viewState().setHead(0);
            QVERIFY(hasFrames());
            tray->close();
            settle();
            QVERIFY(hasFrames() && answer().contains("was"));
        }
        if (act == "cell")
            window_->viewState().setPinned(Cell{4, 1});
        else if (act == "stage")
            window_->viewState().setStage(QStringLiteral("masked"));
        else
            window_->viewState().setHead(1);
        QTRY_VERIFY2(!hasFrames() && !answer().contains("was"), qPrintable(answer()));
        QVERIFY(row().legend().isEmpty());
        window_->viewState().setHead(0);
        setScale("none"); // beside what was on show last
        QTRY_VERIFY(hasFrames());
        QVERIFY(row().legend().contains("1/d"));
    }

    /// What is undone is beside what was there just before, whatever was changed earlier.
    void anUndoComparesWithTheStateBeforeIt() {
        setScale("none");
        setScale("dk");
        QVERIFY(row().legend().contains(QString::fromUtf8("1/√d")));
        window_->actions().undo->trigger();
        settle();
        QTRY_VERIFY2(row().legend().contains("1/d"), qPrintable(row().legend()));
        window_->actions().undo->trigger();
        settle();
        QTRY_VERIFY2(row().legend().contains("none"), qPrintable(row().legend()));
    }

    /// The next change in another tray is beside what the closed one left.
    void aClosedTrayEndsItsSeries() {
        ToolTray* tray = window_->mechanismBar()->tray(MechanismBar::Tray::Scale);
        QTest::mouseClick(window_->stageStrip()->scaleButton(), Qt::LeftButton);
        setScale("dk");
        tray->close();
        settle();
        setScale("none");
        QTRY_VERIFY2(row().legend().contains("1/d"), qPrintable(row().legend()));
    }

    /// As the colours keep their range: a flatter row has shorter bars.
    void barsKeepTheirScaleWithTheColors() {
        const auto longest = [this] {
            double width = 0.0;
            for (int i = 0; i < static_cast<int>(row().bars()->bars().size()); ++i)
                width = std::max(width, row().bars()->barRect(i).width());
            return width;
        };
        const double whole = longest();
        QTest::mouseClick(window_->stageStrip()->scaleButton(), Qt::LeftButton);
        setScale("dk");
        const double flat = longest();
        QVERIFY2(flat > 0.3 * whole && flat < 0.9 * whole, qPrintable(QString::number(flat / whole)));
        window_->mechanismBar()->tray(MechanismBar::Tray::Scale)->close();
        settle();
        QVERIFY(hasFrames() && std::abs(longest() - flat) <= 1.0);
        window_->viewState().setPinned(Cell{4, 3}); // as long as its weight had been
        QVERIFY(longest() < 0.9 * whole);
        window_->viewState().setHead(3);
        window_->viewState().setHead(0);
        window_->viewState().setPinned(Cell{3, 2});
        QVERIFY(std::abs(longest() - flat) <= 1.0);
        window_->viewState().fitColors();
        QVERIFY(longest() > 0.98 * whole);
    }

    void theAnswerSaysWhatItWas() {
        const auto answer = [this] {
            return window_->workArea()->ribbon()->answer()->shownLines().join(QLatin1Char('\n'));
        };
        QVERIFY2(answer().contains("69%") && !answer().contains("was"), qPrintable(answer()));
        setScale("dk");
        QTRY_VERIFY2(answer().contains("was 69%"), qPrintable(answer()));
        setScale("");
        QTRY_VERIFY2(!answer().contains("was"), qPrintable(answer()));
    }
};

ATTNLAB_TEST(TestNumbersBefore)
#include "test_numbers_before.moc"
