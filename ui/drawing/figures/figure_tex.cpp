// Figures as LaTeX: pgfplots with the numbers as data and text in the font of the document.
#include "core/message.h"
#include "ui/drawing/color_bar.h"
#include "ui/drawing/figures/figure.h"
#include "ui/drawing/figures/figure_panels.h"
#include "ui/drawing/heatmap_painter.h"

#include <QFontMetricsF>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_tex_cells = 10'000; ///< more take LaTeX minutes, or its memory

QByteArray texNumber(double value) { return QByteArray::number(value, 'g', 10); }
QByteArray texLength(double points) { return QByteArray::number(points, 'f', 2) + "bp"; }

/// Text as LaTeX prints it. Other letters are printed by XeLaTeX and LuaLaTeX, and named by their numbers otherwise.
QByteArray texText(const QString& text) {
    QByteArray tex;
    for (const char32_t letter : text.toUcs4()) {
        const QString own = QString::fromUcs4(&letter, 1);
        switch (letter) {
        case U'\\':
            tex += "\\textbackslash{}";
            break;
        case U'^':
            tex += "\\textasciicircum{}";
            break;
        case U'~':
            tex += "\\textasciitilde{}";
            break;
        case U'<':
        case U'>':
        case U'|':
            tex += "\\(" + own.toUtf8() + "\\)";
            break;
        case U'−':
            tex += "\\(-\\)";
            break;
        case U'√':
            tex += "\\(\\surd\\)";
            break;
        case U'→':
            tex += "\\(\\rightarrow\\)";
            break;
        case U'·':
            tex += "\\(\\cdot\\)";
            break;
        case U'{':
        case U'}':
        case U'#':
        case U'$':
        case U'%':
        case U'&':
        case U'_':
            tex += '\\' + own.toUtf8();
            break;
        default:
            if (letter < 0x20 || letter == 0x7f)
                tex += ' ';
            else if (letter > 0x7f)
                tex += "\\attnlabletter{" + own.toUtf8() + "}{" +
                       (isTexLetter(letter) ? own.toUtf8() : "U+" + QByteArray::number(letter, 16).toUpper()) + '}';
            else
                tex += own.toUtf8();
        }
    }
    return '{' + tex + '}';
}

QByteArray texColor(QRgb color) {
    return "{rgb,255:red," + QByteArray::number(qRed(color)) + ";green," + QByteArray::number(qGreen(color)) +
           ";blue," + QByteArray::number(qBlue(color)) + '}';
}

/// The number that colours are proportional to.
double metaOf(const ColorScale& scale, double value) { return scale.logarithmic ? std::log10(value) : value; }

QByteArray texFont(double points) {
    return "\\fontsize{" + texNumber(points) + "}{" + texNumber(1.2 * points) + "}\\selectfont";
}

/// One figure as text. Positions are in big points from the lower left corner.
class TexFigure {
public:
    TexFigure(const Figure& figure, const FigureOptions& options) : options_(options), look_(themeFor(options.dark)) {
        scale_ = limited(figure.scale, options);
        scale_.title = options.bar_title.value_or(figure.quantity);
        QRectF page(QPointF(0, 0), options.size_points);
        note_ = placeNote(figure.note, options, page);
        page.setHeight(page.height() - note_.height);
        groups_ = placePanels(scale_, options, figure.panels, 0.0, page);
    }

