#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/exhibits/bucket_sort_view.h"

#include <QComboBox>
#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Five tokens, two heads, two rounds of four buckets.
ComputedPtr bucketTrace() {
    auto problem = problemOf(2, 5, 5, 2);
    problem.query_tokens = {"a", "b", "c", "d", "e"};
    auto result = std::make_shared<Computed>(*computed(problem));
    result->trace.stages.push_back({"buckets",
                                    Tensor({2, 1, 2, 5}, {1, 0, 1, 3, 0, /**/ 0, 0, 0, 0, 0, //
                                                          2, 2, 0, 1, 3, /**/ 1, 1, 1, 1, 1}),
                                    {Axis::Hash, Axis::Batch, Axis::Head, Axis::Query},
                                    StageRole::Summary,
                                    {},
                                    "b",
                                    nullptr});
    result->trace.exhibits.push_back(BucketSort{2, 4});
    return result;
}

struct Shown {
    explicit Shown(ComputedPtr trace) : view(state) {
        view.resize(700, 460);
        view.show();
        view.setTrace(std::move(trace));
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key) { QTest::keyClick(view.canvas(), key); }
    ViewState state;
    BucketSortView view;
};

using Tokens = std::vector<std::int64_t>;

} // namespace

class TestBucketSortView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void sortingKeepsTheOrderWithinABucket() {
        Shown shown(bucketTrace());
        const auto& buckets = shown.view.drawing().buckets;
        QCOMPARE(buckets.sorted(0), (Tokens{1, 4, 0, 2, 3}));
        QCOMPARE(buckets.sorted(1), (Tokens{2, 3, 0, 1, 4}));
    }

    void aBucketSharedInAnyRoundIsEnough() {
        Shown shown(bucketTrace());
        const auto& buckets = shown.view.drawing().buckets;
        QCOMPARE(buckets.readBy(0), (Tokens{1, 2}));
        QCOMPARE(buckets.readBy(1), (Tokens{0, 4}));
        // Only itself if there is no other.
        QCOMPARE(buckets.readBy(3), (Tokens{3}));
    }

    void pairsAreCountedInWords() {
        Shown shown(bucketTrace());
        QCOMPARE(shown.view.words(), QString("Round 1 of 2 puts 5 tokens into 3 of 4 buckets. A token reads those that "
                                             "share a bucket with it in any round: 7 of 25 pairs."));
    }

    void keysMarkTokensAndChooseRounds() {
        Shown shown(bucketTrace());
        shown.press(Qt::Key_Down);
        QCOMPARE(shown.view.words(),
                 QString("“a” is in bucket 1, 2 and may read the tokens that share one with it in any "
                         "round: b, c."));
        shown.press(Qt::Key_End);
        shown.press(Qt::Key_Up);
        QCOMPARE(shown.view.words(), QString("“d” is in bucket 3, 1, where no other token ever is: it reads itself."));
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.drawing().round, 1);
        QCOMPARE(shown.view.roundPicker()->currentText(), QString("Round 2"));
        shown.press(Qt::Key_Right);
        QCOMPARE(shown.view.drawing().round, 1);
        shown.press(Qt::Key_Escape);
        QVERIFY(shown.view.words().startsWith("Round 2 of 2 puts 5 tokens into 4 of 4 buckets."));
    }

    void thePickerChoosesTheRound() {
        Shown shown(bucketTrace());
        shown.view.roundPicker()->setFocus();
        QTest::keyClick(shown.view.roundPicker(), Qt::Key_Down);
        QCOMPARE(shown.view.drawing().round, 1);
        // The mark is kept after an edit.
        shown.view.setTrace(bucketTrace());
        QCOMPARE(shown.view.drawing().round, 1);
    }

    void bothColumnsAnswerTheMouse() {
        Shown shown(bucketTrace());
        auto* canvas = shown.view.canvas();
        const auto down = [&](double share) {
            Tokens tokens;
            for (int y = 0; y < canvas->height(); ++y)
                if (const auto token = shown.view.drawing().tokenAt(QPointF(canvas->width() * share, y), canvas->area(),
                                                                    canvas->font());
                    token && (tokens.empty() || tokens.back() != *token))
                    tokens.push_back(*token);
            return tokens;
        };
        QCOMPARE(down(0.1), (Tokens{0, 1, 2, 3, 4}));
        QCOMPARE(down(0.9), (Tokens{1, 4, 0, 2, 3}));
    }

    void headsHaveBucketsOfTheirOwn() {
        Shown shown(bucketTrace());
        shown.state.setHead(1);
        QCOMPARE(shown.view.title(), QString("Buckets · head 1"));
        QCOMPARE(shown.view.drawing().buckets.sorted(0), (Tokens{0, 1, 2, 3, 4}));
        shown.state.setHead(ViewState::mean_of_heads);
        QCOMPARE(shown.view.drawing().buckets.sorted(0), (Tokens{1, 4, 0, 2, 3}));
    }

    void whatDoesNotFitIsNotShown() {
        Shown shown(withExhibit(milkProblem(), BucketSort{2, 4}));
        QVERIFY(!shown.view.hasExhibit());
        QVERIFY(!shown.view.picture());
        shown.press(Qt::Key_Down);
        QCOMPARE(shown.view.words(), QString());
    }
};

ATTNLAB_TEST(TestBucketSortView)
#include "test_bucket_sort_view.moc"
