// Keys, selection, the stop of the Tab key and mirrored layouts, which all grids of thumbnails share.
#include "tests/test_main.h"
#include "ui/matrix/stages/thumbnail_grid.h"

#include <algorithm>
#include <QSignalSpy>
#include <QTest>
#include <vector>

using namespace attnlab::ui;

namespace {

constexpr int cell = 40;

/// Rows of square tiles, as many in each as `counts` says.
class Grid : public ThumbnailGrid {
public:
    explicit Grid(const std::vector<int>& counts) : ThumbnailGrid(nullptr) {
        Rows rows;
        for (const int count : counts) {
            rows.emplace_back();
            for (int column = 0; column < count; ++column)
                rows.back().push_back(addTile(content()));
        }
        setRows(std::move(rows));
        resize(100, 100);
        show();
    }

    MatrixTile* tile(int row, int column) const {
        return rows()[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    }
    QPoint chosen() const {
        QPoint found(-1, -1);
        for (std::size_t row = 0; row < rows().size(); ++row)
            for (std::size_t column = 0; column < rows()[row].size(); ++column)
                if (rows()[row][column]->isChecked())
                    found = {static_cast<int>(column), static_cast<int>(row)};
        return found;
    }
    int tabStops() const {
        int stops = 0;
        for (const auto& row : rows())
            stops += static_cast<int>(std::ranges::count_if(
                row, [](const MatrixTile* tile) { return (tile->focusPolicy() & Qt::TabFocus) != 0; }));
        return stops;
    }
    bool isInSight(const MatrixTile* tile) const {
        const QRect seen(content()->mapFrom(scroll()->viewport(), QPoint()), scroll()->viewport()->size());
        return seen.contains(tile->geometry());
    }
    using ThumbnailGrid::setChosenTile;

protected:
    void chooseTile(MatrixTile& tile) override { setChosenTile(&tile); }
    void relayout() override {
        scroll()->setGeometry(rect());
        std::size_t widest = 0;
        for (const auto& row : rows())
            widest = std::max(widest, row.size());
        content()->resize(static_cast<int>(widest) * cell, static_cast<int>(rows().size()) * cell);
        for (std::size_t row = 0; row < rows().size(); ++row)
            for (std::size_t column = 0; column < rows()[row].size(); ++column)
                place(*rows()[row][column],
                      {static_cast<int>(column) * cell, static_cast<int>(row) * cell, cell, cell});
        revealChosen();
    }
};

} // namespace

class TestThumbnailGrid : public QObject {
    Q_OBJECT

private slots:
    void keys_data() {
        QTest::addColumn<QPoint>("from");
        QTest::addColumn<QKeyCombination>("key");
        QTest::addColumn<QPoint>("to");
        const auto row = [](const char* name, QPoint from, QKeyCombination key, QPoint to) {
            QTest::newRow(name) << from << key << to;
        };
        row("right", {1, 0}, Qt::Key_Right, {2, 0});
        row("right end", {3, 0}, Qt::Key_Right, {3, 0});
        row("left", {1, 0}, Qt::Key_Left, {0, 0});
        row("left end", {0, 1}, Qt::Key_Left, {0, 1});
        row("down", {1, 0}, Qt::Key_Down, {1, 1});
        row("down to a shorter row", {3, 0}, Qt::Key_Down, {1, 1});
        row("bottom", {0, 2}, Qt::Key_Down, {0, 2});
        row("top", {2, 0}, Qt::Key_Up, {2, 0});
        row("home", {2, 2}, Qt::Key_Home, {0, 2});
        row("end", {0, 1}, Qt::Key_End, {1, 1});
        row("first", {2, 2}, Qt::CTRL | Qt::Key_Home, {0, 0});
        row("last", {2, 0}, Qt::CTRL | Qt::Key_End, {2, 2});
    }
    void keys() {
        QFETCH(QPoint, from);
        QFETCH(QKeyCombination, key);
        QFETCH(QPoint, to);
        Grid grid({4, 2, 3});
        grid.setChosenTile(grid.tile(from.y(), from.x()));
        QTest::keyClick(grid.tile(from.y(), from.x()), key.key(), key.keyboardModifiers());
        QCOMPARE(grid.chosen(), to);
        QCOMPARE(grid.tabStops(), 1);
        QVERIFY(grid.tile(to.y(), to.x())->focusPolicy() & Qt::TabFocus);
        QTRY_VERIFY(grid.isInSight(grid.tile(to.y(), to.x())));
    }