    QByteArray write() {
        std::int64_t cells = 0;
        for (const auto& group : groups_)
            for (const auto& panel : group.panels)
                cells += panel.matrix.view().rows * panel.matrix.view().columns;
        if (cells > most_tex_cells)
            throw Error({ATTNLAB_TEXT("LaTeX: the figure has %1 cells, expected at most %2; PDF takes any number"),
                         {std::to_string(cells), std::to_string(most_tex_cells)}});
        tex_ = "% Made by AttnLab. In the preamble: \\usepackage{pgfplots} \\pgfplotsset{compat=1.16}\n"
               "% The width is " +
               texNumber(options_.size_points.width() / points_per_inch) +
               " in. Letters that pdfLaTeX lacks are printed by XeLaTeX and LuaLaTeX.\n"
               "\\providecommand{\\attnlabletter}[2]{\\ifdefined\\XeTeXversion#1\\else\\ifdefined\\directlua#1\\else#2"
               "\\fi\\fi}\n"
               "\\begin{tikzpicture}[x=1bp,y=1bp]\n";
        tex_ += "\\path" + QByteArray(options_.transparent ? "" : "[fill=" + texColor(look_.card.rgb()) + ']') +
                "[use as bounding box] (0,0) rectangle (" + texNumber(options_.size_points.width()) + ',' +
                texNumber(options_.size_points.height()) + ");\n";
        for (const auto& group : groups_)
            writeGroup(group);
        if (!options_.title.isEmpty() && !groups_.empty()) {
            QRectF all;
            for (const auto& group : groups_)
                all |= group.grid.bodies(static_cast<int>(group.panels.size()));
            writeText({all.center().x(), figureTitleHeight(options_) / 2 + 3.0}, "", options_.title, look_.text,
                      1.25 * figureFont(options_).pixelSize(), true);
        }
        for (int i = 0; i < note_.lines.size(); ++i)
            writeText(note_.first + QPointF(0, i * note_.line), "anchor=west", note_.lines[i], look_.muted,
                      note_.font.pixelSize());
        return tex_ + "\\end{tikzpicture}%\n";
    }

private:
    QByteArray at(const QPointF& point) const {
        return '(' + texLength(point.x()) + ',' + texLength(options_.size_points.height() - point.y()) + ')';
    }

    void writeText(const QPointF& place, const QByteArray& style, const QString& text, const QColor& color,
                   double points, bool bold = false) {
        if (text.isEmpty())
            return;
        tex_ += "\\node[inner sep=0pt,text=" + texColor(color.rgb()) + ",font=" + texFont(points) +
                (bold ? "\\bfseries" : "") + (style.isEmpty() ? "" : ',' + style) + "] at " + at(place) + ' ' +
                texText(text) + ";\n";
    }

    void writeGroup(const PlacedPanels& group) {
        const auto& grid = group.grid;
        if (grid.body.isEmpty())
            return;
        const double points = group.style.points;
        for (int i = 0; i < static_cast<int>(group.panels.size()); ++i)
            writePanel(group, i);
        if (!grid.column_title.isEmpty())
            writeText(grid.column_title.center(), "", group.column_title, look_.muted, points);
        if (!grid.row_title.isEmpty())
            writeText(grid.row_title.center(), "rotate=90", group.row_title, look_.muted, points);
        if (!grid.row_profile_title.isEmpty())
            writeText(grid.row_profile_title.center(), "rotate=90", group.margins.row_name, look_.muted, points);
        if (!grid.column_profile_title.isEmpty())
            writeText(grid.column_profile_title.center(), "", group.margins.column_name, look_.muted, points);
    }

    void writeProfiles(const PlacedPanels& group, int index) {
        const auto& margins = group.margins.of[static_cast<std::size_t>(index)];
        if (!margins)
            return;
        const auto write = [this](const std::vector<double>& numbers, const MarginEnds& ends, const QRectF& strip,
                                  Qt::Orientation outwards) {
            for (const auto& area : marginAreas(numbers, ends, strip, outwards)) {
                tex_ += "\\fill[" + texColorOption(look_.accent.rgb()) + ']';
                for (const auto& point : area)
                    tex_ += at(point) + "--";
                tex_ += "cycle;\n";
            }
            const QLineF zero = marginZero(ends, strip, outwards);
            tex_ += "\\draw[line width=0.5bp,color=" + texColor(look_.muted.rgb()) + ']' + at(zero.p1()) + "--" +
                    at(zero.p2()) + ";\n";
        };
        if (group.margins.rows)
            write(margins->rows, *group.margins.rows, group.grid.rowProfileOf(index), Qt::Horizontal);
        if (group.margins.columns)
            write(margins->columns, *group.margins.columns, group.grid.columnProfileOf(index), Qt::Vertical);
        const double points = profileFont(options_, group.style.points).pixelSize();
        for (const auto& end : profileEnds(group, index)) {
            const bool left = end.alignment & Qt::AlignLeft, top = end.alignment & Qt::AlignTop;
            writeText({left ? end.area.left() : end.area.right(), top ? end.area.top() : end.area.bottom()},
                      QByteArray("anchor=") + (top ? "north " : "south ") + (left ? "west" : "east"), end.text,
                      look_.muted, points);
        }
    }

