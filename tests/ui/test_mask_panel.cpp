#include "core/mechanisms.h"
#include "mask_panel_support.h"
#include "tests/test_main.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/panels/mask/lengths_field.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestMaskPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    /// valid_lens = [2, 3] is typed where the mask is chosen.
    void lengthsAreTypedBelowTheirChip() {
        Lab lab(randomProblem(2, 1, 3, 4));
        auto* field = lab.panel.chips()->lengths("valid_lens");
        QVERIFY(field && !field->isVisible());
        lab.click("valid_lens");
        QTRY_VERIFY(field->isVisible());
        QCOMPARE(field->text(), "4, 4");
        const auto type = [&](const char* text) {
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        };
        type("[2,3]");
        QCOMPARE(lab.document.problem().tensors.at("valid_lens"), Tensor({2}, {2, 3}, DType::Int64));
        QCOMPARE(field->text(), "2, 3");
        for (const char* wrong : {"2", "2, 5", "2, -1", "2, x", "1 2 3", "1.5, 2"}) {
            type(wrong);
            QCOMPARE(lab.document.problem().tensors.at("valid_lens"), Tensor({2}, {2, 3}, DType::Int64));
            QCOMPARE(field->text(), "2, 3");
        }
        type("1, 2, 3; 4, 4, 0"); // one for each query
        QCOMPARE(lab.document.problem().tensors.at("valid_lens"), Tensor({2, 3}, {1, 2, 3, 4, 4, 0}, DType::Int64));
        QCOMPARE(field->text(), "1, 2, 3; 4, 4, 0");
        lab.document.undoStack()->undo();
        QCOMPARE(field->text(), "2, 3");
        lab.click("valid_lens");
        QTRY_VERIFY(!field->isVisible());
    }

    void everyKindHasAChipThatTurnsItOnAndOff_data() {
        QTest::addColumn<QString>("kind");
        for (const auto& kind : mask_kinds())
            QTest::newRow(kind.id.data()) << QString::fromLatin1(kind.id.data());
    }

    void everyKindHasAChipThatTurnsItOnAndOff() {
        QFETCH(QString, kind);
        const std::string id = kind.toStdString();
        Lab lab(mask_kind(id).needs_key_grid ? randomProblem(1, 2, 9, 9) : randomProblem(1, 1, 4, 5));
        Chip* chip = lab.panel.chips()->chip(id);
        if (mask_kind(id).aside) {
            QVERIFY(!chip->isVisible());
            lab.panel.chips()->more()->click();
        }
        QVERIFY(chip->isVisible());
        QVERIFY(chip && !chip->isChecked() && !chip->toolTip().isEmpty() && !chip->accessibleName().isEmpty());
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(lab.masks(), QStringList{kind});
        QVERIFY(issues_in(lab.document.problem()).empty());
        QVERIFY(chip->isChecked());
        QCOMPARE(lab.document.undoStack()->count(), 1);
        lab.document.undoStack()->undo();
        QVERIFY(!chip->isChecked());
        QCOMPARE(lab.masks(), QStringList());
        lab.document.undoStack()->redo();
        QVERIFY(chip->isChecked());
        chip->setFocus();
        QTest::keyClick(chip, Qt::Key_Space);
        QCOMPARE(lab.masks(), QStringList());
        QVERIFY(!chip->isChecked());
    }

    void buttonsTakeTheColoursOfALookChosenWhileHidden() {
        Lab lab;
        lab.panel.hide();
        applyTheme(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        lab.panel.show();
        QVERIFY(!lab.panel.findChildren<QToolButton*>().isEmpty());
        for (const auto* button : lab.panel.findChildren<QToolButton*>())
            QVERIFY2(button->palette().color(QPalette::ButtonText).lightness() > 128, qPrintable(button->text()));
        applyTheme(ThemeChoice::Light);
    }

    void aParameterIsEditedBesideItsChip() {
        Lab lab;
        ParameterForm* form = lab.panel.chips()->form("window");
        QVERIFY(form && !form->isVisible());
        QVERIFY(!lab.panel.chips()->form("valid_lens"));
        lab.click("window");
        QVERIFY(form->isVisible());
        ParameterValues wider;
        wider.set("w", std::int64_t{4});
        emit form->valuesChanged(wider, Document::newGesture());
        QCOMPARE(lab.document.problem().spec.masks.front().parameters.integer("w"), 4);
        QVERIFY(!lab.panel.grid()->isBlocked({0, 2}));
        lab.document.undoStack()->undo();
        QCOMPARE(form->values().integer("w"), 2);
        QVERIFY(lab.panel.grid()->isBlocked({0, 2}));
    }

    void wordsSayWhenNothingIsBlocked() {
        Lab lab;
        QVERIFY(lab.panel.words().startsWith(QLatin1String("No mask")));
        lab.click("attn_bias");
        QVERIFY(lab.panel.words().contains(QLatin1String("added to the scaled scores")));
        lab.click("key_padding");
        QVERIFY(lab.panel.words().contains(QLatin1String("block no cell")));
        lab.click("causal");
        QVERIFY(lab.panel.words().contains(QLatin1String("hatched")));
    }

    void boxesOfSeveralCellsAreSaid() {
        Lab many(randomProblem(1, 1, 300, 300));
        QCoreApplication::processEvents();
        const QSize box = many.panel.grid()->cellsInBox();
        QVERIFY(box.width() > 1);
        QVERIFY(many.panel.words().contains(
            QStringLiteral("One box of the grid is %1 × %2 cells.").arg(box.height()).arg(box.width())));
        Lab few(randomProblem(1, 1, 4, 64));
        QCoreApplication::processEvents();
        QCOMPARE(few.panel.grid()->cellsInBox(), QSize(1, 1));
        QVERIFY(!few.panel.words().contains(QLatin1String("One box")));
    }

    void toolsReachThePainter() {
        Lab lab;
        MaskTools* tools = lab.panel.tools();
        QVERIFY(tools->button(MaskTool::Brush)->isChecked());
        QTest::mouseClick(tools->button(MaskTool::Column), Qt::LeftButton);
        QCOMPARE(lab.painter.tool(), MaskTool::Column);
        lab.painter.setTool(MaskTool::Row);
        QVERIFY(tools->button(MaskTool::Row)->isChecked());
        QTest::mouseClick(tools->eraser(), Qt::LeftButton);
        QVERIFY(lab.painter.isErasing());
        QSignalSpy painting(&lab.panel, &MaskPanel::paintingChanged);
        lab.panel.setPainting(true);
        QCOMPARE(painting.count(), 1);
        QVERIFY(lab.panel.isPainting());
    }

    void theMenuPaintsClearsAndImports() {
        Lab lab;
        const auto actions = lab.panel.tools()->menu()->actions();
        actions[2]->menu()->actions()[0]->trigger(); // the future
        QVERIFY(lab.panel.grid()->isPainted({0, 1}));
        QVERIFY(!lab.panel.grid()->isPainted({1, 0}));
        actions[1]->trigger(); // invert
        QVERIFY(lab.panel.grid()->isPainted({1, 0}));
        actions[0]->trigger(); // clear
        QCOMPARE(lab.masks(), QStringList());
        QSignalSpy imports(&lab.panel, &MaskPanel::importRequested);
        actions.last()->trigger();
        QCOMPARE(imports.count(), 1);
    }

    void theScopeIsOfferedWhereThereAreHeads() {
        Lab single;
        QVERIFY(single.panel.scopeButton()->isHidden());
        Lab lab(randomProblem(2, 3, 4, 4));
        QToolButton* scope = lab.panel.scopeButton();
        QVERIFY(!scope->isHidden());
        QVERIFY(scope->text().startsWith(QLatin1String("all heads")));
        emit scope->menu()->aboutToShow();
        QCOMPARE(scope->menu()->actions().size(), 3);
        scope->menu()->actions()[1]->trigger();
        QVERIFY(lab.painter.isPerHead() && !lab.painter.allBatches());
        lab.view.setHead(2);
        QVERIFY(scope->text().startsWith(QLatin1String("head 2 only")));
        emit scope->menu()->aboutToShow();
        scope->menu()->actions()[2]->trigger();
        QVERIFY(lab.painter.isPerHead() && lab.painter.allBatches());
    }

    void aMisfitIsSaidAndFitted() {
        AttentionProblem problem = randomProblem(1, 1, 4, 5);
        problem.tensors["painted_mask"] = Tensor({2, 9}, 1.0, DType::Bool);
        problem.spec.masks = {{"painted", {}}};
        Lab lab(problem);
        QVERIFY(lab.panel.words().contains(QStringLiteral("the scores are now 4 × 5")));
        QPushButton* fit = nullptr;
        for (auto* button : lab.panel.findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Fit it"))
                fit = button;
        QVERIFY(fit && fit->isVisible());
        QTest::mouseClick(fit, Qt::LeftButton);
        QVERIFY(fit->isHidden());
        QVERIFY(lab.panel.words().contains(QLatin1String("hatched")));
    }

    void theHeadingSaysWhichOfTwoSettings() {
        Lab lab;
        QCOMPARE(lab.panel.heading(), QString("Mask"));
        auto compared = lab.document.problem();
        compared.compared_with = compared.spec;
        lab.document.edit("compare", compared);
        QCOMPARE(lab.panel.heading(), QString("Mask of A"));
        lab.document.undoStack()->undo();
        QCOMPARE(lab.panel.heading(), QString("Mask"));
    }

    void saysWhatTheMechanismRefuses() {
        for (const auto& mechanism : mechanisms()) {
            Lab lab;
            lab.click("causal");
            auto spec = lab.document.problem().spec;
            spec.variant = mechanism.id;
            lab.document.setSpecCompletingInputs(spec, QStringLiteral("test"));
            const bool paints = !refusal_of_mask(mechanism, "painted"), takes = !refusal_of_mask(mechanism, "causal");
            QCOMPARE(lab.panel.grid()->isEnabled(), paints);
            QCOMPARE(lab.panel.chips()->chip("window")->isEnabled(), !refusal_of_mask(mechanism, "window"));
            QCOMPARE(lab.panel.words() == capitalised(QString::fromUtf8(takes ? "" : mechanism.refuses.masks)), !takes);
            // A mask from a file can be turned off.
            QVERIFY(lab.panel.chips()->chip("causal")->isEnabled());
            lab.click("causal");
            QVERIFY(lab.document.problem().spec.masks.empty());
            QCOMPARE(lab.panel.chips()->chip("causal")->isEnabled(), takes);
        }
    }

    void everythingFitsItsSpace_data() {
        QTest::addColumn<int>("width");
        for (const int width : {0, 230, 260, 280, 400})
            QTest::addRow("%d", width) << width;
    }

    /// The least width follows the fields that come and go.
    void fieldsOfEveryMaskFitTheNarrowestPanel() {
        for (const auto& kind : mask_kinds()) {
            Lab lab(randomProblem(1, 2, 9, 9));
            if (kind.aside)
                lab.panel.chips()->more()->click();
            lab.click(kind.id);
            const auto* form = lab.panel.chips()->form(kind.id);
            if (!form)
                continue;
            QTest::qWait(50); // until every layout around it knows
            const int width = lab.panel.minimumSizeHint().width();
            QVERIFY2(width <= 260, qPrintable(QString::fromLatin1(kind.id.data()) + QString::number(width)));
            lab.panel.resize(width, 420);
            QTest::qWait(0);
            QVERIFY(form->isVisible());
            QVERIFY2(form->mapTo(&lab.panel, QPoint(form->width(), 0)).x() <= width, kind.id.data());
        }
    }

    void everythingFitsItsSpace() {
        QFETCH(int, width);
        Lab lab(randomProblem(1, 2, 9, 9));
        lab.panel.chips()->more()->click();
        for (const auto& kind : mask_kinds())
            lab.click(kind.id);
        QTest::qWait(50);
        QVERIFY(lab.panel.minimumSizeHint().width() <= 260); // a dock is never narrower
        width = std::max(width, lab.panel.minimumSizeHint().width());
        lab.panel.resize(width, 420);
        QTest::qWait(0);
        for (const auto& kind : mask_kinds()) {
            const Chip* chip = lab.panel.chips()->chip(kind.id);
            const QRect spot(chip->mapTo(&lab.panel, QPoint()), chip->size());
            QVERIFY2(spot.left() >= 0 && spot.right() < width, kind.id.data());
            QVERIFY(chip->width() >= chip->sizeHint().width());
            if (const auto* form = lab.panel.chips()->form(kind.id); form && (form->isVisible() || width >= 230)) {
                const int right = form->mapTo(&lab.panel, QPoint(form->width(), 0)).x();
                QVERIFY2(right <= width, qPrintable(QString::number(right)));
            }
        }
        QVERIFY(lab.panel.grid()->height() >= lab.panel.grid()->minimumSizeHint().height());
        // Nothing to press or type in is out of reach: the tools and their menu, parameters, fill and meaning.
        lab.panel.showMore(true);
        QTest::qWait(0);
        int controls = 0;
        for (const auto* control : lab.panel.findChildren<QWidget*>()) {
            if (!control->isVisible() || control->focusPolicy() == Qt::NoFocus)
                continue;
            const QRect spot(control->mapTo(&lab.panel, QPoint()), control->size());
            QVERIFY2(spot.left() >= 0 && spot.right() < width,
                     qPrintable(control->metaObject()->className() + QLatin1Char(' ') + control->accessibleName()));
            ++controls;
        }
        QVERIFY(controls > 15);
    }

    /// What is opened comes into sight.
    void fillAndMeaningOpenInSight() {
        Lab lab(randomProblem(1, 2, 9, 9));
        for (const auto& kind : mask_kinds())
            lab.click(kind.id);
        lab.panel.resize(280, 330);
        QTest::qWait(0);
        const auto* form = lab.panel.fillForm();
        QVERIFY(!form->isVisible());
        for (auto* button : lab.panel.findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Value of blocked cells"))
                button->click();
        QVERIFY(form->isVisible());
        const auto* room = lab.panel.findChild<QScrollArea*>();
        const QRect spot(form->mapTo(room->viewport(), QPoint()), form->size());
        QVERIFY2(room->viewport()->rect().contains(spot), qPrintable(QString::number(spot.top())));
    }

    void theUsualPanelNeedsNoScrolling() {
        Lab lab(randomProblem(1, 2, 9, 9));
        lab.click("causal");
        lab.panel.resize(280, 380);
        QTest::qWait(0);
        const auto* scroll = lab.panel.findChild<QScrollArea*>();
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0); // its room is reserved, and nothing is painted there
        QVERIFY(lab.panel.grid()->height() >= 72);
    }

    void theLargeHeatmapPaints() {
        Lab lab;
        HeatmapView heatmap;
        MatrixData matrix;
        matrix.values = Tensor({4, 5}, 0.5);
        heatmap.resize(500, 400);
        heatmap.setMatrix(matrix, colorScale({}, {0.0, 1.0, 0.1, false}, false));
        connect(&lab.panel, &MaskPanel::paintingChanged, &heatmap, &HeatmapView::setPainting);
        connect(&heatmap, &HeatmapView::strokeBegan, &lab.painter, &MaskPainter::begin);
        connect(&heatmap, &HeatmapView::strokeMoved, &lab.painter, &MaskPainter::move);
        connect(&heatmap, &HeatmapView::strokeEnded, &lab.painter, &MaskPainter::end);
        lab.painter.cancelOnEscape(heatmap);
        heatmap.show();
        lab.panel.setPainting(true);
        const auto at = [&](Cell cell) { return heatmap.cellRect(cell).center().toPoint(); };
        QWidget* target = heatmap.childAt(at({1, 1})) ? heatmap.childAt(at({1, 1})) : &heatmap;
        const auto in = [&](Cell cell) { return target->mapFrom(&heatmap, at(cell)); };
        QTest::mousePress(target, Qt::LeftButton, {}, in({1, 1}));
        QTest::mouseMove(target, in({1, 3}));
        QVERIFY(lab.panel.grid()->isPainted({1, 2}));
        QTest::keyClick(&heatmap, Qt::Key_Escape);
        QVERIFY(!lab.panel.grid()->isPainted({1, 1}));
        QTest::mouseRelease(target, Qt::LeftButton, {}, in({1, 3}));
        QCOMPARE(lab.document.undoStack()->count(), 0);
        QTest::mouseClick(target, Qt::LeftButton, {}, in({2, 0}));
        QVERIFY(lab.panel.grid()->isPainted({2, 0}));
        QTest::mouseClick(target, Qt::RightButton, {}, in({2, 0}));
        QVERIFY(!lab.panel.grid()->isPainted({2, 0}));
    }

    void theLayoutStaysStillDuringAStroke() {
        Lab lab;
        QTest::qWait(0);
        const QRectF before = lab.panel.grid()->cellRect({2, 2});
        lab.painter.begin({1, 1}, false);
        lab.painter.move({2, 3});
        QTest::qWait(0);
        QCOMPARE(lab.panel.grid()->cellRect({2, 2}), before);
        lab.painter.end();
        QVERIFY(lab.panel.words().contains(QLatin1String("hatched")));
    }

    void themeIsFollowed() {
        Lab lab;
        lab.click("causal");
        QLabel* words = nullptr;
        for (auto* label : lab.panel.findChildren<QLabel*>())
            if (label->text() == lab.panel.words())
                words = label;
        QVERIFY(words);
        for (const auto choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(choice);
            QTRY_COMPARE(words->palette().color(QPalette::WindowText), theme().muted);
        }
        QVERIFY(lab.panel.words().contains(QLatin1String("hatched")));
    }

    void flowWraps() {
        QWidget box;
        auto* flow = new FlowLayout(&box, 5, 5);
        for (int i = 0; i < 4; ++i) {
            auto* item = new QWidget;
            item->setFixedSize(40, 10);
            flow->addWidget(item);
        }
        QCOMPARE(flow->heightForWidth(200), 10);
        QCOMPARE(flow->heightForWidth(100), 25);
        QCOMPARE(flow->heightForWidth(40), 55);
        flow->itemAt(0)->widget()->hide();
        QCOMPARE(flow->count(), 4);
    }
};

ATTNLAB_TEST(TestMaskPanel)
#include "test_mask_panel.moc"
