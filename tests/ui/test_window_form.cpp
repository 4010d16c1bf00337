#include "core/stages/mask.h"
#include "mask_panel_support.h"
#include "tests/test_main.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// The keys that a row reads, as text: "#" kept, "." blocked.
QString keysOf(Lab& lab, int row) {
    QString keys;
    for (int key = 0; key < lab.panel.grid()->layers().columns(); ++key)
        keys += QLatin1Char(lab.panel.grid()->isBlocked({row, key}) ? '.' : '#');
    return keys;
}

void type(QComboBox& field, const QString& text) {
    field.lineEdit()->setText(text);
    QTest::keyClick(field.lineEdit(), Qt::Key_Return);
}

} // namespace

class TestWindowForm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }

    void reachesAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("reach"); // -2: refused
        for (const auto& [text, reach] : {std::pair("4", 4),
                                          {" 0 ", 0},
                                          {"-1", -1},
                                          {"−1", -1},
                                          {"∞", -1},
                                          {"inf", -1},
                                          {"unlimited", -1},
                                          {"", -2},
                                          {"1.5", -2},
                                          {"a", -2},
                                          {"99999999999", -2}})
            QTest::newRow(text) << QString::fromUtf8(text) << reach;
    }

    void reachesAreRead() {
        QFETCH(QString, text);
        QFETCH(int, reach);
        QCOMPARE(WindowForm::parseReach(text).value_or(-2), reach);
    }

    void twoReachesMakeTheMask() {
        Lab lab(randomProblem(1, 1, 6, 6));
        lab.click("window");
        WindowForm* form = lab.panel.chips()->windowForm();
        QVERIFY(form->width()->isVisible() && !form->left()->isVisible());
        QCOMPARE(keysOf(lab, 3), QString("..###."));
        int steps = lab.document.undoStack()->index();
        QTest::mouseClick(form->modeButton(), Qt::LeftButton);
        QCOMPARE(lab.document.undoStack()->index(), ++steps);
        QVERIFY(!form->width()->isVisible() && form->left()->isVisible() && form->right()->isVisible());
        QCOMPARE(keysOf(lab, 3), QString("..###.")); // the same mask
        type(*form->left(), "3");
        QCOMPARE(lab.document.undoStack()->index(), ++steps);
        QCOMPARE(keysOf(lab, 3), QString("#####."));
        type(*form->right(), "∞");
        QCOMPARE(keysOf(lab, 1), QString("######"));
        QCOMPARE(keysOf(lab, 5), QString("..####"));
        type(*form->right(), "0");
        QCOMPARE(keysOf(lab, 3), QString("####.."));
        QVERIFY(issues_in(lab.document.problem()).empty());
        QCOMPARE(SettingWords::ofMasks(lab.document.problem().spec), QString("window left 3, right 0"));
        steps = lab.document.undoStack()->index();
        type(*form->left(), "x"); // is not taken
        QCOMPARE(form->left()->currentText(), QString("3"));
        QCOMPARE(lab.document.undoStack()->index(), steps);
        lab.document.undoStack()->undo();
        QCOMPARE(form->right()->currentText(), QString("∞"));
        QTest::mouseClick(form->modeButton(), Qt::LeftButton);
        QVERIFY(form->width()->isVisible());
        QCOMPARE(form->width()->values().integer("w"), 6);
        QVERIFY(issues_in(lab.document.problem()).empty());
    }

    void theMaskStaysWhereAWidthSaysTheSame_data() {
        QTest::addColumn<QString>("reaches");
        QTest::addColumn<int>("w");
        QTest::newRow("itself") << "window:0,0" << 0;
        QTest::newRow("equal") << "window:3,3" << 6;
        QTest::newRow("the farther one") << "window:1,4" << 8;
        QTest::newRow("unlimited on one side") << "window:inf,2" << 4;
        QTest::newRow("unlimited") << "window:inf,inf" << 2;
        QTest::newRow("farther than a width") << "window:900000000,0" << 1000000000;
    }
    void theMaskStaysWhereAWidthSaysTheSame() {
        QFETCH(QString, reaches);
        QFETCH(int, w);
        WindowForm form;
        form.setValues(parse_mask(reaches.toStdString()).parameters);
        QSignalSpy changed(&form, &WindowForm::valuesChanged);
        form.modeButton()->click();
        QCOMPARE(changed.count(), 1);
        const auto values = changed.front().front().value<ParameterValues>();
        QCOMPARE(values.choice("sides"), std::string("equal"));
        QCOMPARE(values.integer("w"), w);
    }

    /// As files may have them.
    void incompleteAndInvalidReachesAreShown() {
        WindowForm form;
        ParameterValues values;
        values.set("left", std::int64_t{5});
        form.setValues(values); // a reach alone
        QCOMPARE(form.left()->currentText(), QString("5"));
        QCOMPARE(form.right()->currentText(), QString("1"));
        QCOMPARE(WindowForm::words("window", values), QString("window left 5, right 1"));
        values.set("right", std::int64_t{-7}); // not allowed
        form.setValues(values);
        QCOMPARE(form.right()->currentText(), QString("1"));
        values.set("sides", std::string("equal"));
        form.setValues(values);
        QVERIFY(form.left()->isHidden() && !form.width()->isHidden());
    }

    void reachesFitTheNarrowestPanel() {
        Lab lab(randomProblem(1, 2, 9, 12));
        lab.click("window");
        WindowForm* form = lab.panel.chips()->windowForm();
        QTest::mouseClick(form->modeButton(), Qt::LeftButton);
        QTest::qWait(50);
        const int width = lab.panel.minimumSizeHint().width();
        QVERIFY2(width <= 260, qPrintable(QString::number(width)));
        lab.panel.resize(width, 420);
        QTRY_VERIFY(form->mapTo(&lab.panel, form->rect().topRight()).x() <= width);
    }
};

ATTNLAB_TEST(TestWindowForm)
#include "test_window_form.moc"