    void allArrowKeysMoveAlongASingleRowOrColumn() {
        for (const auto& counts : {std::vector<int>{4}, std::vector<int>{1, 1, 1, 1}}) {
            Grid grid(counts);
            const bool is_row = counts.size() == 1;
            int at = 0;
            const auto tile = [&] { return is_row ? grid.tile(0, at) : grid.tile(at, 0); };
            const auto press = [&](Qt::Key key, int expected) {
                QTest::keyClick(tile(), key);
                at = expected;
                QVERIFY(tile()->isChecked());
            };
            press(Qt::Key_Right, 1);
            press(Qt::Key_Down, 2);
            press(Qt::Key_Left, 1);
            press(Qt::Key_Up, 0);
            press(Qt::Key_End, 3);
            press(Qt::Key_Home, 0);
        }
    }

    void oneStopOfTheTabKey() {
        Grid grid({2, 2});
        QCOMPARE(grid.tabStops(), 1);
        QVERIFY(grid.tile(0, 0)->focusPolicy() & Qt::TabFocus); // none is chosen
        grid.setChosenTile(grid.tile(1, 1));
        QCOMPARE(grid.tabStops(), 1);
        QVERIFY(grid.tile(1, 1)->focusPolicy() & Qt::TabFocus);
        grid.setChosenTile(nullptr);
        QCOMPARE(grid.chosen(), QPoint(-1, -1));
        QCOMPARE(grid.tabStops(), 1);
    }

    void theMouse() {
        Grid grid({2, 2});
        QSignalSpy enlarged(&grid, &ThumbnailGrid::enlarged);
        QTest::mouseClick(grid.tile(1, 0), Qt::LeftButton);
        QCOMPARE(grid.chosen(), QPoint(0, 1));
        QTest::mouseClick(grid.tile(1, 0), Qt::LeftButton); // it stays chosen
        QCOMPARE(grid.chosen(), QPoint(0, 1));
        QCOMPARE(enlarged.count(), 0);
        QTest::mouseDClick(grid.tile(0, 1), Qt::LeftButton);
        QCOMPARE(grid.chosen(), QPoint(1, 0));
        QCOMPARE(enlarged.count(), 1);
        QTest::keyClick(grid.tile(1, 1), Qt::Key_Return);
        QCOMPARE(grid.chosen(), QPoint(1, 1));
        QCOMPARE(enlarged.count(), 2);
    }

    void fromRightToLeft() {
        Grid grid({6, 6});
        QCOMPARE(grid.tile(0, 0)->x(), 0);
        grid.setLayoutDirection(Qt::RightToLeft);
        QCOMPARE(grid.tile(0, 0)->x(), 5 * cell); // the first tile is at the right
        QCOMPARE(grid.tile(0, 5)->x(), 0);
        grid.setChosenTile(grid.tile(0, 0));
        QTRY_VERIFY(grid.isInSight(grid.tile(0, 0)));
        QTest::keyClick(grid.tile(0, 0), Qt::Key_Left);
        QCOMPARE(grid.chosen(), QPoint(1, 0));
        QTest::keyClick(grid.tile(0, 1), Qt::Key_Right);
        QCOMPARE(grid.chosen(), QPoint(0, 0));
        QTest::keyClick(grid.tile(0, 0), Qt::Key_End);
        QCOMPARE(grid.chosen(), QPoint(5, 0));
        QTRY_VERIFY(grid.isInSight(grid.tile(0, 5)));
    }

    void aTitleIsBesideItsPicture() {
        MatrixTile tile;
        tile.setText(QStringLiteral("weights"));
        tile.setPictureSize({20, 20});
        tile.resize(120, 30);
        QCOMPARE(tile.pictureRect().left(), double(MatrixTile::padding));
        tile.setLayoutDirection(Qt::RightToLeft);
        QCOMPARE(tile.pictureRect().right(), 120.0 - MatrixTile::padding);
    }
};

ATTNLAB_TEST(TestThumbnailGrid)
#include "test_thumbnail_grid.moc"
