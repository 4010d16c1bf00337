#include "tests/test_main.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr std::string_view kinds[] = {"frobenius", "row", "top_left"};
const Parameter parameters[] = {
    {"heads", ParameterType::Integer, "2", "Heads", "How many heads", 1, 64},
    {"t", ParameterType::Real, "1", "Temperature", "Divides the scores", 0, std::numeric_limits<double>::infinity(),
     true},
    {"bias", ParameterType::Boolean, "false", "Bias"},
    {"kind", ParameterType::Choice, "row", "Kind", "", {}, {}, false, kinds},
    {"seed", ParameterType::Integer, "1", "Seed"},
    {"dropout", ParameterType::Real, "0", "Dropout", "", 0, 1},
    {"rows", ParameterType::IntegerList, "0,3", "Rows", "Which rows", 0},
};

struct Changes {
    explicit Changes(ParameterForm& form) {
        QObject::connect(&form, &ParameterForm::valuesChanged, &form, [this](const ParameterValues& v, int g) {
            values.push_back(v);
            gestures.push_back(g);
        });
    }
    std::vector<ParameterValues> values;
    std::vector<int> gestures;
};

} // namespace

class TestParameterForm : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QLocale::setDefault(QLocale::c());
    }
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void showsDefaultsAndGivenValues();
    void replacesWhatIsNotAllowed();
    void typingCountsAtOnceAndIsOneGesture();
    void refusesOutOfRange_data();
    void refusesOutOfRange();
    void saysTheRangeBesideTheField();
    void saysWhyItWasNotTaken();
    void stepsAreOneGesture();
    void stepsStayInRangeAndUndoThemselves();
    void wheelSteps();
    void checkAndChoice();
    void listOfNumbers();
    void keepsEveryDigit();
    void readsTheLocale();
    void keepsTextBeingTyped();
    void valuesFromElsewhereEndTheGesture();
    void rebuildsForOtherParameters();
    void fitsASidePanel();
    void namesItsControls();
};

void TestParameterForm::showsDefaultsAndGivenValues() {
    ParameterForm form;
    ParameterValues given;
    given.set("heads", std::int64_t{8});
    given.set("kind", std::string("top_left"));
    Changes changes(form);
    form.setParameters(parameters, given);
    QCOMPARE(form.values().integer("heads"), 8);
    QCOMPARE(form.values().real("t"), 1.0);
    QCOMPARE(form.values().boolean("bias"), false);
    QCOMPARE(qobject_cast<NumberField*>(form.field("heads"))->text(), QStringLiteral("8"));
    QCOMPARE(qobject_cast<QComboBox*>(form.field("kind"))->currentText(), QStringLiteral("top left"));
    QVERIFY(changes.values.empty());
    QVERIFY(!form.field("nothing"));
}

void TestParameterForm::replacesWhatIsNotAllowed() {
    ParameterForm form;
    ParameterValues given;
    given.set("heads", std::int64_t{1000});
    given.set("t", 0.25);
    given.set("elsewhere", true);
    form.setParameters(parameters, given);
    QCOMPARE(form.values().integer("heads"), 2);
    QCOMPARE(form.values().real("t"), 0.25);
    QVERIFY(!form.values().find("elsewhere"));
}

void TestParameterForm::typingCountsAtOnceAndIsOneGesture() {
    ParameterForm form;
    form.setParameters(parameters, {});
    Changes changes(form);
    auto* field = qobject_cast<NumberField*>(form.field("heads"));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("12"));
    QCOMPARE(changes.values.size(), std::size_t{2});
    QCOMPARE(changes.values[0].integer("heads"), 1);
    QCOMPARE(changes.values[1].integer("heads"), 12);
    QCOMPARE(changes.gestures[0], changes.gestures[1]);
    QVERIFY(changes.gestures[0] != 0);

    QTest::keyClick(field, Qt::Key_Return);
    QTest::keyClick(field, Qt::Key_End);
    QTest::keyClicks(field, QStringLiteral("3"));
    QCOMPARE(changes.values.size(), std::size_t{2}); // 123 is out of range
    QTest::keyClick(field, Qt::Key_Backspace);
    QTest::keyClick(field, Qt::Key_Backspace);
    QCOMPARE(changes.values.back().integer("heads"), 1);
    QVERIFY(changes.gestures.back() != changes.gestures.front());
}

