// The wall of the heads of a model: how it fits its room, its keys and what it says of each head.
#include "tests/test_main.h"
#include "ui/drawing/matrix_data.h"
#include "ui/model/head_tip.h"
#include "ui/model/heads_wall.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

ModelResultPtr resultOf(const std::vector<int>& heads_by_pass) {
    auto result = std::make_shared<ModelResult>();
    for (const int heads : heads_by_pass) {
        PassHeads pass;
        pass.title = QString::number(result->passes.size());
        pass.heads = heads;
        pass.figures.resize(static_cast<std::size_t>(heads));
        for (int head = 0; head < heads; ++head) {
            pass.figures[static_cast<std::size_t>(head)].entropy = head;
            pass.pictures.emplace_back(8, 8, QImage::Format_Indexed8);
            pass.pictures.back().fill(0);
        }
        result->passes.push_back(std::move(pass));
    }
    return result;
}

bool isInSight(const HeadsWall& wall, HeadIndex place) {
    const MatrixTile& tile = *wall.tile(place);
    return wall.rect().contains(QRect(tile.mapTo(&wall, QPoint()), tile.size()));
}

} // namespace

class TestHeadsWall : public QObject {
    Q_OBJECT

private slots:
    void allHeadsAreInSightIfTheyCanBe_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        QTest::addColumn<QSize>("room");
        QTest::newRow("3 x 4") << 3 << 4 << QSize(360, 440);
        QTest::newRow("12 x 12") << 12 << 12 << QSize(360, 440);
        QTest::newRow("12 x 12, low") << 12 << 12 << QSize(302, 225);
        QTest::newRow("32 x 32") << 32 << 32 << QSize(520, 480);
        QTest::newRow("32 x 32, small") << 32 << 32 << QSize(420, 405);
    }
    void allHeadsAreInSightIfTheyCanBe() {
        QFETCH(int, layers);
        QFETCH(int, heads);
        QFETCH(QSize, room);
        HeadsWall wall;
        wall.resize(room);
        wall.show();
        wall.setResult(resultOf(std::vector<int>(static_cast<std::size_t>(layers), heads)));
        for (const auto place : wall.shown())
            QVERIFY2(isInSight(wall, place), qPrintable(QStringLiteral("%1.%2").arg(place.pass).arg(place.head)));
    }

    void theAxesHaveNames() {
        HeadsWall wall;
        wall.resize(360, 440);
        wall.show();
        wall.setResult(resultOf({4, 4, 4}));
        QCOMPARE(wall.axesText(), QStringLiteral("layer ↓  head →"));
        wall.setOrderByEffect();
        QCOMPARE(wall.axesText(), QString()); // heads stand in another order
        auto named = std::make_shared<ModelResult>(*resultOf({4, 4}));
        named->are_layers = false; // rows have names
        HeadsWall other;
        other.resize(360, 440);
        other.show();
        other.setResult(named);
        QCOMPARE(other.axesText(), QStringLiteral("head →"));
    }

    /// What lowers the difference grows to the left of the middle, what raises it to the right, in another colour.
    void theSignOfABarIsItsSide() {
        MatrixTile tile;
        tile.setDense(true);
        tile.setPictureSize({80, 40});
        tile.resize(84, 64);
        const auto colorAt = [&tile](double along) {
            const QRectF picture = tile.pictureRect();
            const QImage seen = tile.grab().toImage();
            const auto y = static_cast<int>(picture.bottom() + MatrixTile::bar_room / 2.0 + 1.0);
            return QColor(seen.pixel(static_cast<int>(picture.left() + along * picture.width()), y));
        };
        tile.setBar(MatrixTile::Bar{.share = -0.5, .is_signed = true});
        QCOMPARE(colorAt(0.4), theme().pin);
        QCOMPARE(colorAt(0.6), theme().border);
        tile.setBar(MatrixTile::Bar{.share = 0.5, .is_signed = true});
        QCOMPARE(colorAt(0.4), theme().border);
        QCOMPARE(colorAt(0.6), theme().accent);
        tile.setBar(MatrixTile::Bar{.share = 0.5});
        QCOMPARE(colorAt(0.25), theme().pin);
        tile.setBar(MatrixTile::Bar{.share = 0.5, .is_hollow = true});
        QCOMPARE(colorAt(0.25), theme().card);
    }

    /// What a causal head cannot read is a plain surface, and a weight of 0 is the colour of 0.
    void whatIsAheadIsPlain() {
        auto result = std::make_shared<ModelResult>(*resultOf({2}));
        for (int row = 0; row < 8; ++row)
            result->passes[0].ahead.push_back(row + 1);
        HeadsWall wall;
        wall.resize(360, 440);
        wall.setResult(result);
        const QImage picture = wall.imageOf({0, 1});
        const QRgb plain = hatchBack(theme(), Hatch::Ahead).rgb(), zero = picture.pixel(0, 7);
        QVERIFY(plain != zero);
        for (int row = 0; row < 8; ++row)
            for (int column = 0; column < 8; ++column)
                QCOMPARE(picture.pixel(column, row), column > row ? plain : zero);
        result->passes[0].ahead.clear(); // every key may be read
        QCOMPARE(wall.imageOf({0, 1}).pixel(7, 0), zero);
    }

    /// Small weights beside a sink are seen on a logarithmic scale, and on one of their own.
    void picturesFollowTheColours() {
        auto result = std::make_shared<ModelResult>(*resultOf({1}));
        constexpr int small = 8; // of 255
        result->passes[0].pictures[0].scanLine(3)[2] = small;
        HeadsWall wall;
        wall.resize(360, 440);
        wall.setResult(result);
        const auto brightness = [&wall] { return qGray(wall.imageOf({0, 0}).pixel(2, 3)); };
        const int linear = brightness(), zero = qGray(wall.imageOf({0, 0}).pixel(0, 0));
        ColorChoice colors;
        colors.logarithmic = true;
        wall.setColors(colors);
        QVERIFY(brightness() > linear + 20);
        QCOMPARE(qGray(wall.imageOf({0, 0}).pixel(0, 0)), zero);
        colors = {};
        colors.locked = true;
        colors.high = small / 255.0;
        wall.setColors(colors);
        const int full = brightness();
        QVERIFY(full > linear + 100);
        wall.setColors({});
        QCOMPARE(brightness(), linear);
    }

    void tilesLeaveNoGaps() {
        HeadsWall wall;
        wall.resize(360, 440);
        wall.setResult(resultOf({3, 4, 4}));
        QCOMPARE(wall.tile({0, 1})->geometry().left(), wall.tile({0, 0})->geometry().right() + 1);
        QCOMPARE(wall.tile({1, 0})->geometry().top(), wall.tile({0, 0})->geometry().bottom() + 1);
    }

    void scrollsToTheChosenHead() {
        HeadsWall wall;
        wall.resize(200, 150);
        wall.show();
        wall.setResult(resultOf(std::vector<int>(20, 20)));
        QVERIFY(!isInSight(wall, {19, 19}));
        wall.choose({19, 19});
        QTRY_VERIFY(isInSight(wall, {19, 19}));
    }

    void keys() {
        HeadsWall wall;
        wall.resize(360, 440);
        wall.show();
        wall.setResult(resultOf({3, 4, 4}));
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{0, 0}));
        QSignalSpy toggled(&wall, &HeadsWall::toggled);
        QSignalSpy changed(&wall, &HeadsWall::chosenChanged);
        QTest::keyClick(wall.tile({0, 0}), Qt::Key_Down);
        QTest::keyClick(wall.tile({1, 0}), Qt::Key_End);
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{1, 3}));
        QTest::keyClick(wall.tile({1, 3}), Qt::Key_Up); // layer 0 is shorter
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{0, 2}));
        QCOMPARE(changed.count(), 3);
        QTest::keyClick(wall.tile({0, 2}), Qt::Key_Space);
        QCOMPARE(toggled.count(), 1);
        QCOMPARE(toggled.front().front().value<HeadIndex>(), (HeadIndex{0, 2}));
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{0, 2}));
    }

    void everyHeadHasAName() {
        HeadsWall wall;
        wall.setResult(resultOf({2, 2}));
        QTRY_VERIFY(!wall.tile({1, 1})->accessibleName().isEmpty());
        QVERIFY(wall.tile({1, 1})->accessibleName() != wall.tile({1, 0})->accessibleName());
        QVERIFY(wall.tile({1, 1})->accessibleName().startsWith(QStringLiteral("Layer 1")));
        QVERIFY(wall.tipText({1, 1}).startsWith(QStringLiteral("Layer 1")));
        QVERIFY(!wall.tipText({1, 1}).contains(QLatin1Char('\n')));
    }

    /// A tooltip of a small picture has a larger one, of the head beside it as soon as the mouse is there.
    void aSmallPictureIsEnlarged() {
        HeadsWall wall;
        wall.resize(520, 480);
        wall.show();
        wall.setResult(resultOf(std::vector<int>(32, 32)));
        const auto ask = [&wall](HeadIndex place) {
            MatrixTile* tile = wall.tile(place);
            QHelpEvent event(QEvent::ToolTip, QPoint(2, 2), tile->mapToGlobal(QPoint(2, 2)));
            QApplication::sendEvent(tile, &event);
        };
        ask({3, 5});
        QVERIFY(wall.tip() && wall.tip()->isVisible());
        QCOMPARE(wall.tip()->text(), wall.tipText({3, 5}));
        QVERIFY(wall.tip()->height() >= HeadTip::side && wall.tip()->width() >= HeadTip::side);
        QEnterEvent enter(QPointF(2, 2), QPointF(2, 2), wall.tile({3, 6})->mapToGlobal(QPointF(2, 2)));
        QApplication::sendEvent(wall.tile({3, 6}), &enter);
        QCOMPARE(wall.tip()->text(), wall.tipText({3, 6}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(wall.tile({3, 6}), &leave);
        QTRY_VERIFY(!wall.tip()->isVisible());
        HeadsWall large;
        large.resize(520, 480);
        large.show();
        large.setResult(resultOf({2, 2}));
        QHelpEvent event(QEvent::ToolTip, QPoint(2, 2), large.tile({1, 1})->mapToGlobal(QPoint(2, 2)));
        QApplication::sendEvent(large.tile({1, 1}), &event);
        QVERIFY(!large.tip());
    }

    /// With the button held, the head under the mouse is chosen, and the keys go on from the last one.
    void aDragGoesThroughTheHeads() {
        HeadsWall wall;
        wall.resize(520, 480);
        wall.show();
        wall.setResult(resultOf(std::vector<int>(32, 32)));
        MatrixTile* first = wall.tile({2, 2});
        QTest::mousePress(first, Qt::LeftButton, {}, QPoint(3, 3));
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{2, 2}));
        const QPoint there = first->mapFromGlobal(wall.tile({4, 9})->mapToGlobal(QPoint(3, 3)));
        const auto move = [&](Qt::MouseButtons held) {
            QMouseEvent event(QEvent::MouseMove, there, first->mapToGlobal(there), Qt::NoButton, held, Qt::NoModifier);
            QApplication::sendEvent(first, &event);
        };
        move(Qt::LeftButton);
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{4, 9}));
        QTest::mouseRelease(first, Qt::LeftButton, {}, there);
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{4, 9}));
        wall.choose({0, 0});
        move(Qt::NoButton);
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{0, 0}));
    }

    /// The tile of a head that is off has no colour of a chosen one.
    void aTileThatIsOffIsNotOrange() {
        MatrixTile tile;
        tile.setDense(true);
        tile.setSelection(true);
        tile.setCheckable(true);
        tile.setPictureSize({40, 40});
        tile.resize(44, 44);
        QImage white(1, 1, QImage::Format_RGB32);
        white.fill(Qt::white);
        tile.setImage([white] { return white; });
        tile.setOff(true);
        tile.setChecked(true);
        const QColor inside(tile.grab().toImage().pixel(22, 12));
        QVERIFY2(inside.saturation() < 40, qPrintable(inside.name()));
    }

    void theChoiceOutlivesAnotherResultOfTheModel() {
        HeadsWall wall;
        wall.setResult(resultOf({4, 4}));
        const MatrixTile* const tile = wall.tile({1, 2});
        wall.choose({1, 2});
        wall.setResult(resultOf({4, 4}));
        QCOMPARE(wall.tile({1, 2}), tile);
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{1, 2}));
        QVERIFY(tile->isChecked());
        wall.setResult(resultOf({2}));
        QCOMPARE(wall.chosen(), std::optional(HeadIndex{0, 0}));
        wall.setResult(nullptr);
        QVERIFY(!wall.chosen() && wall.shown().empty());
    }
};

ATTNLAB_TEST(TestHeadsWall)
#include "test_heads_wall.moc"
