// The mechanism, its parameters and the scale in the row below the menu.
#include "core/mechanisms.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "mechanism_support.h"
#include "tests/test_main.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTranslator>

using namespace attnlab;
using namespace attnlab::ui;

class TestMechanismBar : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QLocale::setDefault(QLocale::c());
    }

    void editsPositionParameters();
    void followsTheOffsetOfTheSetting();
    void undoBringsBackTheChoice();
    void keepsSharedParametersOnly();
    void normalisers();
    void openNumbers();
    void keepsTheScaleUnlessDefault();
    void editsScaleParameterInPlace();
    void editsVariantParameters();
    void showsFewParametersInTheRow();
    void hidesParametersOfAnotherChoice();
    void afterSoftmaxNeedsAFactor_data();
    void afterSoftmaxNeedsAFactor();
    void leavesAfterSoftmaxWithTheFactor();
    void undoOfATypedRunIsOneStep();
    void survivesUnknownIds();
    void speaksAnotherLanguage();
    void fitsTheWindow_data();
    void fitsTheWindow();
};

void TestMechanismBar::editsPositionParameters() {
    Fixture f("multi_head");
    clickEntry(f.bar.positionPicker(), QStringLiteral("rope"));
    auto* base = qobject_cast<NumberField*>(f.bar.parameterField("base"));
    QVERIFY(base->isVisible());
    QTest::keyClick(base, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(base, QStringLiteral("500"));
    QCOMPARE(f.spec().position.parameters.real("base"), 500.0);
    QTest::mouseClick(f.bar.moreButton(), Qt::LeftButton);
    auto* style = qobject_cast<QComboBox*>(f.bar.parameterField("style"));
    QVERIFY(style->isVisible());
    style->setFocus();
    QTest::keyClick(style, Qt::Key_Down);
    QCOMPARE(f.spec().position.parameters.choice("style"), std::string("interleaved"));
    QCOMPARE(f.spec().position.parameters.real("base"), 500.0);
    // Parameters shared by two terms stay.
    QTest::keyClick(f.bar.parameterField("query_offset"), Qt::Key_Up);
    QApplication::activePopupWidget()->close();
    clickEntry(f.bar.positionPicker(), QStringLiteral("alibi"));
    QCOMPARE(f.spec().position.parameters.integer("query_offset"), 1);
    QVERIFY(!f.spec().position.parameters.find("base"));
}

void TestMechanismBar::normalisers() {
    Fixture f("multi_head");
    QVERIFY(f.bar.weightsButton()->isHidden());
    QTest::mouseClick(f.bar.moreButton(), Qt::LeftButton);
    QCOMPARE(f.bar.normaliserPicker()->current(), QStringLiteral("softmax"));
    QCOMPARE(f.bar.decayPicker()->current(), QStringLiteral("none"));
    emit f.bar.normaliserPicker()->picked(QStringLiteral("entmax"));
    emit f.bar.decayPicker()->picked(QStringLiteral("retention"));
    QCOMPARE(f.spec().normaliser.id, std::string("entmax"));
    QCOMPARE(f.spec().decay.id, std::string("retention"));
    QCOMPARE(f.bar.weightsButton()->text(), QStringLiteral("entmax · Retention"));
    QVERIFY(!f.bar.weightsButton()->isHidden());
    f.document.undoStack()->undo();
    QVERIFY(f.spec().decay.id.empty());
    emit f.bar.normaliserPicker()->picked(QStringLiteral("softmax"));
    QVERIFY(f.spec().normaliser.id.empty());
    QVERIFY(f.bar.weightsButton()->isHidden());
    // A mechanism that cannot have them drops them.
    emit f.bar.normaliserPicker()->picked(QStringLiteral("relu"));
    clickEntry(f.bar.variantPicker(), QStringLiteral("flash"));
    QVERIFY(f.spec().normaliser.id.empty());
}

void TestMechanismBar::openNumbers() {
    Fixture f("multi_head");
    QTest::mouseClick(f.bar.moreButton(), Qt::LeftButton);
    emit f.bar.normaliserPicker()->picked(QStringLiteral("sigmoid"));
    auto* bias = qobject_cast<QLineEdit*>(f.bar.parameterField("bias"));
    QVERIFY(bias);
    QCOMPARE(bias->text(), QString());
    QTest::keyClicks(bias, QStringLiteral("-1.5"));
    QCOMPARE(f.spec().normaliser.parameters.real("bias"), -1.5);
    QTest::keyClick(bias, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(bias, Qt::Key_Delete);
    QVERIFY(!f.spec().normaliser.parameters.find("bias"));
}

void TestMechanismBar::followsTheOffsetOfTheSetting() {
    Fixture f("multi_head");
    auto spec = f.spec();
    spec.query_offset = 4;
    f.document.setSpec(spec, "offset");
    clickEntry(f.bar.positionPicker(), QStringLiteral("rope"));
    auto* base = qobject_cast<NumberField*>(f.bar.parameterField("base"));
    QTest::keyClick(base, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(base, QStringLiteral("500"));
    QCOMPARE(f.spec().position.parameters.real("base"), 500.0);
    QVERIFY(!f.spec().position.parameters.find("query_offset"));
    auto* offset = qobject_cast<NumberField*>(f.bar.parameterField("query_offset"));
    QCOMPARE(offset->value(), ParameterValue(std::int64_t{4}));
    spec = f.spec();
    spec.query_offset = 6;
    f.document.setSpec(spec, "offset");
    QCOMPARE(offset->value(), ParameterValue(std::int64_t{6}));
    // Set by the user, it is its own.
    QTest::mouseClick(f.bar.moreButton(), Qt::LeftButton);
    QTest::keyClick(offset, Qt::Key_Up);
    QCOMPARE(f.spec().position.parameters.integer("query_offset"), 7);
    QTest::keyClick(offset, Qt::Key_Down);
    QCOMPARE(f.spec().position.parameters.integer("query_offset"), 6);
    QApplication::activePopupWidget()->close();
}

void TestMechanismBar::undoBringsBackTheChoice() {
    Fixture f;
    clickEntry(f.bar.variantPicker(), QStringLiteral("multi_head"));
    clickEntry(f.bar.scalePicker(), QStringLiteral("temperature"));
    QVERIFY(f.bar.parameterField("t")->isVisible());
    f.document.undoStack()->undo();
    QCOMPARE(f.bar.scalePicker()->current(), QStringLiteral("sqrt_dk"));
    QVERIFY(!f.bar.parameterField("t"));
    f.document.undoStack()->undo();
    QCOMPARE(f.bar.variantPicker()->current(), QStringLiteral("scaled_dot_product"));
    QVERIFY(!f.bar.parameterField("num_heads"));
    f.document.undoStack()->redo();
    QCOMPARE(f.bar.variantPicker()->current(), QStringLiteral("multi_head"));
    QVERIFY(f.bar.parameterField("num_heads"));
}

void TestMechanismBar::keepsSharedParametersOnly() {
    Fixture f("multi_head");
    auto spec = f.spec();
    spec.parameters.set("num_heads", std::int64_t{8});
    spec.parameters.set("dropout", 0.5);
    spec.parameters.set("add_zero_attn", true);
    f.document.setSpec(spec, QStringLiteral("test"));
    clickEntry(f.bar.variantPicker(), QStringLiteral("grouped_query"));
    QCOMPARE(f.spec().parameters.integer("num_heads"), 8);
    QCOMPARE(f.spec().parameters.real("dropout"), 0.5);
    QVERIFY(!f.spec().parameters.find("add_zero_attn"));
    QCOMPARE(qobject_cast<NumberField*>(f.bar.parameterField("num_heads"))->number(), 8.0);
}

void TestMechanismBar::keepsTheScaleUnlessDefault() {
    Fixture f;
    clickEntry(f.bar.scalePicker(), QStringLiteral("dk"));
    clickEntry(f.bar.variantPicker(), QStringLiteral("self"));
    QCOMPARE(f.spec().scale.id, std::string("dk"));
    clickEntry(f.bar.scalePicker(), QStringLiteral("sqrt_dk"));
    clickEntry(f.bar.variantPicker(), QStringLiteral("multi_head"));
    QVERIFY(f.spec().scale.id.empty());
}

void TestMechanismBar::editsScaleParameterInPlace() {
    Fixture f;
    clickEntry(f.bar.scalePicker(), QStringLiteral("custom"));
    auto* field = qobject_cast<NumberField*>(f.bar.parameterField("c"));
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("-0.31"));
    QCOMPARE(f.spec().scale.parameters.real("c"), -0.31);
    QCOMPARE(field->text(), QStringLiteral("-0.31"));
}

void TestMechanismBar::editsVariantParameters() {
    Fixture f("multi_head");
    QTest::keyClick(f.bar.parameterField("num_heads"), Qt::Key_Down);
    QCOMPARE(f.spec().parameters.integer("num_heads"), 1);
    QTest::mouseClick(f.bar.moreButton(), Qt::LeftButton);
    auto* bias = f.bar.parameterField("add_bias_kv");
    QVERIFY(bias->isVisible());
    QTest::keyClick(bias, Qt::Key_Space);
    QVERIFY(f.spec().parameters.boolean("add_bias_kv"));
    // The inputs of the choice are made.
    QVERIFY(f.document.problem().tensors.contains("bias_k"));
    QCOMPARE(f.document.undoStack()->undoText(), QStringLiteral("Change Add a learned key (bias_k)"));
}

void TestMechanismBar::showsFewParametersInTheRow() {
    for (const auto& each : mechanisms()) {
        Fixture f(std::string(each.id).c_str());
        const auto aside = std::ranges::count(each.parameters, true, &Parameter::aside);
        const auto others = std::ssize(each.parameters) - aside;
        // Behind it are normaliser and decay, too, if the mechanism can have them.
        QCOMPARE(f.bar.moreButton()->isVisible(), aside > 0 || others > 3 || !refusal_of_normaliser(each));
        if (others > 0)
            QVERIFY(f.bar.parameterField(each.parameters.front().name)->isVisible());
        for (const auto& parameter : each.parameters)
            if (parameter.aside)
                QVERIFY(!f.bar.parameterField(parameter.name)->isVisible());
    }
}

void TestMechanismBar::hidesParametersOfAnotherChoice() {
    Fixture f("paged");
    const auto* size = f.bar.findChild<QWidget*>(QStringLiteral("page_size"));
    const auto* length = f.bar.findChild<QWidget*>(QStringLiteral("length"));
    QVERIFY(size && length);
    QVERIFY(!size->isHidden());
    QVERIFY(length->isHidden());
    auto spec = f.spec();
    spec.parameters.set("mode", std::string("kv_cache"));
    f.document.setSpecCompletingInputs(spec, QStringLiteral("cache"));
    QVERIFY(size->isHidden());
    QVERIFY(!length->isHidden());
}

void TestMechanismBar::afterSoftmaxNeedsAFactor_data() {
    QTest::addColumn<QString>("id");
    for (const auto& mode : scale_modes())
        QTest::addRow("%s", std::string(mode.id).c_str()) << textOf(mode.id);
}

void TestMechanismBar::afterSoftmaxNeedsAFactor() {
    QFETCH(QString, id);
    Fixture f;
    clickEntry(f.bar.scalePicker(), id);
    const bool has_factor = scale_mode(id.toStdString()).factor != nullptr;
    QCOMPARE(f.bar.afterSoftmax()->isEnabled(), has_factor);
    QTest::keyClick(f.bar.afterSoftmax(), Qt::Key_Space);
    QCOMPARE(f.spec().scale_after_softmax, has_factor);
}

void TestMechanismBar::leavesAfterSoftmaxWithTheFactor() {
    Fixture f;
    QTest::keyClick(f.bar.afterSoftmax(), Qt::Key_Space);
    QVERIFY(f.spec().scale_after_softmax);
    clickEntry(f.bar.scalePicker(), QStringLiteral("score_norm"));
    QVERIFY(!f.spec().scale_after_softmax);
    QVERIFY(!f.bar.afterSoftmax()->isChecked());
    f.document.undoStack()->undo();
    QVERIFY(f.bar.afterSoftmax()->isChecked());
    QVERIFY(f.bar.afterSoftmax()->isEnabled());
    f.document.undoStack()->undo();
    QVERIFY(!f.bar.afterSoftmax()->isChecked());
}

void TestMechanismBar::undoOfATypedRunIsOneStep() {
    Fixture f;
    clickEntry(f.bar.scalePicker(), QStringLiteral("temperature"));
    auto* field = qobject_cast<NumberField*>(f.bar.parameterField("t"));
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("2.75"));
    QCOMPARE(f.spec().scale.parameters.real("t"), 2.75);
    QCOMPARE(f.document.undoStack()->count(), 2);
    f.document.undoStack()->undo();
    QCOMPARE(effective_scale(f.spec()).parameters.real("t"), 1.0);
    QCOMPARE(field->text(), QStringLiteral("1"));
}

void TestMechanismBar::survivesUnknownIds() {
    Fixture f;
    auto problem = f.document.problem();
    problem.spec.scale.id = "tomorrow";
    f.document.reset(problem);
    QCOMPARE(f.bar.scalePicker()->currentTitle(), QStringLiteral("tomorrow"));
    QVERIFY(!f.bar.afterSoftmax()->isEnabled());
    problem.spec.variant = "tomorrow";
    f.document.reset(problem);
    QCOMPARE(f.bar.variantPicker()->currentTitle(), QStringLiteral("tomorrow"));
    clickEntry(f.bar.variantPicker(), QStringLiteral("self"));
    QCOMPARE(f.spec().variant, std::string("self"));
}

void TestMechanismBar::speaksAnotherLanguage() {
    struct Marking : QTranslator {
        QString translate(const char*, const char* text, const char*, int) const override {
            return QStringLiteral("«%1»").arg(QString::fromUtf8(text));
        }
        bool isEmpty() const override { return false; }
    } other;
    const QString title = Fixture("grouped_query").bar.variantPicker()->currentTitle();
    QVERIFY(QCoreApplication::installTranslator(&other));
    Fixture f("grouped_query");
    QCOMPARE(f.bar.variantPicker()->currentTitle(), QStringLiteral("«%1»").arg(title));
    QVERIFY(f.bar.variantPicker()->text().startsWith(QStringLiteral("«Mechanism»")));
    QCOMPARE(entry(f.bar.scalePicker(), QStringLiteral("dk")).data().toString(), QStringLiteral("«1/d»"));
    QVERIFY(f.bar.afterSoftmax()->text().startsWith(QChar(0xab)));
    QVERIFY(f.bar.parameterField("num_heads")->accessibleName().startsWith(QChar(0xab)));
    QVERIFY(f.bar.parameterField("num_heads")->toolTip().startsWith(QChar(0xab)));
    QCoreApplication::removeTranslator(&other);
}

void TestMechanismBar::fitsTheWindow_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("width");
    for (const auto& each : mechanisms())
        for (const auto& mode : scale_modes())
            for (const char* position : {"", "t5"})
                for (const int width : {900, 1280})
                    QTest::addRow("%s %s %s %d", std::string(each.id).c_str(), std::string(mode.id).c_str(), position,
                                  width)
                        << textOf(each.id) << textOf(mode.id) << position << width;
}

