// How a comparison is begun, its settings are chosen, kept and left, by clicks and keys.
#include "compare_window.h"
#include "core/compare.h"
#include "tests/test_main.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLayout>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace attnlab;
using namespace attnlab::ui;

class TestCompareControls : public QObject, protected CompareFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void theActionBeginsAComparison() {
        QVERIFY(!problem().compared_with);
        QVERIFY(!window_->centre()->isAvailable("compare"));
        QVERIFY(!window_->centre()->availableIds().contains("compare"));
        trigger(&Actions::compare);
        QCOMPARE(problem().compared_with, without_scale(problem().spec));
        QVERIFY(page().isVisible() && !window_->matrixPage()->isVisible());
        QVERIFY(window_->centre()->availableIds().contains("compare"));
        // Back to the matrix; the comparison stays.
        trigger(&Actions::compare);
        QVERIFY(window_->matrixPage()->isVisible() && problem().compared_with);
        trigger(&Actions::compare);
        QVERIFY(page().isVisible());
        trigger(&Actions::undo);
        QVERIFY(!problem().compared_with);
        QVERIFY(window_->matrixPage()->isVisible());
        trigger(&Actions::redo);
        QVERIFY(problem().compared_with && page().isVisible());
    }

    void withoutAScaleTheMasksGo() {
        auto next = problem();
        next.spec.scale.id = "none";
        next.spec.masks = {{"causal", {}}};
        edit(next);
        trigger(&Actions::compare);
        QCOMPARE(problem().compared_with->scale.id, "none");
        QVERIFY(problem().compared_with->masks.empty());
    }

    /// The name of a setting mentions its rounding.
    void roundedNumbersSayThatTheyAre() {
        trigger(&Actions::compare);
        press(Preset::CopyOfA);
        auto* menu = controls().rounding();
        menu->fill();
        QVERIFY(menu->action("none")->isChecked());
        menu->action("bfloat16:scores")->trigger();
        settle();
        QVERIFY(problem().compared_with->rounding == (Rounding{DType::BFloat16, Rounding::Where::Scores}));
        QVERIFY(!problem().spec.rounding);
        QVERIFY(controls().roundingButton()->text().contains("bfloat16 scores"));
        QVERIFY2(view().title(1).contains("bfloat16 scores"), qPrintable(view().title(1)));
        QVERIFY2(view().title(0).contains("float64"), qPrintable(view().title(0)));
        QVERIFY(at(view().difference(), 1, 0) != 0.0);
        auto* bar = window_->mechanismBar();
        QVERIFY(bar->roundingButton()->isHidden());
        press(Preset::Swap);
        QVERIFY(problem().spec.rounding);
        QVERIFY(!bar->roundingButton()->isHidden());
        QCOMPARE(bar->roundingButton()->text(), QString("bfloat16 scores"));
        QVERIFY2(window_->matrixPage()->title().contains("bfloat16 scores"),
                 qPrintable(window_->matrixPage()->title()));
        auto* own = qobject_cast<RoundingMenu*>(bar->roundingButton()->menu());
        own->fill();
        own->action("none")->trigger();
        settle();
        QVERIFY(!problem().spec.rounding);
        QVERIFY(!window_->matrixPage()->title().contains("bfloat16"));
        trigger(&Actions::undo);
        QVERIFY(problem().spec.rounding);
        // Such a mechanism refuses it with a reason.
        auto next = problem();
        next.spec.rounding.reset();
        next.compared_with = next.spec;
        next.compared_with->variant = "flash";
        edit(next);
        menu->fill();
        QVERIFY(!menu->action("bfloat16:scores"));
        QVERIFY(menu->actions().back()->text().contains("exact pass"));
    }

    void theControlsOfASmallWindowAreOneRow() {
        for (int i = 0; i < 2; ++i) // inputs and mask
            window_->panelDocks()->all()[i]->hide();
        trigger(&Actions::compare);
        window_->resize(1280, 800);
        QCoreApplication::processEvents();
        auto* first = controls().masksButton();
        for (const Preset preset : presets()) {
            const auto* button = controls().presetButton(preset);
            QCOMPARE(button->isVisible(), withPreset(problem(), preset).has_value()); // none that changes nothing
            if (button->isVisible())
                QCOMPARE(button->y(), first->y());
        }
        QVERIFY(controls().presetButton(Preset::Stop)->isVisible());
        QCOMPARE(controls().presetButton(Preset::Stop)->accessibleName(), QString("Stop comparing"));
    }

    void presetsAreUndoSteps() {
        auto next = problem();
        next.spec.masks = {{"causal", {}}};
        edit(next);
        trigger(&Actions::compare);
        press(Preset::WithoutMasks);
        QCOMPARE(problem().compared_with, without_masks(problem().spec));
        press(Preset::CopyOfA);
        QCOMPARE(problem().compared_with, problem().spec);
        QVERIFY(!controls().presetButton(Preset::CopyOfA)->isEnabled());
        QVERIFY(!controls().presetButton(Preset::Swap)->isEnabled());
        QCOMPARE(page().numbers()->value(CompareNumbers::Largest), numberText(0.0));
        press(Preset::WithoutScale);
        const auto a = problem().spec;
        const auto b = *problem().compared_with;
        press(Preset::Swap);
        QCOMPARE(problem().spec, b);
        QCOMPARE(problem().compared_with, a);
        trigger(&Actions::undo);
        QCOMPARE(problem().spec, a);
        press(Preset::Stop);
        QVERIFY(!problem().compared_with);
        QVERIFY(window_->matrixPage()->isVisible());
        QVERIFY(!window_->centre()->availableIds().contains("compare"));
        trigger(&Actions::undo);
        QVERIFY(page().isVisible());
    }

    void exactAttentionBesideAnotherScore() {
        trigger(&Actions::compare);
        QVERIFY(!controls().presetButton(Preset::ExactAttention)->isEnabled());
        auto next = problem();
        next.spec.variant = "gaussian_kernel";
        edit(next);
        press(Preset::ExactAttention);
        QCOMPARE(problem().compared_with->variant, AttentionSpec().variant);
        QVERIFY(page().matrices());
    }

    /// A mask that is chosen there brings a field with it.
    void theMasksFitTheirPopup() {
        trigger(&Actions::compare);
        controls().masksButton()->click();
        const QWidget* popup = controls().masks()->window();
        QVERIFY(popup->isVisible());
        const auto fits = [popup] { return popup->height() == popup->layout()->totalHeightForWidth(popup->width()); };
        QVERIFY(fits());
        const int before = popup->height();
        QTest::mouseClick(controls().masks()->chip("causal"), Qt::LeftButton);
        settle();
        QTRY_VERIFY(fits());
        QVERIFY(popup->height() > before);
    }

    void theControlsEditBAlone() {
        trigger(&Actions::compare);
        const auto a = problem().spec;
        emit controls().mechanism()->scalePicker()->picked("dk");
        settle();
        QCOMPARE(problem().compared_with->scale.id, "dk");
        QTest::mouseClick(controls().masks()->chip("causal"), Qt::LeftButton);
        settle();
        QCOMPARE(problem().compared_with->masks.size(), 1u);
        QCOMPARE(problem().spec, a);
        QVERIFY(controls().masksButton()->text().contains("causal"));
        QVERIFY2(SettingWords::of(*problem().compared_with, a).contains("causal"),
                 qPrintable(SettingWords::of(*problem().compared_with, a)));
        QVERIFY(SettingWords::of(a, *problem().compared_with).contains("no mask"));
        QVERIFY(window_->document().undoStack()->undoText().startsWith("B: "));
        // The bar above the strip remains A's.
        QVERIFY(window_->mechanismBar()->scalePicker()->current() != "dk");
        // Inputs that only B reads are made; A is computed as before.
        const double before = weight(window_->computed()->trace, 0, 1, 1);
        emit controls().mechanism()->variantPicker()->picked("self");
        settle();
        QVERIFY(problem().tensors.contains("x"));
        QCOMPARE(weight(window_->computed()->trace, 0, 1, 1), before);
    }

    void theFillOfBIsItsOwn() {
        trigger(&Actions::compare);
        auto* value = controls().fill()->value();
        value->setEditText("-1e6");
        emit value->lineEdit()->editingFinished();
        settle();
        QCOMPARE(problem().compared_with->mask_fill.value, -1e6);
        QCOMPARE(problem().spec.mask_fill, MaskFill{});
        controls().fill()->mode()->setCurrentIndex(1);
        emit controls().fill()->mode()->activated(1);
        QCOMPARE(problem().compared_with->mask_fill.mode, MaskFill::Mode::Add);
        auto alone = problem();
        alone.compared_with.reset();
        edit(alone);
        emit value->lineEdit()->editingFinished();
        QVERIFY2(!problem().compared_with, "a field that is left must not begin a comparison");
    }

    void isSavedWithTheWorkspace() {
        const QTemporaryDir folder;
        trigger(&Actions::compare);
        const auto spec = *problem().compared_with;
        const QString path = folder.filePath("both.npz");
        QVERIFY(window_->files().saveTo(path));
        QTRY_VERIFY(QFileInfo::exists(path));
        window_->document().reset(problemOf(1, 3, 3, 2));
        window_->viewState().setPage("matrix");
        settle();
        QVERIFY(!window_->centre()->isAvailable("compare"));
        window_->files().open({path});
        QTRY_VERIFY2(problem().compared_with == spec, qPrintable(window_->messageBar()->text()));
        settle();
        QVERIFY(page().isVisible());
        QVERIFY(page().matrices());
    }
};

ATTNLAB_TEST(TestCompareControls)
#include "test_compare_controls.moc"
