// The tray of the scale, and numbers that are changed by dragging.
#include "compare_window.h"
#include "tests/test_main.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/tool_tray.h"

#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

using namespace attnlab;
using namespace attnlab::ui;

class TestScaleTray : public QObject, protected CompareFixture {
    Q_OBJECT

    ToolTray* tray() { return window_->mechanismBar()->tray(MechanismBar::Tray::Scale); }
    ScaleSlider* scale() { return tray()->findChild<ScaleSlider*>(); }
    LogSlider& slider() { return *scale()->slider(); }
    OperatorButton* button() { return window_->stageStrip()->scaleButton(); }
    QUndoStack& steps() { return *window_->document().undoStack(); }
    void open() {
        QVERIFY(button()->isVisible());
        QTest::mouseClick(button(), Qt::LeftButton);
        QVERIFY(tray()->isVisible());
    }
    /// Presses at the handle, moves there by small steps, and leaves the button down.
    void dragTo(double x, Qt::KeyboardModifiers keys = {}) {
        QWidget* widget = &slider();
        const double y = widget->height() - 12.0;
        const double from = slider().xOf(slider().number());
        if (!slider().isSliderDown())
            QTest::mousePress(widget, Qt::LeftButton, keys, QPointF(from, y).toPoint());
        for (int i = 1; i <= 4; ++i)
            move(widget, QPointF(from + (x - from) * i / 4.0, y), keys);
    }
    static void move(QWidget* widget, const QPointF& at, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(widget, &event);
    }
    void release() { QTest::mouseRelease(&slider(), Qt::LeftButton); }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void marksAreOneRootWidthAndSquare() {
        open();
        QStringList texts;
        std::vector<double> numbers;
        for (const auto& mark : slider().marks()) {
            texts << mark.text;
            numbers.push_back(mark.number);
        }
        QCOMPARE(texts, QStringList({"1", "√d", "d", "d²"}));
        QCOMPARE(numbers, (std::vector<double>{1, 2, 4, 16}));
        QCOMPARE(slider().number(), 2.0);
        QCOMPARE(scale()->words(), QString("÷ 2"));
        // A logarithmic axis: equal factors are equally far.
        QVERIFY(std::abs((slider().xOf(4.0) - slider().xOf(2.0)) - (slider().xOf(2.0) - slider().xOf(1.0))) < 1.0);
    }

    /// Nothing beside the slider moves it, however long its text is.
    void ticksStayWhileItIsDragged() {
        open();
        const auto places = [this] {
            std::vector<double> all;
            for (const auto& mark : slider().marks())
                all.push_back(slider().xOf(mark.number));
            return all;
        };
        const auto before = places();
        const QSize size = tray()->size();
        for (const double number : {2.9, 4.0, 16.0, 1.0}) {
            dragTo(slider().xOf(number));
            QCoreApplication::processEvents();
            QCOMPARE(tray()->size(), size);
            QCOMPARE(places(), before);
        }
        release();
    }

    void named_data() {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("scale");
        QTest::newRow("1") << 1.0 << "none";
        QTest::newRow("root, the default") << 2.0 << "";
        QTest::newRow("width") << 4.0 << "dk";
        QTest::newRow("square") << 16.0 << "temperature";
    }
    /// A drag to a mark chooses the scale of that name.
    void named() {
        QFETCH(double, number);
        QFETCH(QString, scale);
        auto other = problem();
        other.spec.scale = {"temperature", {}};
        other.spec.scale.parameters.set("t", 3.0);
        edit(other);
        open();
        QCOMPARE(slider().number(), 3.0);
        dragTo(slider().xOf(number) + 3.0);
        release();
        QCOMPARE(problem().spec.scale.id, scale.toStdString());
        if (scale == "temperature")
            QCOMPARE(problem().spec.scale.parameters.real("t"), number);
        settle();
        const Trace& trace = window_->computed()->trace;
        QVERIFY(std::abs(trace.find("scaled")->value.at({0, 0, 1, 2}) * number -
                         trace.find("scores")->value.at({0, 0, 1, 2})) < 1e-12);
    }

