// The value of blocked cells, and the meaning of True.
#include "mask_panel_support.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

class TestMaskFillForm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
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
};

ATTNLAB_TEST(TestMaskFillForm)
#include "test_mask_fill_form.moc"