void TestParameterForm::refusesOutOfRange_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("complains");
    QTest::newRow("too large") << "heads"
                               << "65" << true;
    QTest::newRow("zero heads") << "heads"
                                << "0" << true;
    QTest::newRow("fraction of a head") << "heads"
                                        << "1x5" << true;
    QTest::newRow("excluded zero") << "t"
                                   << "0" << true;
    QTest::newRow("negative") << "t"
                              << "-2" << true;
    QTest::newRow("infinite") << "t"
                              << "inf" << true;
    QTest::newRow("words") << "t"
                           << "warm" << true;
    QTest::newRow("above one") << "dropout"
                               << "1.5" << true;
    QTest::newRow("not yet a number") << "t"
                                      << "-" << false;
    QTest::newRow("beyond int64") << "seed"
                                  << "9223372036854775808" << true;
}

void TestParameterForm::refusesOutOfRange() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(bool, complains);
    ParameterForm form;
    form.setParameters(parameters, {});
    auto* field = qobject_cast<NumberField*>(form.field(name.toStdString()));
    const auto before = field->value();
    const auto* line = field->findChild<QLineEdit*>();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    // At once: the beginning of a long number may be valid itself.
    const_cast<QLineEdit*>(line)->setText(text.chopped(1));
    Changes changes(form);
    QTest::keyClicks(field, text.right(1));
    QCOMPARE(changes.values.size(), std::size_t{0});
    QCOMPARE(!field->complaint().isEmpty(), complains);
    QVERIFY(field->value() == before);
    // When left, it shows the effective value.
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(field->complaint().isEmpty());
    QCOMPARE(field->text(), editableText(before));
}

void TestParameterForm::saysTheRangeBesideTheField() {
    ParameterForm form;
    form.setParameters(parameters, {});
    form.show();
    auto* field = qobject_cast<NumberField*>(form.field("heads"));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("99"));
    QCOMPARE(field->complaint(), QStringLiteral("Expected a whole number from 1 to 64."));
    const auto labels = form.findChildren<QLabel*>();
    const auto visible = std::count_if(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->isVisible() && label->text() == field->complaint();
    });
    QCOMPARE(visible, 1);
    QCOMPARE(field->accessibleDescription(), field->complaint());
    QCOMPARE(rangeText(parameters[1]), QStringLiteral("Expected a number above 0."));
    QCOMPARE(rangeText(parameters[5]), QStringLiteral("Expected a number from 0 to 1."));
}

/// What cannot be taken never springs back without a word.
void TestParameterForm::saysWhyItWasNotTaken() {
    ParameterForm form;
    form.setParameters(parameters, {});
    form.show();
    auto* field = qobject_cast<NumberField*>(form.field("t"));
    QSignalSpy refused(field, &NumberField::refused);
    const QString before = field->text(), why = QStringLiteral("“-2” was not taken. Expected a number above 0.");
    const auto is_said = [&] {
        const auto labels = form.findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [&](const QLabel* label) { return label->isVisible() && label->text() == why; });
    };
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("-2"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(field->text(), before);
    QCOMPARE(refused.size(), 1);
    QCOMPARE(refused[0][0].toString(), why);
    QTRY_VERIFY(is_said());
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("3"));
    QVERIFY(!is_said());
}

