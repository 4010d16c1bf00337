#include "tests/test_main.h"
#include "traces.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/widgets/theme.h"

#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Two keys, three heads: even, sharp, in between.
ComputedPtr threeHeads() {
    auto result = std::make_shared<Computed>();
    const std::vector<double> weights{0.5, 0.5, 0.5, 0.5, 1.0, 0.0, 1.0, 0.0, 0.8, 0.2, 0.8, 0.2};
    const std::vector<Axis> axes{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    result->trace.stages.push_back({"scores", Tensor({1, 3, 2, 2}, 1.0), axes, StageRole::Step, {}, ""});
    result->trace.stages.push_back({"weights", Tensor({1, 3, 2, 2}, weights), axes, StageRole::Step, {}, ""});
    result->trace.stages.push_back(
        {"output", Tensor({1, 2, 6}, 1.0), {Axis::Batch, Axis::Query, Axis::Feature}, StageRole::Step, {}, ""});
    return result;
}

/// Heads with tokens: each reads the token before, itself, or all alike.
ComputedPtr speakingHeads() {
    auto result = std::make_shared<Computed>();
    Tensor weights({1, 3, 6, 6});
    for (std::int64_t i = 0; i < 6; ++i) {
        weights.set({0, 0, i, std::max<std::int64_t>(i - 1, 0)}, 1.0);
        weights.set({0, 1, i, i}, 1.0);
        for (std::int64_t j = 0; j < 6; ++j)
            weights.set({0, 2, i, j}, 1.0 / 6);
    }
    const std::vector<Axis> axes{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    result->trace.stages.push_back({"weights", weights, axes, StageRole::Step, {}, ""});
    result->trace.passes[""].keys_are_queries = true;
    return result;
}

class PaintCounter : public QObject {
public:
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint;
        return false;
    }
};

} // namespace

class TestHeadsView : public QObject {
    Q_OBJECT

    ViewState view_;
    std::unique_ptr<HeadsView> heads_;

    void show(ComputedPtr trace) {
        view_.setStage("weights");
        view_.setHead(0);
        view_.setHovered(std::nullopt);
        heads_ = std::make_unique<HeadsView>(view_);
        heads_->resize(150, 400);
        heads_->setTrace(std::move(trace));
        heads_->show();
        QVERIFY(QTest::qWaitForWindowExposed(heads_.get()));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }
    void cleanup() { heads_.reset(); }

    /// A high column of a wide window has larger pictures, all of them in sight, and a low one the usual ones.
    void picturesGrow() {
        show(computed(problemOf(4, 5, 5, 4)));
        heads_->resize(200, 700);
        const QSize usual = heads_->tile(0)->pictureSize();
        const int width = heads_->sizeHint().width();
        heads_->setRoomy(true);
        QVERIFY(heads_->tile(0)->pictureSize().height() > usual.height() + 20);
        QVERIFY(heads_->sizeHint().width() > width);
        for (const int head : {0, 1, 2, 3, int{ViewState::mean_of_heads}}) {
            const auto* tile = heads_->tile(head);
            const QRect place(tile->mapTo(heads_.get(), QPoint()), tile->size());
            QVERIFY(heads_->rect().contains(place) && tile->visibleRegion().boundingRect() == tile->rect());
        }
        heads_->resize(200, 320);
        QVERIFY(heads_->tile(0)->pictureSize().height() <= usual.height());
        QCOMPARE(heads_->sizeHint().width(), width);
    }

    void similarity() {
        const Tensor a({2, 2}, {1, 0, 0.5, 0.5}), b({2, 2}, {0, 1, 0.5, 0.5}), c({1, 2}, {1, 0});
        QCOMPARE(headSimilarity(matrix_at(a), matrix_at(a)), 1.0);
        QCOMPARE(headSimilarity(matrix_at(a), matrix_at(b)), 0.5);
        QCOMPARE(headSimilarity(matrix_at(a), matrix_at(c)), 0.0);
    }

