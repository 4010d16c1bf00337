#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
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
        QCOMPARE(interfaceOf(view)->role(), QAccessible::Table);
        QCOMPARE(view.accessibleName(), "weights: Heatmap, 2 rows, 2 columns");
        QVERIFY(view.accessibleDescription().isEmpty());
        view.setPinned(Cell{1, 0});
        QVERIFY2(view.accessibleDescription().contains("0.25"), qPrintable(view.accessibleDescription()));
        view.setMatrix(matrixOf(0.75), {});
        QVERIFY2(view.accessibleDescription().contains("0.75"), qPrintable(view.accessibleDescription()));
        view.setPinned(std::nullopt);
        QVERIFY(view.accessibleDescription().isEmpty());
    }

    void cellsHaveNamesOfRowsAndColumns() {
        HeatmapView view;
        view.resize(300, 300);
        QCOMPARE(interfaceOf(view)->role(), QAccessible::Chart); // there is no table yet
        QVERIFY(!interfaceOf(view)->tableInterface());
        view.setMatrix(matrixOf(0.25), {});
        auto* table = interfaceOf(view)->tableInterface();
        QVERIFY(table);
        QCOMPARE(QSize(table->columnCount(), table->rowCount()), QSize(2, 2));
        QCOMPARE(table->rowDescription(0), "fox");
        QCOMPARE(table->columnDescription(1), "dog");
        auto* cell = table->cellAt(0, 1);
        QCOMPARE(cell->text(QAccessible::Name), "fox → dog: 0.25");
        QCOMPARE(interfaceOf(view)->child(1), cell);
        QCOMPARE(interfaceOf(view)->indexOfChild(cell), 1);
        QVERIFY(!table->cellAt(2, 0) && !table->cellAt(0, -1) && !interfaceOf(view)->child(4));
        QSignalSpy clicked(&view, &HeatmapView::cellClicked);
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCoreApplication::processEvents();
        QCOMPARE(clicked.count(), 1);
        // What no longer exists says so instead of something wrong.
        MatrixData smaller;
        smaller.values = Tensor({1, 1}, 3.0);
        view.setMatrix(smaller, {});
        QVERIFY(!cell->isValid());
        QCOMPARE(cell->text(QAccessible::Name), "");
        QCOMPARE(table->cellAt(0, 0)->text(QAccessible::Name), "0 → 0: 3");
    }

    void aListSaysWhatItIsForAndWhatIsChosen() {
        QComboBox list;
        list.addItems({"by number", "by entropy"});
        QCOMPARE(interfaceOf(list)->text(QAccessible::Name), "by number");
        list.setAccessibleName("Order of the heads");
        QCOMPARE(interfaceOf(list)->text(QAccessible::Name), "Order of the heads: by number");
        list.setCurrentIndex(1);
        QCOMPARE(interfaceOf(list)->text(QAccessible::Name), "Order of the heads: by entropy");
        QCOMPARE(interfaceOf(list)->text(QAccessible::Value), "by entropy");
        list.setEditable(true);
        QCOMPARE(interfaceOf(list)->child(1)->text(QAccessible::Name), "Order of the heads");
    }

    void tabsHaveANameTogetherAndOneIsSelected() {
        SegmentSwitch tabs;
        tabs.addTab("Weights");
        tabs.addTab("Lines");
        tabs.setAccessibleName("How this head is shown");
        tabs.setTabToolTip(1, "Lines\nfrom token to token");
        auto* all = interfaceOf(tabs);
        QCOMPARE(all->text(QAccessible::Name), "How this head is shown");
        QCOMPARE(all->childCount(), 2);
        QCOMPARE(all->child(1)->text(QAccessible::Name), "Lines");
        QCOMPARE(all->child(1)->text(QAccessible::Description), "from token to token");
        QVERIFY(all->child(0)->state().selected && !all->child(0)->state().focused);
        all->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(tabs.currentIndex(), 1);
        QVERIFY(all->child(1)->state().selected);
        tabs.removeTab(1);
        QCOMPARE(all->childCount(), 1);
    }

    void nothingIsSaidTwice_data() {
        QTest::addColumn<QString>("tip");
        QTest::addColumn<QString>("said");
        QTest::newRow("the name") << "Open"
                                  << "";
        QTest::newRow("the name and a key") << "Open (Ctrl+O)"
                                            << "(Ctrl+O)";
        QTest::newRow("the name and more") << "Open\nfrom a file"
                                           << "from a file";
        QTest::newRow("another word") << "Opens a file"
                                      << "Opens a file";
    }
    void nothingIsSaidTwice() {
        QFETCH(QString, tip);
        QFETCH(QString, said);
        QToolButton button;
        button.setText("Open");
        button.setToolTip(tip);
        QCOMPARE(interfaceOf(button)->text(QAccessible::Description), said);
        Label label("Open");
        label.setToolTip(tip);
        QCOMPARE(interfaceOf(label)->text(QAccessible::Description), said);
    }

    void whatUnfoldsSaysSo() {
        QToolButton button;
        QVERIFY(!interfaceOf(button)->state().expandable);
        setAccessibleExpanded(button, false);
        QVERIFY(interfaceOf(button)->state().expandable && interfaceOf(button)->state().collapsed);
        setAccessibleExpanded(button, true);
        QVERIFY(interfaceOf(button)->state().expanded);
    }
};

ATTNLAB_TEST(TestAccessible)
#include "test_accessible.moc"