void TestParameterForm::stepsAreOneGesture() {
    ParameterForm form;
    form.setParameters(parameters, {});
    Changes changes(form);
    auto* field = form.field("heads");
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(field, Qt::Key_Up);
    QCOMPARE(changes.values.size(), std::size_t{3});
    QCOMPARE(changes.values.back().integer("heads"), 5);
    QCOMPARE(changes.gestures[0], changes.gestures[2]);
    QTest::keyClick(form.field("t"), Qt::Key_Up);
    QVERIFY(changes.gestures[3] != changes.gestures[2]);
    QTest::keyClick(field, Qt::Key_Down);
    QVERIFY(changes.gestures[4] != changes.gestures[2]);
    QVERIFY(changes.gestures[4] != changes.gestures[3]);
}

void TestParameterForm::stepsStayInRangeAndUndoThemselves() {
    ParameterForm form;
    ParameterValues given;
    given.set("heads", std::int64_t{63});
    given.set("dropout", 0.95);
    form.setParameters(parameters, given);
    QTest::keyClick(form.field("heads"), Qt::Key_PageUp);
    QCOMPARE(form.values().integer("heads"), 64);
    QTest::keyClick(form.field("dropout"), Qt::Key_Up);
    QCOMPARE(form.values().real("dropout"), 1.0);
    QTest::keyClick(form.field("dropout"), Qt::Key_Up);
    QCOMPARE(form.values().real("dropout"), 1.0);

    auto* temperature = form.field("t");
    std::vector<double> seen;
    for (int i = 0; i < 12; ++i) {
        seen.push_back(form.values().real("t"));
        QTest::keyClick(temperature, Qt::Key_Down);
        QVERIFY(form.values().real("t") > 0.0);
        QVERIFY(form.values().real("t") < seen.back());
    }
    for (; !seen.empty(); seen.pop_back()) {
        QTest::keyClick(temperature, Qt::Key_Up);
        QCOMPARE(form.values().real("t"), seen.back());
    }
}

void TestParameterForm::wheelSteps() {
    ParameterForm form;
    form.setParameters(parameters, {});
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    auto* field = form.field("heads");
    QTest::mouseMove(field, field->rect().center());
    QWheelEvent wheel(field->rect().center(), field->mapToGlobal(field->rect().center()), {}, QPoint(0, 120),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(field, &wheel);
    QCOMPARE(form.values().integer("heads"), 3);
}

void TestParameterForm::listOfNumbers() {
    ParameterForm form;
    form.setParameters(parameters, {});
    auto* field = qobject_cast<QLineEdit*>(form.field("rows"));
    QVERIFY(field);
    QCOMPARE(field->text(), QStringLiteral("0,3"));
    Changes changes(form);
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("5,2"));
    QCOMPARE(changes.values.back().integers("rows"), (IntegerList{5, 2}));
    // "5," is not a list: it had no effect.
    QCOMPARE(changes.values.size(), std::size_t{2});
    QCOMPARE(changes.gestures.front(), changes.gestures.back());
    QTest::keyClicks(field, QStringLiteral(",-1"));
    QCOMPARE(changes.values.back().integers("rows"), (IntegerList{5, 2}));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(field->text(), QStringLiteral("5,2"));
}

void TestParameterForm::checkAndChoice() {
    ParameterForm form;
    form.setParameters(parameters, {});
    form.show();
    Changes changes(form);
    QTest::keyClick(form.field("bias"), Qt::Key_Space);
    QCOMPARE(changes.values.back().boolean("bias"), true);
    QTest::keyClick(form.field("bias"), Qt::Key_Space);
    QCOMPARE(changes.values.back().boolean("bias"), false);
    QVERIFY(changes.gestures[0] != changes.gestures[1]);
    QTest::keyClick(form.field("kind"), Qt::Key_Down);
    QCOMPARE(changes.values.back().choice("kind"), std::string("top_left"));
    QTest::keyClicks(form.field("kind"), QStringLiteral("f"));
    QCOMPARE(form.values().choice("kind"), std::string("frobenius"));
}

