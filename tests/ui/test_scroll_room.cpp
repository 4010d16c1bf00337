// Scroll areas and elided labels: their size hints do not depend on their current size.
#include "tests/test_main.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QHelpEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QTextEdit>
#include <QToolTip>
#include <QVBoxLayout>

using namespace attnlab::ui;

namespace {

/// Higher if it is wider: without a bar it does not fit, and with one it does.
class Awkward : public QWidget {
public:
    explicit Awkward(int threshold) : threshold_(threshold) {
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    int heightForWidth(int width) const override { return width >= threshold_ ? 400 : 200; }
    QSize minimumSizeHint() const override { return {50, 10}; }

private:
    int threshold_;
};

} // namespace

class TestScrollRoom : public QObject {
    Q_OBJECT

private slots:
    void aBarNeverTakesItselfAway_data() {
        QTest::addColumn<int>("scrolls");
        QTest::newRow("down") << static_cast<int>(FittingScrollArea::Scrolls::Down);
        QTest::newRow("both") << static_cast<int>(FittingScrollArea::Scrolls::Both);
    }

    void aBarNeverTakesItselfAway() {
        QFETCH(int, scrolls);
        auto* content = new Awkward(300);
        FittingScrollArea room(content, static_cast<FittingScrollArea::Scrolls>(scrolls));
        room.resize(200, 300);
        room.show();
        for (int width = 290; width < 330; ++width) {
            room.resize(width, 300); // main() fails the test if this recurses
            QCoreApplication::processEvents();
            const bool bar = room.verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOn;
            const int inside = room.viewport()->width();
            QCOMPARE(content->width(), inside);
            QCOMPARE(inside, bar ? width - room.verticalScrollBar()->sizeHint().width() : width);
            QCOMPARE(content->height(), std::max(300, content->heightForWidth(inside)));
        }
    }

    void whatDoesNotFitIsScrolledTo() {
        auto* content = new QWidget;
        content->setMinimumSize(500, 100);
        FittingScrollArea room(content, FittingScrollArea::Scrolls::Both);
        room.resize(300, 200);
        room.show();
        QVERIFY(room.horizontalScrollBar()->isVisible() && !room.verticalScrollBar()->isVisible());
        QCOMPARE(content->size(), QSize(500, 200 - room.horizontalScrollBar()->height()));
        room.resize(600, 400);
        QVERIFY(!room.horizontalScrollBar()->isVisible());
        QCOMPARE(content->size(), QSize(600, 400));
        content->setMinimumSize(100, 900);
        QCoreApplication::processEvents();
        QVERIFY(room.verticalScrollBar()->isVisible());
        QCOMPARE(room.verticalScrollBar()->maximum(), 500);
        QVERIFY(room.minimumSizeHint().width() < 100);
    }