    void saysHowSharpEachHeadIs() {
        show(threeHeads());
        QCOMPARE(heads_->tile(0)->text(), QStringLiteral("Head 0"));
        const auto figures = [](const char* entropy, const char* largest) {
            return QStringLiteral("mean entropy %1 nats, mean largest weight %2").arg(entropy, largest);
        };
        QTRY_COMPARE(heads_->tile(0)->accessibleName(), QStringLiteral("Head 0: ") + figures("0.69", "0.50"));
        QTRY_COMPARE(heads_->tile(1)->accessibleName(), QStringLiteral("Head 1: ") + figures("0.00", "1.00"));
        QVERIFY(heads_->tile(1)->toolTip().contains(figures("0.00", "1.00")));
        QCOMPARE(heads_->tile(0)->detail(), QString()); // two rows tell nothing
        QCOMPARE(heads_->tile(ViewState::mean_of_heads)->detail(), QStringLiteral("hides differences"));
        QCOMPARE(heads_->tile(ViewState::mean_of_heads)->matrix()->view()(0, 0), (0.5 + 1.0 + 0.8) / 3);
        QVERIFY(heads_->tile(0)->isChecked());
        QVERIFY(heads_->hasChoice());
    }

    void saysWhatEachHeadDoes() {
        show(speakingHeads());
        QCOMPARE(heads_->tile(0)->detail(), QStringLiteral("previous token"));
        QCOMPARE(heads_->tile(1)->detail(), QStringLiteral("itself"));
        QCOMPARE(heads_->tile(2)->detail(), QStringLiteral("everywhere"));
        QTRY_COMPARE(heads_->tile(2)->accessibleName(),
                     QStringLiteral("Head 2: everywhere, mean entropy 1.79 nats, mean largest weight 0.17"));
        const QString tip = heads_->tile(0)->toolTip();
        QVERIFY2(tip.contains("previous token 0.83") && tip.contains("readable key: 6"), qPrintable(tip));
        auto broken = std::make_shared<Computed>(*speakingHeads());
        broken->trace.stages[0].value.set({0, 0, 2, 2}, std::nan(""));
        heads_->setTrace(broken);
        QCOMPARE(heads_->tile(0)->detail(), QString());
        QTRY_VERIFY(heads_->tile(0)->accessibleName().contains("NaN"));
        heads_->setOrder(HeadOrder::Entropy);
        QCOMPARE(heads_->shownHeads(), std::vector<int>({1, 2, 0})); // NaN is last
    }

    /// Random numbers have learned nothing, whatever their weights look like.
    void aMarkStandsInPlaceOfWhatAHeadDoes() {
        show(speakingHeads());
        heads_->setMark(QStringLiteral("random numbers"));
        QCOMPARE(heads_->tile(0)->detail(), QStringLiteral("random numbers"));
        QTRY_VERIFY(heads_->tile(0)->toolTip().startsWith("random numbers, previous token"));
        QVERIFY(heads_->tile(0)->accessibleName().startsWith("Head 0: random numbers, previous token"));
        heads_->setMark({});
        QCOMPARE(heads_->tile(0)->detail(), QStringLiteral("previous token"));
    }

    void isNarrowForAnyNumberOfHeads_data() {
        QTest::addColumn<int>("heads");
        for (const int heads : {2, 4, 12, 60})
            QTest::addRow("%d", heads) << heads;
    }
    void isNarrowForAnyNumberOfHeads() {
        QFETCH(int, heads);
        show(speakingHeads());
        const int width = heads_->sizeHint().width();
        QVERIFY2(width >= 110 && width <= 170, qPrintable(QString::number(width)));
        heads_->resize(width, 420);
        heads_->setTrace(computed(problemOf(heads, 7, 7, 2)));
        QVERIFY(std::abs(heads_->sizeHint().width() - width) <= 10); // numbers of two digits
        QStringList notes;
        for (const auto* label : heads_->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains("more"))
                notes << label->text();
        QCOMPARE(notes.size(), heads > 4 ? 1 : 0);
        // One below the other, the mean last, the chosen one in sight.
        for (int head = 1; head < heads; ++head)
            QVERIFY(heads_->tile(head)->y() > heads_->tile(head - 1)->y());
        view_.setHead(heads - 1);
        const QRect room(QPoint(), heads_->size());
        for (const int head : {heads - 1, int{ViewState::mean_of_heads}}) {
            const auto* tile = heads_->tile(head);
            QVERIFY(room.contains(QRect(tile->mapTo(heads_.get(), QPoint()), tile->size())));
            QVERIFY(!tile->visibleRegion().isEmpty());
            QVERIFY(tile->pictureSize().height() >= 52 && tile->pictureSize().height() <= 64);
        }
        QVERIFY(heads_->tile(ViewState::mean_of_heads)->mapTo(heads_.get(), QPoint()).y() >
                heads_->tile(heads - 1)->mapTo(heads_.get(), QPoint()).y());
    }