    void writeMark(const PlacedMark& placed, const PanelMark& mark) {
        const auto box = [this](const QRectF& area, const QByteArray& style) {
            tex_ += style + at(area.bottomLeft()) + " rectangle " + at(area.topRight()) + ";\n";
        };
        box(placed.whole, "\\fill[" + texColorOption(look_.border.rgb()) + ']');
        const QColor color = mark.is_signed && mark.share > 0.0 ? look_.accent : look_.pin;
        if (mark.is_hollow)
            box(placed.bar.adjusted(0.4, 0.4, -0.4, -0.4), "\\filldraw[line width=0.8bp,draw=" + texColor(color.rgb()) +
                                                               ',' + texColorOption(look_.card.rgb()) + ']');
        else if (placed.bar.width() > 0.0)
            box(placed.bar, "\\fill[" + texColorOption(color.rgb()) + ']');
        writeText(placed.words.center(), "", placed.text, mark.is_strong ? look_.text : look_.muted,
                  placed.font.pixelSize(), mark.is_strong);
    }

    void writeCross(const QRectF& cells) {
        for (const auto& [color, width] :
             {std::pair(look_.card, cross_width + 2.0 * cross_edge), {look_.text, cross_width}})
            tex_ += "\\draw[line width=" + texLength(width) + ",draw=" + texColor(color.rgb()) + ']' +
                    at(cells.topLeft()) + " -- " + at(cells.bottomRight()) + ' ' + at(cells.topRight()) + " -- " +
                    at(cells.bottomLeft()) + ";\n";
    }

    /// "xtick={...},xticklabels={...}"; none where labels are empty.
    static QByteArray ticks(char axis, const std::vector<PlacedLabel>& labels) {
        QByteArray places, texts;
        for (const auto& label : labels) {
            places += (places.isEmpty() ? "" : ",") + texNumber(label.index + 0.5);
            texts += (texts.isEmpty() ? "" : ",") + texText(label.text);
        }
        return QByteArray(1, axis) + "tick={" + places + "}," + axis + "ticklabels={" + texts + "},";
    }

    void writePanel(const PlacedPanels& group, int index) {
        const auto& grid = group.grid;
        const auto& panel = group.panels[static_cast<std::size_t>(index)];
        const auto& matrix = panel.matrix;
        const ColorScale& scale = panel.scale ? *panel.scale : scale_;
        const QFont font = figureFont(options_, group.style.points);
        const auto axes = figureAxes(matrix, options_, false);
        const auto part = grid.partOf(index, QRectF(QPointF(0, 0), options_.size_points), group.style.upright);
        const auto frame = wholeFrame(part.body, axes);
        auto labels = placeLabels(part, frame, axes, font, std::nullopt);
        if (index % grid.columns != 0 || !options_.labels)
            labels.rows.clear();
        if (index >= grid.columns || !options_.labels)
            labels.columns.clear();
        const auto rows = axes.rows.count, columns = axes.columns.count;
        const QByteArray leaning = labels.columns_upright  ? "rotate=90,anchor=west,"
                                   : labels.columns_turned ? "rotate=40,anchor=south west,"
                                                           : "";
        tex_ +=
            "\\begin{axis}[at={" + at(part.body.topLeft()) +
            "},anchor=north west,scale only axis,width=" + texLength(part.body.width()) +
            ",height=" + texLength(part.body.height()) +
            ",xmin=0,xmax=" + QByteArray::number(static_cast<qlonglong>(columns)) +
            ",ymin=0,ymax=" + QByteArray::number(static_cast<qlonglong>(rows)) +
            ",y dir=reverse,axis on top,tick style={draw=none},axis line style={draw=none},"
            "xticklabel pos=upper,\n  tick label style={inner sep=1.5pt,text=" +
            texColor(look_.text.rgb()) + ",font=" + texFont(group.style.points) + "},x tick label style={" + leaning +
            "},\n  " + ticks('x', labels.columns) + "\n  " + ticks('y', labels.rows) + "\n  colormap={attnlab}{" +
            colormapText(scale) + "},point meta min=" + texNumber(metaOf(scale, scale.low)) +
            ",point meta max=" + texNumber(metaOf(scale, scale.high)) + barText(grid, part.body, index, font) + "]\n";
        writeCells(matrix, scale);
        if (options_.numbers)
            writeNumbers(frame, matrix, scale, group.style.points);
        tex_ += "\\end{axis}\n";
        if (panel.is_crossed_out)
            writeCross(part.body);
        if (!group.margins.empty())
            writeProfiles(group, index);
        if (const auto mark = placeMark(group, index, options_))
            writeMark(*mark, *panel.mark);
        if (grid.line > 0.0) {
            const QRectF line = grid.nameOf(index);
            writeText(line.center(), "", panel.title, look_.text, group.style.points);
            if (options_.letters)
                writeText({line.left(), line.center().y()}, "anchor=west", panelLetter(group.first + index), look_.text,
                          group.style.points, true);
        }
    }

