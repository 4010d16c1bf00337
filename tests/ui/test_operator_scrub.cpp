// Numbers of operations that are changed at their buttons in the row of stages.
#include "compare_window.h"
#include "tests/test_main.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/operator_scrub.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/widgets/tool_tray.h"

#include <QApplication>
#include <QSignalSpy>
#include <QUndoStack>

#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

class TestOperatorScrub : public QObject, protected CompareFixture {
    Q_OBJECT

    using Operator = StageStrip::Operator;

    OperatorButton* button(Operator which) { return window_->stageStrip()->button(which); }
    QUndoStack& steps() { return *window_->document().undoStack(); }
    double divisor() {
        const auto number = scaleNumberOf(problem().spec, 4, 5);
        return number ? number->value : 0.0;
    }
    static void move(QWidget* widget, const QPointF& at, Qt::KeyboardModifiers keys) {
        QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
        QCoreApplication::sendEvent(widget, &event);
    }
    /// Presses in the middle and goes to the side; the mouse button stays down.
    static void dragBy(QWidget* widget, double x, Qt::KeyboardModifiers keys = {}) {
        const QPoint from = widget->rect().center();
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 8; ++i)
            move(widget, from + QPointF(x * i / 8.0, 0.0), keys);
    }
    static void release(QWidget* widget, double x) {
        QTest::mouseRelease(widget, Qt::LeftButton, {}, widget->rect().center() + QPoint(static_cast<int>(x), 0));
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        begin();
        QVERIFY(button(Operator::Scale)->isVisible() && button(Operator::Weights)->isVisible());
    }
    void cleanup() { window_.reset(); }

    void dragged_data() {
        QTest::addColumn<StageStrip::Operator>("which");
        QTest::addColumn<double>("pixels");
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::addColumn<double>("divisor");
        QTest::addColumn<QString>("scale");
        const Qt::KeyboardModifiers none;
        const QString any = "temperature";
        QTest::newRow("right") << Operator::Scale << 40.0 << none << 5.02 << any;
        QTest::newRow("left") << Operator::Scale << -40.0 << none << 0.796 << any;
        QTest::newRow("Shift") << Operator::Scale << 16.0 << Qt::KeyboardModifiers(Qt::ShiftModifier) << 79.6 << any;
        QTest::newRow("Alt") << Operator::Scale << 80.0 << Qt::KeyboardModifiers(Qt::AltModifier) << 2.4 << any;
        QTest::newRow("to d, which has a name") << Operator::Scale << 30.0 << none << 4.0 << "dk";
        QTest::newRow("to 1") << Operator::Scale << -30.0 << none << 1.0 << "none";
        QTest::newRow("temperature of softmax") << Operator::Weights << 40.0 << none << 5.02 << any;
    }
    /// The picture follows, in the colours from before; the drag is one step, and opens nothing.
    void dragged() {
        QFETCH(StageStrip::Operator, which);
        QFETCH(double, pixels);
        QFETCH(Qt::KeyboardModifiers, keys);
        QWidget* pill = button(which);
        const QRect place = pill->geometry();
        const int count = steps().count();
        const double before = weight(window_->computed()->trace, 0, 1, 2);
        const double high = window_->matrixPage()->heatmap()->colorScale().high;
        dragBy(pill, pixels, keys);
        QVERIFY2(std::abs(divisor() - expected()) < 1e-9, qPrintable(QString::number(divisor())));
        settle();
        QVERIFY(weight(window_->computed()->trace, 0, 1, 2) != before);
        // Unless a weight is far beyond them.
        const auto& scale = window_->matrixPage()->heatmap()->colorScale();
        if (scale.data_high > 1.1 * high)
            QCOMPARE(scale.high, scale.data_high);
        else
            QCOMPARE(scale.high, high);
        QCOMPARE(pill->geometry(), place);
        release(pill, pixels);
        QTEST(QString::fromStdString(problem().spec.scale.id), "scale");
        QCOMPARE(steps().count(), count + 1);
        QVERIFY2(steps().undoText().startsWith("Divide scores by"), qPrintable(steps().undoText()));
        QVERIFY(!static_cast<OperatorButton*>(pill)->isDown() && !QApplication::activePopupWidget());
        steps().undo();
        settle();
        QCOMPARE(divisor(), 2.0);
    }
    static double expected() {
        QFETCH(double, divisor);
        return divisor;
    }

    void escapeRestores() {
        auto* pill = button(Operator::Scale);
        const int count = steps().count();
        dragBy(pill, 60.0);
        QVERIFY(divisor() != 2.0);
        QTest::keyClick(window_->matrixPage()->heatmap(), Qt::Key_Escape); // whatever has the focus
        QCOMPARE(divisor(), 2.0);
        QVERIFY(problem().spec.scale.id.empty() && !pill->isDown());
        move(pill, pill->rect().center() + QPointF(90.0, 0.0), {});
        QCOMPARE(divisor(), 2.0); // the drag is over
        release(pill, 90.0);
        QCOMPARE(steps().count(), count);
    }

    void keys() {
        auto* pill = button(Operator::Scale);
        const int count = steps().count();
        pill->setFocus();
        QTest::keyClick(pill, Qt::Key_Up);
        QCOMPARE(divisor(), 2.19);
        QVERIFY(pill->hasFocus());
        QTest::keyClick(pill, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(divisor(), 2.21);
        QTest::keyClick(pill, Qt::Key_Down, Qt::ShiftModifier); // not over a mark
        QCOMPARE(divisor(), 2.0);
        QVERIFY(problem().spec.scale.id.empty());
        QTest::keyClick(pill, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(divisor(), 1.0);
        QTest::keyClick(pill, Qt::Key_Up, Qt::ShiftModifier);
        QTest::keyClick(pill, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(problem().spec.scale.id, std::string("dk"));
        QCOMPARE(steps().count(), count + 1); // a run of keys
        window_->matrixPage()->heatmap()->setFocus();
        pill->setFocus();
        QTest::keyClick(pill, Qt::Key_Up);
        QCOMPARE(steps().count(), count + 2);
        QTest::keyClick(pill, Qt::Key_Space); // still a button
        QTRY_VERIFY(window_->mechanismBar()->tray(MechanismBar::Tray::Scale)->isVisible());
    }

    /// A normaliser with a number has its own.
    void numberOfTheNormaliser() {
        auto next = problem();
        next.spec.normaliser = {"entmax", {}};
        edit(next);
        auto* pill = button(Operator::Weights);
        dragBy(pill, 20.0);
        release(pill, 20.0);
        QCOMPARE(problem().spec.normaliser.parameters.real("alpha"), 2.0); // 5 steps of a tenth
        QCOMPARE(divisor(), 2.0);
        pill->setFocus();
        QTest::keyClick(pill, Qt::Key_Down);
        QCOMPARE(problem().spec.normaliser.parameters.real("alpha"), 1.9);
    }

    void withoutANumber_data() {
        QTest::addColumn<StageStrip::Operator>("which");
        QTest::addColumn<QString>("scale");
        QTest::newRow("mask") << Operator::Mask << QString();
        QTest::newRow("scores") << Operator::Scores << QString();
        QTest::newRow("a norm") << Operator::Scale << "score_norm";
    }
    /// A drag does nothing, and a click opens what it did.
    void withoutANumber() {
        QFETCH(StageStrip::Operator, which);
        QFETCH(QString, scale);
        auto next = problem();
        next.spec.scale = {scale.toStdString(), {}};
        edit(next);
        auto* pill = button(which);
        QVERIFY(pill->isVisible());
        const auto before = problem();
        dragBy(pill, 200.0);
        release(pill, 200.0);
        pill->setFocus();
        QTest::keyClick(pill, Qt::Key_Up);
        QVERIFY(problem() == before);
        QSignalSpy opens(window_->stageStrip(), &StageStrip::operatorRequested);
        QTest::mouseClick(pill, Qt::LeftButton);
        QCOMPARE(opens.count(), 1);
    }
};

ATTNLAB_TEST(TestOperatorScrub)
#include "test_operator_scrub.moc"
