// A widget that comes and goes within a layout has the height that its present content needs.
#include "tests/test_main.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/card.h"

#include <QAccessible>
#include <QLabel>
#include <QTest>
#include <QVBoxLayout>

using namespace attnlab::ui;

namespace {

std::vector<NumberTable::Entry> entries(int count, const QString& number) {
    std::vector<NumberTable::Entry> all;
    for (int i = 0; i < count; ++i)
        all.push_back({QStringLiteral("after scale"), number, {}, QStringLiteral("mean after scale %1").arg(i)});
    return all;
}

} // namespace

class TestShowWithin : public QObject {
    Q_OBJECT
private slots:
    void contentMayChangeBeforeAndAfter() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* card = new Card;
        auto* table = new NumberTable(card);
        card->body()->addWidget(table);
        column->addWidget(card);
        column->addStretch(1);
        window.resize(table->fontMetrics().averageCharWidth() * 60, 600);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        showWithin(card, false);
        QTest::qWait(1);
        table->setEntries(entries(4, "1"));
        QTest::qWait(1);
        showWithin(card, true);
        QTest::qWait(1);
        QCOMPARE(table->height(), table->heightForWidth(table->width()));
        const int before = table->height();
        table->setEntries(entries(4, QString(40, QLatin1Char('1')))); // in one column
        QTest::qWait(1);
        QVERIFY(table->heightForWidth(table->width()) > before);
        QCOMPARE(table->height(), table->heightForWidth(table->width()));
    }

    void aScreenReaderHearsWhichNumberItIs() {
        NumberTable table;
        table.setEntries(entries(2, "1.5"));
        QStringList names;
        for (auto* label : table.findChildren<QLabel*>())
            if (auto* read = QAccessible::queryAccessibleInterface(label); label->text() == QLatin1String("1.5"))
                names << read->text(QAccessible::Name);
        QCOMPARE(names, QStringList({"mean after scale 0: 1.5", "mean after scale 1: 1.5"}));
    }
};

ATTNLAB_TEST(TestShowWithin)
#include "test_show_within.moc"
