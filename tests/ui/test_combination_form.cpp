// Masks by an expression, how masks are combined, and score_mod.
#include "mask_panel_support.h"
#include "tests/test_main.h"
#include "ui/panels/mask/combination_form.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Types the text in place of what is there, and Enter.
void type(ExpressionField* field, const QString& text) {
    field->edit()->selectAll();
    QTest::keyClicks(field->edit(), text);
    QTest::keyClick(field->edit(), Qt::Key_Return);
}

ExpressionField* conditionOf(Lab& lab) {
    return qobject_cast<ExpressionField*>(lab.panel.chips()->form("expression")->field("expression"));
}

} // namespace

class TestCombinationForm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void anExpressionIsTyped() {
        Lab lab;
        lab.panel.chips()->chip("expression")->click();
        auto* field = conditionOf(lab);
        QVERIFY(field);
        QCOMPARE(field->edit()->text(), QStringLiteral("q >= k"));
        type(field, QStringLiteral("abs(q - k) <= 1 and doc[k] == 0"));
        const auto& problem = lab.document.problem();
        QCOMPARE(problem.spec.masks.front().parameters.choice("expression"),
                 std::string("abs(q - k) <= 1 and doc[k] == 0"));
        QVERIFY(problem.tensors.contains("doc")); // made, as other inputs that are missing
        QVERIFY(issues_in(problem).empty());
    }

    void aWrongExpressionSaysWhere() {
        Lab lab;
        lab.panel.chips()->chip("expression")->click();
        auto* field = conditionOf(lab);
        type(field, QStringLiteral("q >= j"));
        QVERIFY2(field->complaint().contains("column 6"), qPrintable(field->complaint()));
        QCOMPARE(field->edit()->text(), QStringLiteral("q >= j")); // what was typed stays
        QCOMPARE(lab.document.problem().spec.masks.front().parameters.choice("expression"), std::string("q >= k"));
        type(field, QStringLiteral("q > k"));
        QVERIFY(field->complaint().isEmpty());
        QCOMPARE(lab.document.problem().spec.masks.front().parameters.choice("expression"), std::string("q > k"));
    }

    void masksAreCombined() {
        Lab lab;
        auto* form = lab.panel.combination();
        lab.click("causal");
        QVERIFY(form->choice()->isHidden());
        lab.click("window");
        QVERIFY(!form->choice()->isHidden() && form->combination()->isHidden());
        emit form->choice()->activated(1);
        QCOMPARE(lab.document.problem().spec.mask_combine, std::string("or"));
        emit form->choice()->activated(2);
        QVERIFY(!form->combination()->isHidden());
        type(form->combination(), QStringLiteral("causal or"));
        QVERIFY(!form->combination()->complaint().isEmpty());
        type(form->combination(), QStringLiteral("not causal or window"));
        QCOMPARE(lab.document.problem().spec.mask_combine, std::string("not causal or window"));
        lab.click("prefix");
        QCOMPARE(lab.document.problem().spec.mask_combine, std::string("(not causal or window) and prefix"));
        lab.click("window"); // which the expression names
        QVERIFY(lab.document.problem().spec.mask_combine.empty());
        QVERIFY(issues_in(lab.document.problem()).empty());
    }

    void scoresAreModified() {
        Lab lab;
        auto* form = lab.panel.combination();
        QVERIFY(form->scoreMod()->isHidden());
        form->setOpen(true);
        QVERIFY(!form->scoreMod()->isHidden());
        type(form->scoreMod(), QStringLiteral("score - abs(q - k)"));
        QCOMPARE(lab.document.problem().spec.score_mod, std::string("score - abs(q - k)"));
        form->setOpen(false);
        QVERIFY(!form->scoreMod()->isHidden()); // it has an effect
        type(form->scoreMod(), QStringLiteral(" "));
        QVERIFY(lab.document.problem().spec.score_mod.empty());
    }
};

ATTNLAB_TEST(TestCombinationForm)
#include "test_combination_form.moc"
