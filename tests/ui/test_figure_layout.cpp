// Figures over sizes, fonts and labels: cells take most of the room, nothing is cut, and all pixels are painted.
#include "figure_support.h"
#include "tests/test_main.h"
#include "ui/drawing/figures/figure.h"
#include "ui/drawing/figures/figure_grid.h"
#include "ui/drawing/figures/figure_margins.h"
#include "ui/widgets/theme.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

struct LabelSet {
    const char* name;
    QStringList labels;
    int count;
};

QStringList repeated(const QString& text, int count) {
    QStringList labels;
    for (int i = 0; i < count; ++i)
        labels << text.arg(i);
    return labels;
}

std::vector<LabelSet> labelSets() {
    QStringList one_is_long = repeated("tok%1", 59);
    one_is_long.insert(31, "antidisestablishmentarianism");
    return {{"a sentence",
             {"The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too", "tired", "."},
             12},
            {"numbers", {}, 16},
            {"one is long", one_is_long, 60},
            {"all are long", repeated("internationalization%1", 8), 8},
            {"Chinese", {"我", "爱", "日本語", "注意力", "机制", "很", "有趣", "。"}, 8},
            {"emoji and tabs", {"🚀", "👩‍🔬", "a\tb", "\n", "naïve", "end"}, 6},
            {"many", repeated("w%1", 200), 200}};
}

MatrixData matrixWith(const LabelSet& set) {
    MatrixData matrix = manyCells(set.count, set.count);
    matrix.row_labels = matrix.column_labels = set.labels;
    matrix.row_title = "query token";
    matrix.column_title = "key token";
    return matrix;
}

FigurePanels compared(const MatrixData& matrix) {
    const ColorScale gaps{&colormap("blue_red"), -1.0, 1.0, false};
    return {{matrix, "A"}, {matrix, "B"}, {matrix, "A − B", gaps}};
}

Figure titled(FigurePanels panels) {
    Figure figure(std::move(panels), unit_scale);
    figure.quantity = "weights";
    return figure;
}

/// The arrangement of all panels in the style that the painter would choose of one size.
FigureGrid gridOf(const Figure& figure, const FigureOptions& options, int points) {
    ColorScale scale = figure.scale;
    scale.title = figure.quantity;
    const bool named = figure.panels.size() > 1;
    return arrange({figure.panels, scale, options, QRectF(QPointF(0, 0), options.size_points), 0.0, named,
                    marginsOf(figure.panels, options)},
                   {points, true});
}

/// True if a pixel at an edge has another colour than the background.
bool touchesAnEdge(const QImage& image) {
    const QRgb back = themeFor(false).card.rgb();
    const int right = image.width() - 1, bottom = image.height() - 1;
    for (int x = 0; x <= right; ++x)
        if (image.pixel(x, 0) != back || image.pixel(x, bottom) != back)
            return true;
    for (int y = 0; y <= bottom; ++y)
        if (image.pixel(0, y) != back || image.pixel(right, y) != back)
            return true;
    return false;
}

} // namespace

