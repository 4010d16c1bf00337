// Choosing a mechanism, a scale and a position.
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
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTranslator>

using namespace attnlab;
using namespace attnlab::ui;

class TestMechanismPickers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QLocale::setDefault(QLocale::c());
    }

    void listsEveryVariantAndScale();
    void picksEveryVariant_data();
    void picksEveryVariant();
    void picksEveryScaleByKeyboard_data();
    void picksEveryScaleByKeyboard();
    void picksEveryPositionByKeyboard_data();
    void picksEveryPositionByKeyboard();
    void refusedEntriesSayWhy();
    void offersWhatTheVariantTakes_data();
    void offersWhatTheVariantTakes();
    void typingFindsAnEntry();
    void escapeChangesNothing();
};

void TestMechanismPickers::listsEveryVariantAndScale() {
    Fixture f;
    for (const auto& each : mechanisms())
        QVERIFY2(entry(f.bar.variantPicker(), textOf(each.id)).isValid(), std::string(each.id).c_str());
    int badges = 0;
    for (const auto& mode : scale_modes()) {
        const auto index = entry(f.bar.scalePicker(), textOf(mode.id));
        QVERIFY2(index.isValid(), std::string(mode.id).c_str());
        badges += !index.data(Qt::UserRole + 2).toString().isEmpty();
    }
    QCOMPARE(badges, 1);
    // Families are headings that cannot be picked.
    const auto* model = f.bar.variantPicker()->list()->view()->model();
    QVERIFY(model->rowCount() > static_cast<int>(mechanisms().size()));
    QVERIFY(!(model->index(0, 0).flags() & Qt::ItemIsSelectable));
}

void TestMechanismPickers::picksEveryVariant_data() {
    QTest::addColumn<QString>("id");
    for (const auto& each : mechanisms())
        QTest::addRow("%s", std::string(each.id).c_str()) << textOf(each.id);
}

void TestMechanismPickers::picksEveryVariant() {
    QFETCH(QString, id);
    Fixture f(id == QLatin1String("self") ? "cross" : "self");
    clickEntry(f.bar.variantPicker(), id);
    QCOMPARE(QString::fromStdString(f.spec().variant), id);
    QCOMPARE(f.bar.variantPicker()->current(), id);
    QCOMPARE(f.document.undoStack()->count(), 1);
    for (const auto& parameter : mechanism_of(id.toStdString()).parameters)
        QVERIFY2(f.bar.parameterField(parameter.name), std::string(parameter.name).c_str());
    for (const auto& input : inputs_of(f.spec()))
        QVERIFY2(!input.required || f.document.problem().tensors.contains(input.name), std::string(input.name).c_str());
}

void TestMechanismPickers::picksEveryScaleByKeyboard_data() {
    QTest::addColumn<QString>("id");
    for (const auto& mode : scale_modes())
        QTest::addRow("%s", std::string(mode.id).c_str()) << textOf(mode.id);
}

void TestMechanismPickers::picksEveryScaleByKeyboard() {
    QFETCH(QString, id);
    Fixture f;
    auto* picker = f.bar.scalePicker();
    QTest::keyClick(picker, Qt::Key_Down);
    auto* view = picker->list()->view();
    QVERIFY(view->isVisible());
    const int steps = entry(picker, id).row() - view->currentIndex().row();
    for (int i = 0; i < std::abs(steps); ++i)
        QTest::keyClick(view, steps > 0 ? Qt::Key_Down : Qt::Key_Up);
    QTest::keyClick(view, Qt::Key_Return);
    QVERIFY(!view->isVisible());
    QCOMPARE(textOf(effective_scale(f.spec()).id), id);
    QCOMPARE(picker->current(), id);
    // Choosing the default means following it.
    QCOMPARE(f.spec().scale.id.empty(), id == textOf(mechanism_of(f.spec().variant).default_scale));
    for (const auto& parameter : scale_mode(id.toStdString()).parameters)
        QVERIFY(f.bar.parameterField(parameter.name)->isVisible());
}

void TestMechanismPickers::picksEveryPositionByKeyboard_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("none") << "none";
    for (const auto& term : position_terms())
        QTest::addRow("%s", std::string(term.id).c_str()) << textOf(term.id);
}

void TestMechanismPickers::picksEveryPositionByKeyboard() {
    QFETCH(QString, id);
    Fixture f;
    auto* picker = f.bar.positionPicker();
    QCOMPARE(picker->current(), QStringLiteral("none"));
    QTest::keyClick(picker, Qt::Key_Down);
    auto* view = picker->list()->view();
    QVERIFY(view->isVisible());
    for (int row = view->currentIndex().row(); row < entry(picker, id).row(); ++row)
        QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Return);
    QVERIFY(!view->isVisible());
    QCOMPARE(picker->current(), id);
    if (id == QLatin1String("none")) {
        QCOMPARE(f.document.undoStack()->count(), 0);
        return;
    }
    QCOMPARE(QString::fromStdString(f.spec().position.id), id);
    // Its inputs and parameters are available at once.
    QVERIFY(issues_in(f.document.problem()).empty());
    for (const auto& parameter : position_term(id.toStdString()).parameters)
        QVERIFY(f.bar.parameterField(parameter.name));
    clickEntry(picker, QStringLiteral("none"));
    QCOMPARE(f.spec().position, Selection{});
    QVERIFY(!f.bar.parameterField("query_offset"));
    f.document.undoStack()->undo();
    QCOMPARE(picker->current(), id);
}

