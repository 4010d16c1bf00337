// A slider with a title and its value, over a list of numbers.
#include "tests/test_main.h"
#include "ui/widgets/controls.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QtTest>

#include <algorithm>
#include <functional>

using namespace attnlab::ui;

class TestValueSlider : public QObject {
    Q_OBJECT

private slots:
    void eightNumbersForEachDoubling() {
        const auto choices = logarithmicChoices(2, 4096);
        QCOMPARE(choices.front(), 2);
        QCOMPARE(choices.back(), 4096);
        QVERIFY(std::ranges::is_sorted(choices, std::ranges::less_equal{}));
        const auto at = std::ranges::find(choices, 1024), next = std::ranges::find(choices, 2048);
        QVERIFY(at != choices.end() && next != choices.end());
        QCOMPARE(next - at, 8);
        QCOMPARE(logarithmicChoices(3, 3), std::vector<std::int64_t>{3});
    }

    void theSliderChoosesAndTheFieldTakesAnyNumber() {
        ValueSlider slider(ValueSlider::Value::Editable);
        slider.setChoices(logarithmicChoices(2, 4096));
        slider.setValue(64);
        QSignalSpy chosen(&slider, &ValueSlider::chosen);
        slider.slider()->setValue(slider.slider()->value() + 8);
        QCOMPARE(chosen.takeLast().front().toLongLong(), 128);
        QCOMPARE(slider.number()->value(), 128);
        slider.number()->setValue(100);
        QCOMPARE(chosen.takeLast().front().toLongLong(), 100);
        QCOMPARE(slider.value(), 100);
        slider.setValue(1 << 20);
        QCOMPARE(slider.value(), 4096);
        QCOMPARE(chosen.count(), 0);
    }

    void tabGoesFromTheFieldToTheSlider() {
        ValueSlider slider(ValueSlider::Value::Editable);
        slider.show();
        slider.number()->setFocus();
        QTest::keyClick(slider.number(), Qt::Key_Tab);
        QCOMPARE(slider.focusWidget(), slider.slider());
    }

    void aTextShowsTheNearestChoice() {
        ValueSlider slider(ValueSlider::Value::Shown);
        slider.setTitles("groups", "Groups of heads");
        slider.setChoices({1, 2, 4, 8});
        QSignalSpy chosen(&slider, &ValueSlider::chosen);
        for (const auto& [value, shown] : {std::pair{0, 1}, {4, 4}, {5, 4}, {6, 8}, {9, 8}}) {
            slider.setValue(value);
            QCOMPARE(slider.value(), shown);
            QCOMPARE(slider.findChildren<QLabel*>().back()->text(), QString::number(shown));
        }
        QCOMPARE(chosen.count(), 0);
        QVERIFY(!slider.number());
        QCOMPARE(slider.slider()->accessibleName(), QString("Groups of heads"));
        slider.slider()->setValue(0);
        QCOMPARE(chosen.takeLast().front().toLongLong(), 1);
    }

    void otherChoicesKeepTheValueWherePossible() {
        ValueSlider slider(ValueSlider::Value::Editable);
        slider.setChoices({0, 1, 2, 3, 4, 5});
        slider.setValue(4);
        QSignalSpy chosen(&slider, &ValueSlider::chosen);
        slider.setChoices({0, 1, 2, 3, 4});
        QCOMPARE(slider.value(), 4);
        slider.setChoices({0, 1, 2});
        QCOMPARE(slider.value(), 2);
        QCOMPARE(slider.slider()->maximum(), 2);
        QCOMPARE(chosen.count(), 0);
    }
};

ATTNLAB_TEST(TestValueSlider)
#include "test_value_slider.moc"
