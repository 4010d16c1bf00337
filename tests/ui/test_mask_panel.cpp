#include "core/random.h"
#include "ui/flow_layout.h"
#include "ui/mask/chip.h"
#include "ui/mask/mask_chips.h"
#include "ui/mask/mask_fill_form.h"
#include "ui/mask/mask_grid.h"
#include "ui/mask/mask_import.h"
#include "ui/mask/mask_panel.h"
#include "ui/mask/mask_tools.h"
#include "ui/mask/mask_words.h"
#include "ui/mechanism/parameter_form.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

AttentionProblem problemOf(std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S) {
    AttentionProblem problem;
    problem.tensors["query"] = random_normal({B, H, L, 3}, 1);
    problem.tensors["key"] = random_normal({B, H, S, 3}, 2);
    problem.tensors["value"] = random_normal({B, H, S, 3}, 3);
    return problem;
}

struct Lab {
    explicit Lab(AttentionProblem problem = problemOf(1, 1, 4, 5)) {
        document.reset(std::move(problem));
        panel.resize(280, 330);
        panel.show();
    }
    QStringList masks() const {
        QStringList ids;
        for (const auto& mask : document.problem().spec.masks)
            ids << QString::fromStdString(mask.id);
        return ids;
    }
    void click(std::string_view kind) { QTest::mouseClick(panel.chips()->chip(kind), Qt::LeftButton); }

    Document document;
    ViewState view;
    MaskPainter painter{document, view};
    MaskPanel panel{painter};
};

} // namespace

class TestMaskPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void everyKindHasAChipThatTurnsItOnAndOff_data() {
        QTest::addColumn<QString>("kind");
        for (const auto& kind : mask_kinds())
            QTest::newRow(kind.id.data()) << QString::fromLatin1(kind.id.data());
    }

    void everyKindHasAChipThatTurnsItOnAndOff() {
        QFETCH(QString, kind);
        Lab lab;
        const std::string id = kind.toStdString();
        Chip* chip = lab.panel.chips()->chip(id);
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

    void wordsFollowTheFill_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("adds");
        QTest::addColumn<QString>("part");
        QTest::newRow("-inf") << -infinity << false << "its score becomes −∞ and its weight 0";
        QTest::newRow("add -inf") << -infinity << true << "−∞ is added";
        QTest::newRow("-1e6") << -1e6 << false << "becomes −1e6: a row with every key blocked turns uniform";
        QTest::newRow("add -1e9") << -1e9 << true << "−1e9 is added to the score: a row with every key blocked stays";
        QTest::newRow("-2.5") << -2.5 << false << "becomes −2.5: it may still get";
        QTest::newRow("add -2.5") << -2.5 << true << "−2.5 is added to the score: the cell";
    }

    void wordsFollowTheFill() {
        QFETCH(double, value);
        QFETCH(bool, adds);
        QFETCH(QString, part);
        Lab lab;
        lab.click("causal");
        auto spec = lab.document.problem().spec;
        spec.mask_fill = {value, adds ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
        lab.document.setSpec(spec, QStringLiteral("fill"));
        QVERIFY2(lab.panel.words().contains(part), qPrintable(lab.panel.words()));
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

    void fillsAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("allowed");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, double value) { QTest::newRow(text) << text << true << value; };
        row("-1e9", -1e9);
        row("−1e6", -1e6);
        row("-inf", -infinity);
        row("−∞", -infinity);
        row(" -0,5 ", -0.5);
        row("3", 3.0);
        for (const char* text : {"inf", "∞", "nan", "", "much"})
            QTest::newRow(*text ? text : "nothing") << text << false << 0.0;
    }

    void fillsAreRead() {
        QFETCH(QString, text);
        QFETCH(bool, allowed);
        QFETCH(double, value);
        QCOMPARE(MaskFillForm::parseFill(text).has_value(), allowed);
        if (allowed)
            QCOMPARE(*MaskFillForm::parseFill(text), value);
    }

    void theFillFormEditsTheDocument() {
        Lab lab;
        lab.click("causal");
        MaskFillForm* form = lab.panel.fillForm();
        QCOMPARE(form->value()->currentText(), QStringLiteral("−∞"));
        form->value()->lineEdit()->setText(QStringLiteral("-1e6"));
        emit form->value()->lineEdit()->editingFinished();
        QCOMPARE(lab.document.problem().spec.mask_fill.value, -1e6);
        QCOMPARE(form->value()->currentText(), QStringLiteral("−1e6"));
        form->mode()->setCurrentIndex(1);
        emit form->mode()->activated(1);
        QCOMPARE(lab.document.problem().spec.mask_fill.mode, MaskFill::Mode::Add);
        form->value()->lineEdit()->setText(QStringLiteral("nonsense"));
        emit form->value()->lineEdit()->editingFinished();
        QCOMPARE(lab.document.problem().spec.mask_fill.value, -1e6);
        QCOMPARE(form->value()->currentText(), QStringLiteral("−1e6"));
        QVERIFY(lab.panel.words().contains(QLatin1String("nonsense")));
        lab.document.undoStack()->undo();
        lab.document.undoStack()->undo();
        QCOMPARE(form->value()->currentText(), QStringLiteral("−∞"));
    }

    void theMeaningOfTrueIsAskedOnlyWithAnAttentionMask() {
        Lab lab;
        MaskFillForm* form = lab.panel.fillForm();
        QVERIFY(form->meaning()->isHidden());
        lab.click("attn_mask");
        QVERIFY(!form->meaning()->isHidden());
        QVERIFY(!lab.panel.grid()->isBlocked({0, 0}));
        form->meaning()->setCurrentIndex(1);
        emit form->meaning()->activated(1);
        QCOMPARE(lab.document.problem().spec.mask_true, MaskTrue::Keeps);
        QVERIFY(lab.panel.grid()->isBlocked({0, 0})); // all False now blocks everything
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
        Lab lab(problemOf(2, 3, 4, 4));
        QToolButton* scope = lab.panel.scopeButton();
        QVERIFY(!scope->isHidden());
        QVERIFY(scope->text().startsWith(QLatin1String("all heads")));
        emit scope->menu()->aboutToShow();
        QCOMPARE(scope->menu()->actions().size(), 3);
        scope->menu()->actions()[1]->trigger();
        QVERIFY(lab.painter.isPerHead() && !lab.painter.allBatches());
        lab.view.setHead(2);
        QVERIFY(scope->text().startsWith(QLatin1String("head 3 only")));
        emit scope->menu()->aboutToShow();
        scope->menu()->actions()[2]->trigger();
        QVERIFY(lab.painter.isPerHead() && lab.painter.allBatches());
    }

    void aMisfitIsSaidAndFitted() {
        AttentionProblem problem = problemOf(1, 1, 4, 5);
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

    void importsAskForTheSense_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<int>("meaning");
        QTest::addColumn<bool>("first_cell_blocked");
        using Choice = MaskImportDialog::Choice;
        QTest::newRow("blocks") << static_cast<int>(Choice::TrueBlocks) << static_cast<int>(MaskTrue::Blocks) << true;
        QTest::newRow("keeps") << static_cast<int>(Choice::TrueKeeps) << static_cast<int>(MaskTrue::Keeps) << false;
    }

    void importsAskForTheSense() {
        QFETCH(int, choice);
        QFETCH(int, meaning);
        QFETCH(bool, first_cell_blocked);
        Lab lab;
        Tensor mask({4, 5}, 0.0, DType::Bool);
        mask.set({0, 0}, 1.0);
        lab.panel.offerImport(mask, QStringLiteral("mask.npy"));
        auto* dialog = lab.panel.findChild<MaskImportDialog*>();
        QVERIFY(dialog);
        QVERIFY(!dialog->choice()); // nothing is guessed
        auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QVERIFY(!buttons->button(QDialogButtonBox::Ok)->isEnabled());
        QVERIFY(!dialog->button(MaskImportDialog::Choice::Bias)->isEnabled());
        QVERIFY(dialog->button(MaskImportDialog::Choice::TrueBlocks)->text().contains(QLatin1String("1 of 20")));
        QVERIFY(dialog->button(MaskImportDialog::Choice::TrueKeeps)->text().contains(QLatin1String("19 of 20")));
        dialog->button(static_cast<MaskImportDialog::Choice>(choice))->click();
        QTest::mouseClick(buttons->button(QDialogButtonBox::Ok), Qt::LeftButton);
        QCOMPARE(lab.masks(), QStringList{"attn_mask"});
        QCOMPARE(static_cast<int>(lab.document.problem().spec.mask_true), meaning);
        QCOMPARE(lab.panel.grid()->isBlocked({0, 0}), first_cell_blocked);
        QCOMPARE(lab.document.undoStack()->count(), 1);
        lab.document.undoStack()->undo();
        QVERIFY(!lab.document.problem().tensors.contains("attn_mask"));
    }

    void anAdditiveMaskIsOfferedAsABias() {
        Document document;
        document.reset(problemOf(1, 1, 2, 2));
        const MaskContext context{1, 1, 2, 2};
        MaskImportDialog dialog(Tensor({2, 2}, {0.0, -infinity, -1.5, 0.0}), QStringLiteral("bias"), context);
        QVERIFY(!dialog.button(MaskImportDialog::Choice::TrueBlocks)->isEnabled());
        QCOMPARE(dialog.choice(), std::optional(MaskImportDialog::Choice::Bias));
        dialog.apply(document);
        QCOMPARE(document.problem().spec.masks.front().id, std::string("attn_bias"));
        QVERIFY(issues_in(document.problem()).empty());
        // Zeros and ones stored as numbers may be either.
        MaskImportDialog either(Tensor({2, 2}, {0.0, 1.0, 1.0, 0.0}), QStringLiteral("either"), context);
        QVERIFY(either.button(MaskImportDialog::Choice::TrueBlocks)->isEnabled());
        QVERIFY(either.button(MaskImportDialog::Choice::Bias)->isEnabled());
        QVERIFY(!either.choice());
    }

    void unsuitableMasksAreRefusedWithAReason_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<bool>("suits");
        const auto row = [](const char* name, QList<int> shape, bool suits) { QTest::newRow(name) << shape << suits; };
        row("(L,S)", {4, 5}, true);
        row("(B*H,L,S)", {6, 4, 5}, true);
        row("(B,H,L,S)", {2, 3, 4, 5}, true);
        row("(1,H,L,S)", {1, 3, 4, 5}, true);
        row("(B,1,L,S)", {2, 1, 4, 5}, true);
        row("(S,L)", {5, 4}, false);
        row("(H,B,L,S)", {3, 2, 4, 5}, false);
        row("(B,L,S)", {2, 4, 5}, false);
        row("(S)", {5}, false);
    }

    void unsuitableMasksAreRefusedWithAReason() {
        QFETCH(QList<int>, shape);
        QFETCH(bool, suits);
        const Shape sizes(shape.begin(), shape.end());
        MaskImportDialog dialog(Tensor(sizes, 1.0, DType::Bool), QStringLiteral("m"), MaskContext{2, 3, 4, 5});
        dialog.setChoice(MaskImportDialog::Choice::TrueBlocks);
        QCOMPARE(dialog.complaint().isEmpty(), suits);
        QCOMPARE(dialog.choice().has_value(), suits);
        if (suits)
            return;
        QVERIFY(dialog.complaint().contains(QStringLiteral("4 × 5")));
    }

    void naNIsNoMask() {
        MaskImportDialog dialog(Tensor({1, 1}, std::nan("")), QStringLiteral("m"), std::nullopt);
        QVERIFY(dialog.complaint().contains(QLatin1String("NaN")));
        QVERIFY(!dialog.choice());
    }

    void everythingFitsItsSpace_data() {
        QTest::addColumn<int>("width");
        for (const int width : {260, 280, 400})
            QTest::addRow("%d", width) << width;
    }

    void everythingFitsItsSpace() {
        QFETCH(int, width);
        Lab lab(problemOf(1, 2, 9, 9));
        for (const auto& kind : mask_kinds())
            lab.click(kind.id);
        lab.panel.resize(width, 420);
        QTest::qWait(0);
        for (const auto& kind : mask_kinds()) {
            const Chip* chip = lab.panel.chips()->chip(kind.id);
            const QRect spot(chip->mapTo(&lab.panel, QPoint()), chip->size());
            QVERIFY2(spot.left() >= 0 && spot.right() < width, kind.id.data());
            QVERIFY(chip->width() >= chip->sizeHint().width());
            if (const auto* form = lab.panel.chips()->form(kind.id)) {
                const int right = form->mapTo(&lab.panel, QPoint(form->width(), 0)).x();
                QVERIFY2(right <= width, qPrintable(QString::number(right)));
            }
        }
        QVERIFY(lab.panel.grid()->height() >= lab.panel.grid()->minimumSizeHint().height());
    }

    void theUsualPanelNeedsNoScrolling() {
        Lab lab(problemOf(1, 2, 9, 9));
        lab.click("causal");
        QTest::qWait(0);
        const auto* scroll = lab.panel.findChild<QScrollArea*>();
        QVERIFY(!scroll->verticalScrollBar()->isVisible());
        QVERIFY(lab.panel.grid()->height() >= 72);
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

QTEST_MAIN(TestMaskPanel)
#include "test_mask_panel.moc"
