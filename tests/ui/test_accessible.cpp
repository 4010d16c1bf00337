#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

QAccessibleInterface* interfaceOf(QWidget& widget) { return QAccessible::queryAccessibleInterface(&widget); }

void act(QWidget& widget) {
    auto* actions = interfaceOf(widget)->actionInterface();
    actions->doAction(actions->actionNames().value(0));
    QCoreApplication::processEvents();
}

MatrixData matrixOf(double corner) {
    MatrixData data;
    data.values = Tensor({2, 2}, corner);
    data.row_labels = data.column_labels = {"fox", "dog"};
    return data;
}

} // namespace

class TestAccessible : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { installAccessibility(); }

    /// As a click does: not only toggled, and only where it is enabled.
    void aScreenReaderClicksButtons() {
        QWidget parent;
        QToolButton first(&parent), second(&parent), plain(&parent);
        for (auto* button : {&first, &second}) {
            button->setCheckable(true);
            button->setAutoExclusive(true);
        }
        first.setChecked(true);
        second.setText("&Second");
        QSignalSpy clicked(&second, &QToolButton::clicked), pressed(&plain, &QToolButton::clicked);
        QCOMPARE(interfaceOf(second)->role(), QAccessible::RadioButton);
        QCOMPARE(interfaceOf(second)->text(QAccessible::Name), "Second");
        QVERIFY(interfaceOf(first)->state().checked && !interfaceOf(second)->state().checked);
        act(second);
        QCOMPARE(clicked.count(), 1);
        QVERIFY(second.isChecked() && !first.isChecked());
        QVERIFY(interfaceOf(second)->state().checked);
        QCOMPARE(interfaceOf(plain)->role(), QAccessible::PushButton);
        act(plain);
        QCOMPARE(pressed.count(), 1);
        plain.setEnabled(false);
        act(plain);
        QCOMPARE(pressed.count(), 1);
    }

    void aButtonWithAMenuShowsIt() {
        QToolButton button;
        QMenu menu;
        button.setMenu(&menu);
        QVERIFY(interfaceOf(button)->actionInterface()->actionNames().contains(
            QAccessibleActionInterface::showMenuAction()));
    }

    /// The name says what it is, the description the cell of the keyboard or the pinned one, also when the numbers
    /// change.
    void aHeatmapTellsItsCell() {
        HeatmapView view;
        view.resize(300, 300);
        view.setMatrix(matrixOf(0.25), {});
        view.setCaption("weights");
        QCOMPARE(interfaceOf(view)->role(), QAccessible::Chart);
        QCOMPARE(view.accessibleName(), "weights: Heatmap, 2 rows, 2 columns");
        QVERIFY(view.accessibleDescription().isEmpty());
        view.setPinned(Cell{1, 0});
        QVERIFY2(view.accessibleDescription().contains("0.25"), qPrintable(view.accessibleDescription()));
        view.setMatrix(matrixOf(0.75), {});
        QVERIFY2(view.accessibleDescription().contains("0.75"), qPrintable(view.accessibleDescription()));
        view.setPinned(std::nullopt);
        QVERIFY(view.accessibleDescription().isEmpty());
    }
};

ATTNLAB_TEST(TestAccessible)
#include "test_accessible.moc"
