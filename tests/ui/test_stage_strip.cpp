#include "core/inputs.h"
#include "tests/test_main.h"
#include "traces.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/widgets/theme.h"

#include <QLabel>
#include <QMenu>
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

    void stagesOnRequestAreInTheMenu() {
        show(milkProblem());
        const auto before = strip_->moreMenu()->actions().size();
        strip_->setAddable({{"similarity", "output similarity", "similarity"}});
        const auto actions = strip_->moreMenu()->actions();
        QCOMPARE(actions.size(), before + 2); // with a line
        QCOMPARE(actions.last()->text(), "Add: output similarity");
        QSignalSpy spy(strip_.get(), &StageStrip::addRequested);
        actions.last()->trigger();
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy.front()[0].toString(), "similarity");
        strip_->setAddable({});
        QCOMPARE(strip_->moreMenu()->actions().size(), before);
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

    void isALowRowWithWholeNames_data() {
        QTest::addColumn<QString>("variant");
        for (const char* variant : {"scaled_dot_product", "multi_head", "additive", "grouped_query"})
            QTest::newRow(variant) << variant;
    }
    void isALowRowWithWholeNames() {
        QFETCH(QString, variant);
        AttentionProblem problem;
        problem.spec.variant = variant.toStdString();
        complete_inputs(problem, 1);
        show(problem, 904);
        QVERIFY2(strip_->sizeHint().height() <= 56, qPrintable(QString::number(strip_->sizeHint().height())));
        QCOMPARE(strip_->shownStages(), strip_->stageNames());
        QVERIFY(strip_->stageNames().size() >= 5);
        for (const auto& name : strip_->stageNames()) {
            const auto* tile = strip_->tile(name);
            const int text = tile->width() - static_cast<int>(tile->pictureRect().right()) - MatrixTile::text_gap;
            QVERIFY2(text >= tile->titleWidth(), qPrintable(name));
            QVERIFY(tile->pictureSize().height() >= 28 && tile->pictureSize().height() <= 32);
            QVERIFY(tile->toolTip().startsWith(tile->text()));
        }
        QVERIFY(strip_->operations().contains("softmax"));
    }

    void leavesOutOperationsThenStages() {
        show(milkProblem(), 900);
        const QStringList all = strip_->stageNames();
        strip_->resize(600, strip_->height());
        QCoreApplication::processEvents();
        QCOMPARE(strip_->shownStages(), all);
        strip_->resize(238, strip_->height());
        QCoreApplication::processEvents();
        // The scale is a control, which stays beside its stage.
        QCOMPARE(strip_->operations().join(QString()),
                 strip_->shownStages().indexOf("scaled") > 0 ? QString("÷ √4") : QString());
        QVERIFY(strip_->shownStages().size() < all.size());
        // The arrow keys reach every stage, which comes into sight whole; the others are next to it.
        strip_->tile("weights")->setFocus();
        for (const int key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_End, Qt::Key_Left}) {
            QTest::keyClick(strip_->tile(view_.stage()), Qt::Key(key));
            const QStringList shown = strip_->shownStages();
            QVERIFY(shown.contains(view_.stage()));
            QCOMPARE(shown, all.mid(all.indexOf(shown.front()), shown.size()));
            const auto* tile = strip_->tile(view_.stage());
            QVERIFY(tile->hasFocus());
            QCOMPARE(tile->visibleRegion().boundingRect(), tile->rect());
        }
        // What is left out is in the menu, which Tab reaches.
        QVERIFY(strip_->moreButton()->isVisible() && (strip_->moreButton()->focusPolicy() & Qt::TabFocus));
        QStringList menu;
        for (const QAction* action : strip_->moreMenu()->actions())
            menu << action->data().toString();
        for (const auto& name : all)
            QVERIFY(menu.contains(name));
        strip_->resize(900, strip_->height());
        QCoreApplication::processEvents();
        QCOMPARE(strip_->shownStages(), all);
    }

    void nothingOverlaps_data() {
        QTest::addColumn<int>("width");
        for (const int width : {200, 300, 450, 600, 750, 904, 1200, 2500})
            QTest::addRow("%d", width) << width;
    }
    void nothingOverlaps() {
        QFETCH(int, width);
        AttentionProblem problem;
        problem.spec.variant = "reformer"; // with exact stages
        complete_inputs(problem, 1);
        show(problem, width);
        int right = 0;
        QList<const QWidget*> parts;
        for (const auto* widget : strip_->findChildren<QWidget*>())
            if (widget->isVisible() && (qobject_cast<const QLabel*>(widget) || qobject_cast<const MatrixTile*>(widget)))
                parts << widget;
        std::sort(parts.begin(), parts.end(), [](auto* a, auto* b) { return a->x() < b->x(); });
        for (const auto* part : parts) {
            QVERIFY(part->x() >= right);
            right = part->x() + part->width();
            QVERIFY(right <= part->parentWidget()->width());
        }
        QVERIFY(strip_->shownStages().contains("weights"));
    }

    void typesetsOperations() {
        QCOMPARE(typeset("W_o").text, QStringLiteral("Wo"));
        QCOMPARE(typeset("softmax in each page").formats.size(), 0);
        const auto product = typeset(QStringLiteral("Q·Kᵀ"));
        QCOMPARE(product.text, QStringLiteral("Q·Kᵀ"));
        QCOMPARE(product.formats.size(), 2);
        QVERIFY(product.formats[0].format.fontItalic() && product.formats[1].start == 2);
        const auto root = typeset(QStringLiteral("÷ √64"));
        QCOMPARE(root.roots.size(), 1U);
        QCOMPARE(root.roots[0].start, 2);
        QCOMPARE(root.roots[0].end, 5);
    }

    void theBarOfARootTouchesItsSign() {
        for (const int size : {9, 13, 26}) {
            QFont font;
            font.setPixelSize(size);
            const auto operation = typeset(QStringLiteral("÷ √64"));
            QTextLayout layout(operation.text, font);
            layout.beginLayout();
            const QTextLine line = layout.createLine();
            layout.endLayout();
            const QLineF bar = rootBar(layout, operation.roots[0]);
            const QRectF sign = QFontMetricsF(font)
                                    .tightBoundingRect(QStringLiteral("√"))
                                    .translated(line.cursorToX(operation.roots[0].start), line.ascent());
            QVERIFY(bar.x1() <= sign.right() && bar.x1() >= sign.right() - 2.0);
            QVERIFY(std::abs(bar.y1() - sign.top()) <= rootBarThickness(font));
            QCOMPARE(bar.x2(), line.cursorToX(operation.roots[0].end));
        }
    }
};

ATTNLAB_TEST(TestStageStrip)
#include "test_stage_strip.moc"