void TestParameterForm::keepsEveryDigit() {
    ParameterForm form;
    ParameterValues given;
    given.set("t", 0.1 + 0.2);
    given.set("seed", std::int64_t{9007199254740993});
    form.setParameters(parameters, given);
    QCOMPARE(qobject_cast<NumberField*>(form.field("t"))->text(), QStringLiteral("0.30000000000000004"));
    QCOMPARE(qobject_cast<NumberField*>(form.field("seed"))->text(), QStringLiteral("9007199254740993"));
    QTest::keyClick(form.field("seed"), Qt::Key_Up);
    QCOMPARE(form.values().integer("seed"), std::int64_t{9007199254740994});
    QTest::keyClick(form.field("t"), Qt::Key_Return);
    QCOMPARE(form.values().real("t"), 0.1 + 0.2);
}

void TestParameterForm::readsTheLocale() {
    QLocale::setDefault(QLocale(QLocale::German));
    ParameterForm form;
    ParameterValues given;
    given.set("t", 2.5);
    form.setParameters(parameters, given);
    auto* field = qobject_cast<NumberField*>(form.field("t"));
    QCOMPARE(field->text(), QStringLiteral("2,5"));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("0,125"));
    QCOMPARE(form.values().real("t"), 0.125);
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("0.75"));
    QCOMPARE(form.values().real("t"), 0.75);
}

void TestParameterForm::keepsTextBeingTyped() {
    ParameterForm form;
    form.setParameters(parameters, {});
    // Like a document, returns the edited values.
    connect(&form, &ParameterForm::valuesChanged, &form,
            [&form](const ParameterValues& values) { form.setParameters(parameters, values); });
    auto* field = qobject_cast<NumberField*>(form.field("t"));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("2.0"));
    QCOMPARE(field->text(), QStringLiteral("2.0"));
    QTest::keyClicks(field, QStringLiteral("5"));
    QCOMPARE(form.values().real("t"), 2.05);
}

void TestParameterForm::valuesFromElsewhereEndTheGesture() {
    ParameterForm form;
    form.setParameters(parameters, {});
    Changes changes(form);
    QTest::keyClick(form.field("heads"), Qt::Key_Up);
    form.setParameters(parameters, {});
    QCOMPARE(qobject_cast<NumberField*>(form.field("heads"))->text(), QStringLiteral("2"));
    QTest::keyClick(form.field("heads"), Qt::Key_Up);
    QCOMPARE(changes.gestures.size(), std::size_t{2});
    QVERIFY(changes.gestures[0] != changes.gestures[1]);
}

void TestParameterForm::rebuildsForOtherParameters() {
    ParameterForm form;
    form.setParameters(parameters, {});
    form.setParameters(std::span(parameters).subspan(1, 1), {});
    QVERIFY(!form.field("heads"));
    QVERIFY(form.field("t"));
    QCOMPARE(form.values().all().size(), std::size_t{1});
    form.setParameters({}, {});
    QVERIFY(form.values().all().empty());
}

void TestParameterForm::fitsASidePanel() {
    ParameterForm form;
    form.setParameters(parameters, {});
    QVERIFY2(form.minimumSizeHint().width() <= 270, qPrintable(QString::number(form.minimumSizeHint().width())));
}

void TestParameterForm::namesItsControls() {
    for (const auto arrangement : {ParameterForm::Arrangement::Column, ParameterForm::Arrangement::Row}) {
        ParameterForm form(arrangement);
        form.setParameters(parameters, {});
        for (const auto& parameter : parameters) {
            const auto* field = form.field(parameter.name);
            QVERIFY(!field->accessibleName().isEmpty());
            QCOMPARE(field->toolTip(), parameterHelp(parameter));
            QVERIFY(field->focusPolicy() & Qt::TabFocus);
        }
        QVERIFY(form.field("heads")->toolTip().contains(QStringLiteral("How many heads")));
    }
}

ATTNLAB_TEST(TestParameterForm)
#include "test_parameter_form.moc"