class TestFigureLayout : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    /// The arrangement by which the height is chosen is the one that is painted, at any resolution.
    void aHeightThatFollowsFitsEveryResolution_data() {
        QTest::addColumn<QString>("style");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("tokens");
        for (const auto& style : figureStyles())
            if (!style.height)
                for (const int heads : {3, 12, 16})
                    for (const int tokens : {7, 15, 22})
                        QTest::addRow("%s, %d heads, %d tokens", style.id, heads, tokens)
                            << QString(style.id) << heads << tokens;
    }
    void aHeightThatFollowsFitsEveryResolution() {
        QFETCH(QString, style);
        QFETCH(int, heads);
        QFETCH(int, tokens);
        FigurePanels panels;
        for (int head = 0; head < heads; ++head)
            panels.push_back({manyCells(tokens, tokens), QStringLiteral("0.%1").arg(head)});
        const auto figure = titled(std::move(panels));
        FigureOptions options;
        applyStyle(options, figureStyle(style));
        options.automatic_height = true;
        options.labels = false;
        for (const int dpi : {72, 150, 300}) {
            options.dpi = dpi;
            QVERIFY2(!touchesAnEdge(figureImage(figure, options)), qPrintable(QString::number(dpi)));
        }
    }

    void cellsTakeMostOfTheWidth_data() {
        QTest::addColumn<int>("set");
        QTest::addColumn<double>("width");
        QTest::addColumn<QString>("font");
        const auto sets = labelSets();
        for (int set = 0; set < static_cast<int>(sets.size()); ++set)
            for (const double width : {234.0, 252.3, 396.0, 518.7})
                for (const char* font : {"", "serif", "DejaVu Sans Mono"})
                    QTest::addRow("%s, %g, %s", sets[static_cast<std::size_t>(set)].name, width, font)
                        << set << width << QString(font);
    }
    /// One head has 70 % of the figure; each of three compared matrices 25 % of 5.5 inches.
    void cellsTakeMostOfTheWidth() {
        QFETCH(int, set);
        QFETCH(double, width);
        QFETCH(QString, font);
        const auto matrix = matrixWith(labelSets()[static_cast<std::size_t>(set)]);
        FigureOptions options;
        options.automatic_height = true;
        options.size_points.setWidth(width);
        options.font_family = font;
        for (const int points : {6, 8, 10}) {
            const auto one = gridOf(titled(matrix), options, points);
            const double share = one.body.width() / width;
            QVERIFY2(share >= 0.7, qPrintable(QStringLiteral("%1 points: %2").arg(points).arg(share)));
            QVERIFY(one.needed.width() <= width + 1e-6);
            if (width < 396.0)
                continue;
            const auto three = gridOf(titled(compared(matrix)), options, points);
            QCOMPARE(three.columns, 3);
            QVERIFY2(three.body.width() / width >= 0.25, qPrintable(QString::number(three.body.width() / width)));
            QVERIFY(three.needed.width() <= width + 1e-6);
        }
    }

    void nothingIsCut_data() {
        QTest::addColumn<QSizeF>("size"); ///< height 0: automatic
        QTest::addColumn<int>("dpi");
        for (const auto& size : {QSizeF(234, 200), QSizeF(234, 0), QSizeF(345, 250), QSizeF(396, 170), QSizeF(396, 0),
                                 QSizeF(234, 201), QSizeF(720, 300), QSizeF(252.28, 0), QSizeF(150, 400)})
            for (const int dpi : {72, 150, 300})
                QTest::addRow("%g x %g, %d", size.width(), size.height(), dpi) << size << dpi;
    }
    /// The edges of the picture are background: no glyph is cut, and the last pixels are painted.
    void nothingIsCut() {
        QFETCH(QSizeF, size);
        QFETCH(int, dpi);
        for (const auto& set : labelSets()) {
            const auto matrix = matrixWith(set);
            const FigurePanels heads{{matrix, "Head 0"}, {matrix, "Head 1"}, {matrix, "Head 2"}, {matrix, "Head 3"}};
            for (const auto& panels : {FigurePanels(matrix), compared(matrix), heads})
                for (const QString& title : {QString(), QString("A title that is rather long for a column")}) {
                    FigureOptions options;
                    options.size_points = size;
                    options.automatic_height = size.height() == 0.0;
                    options.dpi = dpi;
                    options.title = title;
                    const auto image = figureImage(titled(panels), options);
                    QVERIFY2(!touchesAnEdge(image), set.name);
                    QCOMPARE(image.width(), static_cast<int>(std::lround(size.width() * dpi / 72.0)));
                }
        }
    }

    /// Headings of panels, axes and bars are whole, at the width of a paper.
    void namesAreWhole() {
        const auto matrix = matrixWith(labelSets().front());
        FigureOptions options;
        options.size_points.setWidth(396.0);
        options.automatic_height = true;
        const auto texts = readSvg(svgData(titled(compared(matrix)), options)).texts;
        for (const char* once : {"weights", "query token", "key token"})
            QCOMPARE(texts.count(once), 1);
        // A minus may be a separate text in another font.
        const QString drawn = texts.join(QString()).remove(QLatin1Char(' '));
        for (const auto& heading : {QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("A−B")})
            QVERIFY2(drawn.contains(heading), qPrintable(drawn));
        for (const auto& label : matrix.row_labels)
            QVERIFY2(texts.count(label) >= 4, qPrintable(label)); // at one side, and above each matrix
    }

    void lettersHaveOneWeight_data() {
        QTest::addColumn<int>("set");
        QTest::addColumn<int>("dpi");
        for (const int set : {0, 4})
            for (const int dpi : {150, 300, 600})
                QTest::addRow("%s, %d", labelSets()[static_cast<std::size_t>(set)].name, dpi) << set << dpi;
    }
    /// A PNG has as much ink in its labels as the PDF, in any script.
    void lettersHaveOneWeight() {
        QFETCH(int, set);
        QFETCH(int, dpi);
        const auto figure = titled(matrixWith(labelSets()[static_cast<std::size_t>(set)]));
        FigureOptions options;
        options.automatic_height = true;
        options.size_points.setWidth(234.0);
        options.dpi = dpi;
        const QImage png = figureImage(figure, options);
        const QImage pdf = pdfPreview(figure, options, png.size());
        const auto ink_of_labels = [](const QImage& image) {
            double ink = 0.0; // left of the cells
            for (int y = image.height() / 5; y < image.height() * 3 / 4; ++y)
                for (int x = image.width() / 20; x < image.width() / 6; ++x)
                    ink += 255 - qGray(image.pixel(x, y));
            return ink / (image.width() * image.height());
        };
        const double ratio = ink_of_labels(png) / ink_of_labels(pdf);
        QVERIFY2(ink_of_labels(pdf) > 0.5, qPrintable(QString::number(ink_of_labels(pdf))));
        QVERIFY2(ratio > 0.85 && ratio < 1.15, qPrintable(QString::number(ratio)));
    }

    /// Entropy and mean weight, each by a computation of its own.
    void profilesAreNumbersOfTheWeights() {
        auto weights = causalWeights();
        const auto margins = marginsOfWeights(weights);
        const std::vector<double> entropies{0.0, -0.25 * std::log(0.25) - 0.75 * std::log(0.75),
                                            -0.5 * std::log(0.5) - 0.125 * std::log(0.125) - 0.375 * std::log(0.375)};
        const std::vector<double> means{(1.0 + 0.25 + 0.5) / 3.0, (0.75 + 0.125) / 2.0, 0.375};
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(margins.rows[i] - entropies[i]) < 1e-12);
            QVERIFY(std::abs(margins.columns[i] - means[i]) < 1e-12);
        }
        // What is asked for is not in a profile either.
        weights.hidden = Tensor({3, 3}, {0, 0, 0, 0, 0, 0, 0, 1, 0}, DType::Bool);
        const auto hidden = marginsOfWeights(weights);
        QVERIFY(std::isnan(hidden.rows[2]) && std::isnan(hidden.columns[1]));
        QVERIFY(!std::isnan(hidden.rows[1]) && !std::isnan(hidden.columns[0]));
        weights.hidden = {};
        weights.values.set({1, 0}, 0.5); // no shares of 1
        QVERIFY(std::isnan(marginsOfWeights(weights).rows[1]));
    }

    void profilesAreBesideTheCells_data() {
        QTest::addColumn<int>("set");
        QTest::addColumn<QSizeF>("size"); ///< height 0: automatic
        const auto sets = labelSets();
        for (int set = 0; set < static_cast<int>(sets.size()); ++set)
            for (const auto& size : {QSizeF(234, 0), QSizeF(396, 0), QSizeF(396, 300), QSizeF(720, 260)})
                QTest::addRow("%s, %g x %g", sets[static_cast<std::size_t>(set)].name, size.width(), size.height())
                    << set << size;
    }
    /// Profiles have room of their own, also between heatmaps and before bars, and nothing of them is cut.
    void profilesAreBesideTheCells() {
        QFETCH(int, set);
        QFETCH(QSizeF, size);
        auto matrix = matrixWith(labelSets()[static_cast<std::size_t>(set)]);
        const auto view = matrix.view();
        for (std::int64_t row = 0; row < view.rows; ++row) {
            double sum = 0.0;
            for (std::int64_t column = 0; column < view.columns; ++column)
                sum += view(row, column);
            for (std::int64_t column = 0; column < view.columns; ++column)
                matrix.values.set({row, column}, matrix.view()(row, column) / sum);
        }
        const auto with_profiles = [&](FigurePanels panels) {
            for (auto& panel : panels)
                if (!panel.scale)
                    panel.margins = [&matrix] { return marginsOfWeights(matrix); };
            return panels;
        };
        const FigurePanels heads{{matrix, "Head 0"}, {matrix, "Head 1"}, {matrix, "Head 2"}};
        for (const auto& panels :
             {with_profiles(FigurePanels(matrix)), with_profiles(compared(matrix)), with_profiles(heads)}) {
            FigureOptions options;
            options.size_points = size;
            options.automatic_height = size.height() == 0.0;
            options.profiles = true;
            const auto figure = titled(panels);
            const auto image = figureImage(figure, options);
            QVERIFY(!touchesAnEdge(image));
            if (options.automatic_height)
                for (const int dpi : {100, 150, 203, 300}) {
                    options.dpi = dpi;
                    QVERIFY2(!touchesAnEdge(figureImage(figure, options)), qPrintable(QString::number(dpi)));
                }
            QVERIFY(colorsOf(image).contains(themeFor(false).accent.rgb()));
            const auto texts = readSvg(svgData(figure, options)).texts;
            QVERIFY2(texts.filter("mean weight").size() == 1 && texts.filter("entropy").size() == 1,
                     qPrintable(texts.join('|')));
            const auto grid = gridOf(figure, options, 8);
            for (int i = 0; i < static_cast<int>(panels.size()); ++i) {
                const QRectF body = grid.partOf(i, {}, true).body;
                const QRectF beside = grid.rowProfileOf(i), below = grid.columnProfileOf(i);
                QVERIFY(beside.left() >= body.right() && below.top() >= body.bottom());
                QCOMPARE(beside.height(), body.height());
                QCOMPARE(below.width(), body.width());
                for (const auto& bar : grid.bars)
                    QVERIFY(!bar.area.intersects(beside) && !bar.area.intersects(below));
                for (int other = 0; other < static_cast<int>(panels.size()); ++other)
                    if (other != i) {
                        const QRectF cells = grid.partOf(other, {}, true).body;
                        QVERIFY(!cells.intersects(beside) && !cells.intersects(below));
                    }
            }
        }
    }

    /// A figure without weights has none, and says so.
    void profilesOfNothingAreRefused() {
        FigureOptions options;
        options.profiles = true;
        QVERIFY_THROWS_EXCEPTION(Error, svgData(titled(matrixWith(labelSets().front())), options));
    }

    /// A label that is left out takes no room.
    void hiddenLabelsTakeNoRoom() {
        const auto sets = labelSets();
        auto plain = sets[2];
        plain.labels[31] = "tok31";
        FigureOptions options;
        options.automatic_height = true;
        options.size_points.setWidth(234.0);
        const auto with = gridOf(titled(matrixWith(sets[2])), options, 6);
        const auto without = gridOf(titled(matrixWith(plain)), options, 6);
        for (const auto& label : with.labels.rows)
            QVERIFY(!label.text.startsWith("anti"));
        QVERIFY2(with.body.width() >= without.body.width() - 1.0,
                 qPrintable(QStringLiteral("%1, %2").arg(with.body.width()).arg(without.body.width())));
    }

    void namesAreThoseOfTheUser() {
        const auto matrix = matrixWith(labelSets()[2]); // of whose labels only some are shown
        FigureOptions options;
        options.column_title = "Key";
        options.row_title = "";
        options.bar_title = "p";
        options.panel_names = {"local"};
        options.letters = true;
        options.columns = 1;
        const FigurePanels heads{{matrix, "Head 0"}, {matrix, "Head 1"}};
        const auto texts = readSvg(svgData(titled(heads), options)).texts;
        for (const char* there : {"Key", "p", "local", "Head 1", "a", "b"})
            QCOMPARE(texts.count(there), 1);
        for (const char* gone : {"Head 0", "weights", "query token", "key token"})
            QCOMPARE(texts.count(gone), 0);
        QVERIFY(texts.filter("1 label in").isEmpty());
    }

    void digitsAreLimited() {
        auto matrix = matrixWith({"few", {"a", "b", "c"}, 3});
        FigureOptions options;
        options.digits = 2;
        options.color_bar = false;
        const auto texts = readSvg(svgData(titled(matrix), options)).texts;
        QCOMPARE(texts.filter(QRegularExpression("^(\\.\\d\\d|\\d\\.\\d|0)$")).size(), 9);
    }

    void sizes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height"); ///< 0: automatic; below: refused
        QTest::newRow("points") << "396x170" << 396.0 << 170.0;
        QTest::newRow("a width") << "396" << 396.0 << 0.0;
        QTest::newRow("a width and an x") << "396x" << 396.0 << 0.0;
        QTest::newRow("inches") << "5.5in" << 396.0 << 0.0;
        QTest::newRow("both in inches") << "5.5inx3in" << 396.0 << 216.0;
        QTest::newRow("one unit for both") << "5.5x3in" << 396.0 << 216.0;
        QTest::newRow("the unit of the width") << "5.5inx3" << 396.0 << 216.0;
        QTest::newRow("centimetres") << "2.54cmx5.08cm" << 72.0 << 144.0;
        QTest::newRow("millimetres and points") << "25.4mmx144pt" << 72.0 << 144.0;
        for (const char* wrong : {"", "x", "x300", "0.4in", "5.5 feet", "-5in", "1e3", "99999", "5..5in", "4inx4inx4"})
            QTest::addRow("refused: %s", wrong) << wrong << 0.0 << -1.0;
    }
    void sizes() {
        QFETCH(QString, text);
        QFETCH(double, width);
        QFETCH(double, height);
        if (height < 0.0) {
            QVERIFY_THROWS_EXCEPTION(Error, parseFigureSize(text));
            return;
        }
        const auto size = parseFigureSize(text);
        QVERIFY(std::abs(size.width - width) < 1e-9);
        QCOMPARE(size.height.has_value(), height > 0.0);
        if (height > 0.0)
            QVERIFY(std::abs(*size.height - height) < 1e-9);
    }

    void stylesAreChecked() {
        for (const auto& style : figureStyles()) {
            FigureOptions options;
            applyStyle(options, style);
            checkFigure(options);
            QVERIFY2(styleIssues(options, true).empty(), style.id);
            const auto matrix = matrixWith(labelSets().front());
            // Whatever the style, text has 6 points or more.
            static const QRegularExpression sizes("font-size=\"([0-9.]+)\"");
            auto all = sizes.globalMatch(QString::fromUtf8(svgData(titled(matrix), options)));
            QVERIFY(all.hasNext());
            while (all.hasNext())
                QVERIFY(all.next().captured(1).toDouble() >= 6.0);
            options.dpi = 100;
            options.font_points = 5;
            options.dark = true;
            options.size_points.setWidth(200);
            QCOMPARE(styleIssues(options, true).size(), style.in_print ? std::size_t{4} : std::size_t{0});
            QCOMPARE(styleIssues(options, false).size(), style.in_print ? std::size_t{3} : std::size_t{0});
        }
        QVERIFY_THROWS_EXCEPTION(Error, figureStyle("science"));
    }

    /// What JSON keeps of options is all that differs.
    void optionsComeBack() {
        FigureOptions options;
        options.automatic_height = true;
        options.column_title = "Key";
        options.row_title = "";
        options.panel_names = {"a", "b"};
        options.columns = 3;
        options.digits = 2;
        options.letters = true;
        options.profiles = true;
        options.largest_points = 7;
        options.style = "nature";
        FigureOptions read;
        figureFromJson(figureToJson(options), read, true);
        QCOMPARE(figureToJson(read), figureToJson(options));
        QVERIFY(read.column_title == options.column_title && read.row_title == options.row_title && !read.bar_title);
    }

    /// The same bytes from the same figure, also of PDF where the time is given.
    void bytesAreReproducible() {
        qputenv("SOURCE_DATE_EPOCH", "1700000000");
        const auto figure = titled(matrixWith(labelSets().front()));
        const auto first = pdfData(figure, {});
        QVERIFY(first.contains("(D:20231114221320Z"));
        QTest::qSleep(1100);
        QCOMPARE(pdfData(figure, {}), first);
        qunsetenv("SOURCE_DATE_EPOCH");
        QVERIFY(pdfData(figure, {}) != first);
    }
};

ATTNLAB_TEST(TestFigureLayout)
#include "test_figure_layout.moc"