    void allHeadsShareOneScale() {
        show(computed(milkProblem()));
        for (int head = ViewState::mean_of_heads; head < 4; ++head) {
            QCOMPARE(heads_->tile(head)->colorScale().low, heads_->tile(0)->colorScale().low);
            QCOMPARE(heads_->tile(head)->colorScale().high, heads_->tile(0)->colorScale().high);
        }
    }

    void sorts_data() {
        QTest::addColumn<int>("order");
        QTest::addColumn<QList<int>>("heads");
        QTest::newRow("number") << int(HeadOrder::Number) << QList<int>{0, 1, 2};
        QTest::newRow("entropy") << int(HeadOrder::Entropy) << QList<int>{1, 2, 0};
        QTest::newRow("largest weight") << int(HeadOrder::MaxWeight) << QList<int>{1, 2, 0};
        QTest::newRow("similarity to head 1") << int(HeadOrder::Similarity) << QList<int>{0, 2, 1};
    }
    void sorts() {
        QFETCH(int, order);
        QFETCH(QList<int>, heads);
        show(threeHeads());
        heads_->setOrder(HeadOrder(order));
        const auto& shown = heads_->shownHeads();
        QCOMPARE(QList<int>(shown.begin(), shown.end()), heads);
        for (qsizetype i = 1; i < heads.size(); ++i)
            QVERIFY(heads_->tile(heads[i - 1])->y() < heads_->tile(heads[i])->y());
    }

    void similarityFollowsTheSelectedHead() {
        show(threeHeads());
        heads_->setOrder(HeadOrder::Similarity);
        view_.setHead(1);
        QTRY_COMPARE(heads_->shownHeads(), std::vector<int>({1, 2, 0}));
        view_.setHead(ViewState::mean_of_heads); // (0.77, 0.23): head 3 is nearest, then head 2
        QTRY_COMPARE(heads_->shownHeads(), std::vector<int>({2, 1, 0}));
    }

    void clickingSelects() {
        show(threeHeads());
        QTest::mouseClick(heads_->tile(2), Qt::LeftButton);
        QCOMPARE(view_.head(), 2);
        QVERIFY(heads_->tile(2)->isChecked() && !heads_->tile(0)->isChecked());
        QTest::mouseClick(heads_->tile(ViewState::mean_of_heads), Qt::LeftButton);
        QCOMPARE(view_.head(), ViewState::mean_of_heads);
        QVERIFY(heads_->tile(ViewState::mean_of_heads)->isChecked());
    }

    void doubleClickEnlarges() {
        show(threeHeads());
        QSignalSpy enlarge(heads_.get(), &HeadsView::enlargeRequested);
        QTest::mouseDClick(heads_->tile(1), Qt::LeftButton);
        QCOMPARE(enlarge.count(), 1);
        QCOMPARE(view_.head(), 1);
    }

