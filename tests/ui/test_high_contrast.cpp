// What is drawn in black on white and white on black, measured in its pixels.
#include "core/attention.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/document/document.h"
#include "ui/document/samples.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/panels/key_grid/key_picture.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/theme.h"

#include <QImage>
#include <QPainter>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

using Side = RibbonTokens::Side;

namespace {

constexpr double least_of_shapes = 3.0;

AttentionProblem fourHeads() {
    for (const auto& sample : samples())
        if (QLatin1String(sample.id) == QLatin1String("multi_head_fox")) {
            std::string view;
            return sample.read(&view);
        }
    qFatal("no sample");
}

MatrixData rowOf(int count, double value) {
    MatrixData data;
    data.values = Tensor({1, count}, value);
    return data;
}

/// The largest contrast of these pixels with a background.
double bestContrast(const QImage& seen, const QRect& of, const QColor& back) {
    double best = 1.0;
    for (int y = of.top(); y <= of.bottom(); ++y)
        for (int x = of.left(); x <= of.right(); ++x)
            if (seen.rect().contains(x, y))
                best = std::max(best, contrastOf(back, seen.pixelColor(x, y)));
    return best;
}

} // namespace

class TestHighContrast : public QObject {
    Q_OBJECT

    static void addLooks() {
        QTest::addColumn<ThemeChoice>("choice");
        QTest::newRow("black on white") << ThemeChoice::ContrastLight;
        QTest::newRow("white on black") << ThemeChoice::ContrastDark;
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void wordsHaveAnEdgeAndThinArcsAreSeen_data() {
        addLooks();
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
    }
    void wordsHaveAnEdgeAndThinArcsAreSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        Document document;
        ViewState view;
        SentenceRibbon ribbon(document, view);
        document.reset(fourHeads());
        ribbon.setTrace(computed(document.problem()));
        ribbon.resize(1200, ribbon.sizeHint().height());
        ribbon.show();
        view.setPinned(Cell{3, 2});
        auto& arcs = *ribbon.arcs();
        const QImage seen = arcs.grab().toImage();
        for (const int word : {0, 4, 8}) {
            const QRect chip = arcs.chipRect(Side::Queries, word).toAlignedRect();
            const QRect edge(chip.left() - 1, chip.center().y(), 4, 1);
            QVERIFY(bestContrast(seen, edge, theme().card) >= least_of_shapes);
        }
        const QRect quick = arcs.chipRect(Side::Keys, 1).toAlignedRect();
        QVERIFY(arcs.arcWidth(1) < 2.5); // a thin arc
        const QRect above(quick.center().x() - 3, quick.top() - 10, 7, 7);
        QVERIFY(bestContrast(seen, above, theme().card) >= least_of_shapes);
    }

    void numbersOfTilesToComeAreNotFaint_data() { addLooks(); }
    void numbersOfTilesToComeAreNotFaint() {
        QFETCH(ThemeChoice, choice);
        const Theme& look = themeOf(choice);
        QImage image(60, 40, QImage::Format_RGB32);
        image.fill(look.text); // as if a number were everywhere
        QPainter painter(&image);
        paintTileMark(painter, QRectF(5, 5, 50, 30), TileState::ToCome, look);
        painter.end();
        for (int x = 8; x < 52; ++x)
            QCOMPARE(image.pixelColor(x, 20), look.card);
    }

    void aMatrixOfTheCardsColorHasAnEdge_data() { addLooks(); }
    void aMatrixOfTheCardsColorHasAnEdge() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        HeatmapView view;
        view.resize(300, 300);
        const double end = theme().dark ? 0.0 : 1.0; // the darkest or the lightest cells
        view.setMatrix(rowOf(4, end), colorScale({}, {0.0, 1.0, 0.1, false}, false));
        view.show();
        const QImage seen = view.grab().toImage();
        const QRect body = view.frame().body.toRect();
        const QRect left(body.left() - 2, body.center().y(), 3, 1), top(body.center().x(), body.top() - 2, 1, 3);
        QVERIFY(bestContrast(seen, left, theme().card) >= least_of_shapes);
        QVERIFY(bestContrast(seen, top, theme().card) >= least_of_shapes);

        MatrixTile tile;
        tile.setPictureSize({60, 60});
        tile.resize(80, 80);
        tile.setMatrix([end] { return std::optional(rowOf(4, end)); }, colorScale({}, {0.0, 1.0, 0.1, false}, false));
        const QImage small = tile.grab().toImage();
        QVERIFY(bestContrast(small, {7, 40, 5, 1}, theme().card) >= least_of_shapes);
    }

    void theMarkedCellOfAPictureIsSeen_data() { addLooks(); }
    void theMarkedCellOfAPictureIsSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        KeyPicture picture;
        picture.resize(200, 200);
        QImage orange(4, 4, QImage::Format_RGB32);
        orange.fill(theme().pin);
        picture.setImage(orange); // as the mark is
        picture.setRow(rowOf(4, 0.0), 0, {2, 2}, colorScale({}, {0.0, 1.0, 0.1, false}, false));
        const QImage before = picture.grab().toImage();
        picture.setMarked(3);
        const QImage seen = picture.grab().toImage();
        double best = 1.0;
        for (int x = 90; x < 110; ++x)
            best = std::max(best, contrastOf(before.pixelColor(150, 150), seen.pixelColor(x, 150)));
        QVERIFY2(best >= least_of_shapes, qPrintable(QString::number(best)));
    }
};

ATTNLAB_TEST(TestHighContrast)
#include "test_high_contrast.moc"
