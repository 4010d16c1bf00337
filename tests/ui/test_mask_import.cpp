#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "tests/ui/mask_panel_support.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

class TestMaskImport : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    /// Of a mask that is read in the background; the preview has fewer cells than the mask.
    void importsLargeMasks() {
        Lab lab;
        Tensor mask({1100, 1300}, 0.0, DType::Bool);
        mask.set({1099, 1299}, 1.0);
        mask.set({0, 0}, 1.0);
        lab.panel.offerImport(mask, QStringLiteral("mask.npy"));
        const auto* dialog = lab.panel.findChild<MaskImportDialog*>();
        QVERIFY(dialog);
        const auto text = dialog->button(MaskImportDialog::Choice::TrueKeeps)->text().remove(QLatin1Char(','));
        QVERIFY2(text.contains(QLatin1String("1429998 of 1430000")), qPrintable(text));
        const AccessibleTable* preview = nullptr;
        for (auto* child : dialog->findChildren<QWidget*>())
            if (const auto* table = dynamic_cast<AccessibleTable*>(child))
                preview = table;
        QVERIFY(preview);
        QCOMPARE(preview->tableRows(), 512);
        QCOMPARE(preview->tableColumns(), 512);
        QCOMPARE(preview->tableRowName(256), QString("550"));
        QCOMPARE(preview->tableColumnName(511), QString("1297"));
        QCOMPARE(preview->tableCellText(256, 0), QString("550 → 0: 0"));
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
        document.reset(randomProblem(1, 1, 2, 2));
        const MaskContext context{1, 1, 2, 2};
        const Tensor dialog_mask({2, 2}, {0.0, -infinity, -1.5, 0.0});
        MaskImportDialog dialog(dialog_mask, QStringLiteral("bias"), context, readingOf(dialog_mask));
        QVERIFY(!dialog.button(MaskImportDialog::Choice::TrueBlocks)->isEnabled());
        QCOMPARE(dialog.choice(), std::optional(MaskImportDialog::Choice::Bias));
        dialog.apply(document);
        QCOMPARE(document.problem().spec.masks.front().id, std::string("attn_bias"));
        QVERIFY(issues_in(document.problem()).empty());
        // Zeros and ones stored as numbers may be either.
        const Tensor either_mask({2, 2}, {0.0, 1.0, 1.0, 0.0});
        MaskImportDialog either(either_mask, QStringLiteral("either"), context, readingOf(either_mask));
        QVERIFY(either.button(MaskImportDialog::Choice::TrueBlocks)->isEnabled());
        QVERIFY(either.button(MaskImportDialog::Choice::Bias)->isEnabled());
        QVERIFY(!either.choice());
    }

    void unsuitableMasksAreRefusedWithAReason_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<bool>("suits");
        const auto row = [](const char* name, const QList<int>& shape, bool suits) {
            QTest::newRow(name) << shape << suits;
        };
        row("(L,S)", {4, 5}, true);
        row("(B*H,L,S)", {6, 4, 5}, true);
        row("(B,H,L,S)", {2, 3, 4, 5}, true);
        row("(1,H,L,S)", {1, 3, 4, 5}, true);
        row("(B,1,L,S)", {2, 1, 4, 5}, true);
        row("(S,L)", {5, 4}, false);
        row("(H,B,L,S)", {3, 2, 4, 5}, false);
        row("(B,L,S)", {2, 4, 5}, false);
        row("(H,L,S)", {3, 4, 5}, true);
        row("(B,1,1,S)", {2, 1, 1, 5}, true);
        row("(L,1)", {4, 1}, true);
        row("(S)", {5}, true);
        row("(L)", {4}, false);
    }

    void unsuitableMasksAreRefusedWithAReason() {
        QFETCH(QList<int>, shape);
        QFETCH(bool, suits);
        const Shape sizes(shape.begin(), shape.end());
        const Tensor dialog_mask(sizes, 1.0, DType::Bool);
        MaskImportDialog dialog(dialog_mask, QStringLiteral("m"), MaskContext{2, 3, 4, 5}, readingOf(dialog_mask));
        dialog.setChoice(MaskImportDialog::Choice::TrueBlocks);
        QCOMPARE(dialog.complaint().isEmpty(), suits);
        QCOMPARE(dialog.choice().has_value(), suits);
        if (suits)
            return;
        QVERIFY(dialog.complaint().contains(QStringLiteral("4 × 5")));
    }

    void naNIsNoMask() {
        const Tensor dialog_mask({1, 1}, std::nan(""));
        MaskImportDialog dialog(dialog_mask, QStringLiteral("m"), std::nullopt, readingOf(dialog_mask));
        QVERIFY(dialog.complaint().contains(QLatin1String("NaN")));
        QVERIFY(!dialog.choice());
    }
};

ATTNLAB_TEST(TestMaskImport)
#include "test_mask_import.moc"
