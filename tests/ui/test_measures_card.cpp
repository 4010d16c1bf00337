#include "tests/test_main.h"
#include "ui/panels/inspector/inspector_cards.h"

#include <QAccessible>
#include <QLabel>
#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestMeasuresCard : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void amountsHaveReadableUnits_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("text");
        const int number = static_cast<int>(Measure::Unit::Number), bytes = static_cast<int>(Measure::Unit::Bytes);
        const int operations = static_cast<int>(Measure::Unit::Operations);
        QTest::newRow("few") << 950.0 << operations << "950";
        QTest::newRow("thousands") << 1234.0 << operations << "1.23 k";
        QTest::newRow("nearly a million") << 999'900.0 << operations << "1.00 M";
        QTest::newRow("thousands of millions") << 7.89e9 << operations << "7.89 G";
        QTest::newRow("none") << 0.0 << operations << "0";
        QTest::newRow("bytes") << 324.0 << bytes << "324 B";
        QTest::newRow("kilobytes") << 45'600.0 << bytes << "45.6 kB";
        QTest::newRow("megabytes") << 1.0e6 << bytes << "1.00 MB";
        QTest::newRow("plain") << 1.5 << number << "1.50";
        QTest::newRow("small") << 0.012345 << number << "0.0123";
        QTest::newRow("zero") << 0.0 << number << "0";
        QTest::newRow("tiny") << 3.217e-16 << number << "3.22e−16";
    }
    void amountsHaveReadableUnits() {
        QFETCH(double, value);
        QFETCH(int, unit);
        QTEST(amountText(value, static_cast<Measure::Unit>(unit)), "text");
    }

    void linesSayThisExactAndRatio() {
        MeasuresCard card;
        QVERIFY(card.isHidden());
        card.setMeasures({{"output_error", {"error of the output, relative"}, Measure::Unit::Number, 0.25, {}},
                          {"operations", {"operations"}, Measure::Unit::Operations, 3000.0, 12000.0},
                          {"bytes", {"intermediate memory"}, Measure::Unit::Bytes, 10.0, 0.0}});
        QVERIFY(!card.isHidden());
        QCOMPARE(card.title(), QString("Against exact attention"));
        QCOMPARE(card.line("output_error"), (QStringList{"error of the output, relative", "0.250"}));
        QCOMPARE(card.line("operations"), (QStringList{"operations", "3.00 k", "12.0 k", "0.250"}));
        QCOMPARE(card.line("bytes").last(), QString("–"));
        QCOMPARE(card.line("nothing"), QStringList());
        // Every text is shown, once.
        QStringList texts;
        for (const auto* label : card.findChildren<QLabel*>())
            texts << label->text();
        QCOMPARE(texts.count("3.00 k"), 1);
        QCOMPARE(texts.count("ratio"), 1);
        QStringList said;
        for (auto* label : card.findChildren<QLabel*>())
            said << QAccessible::queryAccessibleInterface(label)->text(QAccessible::Name);
        QVERIFY2(said.contains("operations, exact: 12.0 k"), qPrintable(said.join(" | ")));
        QVERIFY(said.contains("error of the output, relative: 0.250"));
        card.setMeasures({});
        QVERIFY(card.isHidden());
    }

    void headingsAreThereForWhatHasThem() {
        MeasuresCard card;
        card.setMeasures({{"output_error", {"error"}, Measure::Unit::Number, 0.25, {}}});
        for (const auto* label : card.findChildren<QLabel*>())
            QVERIFY(label->text() != "ratio");
    }
};

ATTNLAB_TEST(TestMeasuresCard)
#include "test_measures_card.moc"