    QByteArray colormapText(const ColorScale& scale) const {
        const auto& colors = shownOn(look_, scale).map->colors;
        QByteArray text;
        constexpr int stops = 32;
        for (int i = 0; i <= stops; ++i) {
            const QRgb color = colors[static_cast<std::size_t>(i * 255 / stops)];
            text += "rgb255=(" + QByteArray::number(qRed(color)) + ',' + QByteArray::number(qGreen(color)) + ',' +
                    QByteArray::number(qBlue(color)) + ") ";
        }
        return text;
    }

    /// The bar that begins at this heatmap: one for all is drawn by the first.
    QByteArray barText(const FigureGrid& grid, const QRectF& body, int index, const QFont& font) const {
        for (const auto& bar : grid.bars) {
            const bool level = bar.along == Qt::Horizontal;
            const bool is_own = grid.bars.size() == 1
                                    ? index == 0
                                    : std::abs(bar.area.left() - body.left()) < 0.5 && bar.area.top() > body.bottom() &&
                                          bar.area.top() < body.bottom() + grid.to_bar + 13.0;
            if (!is_own)
                continue;
            const double line = QFontMetricsF(font).height();
            const double depth = std::ceil(0.7 * line);
            QByteArray places, texts;
            const auto ticks = barTicks(bar.scale, font, level ? bar.area.width() / 2 : bar.area.height());
            for (std::size_t i = 0; i < ticks.size(); ++i) {
                places += (places.isEmpty() ? "" : ",") + texNumber(metaOf(bar.scale, ticks[i].value));
                // The first and the last stay within a level bar.
                const QByteArray side = !level ? "" : i == 0 ? "\\rlap" : i + 1 == ticks.size() ? "\\llap" : "";
                texts += (texts.isEmpty() ? "" : ",") + ('{' + side + texText(ticks[i].text) + '}');
            }
            const QByteArray axis = level ? "x" : "y";
            return ",\n  colorbar" + QByteArray(level ? " horizontal" : "") + ",colorbar style={at={(" +
                   texNumber((bar.area.left() - body.left()) / body.width()) + ',' +
                   texNumber(1.0 - (bar.area.top() - body.top()) / body.height()) +
                   ")},anchor=north west,width=" + texLength(level ? bar.area.width() : depth) +
                   ",height=" + texLength(level ? depth : bar.area.height()) + ",tick style={draw=none}," + axis +
                   "tick={" + places + "}," + axis + "ticklabels={" + texts + "}," + axis +
                   "label=" + texText(bar.scale.title) + (level ? "" : ",ylabel style={rotate=180}") +
                   ",label style={font=" + texFont(font.pixelSize()) +
                   ",inner sep=1pt},tick label style={font=" + texFont(font.pixelSize()) + ",inner sep=1.5pt}}";
        }
        return {};
    }

