// The numbers of a row under an earlier setting, beside the present ones.
#include "tests/test_main.h"
#include "tests/ui/sample_window.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/window/work_area.h"

#include <QTest>

#include <algorithm>

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
