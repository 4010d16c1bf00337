#include "heatmap_support.h"
#include "tests/test_main.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/widgets/theme.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolTip>
#include <QtTest>
#include <set>

using namespace attnlab;
using namespace attnlab::ui;

class TestHeatmapView : public QObject {
    Q_OBJECT

private slots:
    void noFrameCutsTheWordsAboutCellsAhead() {
        Shown shown(causal());
        const auto written = [&](int row) { // among the blocked cells of a row
            const QImage image = shown.view.grab().toImage();
            const double ratio = image.devicePixelRatio();
            int ink = 0;
            for (int column = row + 1; column < 9; ++column) {
                const QRectF inside = shown.view.cellRect({row, column}).adjusted(6, 6, -6, -6);
                for (int y = qRound(inside.top()); y < qRound(inside.bottom()); ++y)
                    for (int x = qRound(inside.left()); x < qRound(inside.right()); ++x)
                        ink += qGray(image.pixel(qRound(x * ratio), qRound(y * ratio))) < 100 ? 1 : 0;
            }
            return ink > 0;
        };
        QVERIFY(written(0) && !written(1));
        shown.view.setPinned(Cell{0, 7});
        QVERIFY(!written(0) && written(1));
        shown.view.setHighlighted({{1, 6}, {1, 7}, {1, 8}});
        QVERIFY(!written(0) && !written(1) && written(2));
        shown.view.setPinned(Cell{8, 0});
        QVERIFY(written(0) && !written(1));
        shown.view.setHighlighted({});
        QVERIFY(written(0));
    }

    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
        qRegisterMetaType<Cell>();
    }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void cellsAreFoundWhereTheyArePainted_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(700, 600), QSize(500, 400), QSize(1000, 400)})
            for (const auto& [rows, columns] : {std::pair(4, 4), {1, 1}, {1, 40}, {40, 1}, {64, 64}, {30, 7}})
                QTest::addRow("%d x %d in %d", rows, columns, size.width()) << rows << columns << size;
    }
    void cellsAreFoundWhereTheyArePainted() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(QSize, size);
        Shown shown(ramp(rows, columns), size);
        const QImage image = shown.view.grab().toImage();
        const auto matrix = shown.view.matrix().view();
        QCOMPARE(shown.view.visibleCells(), QRect(0, 0, columns, rows));
        for (int row = 0; row < rows; row += std::max(1, rows / 5))
            for (int column = 0; column < columns; column += std::max(1, columns / 5)) {
                const QRectF rect = shown.view.cellRect({row, column});
                QVERIFY(QRectF(QPointF(0, 0), QSizeF(size)).contains(rect));
                QCOMPARE(shown.view.cellAt(rect.center()), (Cell{row, column}));
                // Beside the number in the middle.
                const QPointF corner = rect.topLeft() + QPointF(rect.width(), rect.height()) * 0.25;
                QCOMPARE(image.pixel(corner.toPoint()), unit.color(matrix(row, column)));
            }
        QVERIFY(!shown.view.cellAt(QPointF(1, 1)));
    }

    void cellsAreSquareUnlessTheMatrixIsExtreme() {
        const QRectF square = Shown(ramp(9, 4)).view.cellRect({0, 0});
        QVERIFY(std::abs(square.width() - square.height()) < 1e-6);
        const QRectF tall = Shown(ramp(1, 40)).view.cellRect({0, 0});
        QVERIFY(tall.height() > 1.5 * tall.width());
    }

    /// A chosen word has the colour of what is chosen in every view.
    void labelsOfTheChosenCellAreOrange() {
        Shown shown(causal());
        const auto orange_rows = [&shown] {
            std::set<int> rows;
            const QImage image = shown.view.grab().toImage();
            const QRectF first = shown.view.cellRect({0, 0});
            for (int y = static_cast<int>(first.top()); y < image.height(); ++y)
                for (int x = 0; x < static_cast<int>(first.left()) - 4; ++x)
                    if (image.pixelColor(x, y) == theme().pin)
                        rows.insert(static_cast<int>((y - first.top()) / first.height()));
            return rows;
        };
        QCOMPARE(orange_rows(), std::set<int>());
        shown.view.setPinned(Cell{4, 2});
        QCOMPARE(orange_rows(), std::set<int>{4});
        shown.view.setPinned(std::nullopt);
        QCOMPARE(orange_rows(), std::set<int>());
    }

    void numbersStandInCellsThatAreLargeEnough() {
        Shown large(causal());
        QCOMPARE(large.view.textInCell({8, 8}), QString(".99"));
        QCOMPARE(large.view.textInCell({0, 1}), QString()); // blocked
        QCOMPARE(Shown(ramp(64, 64)).view.textInCell({0, 0}), QString());
        // From 32 pixels on, whatever the letters would fit.
        for (int side = 250; side < 600; side += 10) {
            Shown shown(causal(), QSize(side + 40, side));
            const bool is_legible = shown.view.frame().cellWidth() >= HeatmapView::legible_width;
            QVERIFY2(shown.view.textInCell({8, 8}).isEmpty() != is_legible, qPrintable(QString::number(side)));
        }
    }

    void numbersHaveTwoDigits_data() {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("text");
        const auto row = [](double number, const char* text) {
            QTest::addRow("%s", qPrintable(QString::number(number))) << number << QString::fromUtf8(text);
        };
        row(0.27, ".27");
        row(-0.5, "−.50");
        row(0.04, ".04");
        row(0.0051, ".01");
        row(0.0049, "0");
        row(-0.0049, "0");
        row(0.0, "0");
        row(-0.0, "0");
        row(1e-9, "0");
        row(0.994, ".99");
        row(0.996, "1.0");
        row(1.0, "1.0");
        row(-2.42, "−2.4");
        row(9.94, "9.9");
        row(9.96, "10");
        row(12.6, "13");
        row(-99'999.0, "−99999");
        row(1e5, "≫0");
        row(-1e9, "≪0");
    }
    void numbersHaveTwoDigits() {
        QFETCH(double, number);
        QFETCH(QString, text);
        QCOMPARE((CellNumbers{cell_digits, {}}.text(number)), text);
    }

    void figuresMayHaveMoreDigits() {
        QCOMPARE((CellNumbers{3, {}}.text(0.003)), QString(".003"));
        QCOMPARE((CellNumbers{3, {}}.text(-6.346)), QString("−6.35"));
        QCOMPARE((CellNumbers{4, {}}.text(0.00004)), QString("0"));
        QCOMPARE((CellNumbers{4, {}}.text(99.997)), QString("100.0"));
    }

    /// A "0" is grey where grey is legible.
    void zerosAreGrey() {
        for (const auto& map : colormaps())
            for (const QRgb color : map.colors) {
                QCOMPARE(numberColorOn(color, ".01"), textColorOn(color));
                const QColor zero = numberColorOn(color, "0");
                QVERIFY(zero == textColorOn(color) || contrastOf(zero, color) >= 4.5);
            }
        for (const QRgb end : {qRgb(68, 1, 84), qRgb(255, 255, 255)})
            QVERIFY(numberColorOn(end, "0") != textColorOn(end));
    }

    /// A large matrix has more of them than a picture can wait for.
    void cellsWithoutRoomForNumbersAreNotRead() {
        int read = 0;
        const auto number_at = [&](Cell) {
            ++read;
            return std::optional(0.5);
        };
        const HeatmapFrame frame{QRectF(0, 0, 400, 400), QRectF(0, 0, 4000, 4000)};
        QCOMPARE(numbersFitting(frame, number_at, QFont(), cell_digits).digits, 0);
        QCOMPARE(read, 0);
    }

    void numbersAppearWhenZoomedIn() {
        Shown shown(ramp(64, 64));
        shown.wheel(shown.at({10, 10}), 12);
        QVERIFY(!shown.view.textInCell({10, 10}).isEmpty());
    }

    void oddNumbers() {
        MatrixData matrix;
        matrix.values = Tensor({1, 4}, {not_a_number, -std::numeric_limits<double>::infinity(), 1e9, 1e-9});
        Shown shown(matrix);
        QCOMPARE(shown.view.textInCell({0, 0}), QString("NaN"));
        QCOMPARE(shown.view.textInCell({0, 1}), QString("−∞"));
        QCOMPARE(shown.view.textInCell({0, 2}), QString("≫0"));
        QCOMPARE(shown.view.textInCell({0, 3}), QString("0")); // its tooltip has the number
        const QImage image = shown.view.grab().toImage();
        // Not a colour of the scale: NaN has its own hatch.
        const QRect cell = shown.view.cellRect({0, 0}).toRect().adjusted(4, 4, -4, -4);
        bool hatched = false;
        for (int x = cell.left(); x < cell.right(); ++x)
            hatched = hatched || image.pixelColor(x, cell.top()) == theme().warning_soft;
        QVERIFY(hatched);
    }

    /// What a causal mask blocks is a plain surface; other blocked cells are hatched.
    void blockedCellsAreHatched_data() {
        QTest::addColumn<bool>("is_causal");
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<bool>("is_plain");
        QTest::newRow("ahead") << true << 4 << 5 << true;
        QTest::newRow("behind, of a causal mask") << true << 5 << 1 << false;
        QTest::newRow("ahead, of another mask") << false << 4 << 5 << false;
        QTest::newRow("behind, of another mask") << false << 5 << 1 << false;
    }
    void blockedCellsAreHatched() {
        QFETCH(bool, is_causal);
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(bool, is_plain);
        MatrixData matrix = causal();
        const auto columns = matrix.blocked.dim(-1);
        const auto cells = matrix.blocked.mutable_values();
        cells[static_cast<std::size_t>(5 * columns + 1)] = 1.0;
        if (!is_causal)
            cells[static_cast<std::size_t>(columns - 1)] = 0.0;
        Shown shown(matrix);
        const QImage image = shown.view.grab().toImage();
        const QRect cell = shown.view.cellRect({row, column}).toRect().adjusted(2, 2, -2, -2);
        QSet<QRgb> colors;
        for (int x = cell.left(); x < cell.right(); ++x)
            colors.insert(image.pixel(x, cell.center().y()));
        QVERIFY(colors.contains((is_plain ? theme().ahead : theme().hatch_back).rgb()));
        QCOMPARE(colors.size() == 1, is_plain);
    }

    void theReachOfACausalMask_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("reach"); ///< of the kept cells
        QTest::addColumn<bool>("is_causal");
        QTest::newRow("square") << 6 << 6 << 0 << true;
        QTest::newRow("the last query reads all") << 4 << 9 << 5 << true;
        QTest::newRow("the first query reads one key") << 4 << 9 << 0 << true;
        QTest::newRow("two ahead") << 6 << 6 << 2 << false;
        QTest::newRow("more queries than keys") << 9 << 4 << 0 << true;
        QTest::newRow("nothing is kept") << 5 << 5 << -9 << false;
    }
    void theReachOfACausalMask() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, reach);
        QFETCH(bool, is_causal);
        MatrixData matrix;
        matrix.values = Tensor({rows, columns}, 0.5);
        matrix.blocked = Tensor({rows, columns}, 0.0, DType::Bool);
        const auto cells = matrix.blocked.mutable_values();
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                cells[static_cast<std::size_t>(row * columns + column)] = column > row + reach ? 1.0 : 0.0;
        const auto found = HatchedCells(matrix).reach();
        QCOMPARE(found.has_value(), is_causal);
        if (is_causal)
            QCOMPARE(*found, std::int64_t{reach});
    }

    void paddingIsNoCausalMask_data() {
        QTest::addColumn<int>("rows");
        QTest::newRow("one query") << 1;
        QTest::newRow("two queries") << 2;
    }
    void paddingIsNoCausalMask() {
        QFETCH(int, rows);
        MatrixData matrix;
        matrix.values = Tensor({rows, 6}, 0.5);
        matrix.blocked = Tensor({rows, 6}, 0.0, DType::Bool);
        for (int row = 0; row < rows; ++row)
            for (int column = 4; column < 6; ++column)
                matrix.blocked.mutable_values()[static_cast<std::size_t>(row * 6 + column)] = 1.0;
        QVERIFY(!HatchedCells(matrix).reach());
    }

    void labelsAreTheTokens() {
        Shown shown(causal());
        QCOMPARE(shown.view.visibleRowLabels(), tokens);
        QCOMPARE(shown.view.visibleColumnLabels(), tokens);
    }

    /// As on chips; the tooltip has the token. Boards of lessons keep the token, of which their texts speak.
    void aTokenBeforeTheTextIsTheStart() {
        const QString end = QStringLiteral("<|endoftext|>");
        MatrixData matrix = ramp(3, 3);
        matrix.row_labels = matrix.column_labels = QStringList{end, "cat", end};
        Shown shown(matrix);
        QCOMPARE(shown.view.visibleRowLabels(), (QStringList{"start", "cat", end}));
        QCOMPARE(shown.view.visibleColumnLabels(), (QStringList{"start", "cat", end}));
        const QString tip = shown.view.cellText({0, 1});
        QVERIFY2(tip.startsWith("start (<|endoftext|>) → cat: "), qPrintable(tip));
        matrix.literal_labels = true;
        Shown literal(matrix);
        QCOMPARE(literal.view.visibleRowLabels(), matrix.row_labels);
        QVERIFY(literal.view.cellText({0, 1}).startsWith("<|endoftext|> → cat: "));
    }

    void labelsAreThinnedWhereThereIsNoRoom() {
        Shown shown(ramp(300, 200));
        const QStringList rows = shown.view.visibleRowLabels();
        QVERIFY(rows.size() > 5 && rows.size() < 40);
        QCOMPARE(rows.first(), QString("0"));
        const double pitch = rows[1].toInt() * shown.view.cellRect({0, 0}).height();
        QVERIFY(pitch >= shown.view.fontMetrics().height() * 0.8);
        // The crosshair's label is shown even between two, and its neighbours make room.
        shown.view.setCrosshair(Cell{133, 7});
        QVERIFY(shown.view.visibleRowLabels().contains("133"));
        QVERIFY(shown.view.visibleColumnLabels().contains("7"));
        QVERIFY(!shown.view.visibleColumnLabels().contains("0"));
    }

    void longLabelsAreElided() {
        MatrixData matrix = ramp(3, 3);
        matrix.row_labels = matrix.column_labels = QStringList{QString(300, 'm'), "b", "c"};
        Shown shown(matrix, QSize(500, 400));
        QVERIFY(shown.view.visibleRowLabels().first().endsWith("…"));
        QVERIFY(shown.view.visibleColumnLabels().first().endsWith("…"));
        QVERIFY(shown.view.cellRect({0, 0}).width() > 40);
    }

    void theViewportStaysWhileTheShapeDoes() {
        Shown shown(ramp(64, 64));
        shown.wheel(shown.at({20, 20}), 6);
        const QRect before = shown.view.visibleCells();
        shown.view.setMatrix(ramp(64, 64), unit);
        QCOMPARE(shown.view.visibleCells(), before);
        shown.view.setMatrix(ramp(30, 64), unit);
        QCOMPARE(shown.view.visibleCells(), QRect(0, 0, 64, 30));
    }

    void crosshairAndPinArePainted() {
        Shown shown(causal());
        const auto differs = [&](const QImage& a, const QImage& b, Cell cell) {
            const QRect rect = shown.view.cellRect(cell).toRect().adjusted(-1, -1, 1, 1);
            return a.copy(rect) != b.copy(rect);
        };
        const QImage before = shown.view.grab().toImage();
        shown.view.setCrosshair(Cell{4, 2});
        QImage after = shown.view.grab().toImage();
        QVERIFY(differs(before, after, {4, 7}));
        QVERIFY(differs(before, after, {8, 2}));
        QVERIFY(!differs(before, after, {7, 5}));
        shown.view.setCrosshair(std::nullopt);
        shown.view.setPinned(Cell{7, 5});
        after = shown.view.grab().toImage();
        const QRectF pinned = shown.view.cellRect({7, 5});
        QCOMPARE(after.pixelColor(QPointF(pinned.center().x(), pinned.top()).toPoint()), theme().pin);
        QVERIFY(!differs(before, after, {4, 7}));
    }

    void tooltipsSaySixDigits() {
        MatrixData matrix = causal();
        matrix.values.set({6, 4}, 0.1 + 0.2);
        matrix.values.set({6, 3}, 1.0 / 3.0);
        matrix.values.set({6, 2}, 12345678.0);
        Shown shown(matrix);
        QCOMPARE(shown.view.cellText({6, 4}), QString("it → milk: 0.3"));
        QVERIFY(shown.view.cellText({6, 3}).endsWith(": 0.333333"));
        QVERIFY(shown.view.cellText({6, 2}).endsWith(": 12345678"));
        QCOMPARE(shown.view.cellText({0, 4}), QString("The → milk: masked"));
        const QPoint position = shown.at({6, 4});
        QHelpEvent help(QEvent::ToolTip, position, shown.view.mapToGlobal(position));
        QCoreApplication::sendEvent(&shown.view, &help);
        QCOMPARE(QToolTip::text(), QString("it → milk: 0.3"));
        // A token is not markup.
        matrix.row_labels[6] = "<s>";
        shown.view.setMatrix(matrix, unit);
        QCoreApplication::sendEvent(&shown.view, &help);
        QVERIFY2(QToolTip::text().contains("<s> → milk"), qPrintable(QToolTip::text()));
    }

    void emptyMatricesAreHarmless() {
        Shown shown(ramp(0, 5));
        QVERIFY(!shown.view.cellAt(QPointF(100, 100)));
        QVERIFY(shown.view.visibleRowLabels().isEmpty());
        shown.wheel(QPointF(100, 100), 2);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Return, Qt::Key_0, Qt::Key_Plus})
            QTest::keyClick(&shown.view, key);
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, QPoint(50, 50));
        QVERIFY(!shown.view.grab().isNull());
        HeatmapView never_set;
        QVERIFY(!never_set.grab().isNull());
    }

    void theLookFollowsTheTheme() {
        Shown shown(causal());
        applyTheme(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const QImage image = shown.view.grab().toImage();
        QCOMPARE(image.pixelColor(2, 2), theme().card);
        const QRect cell = shown.view.cellRect({1, 5}).toRect();
        bool hatched = false;
        for (int x = cell.left() + 2; x < cell.right(); ++x)
            hatched = hatched || image.pixel(x, cell.center().y()) == theme().ahead.rgb();
        QVERIFY(hatched);
    }

    void aGrabShowsTheLatestMatrix() {
        Shown shown(ramp(4, 4));
        MatrixData matrix = ramp(4, 4);
        matrix.values.set({0, 0}, 1.0);
        shown.view.setMatrix(matrix, unit);
        const QPoint corner = (shown.view.cellRect({0, 0}).topLeft() + QPointF(8, 8)).toPoint();
        QCOMPARE(shown.view.grab().toImage().pixel(corner), unit.color(1.0));
    }

    void picturesFade_data() {
        QTest::addColumn<bool>("reduced");
        QTest::addColumn<bool>("fast");
        QTest::newRow("the next picture") << false << false;
        QTest::newRow("reduced motion") << true << false;
        QTest::newRow("one after the other") << false << true;
    }
    /// From the picture before to the next one; at once with reduced motion, and where they follow each other fast.
    void picturesFade() {
        QFETCH(bool, reduced);
        QFETCH(bool, fast);
        HeatmapView view;
        view.resize(300, 300);
        view.show();
        const ColorScale scale{&colormap({}), 0.0, 1.0, false};
        const auto show = [&](double value) {
            MatrixData matrix;
            matrix.values = Tensor({2, 2}, value);
            view.setMatrix(matrix, scale);
        };
        const auto color = [&] {
            return view.grab().toImage().pixelColor((view.cellRect({0, 0}).topLeft() + QPointF(6, 6)).toPoint());
        };
        show(0.0);
        const QColor before = color();
        setReducedMotion(reduced);
        view.fadeToNext();
        show(1.0);
        for (int more = 0; fast && more < 2; ++more) { // neither the second nor the third
            color();
            view.fadeToNext();
            show(1.0);
        }
        const QColor next = QColor(scale.color(1.0));
        if (reduced || fast)
            QCOMPARE(color(), next);
        else
            QVERIFY(color() != next && before != next);
        QTRY_COMPARE(color(), next);
        setReducedMotion(false);
    }
};

ATTNLAB_TEST(TestHeatmapView)
#include "test_heatmap_view.moc"