    /// Cells that are blocked or no numbers are grey. A matrix plot needs two rows and two columns.
    void writeCells(const MatrixData& matrix, const ColorScale& scale) {
        const auto view = matrix.view();
        const bool is_plot = view.rows > 1 && view.columns > 1;
        const auto shown = shownOn(look_, scale);
        if (is_plot)
            tex_ += "\\addplot[matrix plot*,mesh/cols=" + QByteArray::number(static_cast<qlonglong>(view.columns)) +
                    ",mesh/rows=" + QByteArray::number(static_cast<qlonglong>(view.rows)) +
                    ",point meta=explicit] coordinates {\n";
        const QByteArray hidden = texColor(hatchBack(look_, Hatch::Blocked).rgb());
        QByteArray grey;
        const auto cell = [](std::int64_t row, std::int64_t column) {
            return "(axis cs:" + QByteArray::number(static_cast<qlonglong>(column)) + ',' +
                   QByteArray::number(static_cast<qlonglong>(row)) +
                   ") rectangle (axis cs:" + QByteArray::number(static_cast<qlonglong>(column + 1)) + ',' +
                   QByteArray::number(static_cast<qlonglong>(row + 1)) + ");\n";
        };
        for (std::int64_t row = 0; row < view.rows; ++row) {
            for (std::int64_t column = 0; column < view.columns; ++column) {
                const auto number = matrix.numberAt(row, column);
                const bool has_color = number && !std::isnan(*number);
                const double value = has_color ? std::clamp(*number, scale.low, scale.high) : scale.low;
                if (is_plot)
                    tex_ += '(' + texNumber(column + 0.5) + ',' + texNumber(row + 0.5) + ") [" +
                            texNumber(metaOf(scale, value)) + "] ";
                else if (has_color)
                    tex_ += "\\fill[" + texColorOption(shown.color(value)) + "] " + cell(row, column);
                if (!has_color)
                    grey += "\\filldraw[line width=0.2bp,draw=" + hidden + ",fill=" + hidden + "] " + cell(row, column);
            }
            tex_ += '\n';
        }
        if (is_plot)
            tex_ += "};\n";
        tex_ += grey;
    }

    static QByteArray texColorOption(QRgb color) { return "fill=" + texColor(color); }

    void writeNumbers(const HeatmapFrame& frame, const MatrixData& matrix, const ColorScale& scale, int points) {
        const auto numbers = panelNumbers(frame, matrix, options_, points);
        if (numbers.digits == 0)
            return;
        const auto shown = shownOn(look_, scale);
        const auto view = matrix.view();
        for (std::int64_t row = 0; row < view.rows; ++row)
            for (std::int64_t column = 0; column < view.columns; ++column) {
                const auto number = matrix.numberAt(row, column);
                const QString text = numbers.text(number);
                if (text.isEmpty())
                    continue;
                tex_ += "\\node[inner sep=0pt,font=" + texFont(numbers.font.pixelSize()) +
                        ",text=" + texColor(numberColorOn(shown.color(*number), text).rgb()) +
                        "] at (axis cs:" + texNumber(column + 0.5) + ',' + texNumber(row + 0.5) + ") " + texText(text) +
                        ";\n";
            }
    }

    const FigureOptions& options_;
    const Theme& look_;
    ColorScale scale_;
    PlacedNote note_;
    std::vector<PlacedPanels> groups_;
    QByteArray tex_;
};

} // namespace

bool isTexLetter(char32_t letter) {
    return letter < 0x180 || letter == U'−' || letter == U'√' || letter == U'·' || letter == U'→';
}

QByteArray texData(const Figure& figure, const FigureOptions& wished) {
    if (figure.drawing)
        throw Error(Message(ATTNLAB_TEXT("LaTeX: holds heatmaps alone; PDF holds any picture")));
    const FigureOptions options = sized(figure, wished);
    return TexFigure(figure, options).write();
}

} // namespace attnlab::ui
