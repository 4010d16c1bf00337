#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "ui/drawing/matrix_data.h"

#include <QPainter>
#include <QtTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const ColorScale unit{&colormap("viridis"), 0.0, 1.0, false};

MatrixData matrixOf(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
    MatrixData matrix;
    matrix.values = Tensor({rows, columns}, std::move(values));
    return matrix;
}

/// Blocks everything right of the diagonal.
Tensor causal(std::int64_t size) {
    Tensor blocked({size, size}, 0.0, DType::Bool);
    for (std::int64_t row = 0; row < size; ++row)
        for (std::int64_t column = row + 1; column < size; ++column)
            blocked.set({row, column}, 1.0);
    return blocked;
}

} // namespace

class TestMatrixImage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void onePixelACell() {
        auto matrix = matrixOf(2, 3, {0.0, 0.5, 1.0, 0.25, not_a_number, 9.0});
        matrix.blocked = Tensor({2, 3}, {1, 0, 0, 0, 0, 0}, DType::Bool);
        const QImage image = matrixImage(matrix, unit);
        QCOMPARE(image.size(), QSize(3, 2));
        QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
        QCOMPARE(image.pixel(1, 0), unit.color(0.5));
        QCOMPARE(image.pixel(2, 0), unit.color(1.0));
        QCOMPARE(image.pixel(0, 1), unit.color(0.25));
        QCOMPARE(qAlpha(image.pixel(1, 1)), 0);
        QCOMPARE(image.pixel(2, 1), unit.color(1.0));
    }

    void takesTheMatrixThatIsAskedFor() {
        MatrixData matrix;
        matrix.values = Tensor({2, 1, 1}, {0.0, 1.0});
        matrix.leading = 1;
        QCOMPARE(matrixImage(matrix, unit).pixel(0, 0), unit.color(1.0));
    }

    void aPixelShowsItsStrongestCell() {
        const ColorScale scale{&colormap("blue_red"), -1.0, 1.0, false};
        auto matrix = matrixOf(2, 4, {0.1, -0.9, 0.2, 0.3, 0.0, 0.5, not_a_number, 1.0});
        matrix.blocked = Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 0, 1}, DType::Bool);
        const QImage image = matrixImage(matrix, scale, QSize(2, 1));
        QCOMPARE(image.size(), QSize(2, 1));
        QCOMPARE(image.pixel(0, 0), scale.color(-0.9));
        // Neither the blocked 1.0 nor the NaN.
        QCOMPARE(image.pixel(1, 0), scale.color(0.3));
    }

    void noCellIsLostWhenReduced() {
        for (const int at : {0, 1, 49, 98, 99}) {
            std::vector<double> values(100, 0.0);
            values[static_cast<std::size_t>(at)] = 1.0;
            const QImage image = matrixImage(matrixOf(1, 100, values), unit, QSize(7, 7));
            int strong = 0;
            for (int x = 0; x < image.width(); ++x)
                strong += image.pixel(x, 0) == unit.color(1.0) ? 1 : 0;
            QCOMPARE(strong, 1);
        }
    }

    void onlySomeCells() {
        const auto matrix = matrixOf(2, 2, {0.0, 0.25, 0.5, 1.0});
        const QImage image = matrixImage(matrix, unit, QRect(1, 0, 1, 2), QSize(10, 10));
        QCOMPARE(image.size(), QSize(1, 2));
        QCOMPARE(image.pixel(0, 0), unit.color(0.25));
        QCOMPARE(image.pixel(0, 1), unit.color(1.0));
    }

    void emptyMatricesGiveNothing() {
        QVERIFY(matrixImage(matrixOf(0, 3, {}), unit).isNull());
        QImage image(4, 4, QImage::Format_RGB32);
        QPainter painter(&image);
        paintMatrix(painter, QRectF(0, 0, 4, 4), matrixOf(0, 0, {}), unit);
    }

    void blockedCellsAreHatched_data() {
        QTest::addColumn<double>("pixel_ratio");
        QTest::addColumn<bool>("dark");
        for (const double pixel_ratio : {1.0, 1.25, 2.0})
            for (const bool dark : {false, true})
                QTest::addRow("%g %s", pixel_ratio, dark ? "dark" : "light") << pixel_ratio << dark;
    }
    void blockedCellsAreHatched() {
        QFETCH(double, pixel_ratio);
        QFETCH(bool, dark);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        auto matrix = matrixOf(3, 3, std::vector<double>(9, 0.5));
        matrix.blocked = causal(3);
        matrix.blocked.set({1, 0}, 1.0); // not ahead
        QImage image(qRound(91 * pixel_ratio), qRound(91 * pixel_ratio), QImage::Format_RGB32);
        image.setDevicePixelRatio(pixel_ratio);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        paintMatrix(painter, QRectF(0, 0, 91, 91), matrix, unit);
        painter.end();
        const auto at = [&](double x, double y) {
            return image.pixel(qRound(x * pixel_ratio), qRound(y * pixel_ratio));
        };
        QCOMPARE(at(15, 15), unit.color(0.5));
        QCOMPARE(at(15, 75), unit.color(0.5));
        QSet<QRgb> hatch, plain;
        for (int x = 5; x < 25; ++x) {
            hatch.insert(at(x, 45));
            plain.insert(at(x + 31, 15));
        }
        QVERIFY(hatch.contains(theme().hatch_back.rgb()));
        QVERIFY(hatch.size() > 1);
        QCOMPARE(plain, QSet<QRgb>{theme().ahead.rgb()});
        QVERIFY(!hatch.contains(unit.color(0.5)));
        // No gap between pictures and hatches.
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QVERIFY2(image.pixel(x, y) != QColor(Qt::magenta).rgb(), qPrintable(QString("%1 %2").arg(x).arg(y)));
    }

    void blockedCellsAreThoseOfTheMatrixThatIsAskedFor() {
        auto matrix = matrixOf(1, 2, {1.0, 1.0});
        matrix.blocked = Tensor({2, 1, 2}, {1, 0, 0, 1}, DType::Bool);
        matrix.blocked_leading = 1;
        QImage image(40, 20, QImage::Format_RGB32);
        QPainter painter(&image);
        paintMatrix(painter, QRectF(0, 0, 40, 20), matrix, unit);
        painter.end();
        QCOMPARE(image.pixel(10, 10), unit.color(1.0));
        bool hatched = false;
        for (int x = 21; x < 40; ++x)
            hatched = hatched || image.pixel(x, 10) == theme().hatch_back.rgb(); // one row has no causal edge
        QVERIFY(hatched);
    }

    void hatchesOfNeighboursFitTogether() {
        QImage whole(60, 20, QImage::Format_RGB32);
        QImage parts = whole;
        QPainter on_whole(&whole);
        paintHatch(on_whole, QRectF(0, 0, 60, 20));
        QPainter on_parts(&parts);
        for (int x = 0; x < 60; x += 15)
            paintHatch(on_parts, QRectF(x, 0, 15, 20));
        QCOMPARE(parts, whole);
    }

    void nanCellsAreHatchedInTheirOwnWay() {
        auto matrix = matrixOf(1, 3, {not_a_number, 1.0, 0.0});
        matrix.blocked = Tensor({1, 3}, {0, 0, 1}, DType::Bool);
        QImage image(90, 30, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        paintMatrix(painter, QRectF(0, 0, 90, 30), matrix, unit);
        painter.end();
        const auto colors_from = [&](int left) {
            QSet<QRgb> colors;
            for (int x = left; x < left + 20; ++x)
                colors.insert(image.pixel(x, 15));
            return colors;
        };
        const auto not_numbers = colors_from(5);
        QVERIFY(not_numbers.contains(theme().warning_soft.rgb()));
        QVERIFY(not_numbers.size() > 1);
        QVERIFY(!not_numbers.intersects(colors_from(65)));
        QVERIFY(!not_numbers.contains(QColor(Qt::magenta).rgb()));
        QCOMPARE(image.pixel(45, 15), unit.color(1.0));
    }
};

ATTNLAB_TEST(TestMatrixImage)
#include "test_matrix_image.moc"