void TestMechanismPickers::refusedEntriesSayWhy() {
    Picker picker;
    picker.setItems({{.id = QStringLiteral("a"), .title = QStringLiteral("Able"), .help = QStringLiteral("can")},
                     {.id = QStringLiteral("b"),
                      .title = QStringLiteral("Barred"),
                      .help = QStringLiteral("could"),
                      .refusal = QStringLiteral("cannot, because")}});
    picker.setCurrent(QStringLiteral("a"));
    picker.show();
    QSignalSpy picked(&picker, &Picker::picked);
    picker.openList();
    auto* view = picker.list()->view();
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(view->currentIndex().data(Qt::AccessibleDescriptionRole).toString(), QStringLiteral("cannot, because"));
    QVERIFY(view->currentIndex().data(Qt::ToolTipRole).toString().contains(QStringLiteral("because")));
    QTest::keyClick(view, Qt::Key_Return);
    QVERIFY(view->isVisible());
    QCOMPARE(picked.count(), 0);
    QTest::keyClick(view, Qt::Key_Up);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(picked.count(), 1);
    picker.setRefusal(QStringLiteral("not here"));
    QVERIFY(!picker.isEnabled());
    QVERIFY(picker.toolTip().contains(QStringLiteral("not here")));
    picker.setRefusal({});
    QVERIFY(picker.isEnabled());
    QVERIFY(picker.toolTip().contains(QStringLiteral("can")));
}

void TestMechanismPickers::offersWhatTheVariantTakes_data() { picksEveryVariant_data(); }

void TestMechanismPickers::offersWhatTheVariantTakes() {
    QFETCH(QString, id);
    const auto& refuses = mechanism_of(id.toStdString()).refuses;
    Fixture f(id == QLatin1String("scaled_dot_product") ? "self" : "scaled_dot_product");
    auto spec = f.spec();
    spec.position = {"alibi", {}};
    spec.scale = {"softcap", {}};
    spec.masks = {{"causal", {}}};
    f.document.setSpec(spec, QStringLiteral("test"));
    clickEntry(f.bar.variantPicker(), id);
    // A choice does not end in an error.
    const auto issues = issues_in(f.document.problem());
    QVERIFY2(issues.empty(), issues.empty() ? "" : issues.front().english().c_str());
    QCOMPARE(f.spec().position.id.empty(), refuses.position != nullptr);
    QCOMPARE(f.spec().scale.id.empty(), refuses.scale_of_many_factors != nullptr);
    QCOMPARE(f.spec().masks.empty(), refusal_of_mask(mechanism_of(id.toStdString()), "causal") != nullptr);
    QCOMPARE(f.bar.positionPicker()->isEnabled(), refuses.position == nullptr);
    const auto softcap = entry(f.bar.scalePicker(), QStringLiteral("softcap"));
    QCOMPARE(softcap.data(Qt::ToolTipRole).toString().isEmpty(), refuses.scale_of_many_factors == nullptr);
    if (refuses.scale)
        return; // there is nothing more to pick
    clickEntry(f.bar.scalePicker(), QStringLiteral("dk"));
    QCOMPARE(f.bar.afterSoftmax()->isEnabled(), refuses.scale_after_softmax == nullptr);
    if (refuses.scale_after_softmax)
        QCOMPARE(f.bar.afterSoftmax()->toolTip(), QString::fromUtf8(refuses.scale_after_softmax));
    // A refused choice from a file can be removed.
    spec = f.spec();
    spec.position = {"alibi", {}};
    f.document.setSpec(spec, QStringLiteral("test"));
    QVERIFY(f.bar.positionPicker()->isEnabled());
    clickEntry(f.bar.positionPicker(), QStringLiteral("none"));
    QVERIFY(f.spec().position.id.empty());
}

void TestMechanismPickers::typingFindsAnEntry() {
    Fixture f;
    auto* picker = f.bar.scalePicker();
    QTest::keyClick(picker, Qt::Key_Space);
    QTest::keyClicks(picker->list()->view(), QStringLiteral("temp"));
    QTest::keyClick(picker->list()->view(), Qt::Key_Enter);
    QCOMPARE(f.spec().scale.id, std::string("temperature"));
}

void TestMechanismPickers::escapeChangesNothing() {
    Fixture f;
    QTest::keyClick(f.bar.variantPicker(), Qt::Key_Return);
    auto* view = f.bar.variantPicker()->list()->view();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!view->isVisible());
    QCOMPARE(f.document.undoStack()->count(), 0);
}

ATTNLAB_TEST(TestMechanismPickers)
#include "test_mechanism_pickers.moc"