    /// The picture follows while the mouse is down, in the colours from before; the whole drag is one step.
    void aDragIsOneStepAndIsSeen() {
        const double before = weight(window_->computed()->trace, 0, 1, 2);
        const double high = window_->matrixPage()->heatmap()->colorScale().high;
        const int count = steps().count();
        open();
        dragTo(slider().xOf(9.0));
        QVERIFY(slider().isSliderDown());
        settle();
        const double during = weight(window_->computed()->trace, 0, 1, 2);
        QVERIFY(during != before);
        QCOMPARE(window_->matrixPage()->heatmap()->colorScale().high, high);
        dragTo(slider().xOf(13.0));
        release();
        settle();
        QCOMPARE(steps().count(), count + 1);
        QVERIFY(steps().undoText().startsWith("Divide scores by"));
        QVERIFY(problem().spec.scale.parameters.real("t") > 12.0);
        steps().undo();
        settle();
        QVERIFY(problem().spec.scale.id.empty());
        QCOMPARE(slider().number(), 2.0); // an open tray follows
        QCOMPARE(weight(window_->computed()->trace, 0, 1, 2), before);
    }

    void aDragThatComesBackLeavesNoStep() {
        const int count = steps().count();
        open();
        dragTo(slider().xOf(9.0));
        dragTo(slider().xOf(2.0));
        release();
        QCOMPARE(steps().count(), count);
        QVERIFY(problem().spec.scale.id.empty());
    }

    void escapeBringsBackWhatWas() {
        const int count = steps().count();
        open();
        dragTo(slider().xOf(9.0));
        QTest::keyClick(&slider(), Qt::Key_Escape);
        QVERIFY(tray()->isVisible());
        QVERIFY(problem().spec.scale.id.empty());
        QCOMPARE(slider().number(), 2.0);
        move(&slider(), QPointF(slider().xOf(12.0), 20.0));
        QVERIFY(problem().spec.scale.id.empty()); // the drag is over
        QCOMPARE(steps().count(), count);
        QTest::keyClick(&slider(), Qt::Key_Escape);
        QVERIFY(!tray()->isVisible());
    }