    void aPageSharesTheRoomBeforeItScrolls() {
        auto* page = new QWidget;
        auto* column = new QVBoxLayout(page);
        auto* words = new WrappedLabel;
        words->setWordWrap(true);
        words->setText(QStringLiteral("some words"));
        auto* large = new QTextEdit; // prefers some 190 pixels, and requires 70
        column->addWidget(words);
        column->addWidget(large);
        QVERIFY(page->heightForWidth(400) > 180);
        FittingScrollArea room(page, FittingScrollArea::Scrolls::Both);
        room.resize(400, 170);
        room.show();
        QCOMPARE(room.verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
        QCOMPARE(page->height(), 170);
        room.resize(400, 90);
        QCOMPARE(room.verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOn);
        QVERIFY(page->height() > 90);
    }

    void wordsKeepTheirWidthWhenTheBarComes() {
        auto* content = new Awkward(1000);
        FittingScrollArea room(content, FittingScrollArea::Scrolls::Down);
        room.show();
        room.resize(300, 400);
        const int width = content->width();
        QCOMPARE(room.verticalScrollBar()->maximum(), 0);
        room.resize(300, 100);
        QCOMPARE(content->width(), width);
        QCOMPARE(room.verticalScrollBar()->maximum(), 100);
    }

    void aLongLineIsCutAndToldWhole() {
        const QString text = QString(300, QLatin1Char('w'));
        ElidedLabel label;
        label.setText(text);
        QVERIFY(label.minimumSizeHint().width() < 100);
        QVERIFY(label.sizeHint().width() > 300);
        label.resize(120, 20);
        label.show();
        QVERIFY(label.shownText().endsWith(QChar(0x2026)));
        QVERIFY(label.fontMetrics().horizontalAdvance(label.shownText()) <= 120);
        QCOMPARE(label.text(), text);
        QHelpEvent asked(QEvent::ToolTip, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(&label, &asked);
        QVERIFY(QToolTip::text().contains(text));
        label.resize(label.sizeHint());
        QCOMPARE(label.shownText(), text);
    }

    void aLineIsCutBetweenWords_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("room"); ///< has this width
        QTest::addColumn<QString>("shown");
        QTest::newRow("word") << QStringLiteral("each moves five percent of it")
                              << QStringLiteral("each moves five pe…") << QStringLiteral("each moves five…");
        QTest::newRow("clause") << QStringLiteral("3 of 12 heads matter: alone off")
                                << QStringLiteral("3 of 12 heads matter: al…")
                                << QStringLiteral("3 of 12 heads matter…");
        QTest::newRow("parts") << QStringLiteral("later heads need it · previous token")
                               << QStringLiteral("later heads need it · p…") << QStringLiteral("later heads need it…");
        QTest::newRow("clause far from the end")
            << QStringLiteral("one patch has it; many others share the rest")
            << QStringLiteral("one patch has it; many others sha…") << QStringLiteral("one patch has it; many others…");
        QTest::newRow("short clause") << QStringLiteral("a: much more than that") << QStringLiteral("a: much more tha…")
                                      << QStringLiteral("a: much more…");
        QTest::newRow("whole") << QStringLiteral("fits here") << QStringLiteral("fits here and more")
                               << QStringLiteral("fits here");
    }
    void aLineIsCutBetweenWords() {
        QFETCH(QString, text);
        QFETCH(QString, room);
        QFETCH(QString, shown);
        ElidedLabel label;
        label.setText(text);
        label.resize(label.fontMetrics().horizontalAdvance(room) + 2, 20);
        QCOMPARE(label.shownText(), shown);
    }

    void aLongWordIsCutWhereOthersWrap() {
        const QString word = QString(300, QLatin1Char('w'));
        WrappedLabel label;
        label.setWordWrap(true);
        label.setText(QStringLiteral("one ") + word + QStringLiteral(" two"));
        label.resize(120, 60);
        QVERIFY(label.shownText().startsWith(QStringLiteral("one ww")));
        QVERIFY(label.shownText().contains(QChar(0x2026)));
        QVERIFY(label.shownText().trimmed().endsWith(QStringLiteral("two")));
        QVERIFY(label.minimumSizeHint().width() < 100);
        label.setText(QString(60, QChar(0x732b))); // may break anywhere
        QCOMPARE(label.shownText(), label.text());
    }

    void aTableIsAsHighAsItsWidthSays() {
        NumberTable table;
        table.setEntries({{"entropy", "0.000 nats", {}},
                          {"effective keys", "1.000", {}},
                          {"max weight", "1.000", {}},
                          {"norm", "0.000", {}}});
        QVERIFY(table.heightForWidth(100) > table.heightForWidth(600));
        const int wide = table.heightForWidth(600);
        table.resize(100, 100);
        table.show();
        QCOMPARE(table.heightForWidth(600), wide);
        const auto labels = table.findChildren<QLabel*>();
        for (const int width : {100, 200, 250, 600}) {
            table.resize(width, table.heightForWidth(width));
            for (const auto* label : labels)
                QVERIFY(table.rect().contains(label->geometry()));
        }
    }
};

ATTNLAB_TEST(TestScrollRoom)
#include "test_scroll_room.moc"