    void worksByKeyboard() {
        show(threeHeads());
        heads_->setOrder(HeadOrder::Entropy); // 2, 3, 1, mean
        heads_->tile(0)->setFocus();
        QTest::keyClick(heads_->tile(0), Qt::Key_Home);
        QCOMPARE(view_.head(), 1);
        QTest::keyClick(heads_->tile(1), Qt::Key_Right);
        QCOMPARE(view_.head(), 2);
        QTest::keyClick(heads_->tile(2), Qt::Key_End);
        QCOMPARE(view_.head(), ViewState::mean_of_heads);
        QTest::keyClick(heads_->tile(ViewState::mean_of_heads), Qt::Key_Left);
        QCOMPARE(view_.head(), 0);
        QSignalSpy enlarge(heads_.get(), &HeadsView::enlargeRequested);
        QTest::keyClick(heads_->tile(0), Qt::Key_Return);
        QCOMPARE(enlarge.count(), 1);
    }

    void showsTheChosenMapsOrTheWeights_data() {
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("shown");
        QTest::newRow("weights") << "weights"
                                 << "weights";
        QTest::newRow("scores") << "scores"
                                << "scores";
        QTest::newRow("output has no maps") << "output"
                                            << "weights";
        QTest::newRow("unknown") << "nothing"
                                 << "weights";
    }
    void showsTheChosenMapsOrTheWeights() {
        QFETCH(QString, chosen);
        show(threeHeads());
        view_.setStage(chosen);
        QTEST(heads_->shownStage(), "shown");
        QTRY_VERIFY(heads_->tile(0)->accessibleName().contains("entropy 0.69 nats, mean largest weight 0.50"));
    }

    void outlinesTheHoveredCellEverywhere() {
        show(threeHeads());
        view_.setHovered(Cell{1, 0});
        for (int head = ViewState::mean_of_heads; head < 3; ++head)
            QVERIFY(heads_->tile(head)->crosshair() == Cell({1, 0}));
        view_.setStage("output"); // its columns are not keys
        QVERIFY(!heads_->tile(0)->crosshair());
    }

    void hoveringATilePointsAtItsCell() {
        show(threeHeads());
        MatrixTile* tile = heads_->tile(1);
        tile->grab();
        const QRectF picture = tile->pictureRect();
        const QPointF inside(picture.left() + picture.width() * 0.75, picture.top() + picture.height() * 0.25);
        QMouseEvent move(QEvent::MouseMove, inside, tile->mapToGlobal(inside), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(tile, &move);
        QVERIFY(view_.hovered() == Cell({0, 1}));
    }

    void oneHeadAsksForNoRoom() {
        show(computed(problemOf(1, 4, 4, 2)));
        QVERIFY(!heads_->hasChoice());
        QCOMPARE(heads_->sizeHint(), QSize(0, 0));
        QVERIFY(!heads_->tile(ViewState::mean_of_heads)->isVisible());
        for (const auto* label : heads_->findChildren<QLabel*>())
            QVERIFY(!label->isVisible());
        QSignalSpy changed(heads_.get(), &HeadsView::hasChoiceChanged);
        heads_->setTrace(computed(milkProblem()));
        QCOMPARE(changed.size(), 1);
        QVERIFY(changed[0][0].toBool() && heads_->hasChoice());
        QVERIFY(heads_->sizeHint().height() > 0);
        QVERIFY(heads_->tile(ViewState::mean_of_heads)->isVisible());
        heads_->setTrace(computed(milkProblem()));
        QCOMPARE(changed.size(), 1);
    }

    void manyHeadsScrollAndOnlyTheVisibleArePainted() {
        show(computed(problemOf(64, 8, 8, 2)));
        QCOMPARE(heads_->shownHeads().size(), std::size_t{64});
        PaintCounter first, last;
        heads_->tile(0)->installEventFilter(&first);
        heads_->tile(63)->installEventFilter(&last);
        heads_->tile(0)->update();
        heads_->tile(63)->update();
        QTRY_VERIFY(first.count > 0);
        QCOMPARE(last.count, 0);
        view_.setHead(63);
        heads_->tile(63)->update();
        QTRY_VERIFY(last.count > 0);
    }

    void survivesNoTrace() {
        show(threeHeads());
        heads_->setTrace(nullptr);
        QVERIFY(heads_->shownHeads().empty());
        QVERIFY(!heads_->hasChoice());
    }
};

ATTNLAB_TEST(TestHeadsView)
#include "test_heads_view.moc"