    void keys() {
        const int count = steps().count();
        button()->setFocus();
        QTest::keyClick(button(), Qt::Key_Space);
        QVERIFY(tray()->isVisible());
        QTest::keyClick(&slider(), Qt::Key_Right);
        const double one = slider().number();
        QVERIFY(one > 2.0 && one < 2.2);
        QCOMPARE(problem().spec.scale.id, std::string("temperature"));
        QTest::keyClick(&slider(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY(slider().number() > one && slider().number() < 1.02 * one);
        QTest::keyClick(&slider(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(slider().number() > 1.2 * one);
        QTest::keyClick(&slider(), Qt::Key_End);
        QCOMPARE(slider().number(), 16.0);
        QTest::keyClick(&slider(), Qt::Key_Home);
        QCOMPARE(problem().spec.scale.id, std::string("none"));
        QCOMPARE(steps().count(), count + 1); // a run of keys is one step
        for (int i = 0; i < 25; ++i)
            QTest::keyClick(&slider(), Qt::Key_Right);
        QCOMPARE(slider().number(), 2.0); // steps meet the marks
        QVERIFY(problem().spec.scale.id.empty());
        QCOMPARE(steps().count(), count);
        QVERIFY2(slider().accessibleName().contains("2"), qPrintable(slider().accessibleName()));
    }

    void otherNumbers_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<double>("value");
        QTest::newRow("soft cap") << "softcap" << 50.0;
        QTest::newRow("cosine") << "pre_norm" << 1.0;
        QTest::newRow("gain") << "qk_norm" << 1.0;
        QTest::newRow("log n") << "log_n" << 512.0;
    }
    /// The number of a scale that is no plain divisor.
    void otherNumbers() {
        QFETCH(QString, scale);
        QFETCH(double, value);
        auto next = problem();
        next.spec.scale = {scale.toStdString(), {}};
        edit(next);
        open();
        QCOMPARE(slider().number(), value);
        dragTo(slider().xOf(10.0 * value));
        release();
        QCOMPARE(problem().spec.scale.id, scale.toStdString());
        QCOMPARE(problem().spec.scale.parameters.all().begin()->second, ParameterValue(10.0 * value));
        settle();
        QVERIFY(window_->computed()->trace.find("scaled"));
    }

    void noNumber_data() {
        QTest::addColumn<QString>("scale");
        QTest::newRow("a norm") << "score_norm";
        QTest::newRow("a factor below 0") << "custom";
    }
    /// Where there is no number to move, the tray has the list of scales alone.
    void noNumber() {
        QFETCH(QString, scale);
        auto next = problem();
        next.spec.scale = {scale.toStdString(), {}};
        if (scale == "custom")
            next.spec.scale.parameters.set("c", -1.0);
        edit(next);
        QTest::mouseClick(button(), Qt::LeftButton);
        QVERIFY(tray()->isVisible() && !this->scale()->isVisible());
        QVERIFY(window_->mechanismBar()->scalePicker()->isVisible());
        emit window_->mechanismBar()->scalePicker()->picked("dk"); // has a number
        QTRY_VERIFY(this->scale()->isVisible());
        QCOMPARE(slider().number(), 4.0);
    }

    /// A click outside closes the tray, and chooses the stage that it hits; one on the button only closes.
    void aClickOutsideActsToo() {
        open();
        QCOMPARE(window_->viewState().stage(), QStringLiteral("weights"));
        QTest::mouseClick(window_->stageStrip()->tile(QStringLiteral("scores")), Qt::LeftButton);
        QCOMPARE(window_->viewState().stage(), QStringLiteral("scores"));
        QVERIFY(!tray()->isVisible());
        open();
        QTest::mouseClick(button(), Qt::LeftButton);
        QVERIFY(!tray()->isVisible());
    }

    void theTrayHasTheListToo() {
        open();
        auto* picker = window_->mechanismBar()->scalePicker();
        QVERIFY(picker->isVisible() && tray()->isAncestorOf(picker));
        QTest::mouseClick(picker, Qt::LeftButton);
        QVERIFY(picker->list()->isVisible() && tray()->isVisible());
        picker->list()->close();
        emit picker->picked("softcap"); // another kind of number
        QCOMPARE(slider().number(), 50.0);
    }

    void dragged_data() {
        QTest::addColumn<double>("start");
        QTest::addColumn<double>("steps");
        QTest::addColumn<bool>("is_whole");
        QTest::addColumn<double>("result");
        QTest::newRow("tenths") << 2.81 << 3.0 << false << 3.11;
        QTest::newRow("fine") << 2.81 << 0.1 << false << 2.82;
        QTest::newRow("down through 0") << 0.3 << -40.0 << false << -0.1;
        QTest::newRow("from 0") << 0.0 << 5.0 << false << 0.5;
        QTest::newRow("hundreds") << 250.0 << 2.0 << false << 270.0;
        QTest::newRow("whole") << 7.0 << 2.9 << true << 9.0;
        QTest::newRow("infinite") << double{-INFINITY} << 2.0 << false << double{-INFINITY};
    }
    void dragged() {
        QFETCH(double, start);
        QFETCH(double, steps);
        QFETCH(bool, is_whole);
        QFETCH(double, result);
        QCOMPARE(draggedNumber(start, steps, is_whole), result);
    }

    void cells_data() {
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::addColumn<double>("change");
        QTest::newRow("plain") << Qt::KeyboardModifiers() << 1.0;
        QTest::newRow("Shift") << Qt::KeyboardModifiers(Qt::ShiftModifier) << 10.0;
        QTest::newRow("Alt") << Qt::KeyboardModifiers(Qt::AltModifier) << 0.1;
    }
    /// A drag over the number of the selected cell changes it, as one undo step; Escape brings it back.
    void cells() {
        QFETCH(Qt::KeyboardModifiers, keys);
        QFETCH(double, change);
        auto* table = window_->inputs()->table();
        auto next = problem();
        next.tensors["query"].set({0, 0, 1, 1}, 2.5);
        edit(next);
        const QModelIndex index = table->model()->index(1, 1);
        table->setCurrentIndex(index);
        const auto value = [&] { return problem().tensors.at("query").at({0, 0, 1, 1}); };
        QCOMPARE(value(), 2.5);
        const QPoint at = table->visualRect(index).center();
        const int count = steps().count();
        QWidget* area = table->viewport();
        QTest::mousePress(area, Qt::LeftButton, {}, at);
        for (int x = 4; x <= 40; x += 4)
            move(area, QPointF(at.x() + x, at.y()), keys);
        settle();
        QVERIFY2(std::abs(value() - 2.5 - change) < 1e-9, qPrintable(QString::number(value())));
        QTest::mouseRelease(area, Qt::LeftButton, keys, at + QPoint(40, 0));
        QCOMPARE(steps().count(), count + 1);
        QCOMPARE(table->selectedRanges(), (CellRanges{{1, 1, 1, 1}})); // nothing else was selected
        steps().undo();
        QCOMPARE(value(), 2.5);
        QTest::mousePress(area, Qt::LeftButton, {}, at);
        move(area, QPointF(at.x() + 30, at.y()), keys);
        QVERIFY(value() != 2.5);
        QTest::keyClick(table, Qt::Key_Escape);
        QCOMPARE(value(), 2.5);
        QTest::mouseRelease(area, Qt::LeftButton, keys, at + QPoint(30, 0));
        QCOMPARE(steps().index(), count);
    }

    /// A drag from another cell, or up and down, selects as before.
    void otherDragsSelect() {
        auto* table = window_->inputs()->table();
        QWidget* area = table->viewport();
        const auto centre = [&](int row, int column) {
            return table->visualRect(table->model()->index(row, column)).center();
        };
        const auto before = problem();
        for (const auto& [from, to] : {std::pair(centre(3, 0), centre(3, 2)), std::pair(centre(1, 1), centre(3, 1))}) {
            table->setCurrentIndex(table->model()->index(1, 1));
            QTest::mousePress(area, Qt::LeftButton, {}, from);
            for (int i = 1; i <= 8; ++i)
                move(area, from + (to - from) * i / 8);
            QTest::mouseRelease(area, Qt::LeftButton, {}, to);
            QCOMPARE(table->selectionModel()->selectedIndexes().size(), 3);
        }
        QVERIFY(problem() == before);
    }

    /// The name of a number's field moves it.
    void labelsOfFields() {
        auto next = problem();
        next.spec.scale = {"temperature", {}};
        edit(next);
        window_->mechanismBar()->openTray(MechanismBar::Tray::Scale, *button());
        QTest::mouseClick(tray()->findChildren<RowButton*>().first(), Qt::LeftButton); // "More"
        auto* field = window_->mechanismBar()->parameterField("t");
        QVERIFY(field && field->isVisible());
        QLabel* label = nullptr;
        for (auto* one : field->parentWidget()->findChildren<QLabel*>())
            if (one->text().contains("temperature", Qt::CaseInsensitive))
                label = one;
        QVERIFY(label);
        QCOMPARE(label->cursor().shape(), Qt::ArrowCursor);
        const int count = steps().count();
        const QPoint at = label->rect().center();
        QTest::mousePress(label, Qt::LeftButton, {}, at);
        for (int x = 10; x <= 100; x += 10)
            move(label, QPointF(at.x() + x, at.y()));
        QTest::mouseRelease(label, Qt::LeftButton, {}, at + QPoint(100, 0));
        QCOMPARE(problem().spec.scale.parameters.real("t"), 10.0); // 25 steps of 4 pixels
        QCOMPARE(steps().count(), count + 1);
    }
};

ATTNLAB_TEST(TestScaleTray)
#include "test_scale_tray.moc"