void TestMechanismBar::fitsTheWindow() {
    QFETCH(QString, variant);
    QFETCH(QString, scale);
    QFETCH(QString, position);
    QFETCH(int, width);
    Fixture f;
    auto problem = problemOf(variant.toUtf8().constData());
    problem.spec.scale.id = scale.toStdString();
    problem.spec.position.id = position.toStdString();
    f.document.reset(problem);
    f.bar.resize(width, f.bar.height());
    QTest::qWait(0);
    QVERIFY2(f.bar.minimumSizeHint().width() <= width, qPrintable(QString::number(f.bar.minimumSizeHint().width())));
    if (width == 1280 && position.isEmpty() && scale == "sqrt_dk") // whole titles
        for (const auto* picker : f.bar.findChildren<Picker*>())
            if (!picker->isHidden())
                QVERIFY2(!picker->shownTitle().endsWith(QChar(0x2026)), qPrintable(picker->shownTitle()));
    // Nothing overlaps or exceeds the row.
    QRect before;
    for (int i = 0; i < f.bar.layout()->count(); ++i) {
        const auto* item = f.bar.layout()->itemAt(i);
        if (item->isEmpty() || !item->widget())
            continue;
        QVERIFY(item->geometry().left() > before.right());
        QVERIFY(item->geometry().width() >= item->minimumSize().width());
        before = item->geometry();
    }
    for (const auto* label : f.bar.findChildren<QLabel*>())
        QVERIFY2(!label->isVisible() || label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    QVERIFY(before.right() < width);
    // The fields move between row and popup: the order of Tab stays complete.
    for (auto* widget : f.bar.findChildren<QWidget*>())
        QCOMPARE(widget->nextInFocusChain()->previousInFocusChain(), widget);
    // Every parameter is accessible.
    for (const auto& parameter : attnlab::mechanism_of(variant.toStdString()).parameters) {
        auto* field = f.bar.parameterField(parameter.name);
        QVERIFY(field->isVisible() || f.bar.moreButton()->isVisible());
    }
}

ATTNLAB_TEST(TestMechanismBar)
#include "test_mechanism_bar.moc"
