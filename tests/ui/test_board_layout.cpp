// The geometry of cards and their parts, shared by boards in the window and on paper.
#include "tests/test_main.h"
#include "tests/ui/board_support.h"
#include "ui/learn/cards/board_layout.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Cards of different heights; the second has an additional part.
CardHeights heightsOfCard(std::size_t card, double) {
    CardHeights heights{20.0 + static_cast<double>(card), {30.0}, 100.0, {40.0}};
    if (card == 1)
        heights.below.push_back(25.0);
    return heights;
}

} // namespace

class TestBoardLayout : public QObject {
    Q_OBJECT

private slots:
    void cardsWrapInAsFewRowsAsFit_data() {
        QTest::addColumn<int>("cards");
        QTest::addColumn<double>("narrowest");
        QTest::addColumn<int>("columns");
        QTest::newRow("one") << 1 << 5.0 << 1;
        QTest::newRow("all in one row") << 4 << 5.0 << 4;
        QTest::newRow("even rows") << 4 << 3.9 << 2;
        QTest::newRow("as even as can be") << 5 << 4.0 << 3;
        QTest::newRow("too narrow for one") << 3 << 0.5 << 1;
    }
    void cardsWrapInAsFewRowsAsFit() {
        QFETCH(int, cards);
        QFETCH(double, narrowest);
        const QFont font;
        const double width = narrowest * (BoardLayout::narrowest(font) + board_gap);
        const BoardLayout layout(static_cast<std::size_t>(cards), width, font, heightsOfCard);
        QTEST(layout.columns(), "columns");
        // They stay within the width and do not touch each other.
        std::vector<QRectF> places;
        for (std::size_t k = 0; k < static_cast<std::size_t>(cards); ++k)
            places.push_back(layout.card(k));
        for (std::size_t k = 0; k < places.size(); ++k) {
            QVERIFY(places[k].left() >= 0.0 && places[k].right() <= std::max(width, layout.cardWidth()));
            QVERIFY(places[k].bottom() <= layout.height());
            for (std::size_t other = 0; other < k; ++other)
                QVERIFY(!places[k]
                             .adjusted(-board_gap / 2, -board_gap / 2, board_gap / 2, board_gap / 2)
                             .intersects(places[other]));
        }
        QCOMPARE(places.back().bottom(), layout.height());
    }

    void partsOfARowAreAtOneHeight() {
        const QFont font;
        const BoardLayout layout(3, 4 * BoardLayout::narrowest(font), font, heightsOfCard);
        QCOMPARE(layout.columns(), 3);
        const CardHeights& row = layout.heights(0);
        QCOMPARE(row.header, 22.0);
        QCOMPARE(row.below, (std::vector{40.0, 25.0}));
        const CardPlaces places = placesIn(layout.card(2), row);
        QCOMPARE(places.header.top(), card_margin);
        QCOMPARE(places.above[0].top(), card_margin + 22.0);
        QCOMPARE(places.matrix.top(), card_margin + 22.0 + 30.0);
        QCOMPARE(places.matrix.height(), 100.0 - card_gap);
        QCOMPARE(places.below[1].bottom(), layout.card(2).bottom() - card_margin - card_gap);
        QCOMPARE(places.header.left(), layout.card(2).left() + card_margin);
    }

    void whatIsLeftGoesToTheMatrices() {
        const QFont font;
        BoardLayout layout(4, 2.5 * BoardLayout::narrowest(font), font, heightsOfCard);
        QCOMPARE(layout.columns(), 2);
        const double least = layout.height();
        layout.grow(least - 10.0); // too little: nothing shrinks
        QCOMPARE(layout.height(), least);
        layout.grow(least + 60.0);
        QCOMPARE(layout.height(), least + 60.0);
        QCOMPARE(layout.heights(0).matrix, 130.0);
        layout.grow(least + 1000.0, 150.0);
        QCOMPARE(layout.heights(0).matrix, 150.0);
        QCOMPARE(layout.heights(2).matrix, 150.0);
    }

