// What has room in the ribbon: chips, marks of arcs that leave, and the answer.
#include "ribbon_support.h"
#include "tests/test_main.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/theme.h"

#include <QStandardPaths>
#include <QToolButton>
#include <QWheelEvent>

using namespace attnlab;
using namespace attnlab::ui;

class TestRibbonRoom : public QObject {
    Q_OBJECT
    using Side = RibbonTokens::Side;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void manyTokensScroll() {
        auto problem = problemOf(1, 300, 300, 2);
        for (int token = 0; token < 300; ++token)
            problem.query_tokens.push_back("word" + std::to_string(token));
        Ribbon ribbon(problem, 1000);
        QVERIFY(ribbon.arcs().scrolls());
        QCOMPARE(ribbon.card.minimumSizeHint().width() < 700, true);
        ribbon.view.setPinned(Cell{250, 3});
        QVERIFY(QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Queries, 250)));
        const double before = ribbon.arcs().chipRect(Side::Queries, 250).left();
        QWheelEvent wheel(QPointF(20, 50), ribbon.arcs().mapToGlobal(QPointF(20, 50)), {}, {0, 120}, {}, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&ribbon.arcs(), &wheel);
        QVERIFY(std::abs(ribbon.arcs().chipRect(Side::Queries, 250).left() - before - 60.0) < 1e-6);
        const auto buttons = ribbon.arcs().findChildren<QToolButton*>();
        QCOMPARE(std::ranges::count_if(buttons, [](QToolButton* button) { return button->isVisible(); }), 2);
        QTest::keyClick(&ribbon.arcs(), Qt::Key_Home);
        QVERIFY(QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Queries, 0)));
        ribbon.view.setPinned(Cell{250, 3});
        ribbon.view.setPinned({}); // as a new document does
        QVERIFY(QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Queries, 0)));
        ribbon.card.grab();
    }

    void aClickedTokenStaysWholeInSight() {
        auto problem = problemOf(1, 40, 40, 2);
        for (int token = 0; token < 40; ++token)
            problem.query_tokens.push_back("word" + std::to_string(token));
        Ribbon ribbon(problem, 900);
        QVERIFY(ribbon.arcs().scrolls());
        const auto sight = QRectF(ribbon.arcs().rect());
        int last = 0;
        while (last < 39 && ribbon.arcs().isInSight(Side::Queries, last + 1))
            ++last;
        QVERIFY(last > 0 && last < 39);
        const QPoint seen = ribbon.arcs().chipRect(Side::Queries, last).center().toPoint();
        QTest::mouseMove(&ribbon.arcs(), seen);
        QTest::mouseClick(&ribbon.arcs(), Qt::LeftButton, {}, seen);
        QCOMPARE(ribbon.view.pinned()->row, last);
        const auto chip = ribbon.arcs().chipRect(Side::Queries, last);
        QVERIFY(sight.contains(chip));
        for (const auto* button : ribbon.arcs().findChildren<QToolButton*>())
            QVERIFY(button->isHidden() || !QRectF(button->geometry()).intersects(chip));
    }

    void chipsAreWholeOrAbsent() {
        auto problem = problemOf(1, 60, 60, 2);
        for (int token = 0; token < 60; ++token)
            problem.query_tokens.push_back("word" + std::to_string(token * token));
        Ribbon ribbon(problem, 1000);
        const QRectF strip = ribbon.arcs().rect();
        for (int query = 0; query < 60; ++query) {
            ribbon.view.setPinned(Cell{query, 3});
            QVERIFY2(ribbon.arcs().isInSight(Side::Queries, query), qPrintable(QString::number(query)));
            for (int token = 0; token < 60; ++token) {
                const QRectF chip = ribbon.arcs().chipRect(Side::Queries, token);
                bool covered = !strip.contains(chip);
                for (const auto* button : ribbon.arcs().findChildren<QToolButton*>())
                    covered |= button->isVisible() && chip.intersects(QRectF(button->geometry()).adjusted(-1, 0, 1, 0));
                QCOMPARE(ribbon.arcs().isInSight(Side::Queries, token), !covered);
            }
        }
        ribbon.view.setPinned({});
        for (int token = 0; token < 60; ++token) // one that is absent cannot be clicked
            if (const auto chip = ribbon.arcs().chipRect(Side::Queries, token);
                chip.intersects(strip) && !ribbon.arcs().isInSight(Side::Queries, token)) {
                QTest::mouseClick(&ribbon.arcs(), Qt::LeftButton, {},
                                  QPoint(int(chip.left()) + 2, int(chip.center().y())));
                QVERIFY(!ribbon.view.pinned());
            }
    }

    void aMarkSaysWhereAnArcGoes() {
        Ribbon ribbon(sampleOf("reformer_buckets"), 880);
        ribbon.click(0); // cat reads fox, wolf and dog
        const int fox = largestKey(ribbon, 0);
        QVERIFY(!ribbon.arcs().isInSight(Side::Keys, fox));
        const auto beyond = ribbon.arcs().keysBeyond(Qt::RightEdge);
        QVERIFY(!beyond.empty() && beyond.front() == fox);
        QVERIFY(ribbon.arcs().keysBeyond(Qt::LeftEdge).empty());
        QCOMPARE(ribbon.arcs().tokens().shown(Side::Keys, fox), QStringLiteral("fox"));
        Ribbon wide(sampleOf("reformer_buckets"), 1300);
        wide.click(0);
        QVERIFY(wide.arcs().isInSight(Side::Keys, fox));
        QVERIFY(wide.arcs().keysBeyond(Qt::RightEdge).empty());
    }

    void theAnswerIsWhole_data() {
        QTest::addColumn<QByteArray>("id");
        for (const auto& sample : samples())
            QTest::newRow(sample.id) << QByteArray(sample.id);
    }

    void theAnswerIsWhole() {
        QFETCH(QByteArray, id);
        Ribbon ribbon(sampleOf(id.constData()), 880);
        ribbon.view.setPinned(Cell{0, 0});
        if (!ribbon.arcs().query())
            return;
        const int height = ribbon.card.sizeHint().height();
        for (int query = 0; query < ribbon.arcs().tokens().count(Side::Queries); ++query) {
            ribbon.click(query);
            QCoreApplication::processEvents();
            const auto lines = ribbon.card.answer()->shownLines();
            QVERIFY(!lines.isEmpty());
            for (const auto& line : lines)
                // A list of many keys ends so by itself.
                QVERIFY2(!line.endsWith(QChar(0x2026)) || ribbon.card.details().contains(line), qPrintable(line));
            QCOMPARE(ribbon.card.sizeHint().height(), height);
        }
    }

    /// Beside an open panel.
    void aNarrowCardKeepsRoomForWords() {
        Ribbon ribbon(sampleOf("multi_head_fox"), 540);
        ribbon.click(0);
        QCoreApplication::processEvents();
        int in_sight = 0;
        for (int token = 0; token < 9; ++token)
            in_sight += ribbon.arcs().isInSight(Side::Queries, token);
        QVERIFY2(in_sight >= 4, qPrintable(QString::number(in_sight)));
        const QString claim = ribbon.card.answer()->shownLines().front();
        QVERIFY2(!claim.endsWith(QChar(0x2026)), qPrintable(claim));
    }

    void manyWordsHaveHalfOfTheLine() {
        auto problem = problemOf(1, 40, 40, 2);
        for (int token = 0; token < 40; ++token)
            problem.query_tokens.push_back("word" + std::to_string(token));
        for (const int width : {600, 880, 1400}) {
            Ribbon ribbon(problem, width);
            QCoreApplication::processEvents();
            QVERIFY2(ribbon.arcs().width() >= 0.45 * width, qPrintable(QString::number(ribbon.arcs().width())));
        }
    }

    void noBoxWithoutAChoice() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QVERIFY(ribbon.card.answer()->shownLines().isEmpty());
        const QRectF chip = ribbon.arcs().chipRect(Side::Queries, 5);
        ribbon.click(5);
        QCOMPARE(ribbon.card.answer()->shownLines().size(), 2);
        QCOMPARE(ribbon.arcs().chipRect(Side::Queries, 5), chip);
        ribbon.view.setPinned({});
        ribbon.card.setLow(true); // without the hint
        QCoreApplication::processEvents();
        QCOMPARE(ribbon.card.answer()->shownLines().first(), QStringLiteral("Click a word to see what it reads"));
    }

    void theLargestKeyIsInSightWhereItFits() {
        const int count = 60;
        std::vector<double> weights(count * count, 0.0);
        for (int query = 0; query < count; ++query)
            weights[static_cast<std::size_t>(query * count + std::max(0, query - 4))] = 1.0;
        Ribbon ribbon(withWeights(count, count, weights), 900);
        QVERIFY(ribbon.arcs().scrolls());
        ribbon.view.setPinned(Cell{40, 0});
        for (const int token : {40, 36})
            QVERIFY(QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Queries, token)));
    }

    /// In a low and narrow card the answer has a line of its own, and its words share that.
    void anAnswerBelowTheWords() {
        Ribbon ribbon(sampleOf("multi_head_fox"), 470);
        ribbon.card.setLow(true);
        ribbon.card.resize(470, ribbon.card.sizeHint().height());
        ribbon.view.setPinned(Cell{3, 2});
        QCoreApplication::processEvents();
        const auto* answer = ribbon.card.answer();
        QVERIFY(answer->y() > ribbon.arcs().y());
        QVERIFY2(answer->shownLines().value(0).contains(QStringLiteral("“fox” reads mostly “brown”: 69%")),
                 qPrintable(answer->shownLines().join(QLatin1Char('|'))));
    }

    void aShortLineStaysInSight() {
        Ribbon ribbon(sampleOf("patches"), 900); // 4 queries over 64 keys
        QVERIFY(ribbon.arcs().scrolls());
        for (int query = 0; query < 4; ++query) {
            ribbon.view.setPinned(Cell{query, 0});
            for (int token = 0; token < 4; ++token)
                QVERIFY(QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Queries, token)));
            QVERIFY(
                QRectF(ribbon.arcs().rect()).contains(ribbon.arcs().chipRect(Side::Keys, largestKey(ribbon, query))));
        }
        ribbon.click(0);
        QCOMPARE(ribbon.card.claim(), QStringLiteral("“sun” reads mostly “patch 1,6”: 98%"));
    }
};

ATTNLAB_TEST(TestRibbonRoom)
#include "test_ribbon_room.moc"
