#include "tests/test_main.h"
#include "traces.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/widgets/theme.h"

#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestStageStrip : public QObject {
    Q_OBJECT

    ViewState view_;
    std::unique_ptr<StageStrip> strip_;

    void show(const AttentionProblem& problem, int width = 900) {
        view_.setStage("weights");
        view_.setHead(0);
        strip_ = std::make_unique<StageStrip>(view_);
        strip_->resize(width, strip_->sizeHint().height());
        strip_->setTrace(computed(problem));
        strip_->show();
        QVERIFY(QTest::qWaitForWindowExposed(strip_.get()));
    }
    QStringList checked() const {
        QStringList names;
        for (const auto& name : strip_->stageNames())
            if (strip_->tile(name)->isChecked())
                names << name;
        return names;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }
    void cleanup() { strip_.reset(); }

    void thumbnailsKeepTheirAspectWithinLimits_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("width");
        QTest::newRow("square") << 9 << 9 << 60;
        QTest::newRow("narrow") << 9 << 4 << 27;
        QTest::newRow("very narrow") << 100 << 1 << 20;
        QTest::newRow("wide") << 2 << 64 << 96;
        QTest::newRow("empty") << 0 << 4 << 60;
    }
    void thumbnailsKeepTheirAspectWithinLimits() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QTEST(thumbnailSize(rows, columns, 60).width(), "width");
    }

    void exactStagesStandBehindALine() {
        show(milkProblem());
        QCOMPARE(strip_->exactCaption(), QString());
        const QStringList steps = strip_->stageNames();
        auto trace = std::make_shared<Computed>(*computed(milkProblem()));
        Stage exact = *trace->trace.find("weights");
        exact.name = "exact_weights";
        exact.role = StageRole::Exact;
        // Before the steps in the trace, after them in the strip.
        trace->trace.stages.insert(trace->trace.stages.begin(), exact);
        exact.name = "difference";
        exact.value = Tensor(exact.value.shape());
        trace->trace.stages.push_back(exact);
        strip_->resize(1400, strip_->height());
        strip_->setTrace(trace);
        QCOMPARE(strip_->stageNames(), steps + QStringList({"exact_weights", "difference"}));
        QCOMPARE(strip_->exactCaption(), QString("exact"));
        const auto* last = strip_->tile(steps.back());
        const auto* first = strip_->tile("exact_weights");
        QCOMPARE(first->text(), QStringLiteral("exact weights"));
        QVERIFY(first->x() > last->x() + last->width() + QFontMetrics(strip_->font()).horizontalAdvance("exact"));
        // A difference is centred on zero even if it is zero everywhere.
        QVERIFY(strip_->tile("difference")->colorScale().map->diverging);
        QCOMPARE(strip_->tile("difference")->colorScale().low, -strip_->tile("difference")->colorScale().high);
        QVERIFY(!first->colorScale().map->diverging);
        strip_->setTrace(computed(milkProblem()));
        QCOMPARE(strip_->exactCaption(), QString());
    }

    void showsTheStepsAndTheirOperations() {
        show(milkProblem());
        QCOMPARE(strip_->stageNames(), QStringList({"scores", "scaled", "masked", "weights", "output"}));
        QCOMPARE(strip_->operations(), QStringList({"Q·Kᵀ", "÷ √4", "causal", "softmax", "× V"}));
        QCOMPARE(checked(), QStringList({"weights"}));
        const QString tip = strip_->tile("weights")->toolTip();
        QVERIFY2(tip.contains("exp(m_ij") && tip.contains("1 × 4 × 9 × 9") && tip.contains("1.00"), qPrintable(tip));
    }

    void clickingChooses() {
        show(milkProblem());
        QTest::mouseClick(strip_->tile("scaled"), Qt::LeftButton);
        QCOMPARE(view_.stage(), QStringLiteral("scaled"));
        QCOMPARE(checked(), QStringList({"scaled"}));
        QTest::mouseClick(strip_->tile("scaled"), Qt::LeftButton);
        QCOMPARE(checked(), QStringList({"scaled"}));
    }

    void keysChoose_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("stage");
        QTest::newRow("right") << int(Qt::Key_Right) << "output";
        QTest::newRow("left") << int(Qt::Key_Left) << "masked";
        QTest::newRow("home") << int(Qt::Key_Home) << "scores";
        QTest::newRow("end") << int(Qt::Key_End) << "output";
    }
    void keysChoose() {
        QFETCH(int, key);
        show(milkProblem());
        strip_->tile("weights")->setFocus();
        QTest::keyClick(strip_->tile("weights"), Qt::Key(key));
        QTEST(view_.stage(), "stage");
        QVERIFY(strip_->tile(view_.stage())->isChecked());
        QVERIFY(strip_->tile(view_.stage())->focusPolicy() & Qt::TabFocus);
        QVERIFY(!(strip_->tile("weights")->focusPolicy() & Qt::TabFocus));
    }

    void theMenuReachesEveryStage() {
        show(milkProblem());
        QStringList names;
        QAction* lse = nullptr;
        for (QAction* action : strip_->moreMenu()->actions()) {
            names << action->data().toString();
            if (names.last() == "lse")
                lse = action;
        }
        for (const auto* name : {"query", "key", "value", "blocked", "weights", "weights_mean"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(lse);
        QCOMPARE(lse->text(), QStringLiteral("lse\t1 × 4 × 9"));
        lse->trigger();
        QCOMPARE(view_.stage(), QStringLiteral("lse"));
        QCOMPARE(checked(), QStringList());
        QCOMPARE(strip_->moreButton()->text(), QStringLiteral("lse ▾"));
        QVERIFY(strip_->moreButton()->isChecked());
    }

    void followsTheHead() {
        show(milkProblem());
        view_.setHead(2);
        const auto trace = computed(milkProblem());
        QCOMPARE(strip_->tile("weights")->matrix()->view()(8, 0), trace->trace.find("weights")->value.at({0, 2, 8, 0}));
        view_.setHead(9); // a head that this trace lacks
        QVERIFY(strip_->tile("weights")->matrix());
    }

    void colourRangesAreLockedForTheChosenStageOnly() {
        show(milkProblem());
        ColorChoice choice;
        choice.locked = true;
        choice.low = 0.25;
        choice.high = 0.5;
        view_.setColors(choice);
        QCOMPARE(strip_->tile("weights")->colorScale().low, 0.25);
        QVERIFY(strip_->tile("scores")->colorScale().low != 0.25);
        view_.setColors({});
    }

    void keepsItsWidgetsWhileNumbersChange() {
        show(milkProblem());
        MatrixTile* tile = strip_->tile("weights");
        auto problem = milkProblem();
        problem.tensors["query"] = normalTensor({1, 4, 9, 4}, 77);
        strip_->setTrace(computed(problem));
        QCOMPARE(strip_->tile("weights"), tile);
        QCOMPARE(tile->matrix()->view()(8, 3), computed(problem)->trace.find("weights")->value.at({0, 0, 8, 3}));
        strip_->setTrace(nullptr);
        QCOMPARE(strip_->stageNames(), QStringList());
    }

    void shrinksBeforeItScrolls() {
        show(milkProblem(), 900);
        const int wide = strip_->tile("weights")->pictureSize().height();
        auto* bar = strip_->findChild<QScrollArea*>()->horizontalScrollBar();
        strip_->resize(480, strip_->height());
        QCoreApplication::processEvents();
        QVERIFY(strip_->tile("weights")->pictureSize().height() < wide);
        QCOMPARE(bar->maximum(), 0);
        strip_->resize(260, strip_->height());
        QCoreApplication::processEvents();
        QCOMPARE(strip_->operations().join(QString()), QString());
        QVERIFY(bar->maximum() > 0);
        // The chosen stage stays visible.
        const auto* tile = strip_->tile("weights");
        const auto* viewport = strip_->findChild<QScrollArea*>()->viewport();
        QVERIFY(viewport->rect().contains(QRect(tile->mapTo(viewport, QPoint()), tile->size()).center()));
    }
};

ATTNLAB_TEST(TestStageStrip)
#include "test_stage_strip.moc"