    /// With controls in the heading the window has another header; everything else is equal.
    void aBoardInTheWindowIsThatOnPaper() {
        lab::BoardSpec view;
        view.show = {lab::BoardPart::Histogram, lab::BoardPart::Numbers};
        ShownBoard shown(drawnScene({labSetting("a", "none"), labSetting("b"), labSetting("c", "dk")}), view);
        const auto picture = std::dynamic_pointer_cast<const BoardPicture>(shown.board->picture());
        QVERIFY(picture && picture->cards.size() == 3);
        const QFont font = shown.board->font();
        const double width = shown.board->area()->width();
        const BoardLayout paper(3, width, font, [&](std::size_t k, double card_width) {
            return heightsOf(picture->cards[k].content, 0.0, font, card_width);
        });
        for (std::size_t k = 0; k < 3; ++k) {
            CardView& card = shown.card(k);
            QCOMPARE(card.x(), static_cast<int>(paper.card(k).x()));
            QCOMPARE(card.width(), static_cast<int>(paper.cardWidth()));
            const CardPlaces places = placesIn(paper.card(k), paper.heights(k));
            const auto& parts = card.parts();
            QCOMPARE(parts.size(), places.above.size() + places.below.size());
            QCOMPARE(parts[0]->height(), static_cast<int>(places.above[0].height()));
            QCOMPARE(parts[1]->height(), static_cast<int>(places.below[0].height()));
            QCOMPARE(parts[0]->x(), static_cast<int>(card_margin));
            QCOMPARE(card.heatmap()->y() - parts[0]->y(),
                     static_cast<int>(places.matrix.top() - places.above[0].top()));
        }
        // A picture of the minimum height has room for everything.
        const QSizeF least = picture->smallest(font, width);
        QVERIFY(least.height() >= paper.height());
        QVERIFY(picture->smallest(font, width / 3).height() > least.height());
    }

    /// A page has room for numbers in the cells, or for a board of few rows.
    void aBoardOnPaperIsRoomyOrDense() {
        lab::RandomInputs draw;
        draw.L = draw.S = 8;
        ShownBoard shown(
            drawnScene({labSetting("a", "none"), labSetting("b"), labSetting("c", "dk"), labSetting("d", "cbrt_dk")},
                       draw),
            lab::BoardSpec());
        auto picture = *std::dynamic_pointer_cast<const BoardPicture>(shown.board->picture());
        picture.for_print = true;
        QFont font = shown.board->font();
        font.setPixelSize(8);
        constexpr double page = 493.0, cell_lines = 1.1;
        const double line = QFontMetricsF(font).height();
        const double roomy = picture.roomyHeight(font, page), dense = picture.smallest(font, page).height();
        QVERIFY2(roomy > 2 * 8 * cell_lines * line, qPrintable(QString::number(roomy)));
        QVERIFY2(dense < 0.6 * roomy, qPrintable(QStringLiteral("%1 of %2").arg(dense).arg(roomy)));
    }

    /// A question may name any word of a matrix.
    void everyWordOnPaperHasItsName_data() {
        QTest::addColumn<int>("words");
        QTest::addColumn<bool>("dense");
        for (const int words : {3, 8, 13, 16})
            for (const bool dense : {false, true})
                QTest::addRow("%d, %s", words, dense ? "dense" : "roomy") << words << dense;
    }
    void everyWordOnPaperHasItsName() {
        QFETCH(int, words);
        QFETCH(bool, dense);
        lab::RandomInputs draw;
        draw.L = draw.S = words;
        auto scene = drawnScene({labSetting("a", "none")}, draw);
        for (int k = 0; k < words; ++k)
            scene.query_tokens.push_back(k == 0 ? "<|endoftext|>" : k % 2 == 0 ? "cheese" : "river");
        ShownBoard shown(scene, lab::BoardSpec());
        auto picture = *std::dynamic_pointer_cast<const BoardPicture>(shown.board->picture());
        picture.for_print = true;
        QFont font = shown.board->font();
        font.setPixelSize(8);
        const double width = 493.0;
        const double height = dense ? picture.smallest(font, width).height() : picture.roomyHeight(font, width);
        QBuffer file;
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        QPainter painter(&svg);
        picture.paint(painter, {0, 0, width, height}, {theme(), font, true});
        painter.end();
        const QString written = QString::fromUtf8(file.data());
        QCOMPARE(written.count(QStringLiteral(">river<")), 2 * (words / 2));
        QCOMPARE(written.count(QStringLiteral(">cheese<")), 2 * ((words - 1) / 2));
    }
};

ATTNLAB_TEST(TestBoardLayout)
#include "test_board_layout.moc"
