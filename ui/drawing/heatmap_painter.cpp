#include "ui/drawing/heatmap_painter.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/drawing/text_drawing.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

/// The part of a cell that enlarged numbers may take.
constexpr double enlarged_width = 0.8, enlarged_height = 0.5;
constexpr double largest_in_cells = 99'999.5; ///< larger ones would need an exponent

/// ".05", "1.2", "12", "0": see CellNumbers.
QString cellText(double value, int digits) {
    const double magnitude = std::abs(value);
    if (!std::isfinite(value))
        return numberText(value, digits);
    if (magnitude >= largest_in_cells)
        return value < 0.0 ? QStringLiteral("≪0") : QStringLiteral("≫0");
    QString text = QString::number(magnitude, 'f', digits);
    if (text.toDouble() == 0.0)
        return QStringLiteral("0");
    if (text.startsWith(QLatin1Char('0'))) {
        text.remove(0, 1);
    } else {
        const QString rounded = QString::number(magnitude, 'e', digits - 1); // 9.96 has two digits before its point
        const int power = rounded.mid(rounded.indexOf(QLatin1Char('e')) + 1).toInt();
        text = QString::number(magnitude, 'f', std::max(0, digits - 1 - power));
    }
    return value < 0.0 ? QStringLiteral("−") + text : text;
}

double linearOf(int channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

QString CellNumbers::text(std::optional<double> value) const {
    return digits == 0 || !value ? QString() : cellText(*value, digits);
}

NumberAt numbersOf(const MatrixData& matrix) {
    return [&matrix](Cell cell) { return matrix.numberAt(cell.row, cell.column); };
}

CellNumbers numbersFitting(const HeatmapFrame& frame, const NumberAt& numbers_at, const QFont& font, int most_digits) {
    const double width = frame.cellWidth() - 6.0;
    const double height = frame.cellHeight() - 2.0;
    const QRect cells = frame.visibleCells();
    const auto longest = [&](const CellNumbers& numbers) {
        double length = 0;
        for (int row = cells.top(); row <= cells.bottom(); ++row)
            for (int column = cells.left(); column <= cells.right(); ++column)
                if (const QString text = numbers.text(numbers_at({row, column})); !text.isEmpty())
                    length = std::max(length, static_cast<double>(text.size()));
        return length;
    };
    struct Attempt {
        int digits;
        double size;
    };
    for (const auto [usual, size] : {Attempt{4, 1.7}, Attempt{4, 1.35}, Attempt{4, 1.15}, Attempt{4, 1.0},
                                     Attempt{3, 1.0}, Attempt{3, 0.88}, Attempt{2, 0.88}, Attempt{2, 0.75}}) {
        const int digits = std::min(usual, most_digits);
        CellNumbers numbers{digits, scaledFont(font, size)};
        const QFontMetricsF metrics(numbers.font);
        // Digits are the widest characters of a number and equally wide. Two digits and a point are the minimum.
        const double digit = metrics.horizontalAdvance(QLatin1Char('0'));
        const bool enlarged = size > 1.0;
        const double across = enlarged ? enlarged_width * width : width;
        if (metrics.height() > (enlarged ? enlarged_height * height : height) || digit * (digits - 0.5) > across)
            continue;
        // A sign and a point are narrower than a digit.
        if (digit * (longest(numbers) - 0.4) <= across)
            return numbers;
    }
    return {};
}

QColor textColorOn(QRgb background) {
    static const auto linear = [] {
        std::array<double, 256> table{};
        for (int i = 0; i < 256; ++i)
            table[static_cast<std::size_t>(i)] = linearOf(i);
        return table;
    }();
    const auto channel = [](int value) { return linear[static_cast<std::size_t>(value)]; };
    const double luminance =
        0.2126 * channel(qRed(background)) + 0.7152 * channel(qGreen(background)) + 0.0722 * channel(qBlue(background));
    // The luminance at which the contrast with white, 1.05 / (Y + 0.05), equals that with black, (Y + 0.05) / 0.05.
    static const double even = std::sqrt(1.05 * 0.05) - 0.05;
    return luminance > even ? Qt::black : Qt::white;
}

QColor numberColorOn(QRgb background, const QString& text) {
    const QColor ink = textColorOn(background);
    if (text != QLatin1String("0"))
        return ink;
    constexpr double share = 0.6, least_contrast = 4.5;
    const auto mixed = [](int of_ink, int of_back) {
        return static_cast<int>(std::lround(share * of_ink + (1.0 - share) * of_back));
    };
    const QColor grey(mixed(ink.red(), qRed(background)), mixed(ink.green(), qGreen(background)),
                      mixed(ink.blue(), qBlue(background)));
    return contrastOf(grey, background) >= least_contrast ? grey : ink;
}

namespace {

constexpr double separators_from = 14.0;     ///< size of a cell
constexpr int most_as_vectors = 256;         ///< rows or columns; more are an image
constexpr double least_image_ppi = 600.0;    ///< of such an image, as publishers ask for
constexpr int largest_image_of_cells = 8192; ///< pixels of its longer side

QRgb opaqueColorOf(const HeatmapContent& content, const HatchedCells& hatched, const ColorScale& shown, int row,
                   int column) {
    const auto hatch = hatched(row, column);
    return hatch ? hatchBack(content.look, *hatch).rgb() : shown.color(content.matrix.view()(row, column));
}

/// The colours of cells, from the most frequent to the rarest, and the index of each cell's colour.
struct CellClasses {
    std::vector<QRgb> colors;
    std::vector<std::size_t> of_cells; ///< row by row
};

CellClasses classesOf(const HeatmapContent& content, const QRect& cells) {
    const ColorScale shown = shownOn(content.look, content.scale);
    const HatchedCells hatched(content.matrix);
    std::vector<QRgb> colors;
    std::map<QRgb, std::size_t> counts;
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            colors.push_back(opaqueColorOf(content, hatched, shown, row, column));
            ++counts[colors.back()];
        }
    CellClasses classes;
    for (const auto& [color, count] : counts)
        classes.colors.push_back(color);
    std::ranges::stable_sort(classes.colors, std::greater<>(), [&](QRgb color) { return counts[color]; });
    std::map<QRgb, std::size_t> index;
    for (std::size_t i = 0; i < classes.colors.size(); ++i)
        index[classes.colors[i]] = i;
    for (const QRgb color : colors)
        classes.of_cells.push_back(index[color]);
    return classes;
}

/// Collects the cells of a class, row by row and from left to right, as rectangles of one path.
class CellRuns {
public:
    explicit CellRuns(const HeatmapFrame& frame) : frame_(frame) {}

    void add(int row, int column) {
        if (row != row_ || column != end_)
            endRun();
        if (row_ < 0) {
            row_ = row;
            first_ = column;
        }
        end_ = column + 1;
    }
    const QPainterPath& path() {
        endRun();
        return path_;
    }

private:
    void endRun() {
        if (row_ >= 0)
            path_.addRect(frame_.rectOf(QRect(first_, row_, end_ - first_, 1)));
        row_ = -1;
    }

    const HeatmapFrame& frame_;
    QPainterPath path_;
    int row_ = -1, first_ = 0, end_ = 0;
};

/// One path for each colour, the most frequent colour under all. A path also covers the neighbours of its cells that
/// are painted later: where viewers smooth an edge, the colours of both sides mix and the page does not show through.
void paintCellsAsVectors(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    const CellClasses classes = classesOf(content, cells);
    const auto class_of = [&](int row, int column) {
        const auto place = (row - cells.top()) * cells.width() + (column - cells.left());
        return classes.of_cells[static_cast<std::size_t>(place)];
    };
    std::vector<CellRuns> runs(classes.colors.size(), CellRuns(frame));
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            const std::size_t own = class_of(row, column);
            std::array<std::size_t, 5> covers{own, own, own, own, own};
            std::size_t count = 1;
            for (const auto& [y, x] :
                 {std::pair(row - 1, column), {row, column - 1}, {row, column + 1}, {row + 1, column}})
                if (cells.contains(x, y) && class_of(y, x) < own)
                    covers[count++] = class_of(y, x);
            std::ranges::sort(covers);
            const auto end = std::unique(covers.begin(), covers.end());
            for (auto cover = covers.begin(); cover != end; ++cover)
                if (*cover > 0)
                    runs[*cover].add(row, column);
        }
    painter.fillRect(frame.rectOf(cells), QColor(classes.colors.front()));
    painter.save();
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 1; i < runs.size(); ++i)
        painter.fillPath(runs[i].path(), QColor(classes.colors[i]));
    painter.restore();
}

/// The pixels along a cell for which an image of the cells has the resolution above on the painter's device.
int pixelsOfCell(const QPainter& painter, const HeatmapFrame& frame, int longest) {
    const QRectF cell = painter.deviceTransform().mapRect(QRectF(0, 0, frame.cellWidth(), frame.cellHeight()));
    const double inches = std::max(cell.width(), cell.height()) / painter.device()->logicalDpiX();
    const int most = std::max(1, largest_image_of_cells / longest);
    return static_cast<int>(std::clamp(std::ceil(least_image_ppi * inches - 1e-6), 1.0, static_cast<double>(most)));
}

/// Over cells that have the background of their hatch already, run by run.
void paintHatchesOver(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    const HatchedCells hatched(content.matrix);
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right();) {
            const auto hatch = hatched(row, column);
            const int first = column;
            do
                ++column;
            while (column <= cells.right() && hatched(row, column) == hatch);
            if (hatch)
                paintHatch(painter, frame.rectOf(QRect(first, row, column - first, 1)), content.look, *hatch);
        }
}

/// Every cell as a square of whole pixels, so that viewers that smooth images keep its edges sharp.
QImage enlargedCells(const HeatmapFrame& frame, const HeatmapContent& content, int factor) {
    const QRect cells = frame.visibleCells();
    const ColorScale shown = shownOn(content.look, content.scale);
    const HatchedCells hatched(content.matrix);
    QImage picture(cells.size() * factor, QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            if (y % factor > 0)
                line[x] = reinterpret_cast<const QRgb*>(picture.constScanLine(y - 1))[x];
            else if (x % factor > 0)
                line[x] = line[x - 1];
            else
                line[x] = opaqueColorOf(content, hatched, shown, cells.top() + y / factor, cells.left() + x / factor);
        }
    }
    // Hatches as wide as in the painter's units.
    picture.setDevicePixelRatio(std::max(1.0, factor / std::max(frame.cellWidth(), frame.cellHeight())));
    QPainter inner(&picture);
    const QRectF all(QPointF(0, 0), QSizeF(picture.size()) / picture.devicePixelRatio());
    paintHatchesOver(inner, {all, QRectF(cells)}, content);
    inner.end();
    picture.setDevicePixelRatio(1.0);
    return picture;
}

void outline(QPainter& painter, const QRectF& rect, const QColor& color, double width) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
}

} // namespace

void paintSeparators(QPainter& painter, const HeatmapFrame& frame, const Theme& look, double width) {
    if (std::min(frame.cellWidth(), frame.cellHeight()) < separators_from)
        return;
    QColor color = look.card;
    color.setAlphaF(0.35F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    const QRect cells = frame.visibleCells();
    for (int column = cells.left() + 1; column <= cells.right(); ++column) {
        const double x = frame.cellRect({cells.top(), column}).left();
        painter.drawLine(QPointF(x, frame.body.top()), QPointF(x, frame.body.bottom()));
    }
    for (int row = cells.top() + 1; row <= cells.bottom(); ++row) {
        const double y = frame.cellRect({row, cells.left()}).top();
        painter.drawLine(QPointF(frame.body.left(), y), QPointF(frame.body.right(), y));
    }
    painter.restore();
}

namespace {

/// A triangle in the upper right corner of cells that one of two compared matrices blocks.
void paintBlockedInOne(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    constexpr double readable = 9.0, share = 0.28, longest = 9.0; // of a cell
    const double cell = std::min(frame.cellWidth(), frame.cellHeight());
    if (content.matrix.blocked_in_one.size() == 0 || cell < readable)
        return;
    const double side = std::min(longest, share * cell);
    const QRect cells = frame.visibleCells();
    QPainterPath corners;
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column)
            if (content.matrix.isBlockedInOne(row, column)) {
                const QPointF corner = frame.cellRect({row, column}).topRight();
                corners.addPolygon(
                    QPolygonF({corner, corner + QPointF(-side, 0.0), corner + QPointF(0.0, side), corner}));
            }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(corners, content.look.text);
    painter.restore();
}

} // namespace

void paintCells(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    painter.save();
    painter.setClipRect(frame.body, Qt::IntersectClip);
    paintMatrix(painter, frame.rectOf(cells), content.matrix, content.scale, cells, content.look);
    paintSeparators(painter, frame, content.look);
    paintBlockedInOne(painter, frame, content);
    painter.restore();
}

void paintCellsForFiles(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content) {
    const QRect cells = frame.visibleCells();
    if (cells.isEmpty())
        return;
    if (const int longest = std::max(cells.width(), cells.height()); longest <= most_as_vectors) {
        paintCellsAsVectors(painter, frame, content);
        paintHatchesOver(painter, frame, content);
    } else {
        painter.save();
        painter.setRenderHint(QPainter::LosslessImageRendering); // PDF would take JPEG
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(frame.rectOf(cells), enlargedCells(frame, content, pixelsOfCell(painter, frame, longest)));
        painter.restore();
    }
    constexpr double separator_in_files = 0.5; // a pixel of a printer is too narrow to be seen
    paintSeparators(painter, frame, content.look, separator_in_files);
    paintBlockedInOne(painter, frame, content);
}

void paintAheadNote(QPainter& painter, const HeatmapFrame& frame, const MatrixData& matrix, const Theme& look,
                    const std::vector<Cell>& framed) {
    constexpr double gap = 8.0, frame_width = 3.0; // pixels
    const auto reach = HatchedCells(matrix).reach();
    const QRect cells = frame.visibleCells();
    if (!reach || cells.isEmpty())
        return;
    const QString text = QCoreApplication::translate("MatrixData", "cannot read ahead");
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height() + gap, width = metrics.horizontalAdvance(text) + 2 * gap;
    const QRectF body = frame.rectOf(cells).intersected(frame.body);
    const int rows = static_cast<int>(std::ceil(height / frame.cellHeight()));
    for (int top = cells.top(); top + rows - 1 <= cells.bottom(); ++top) {
        // The lowest row that the words touch has the fewest cells ahead.
        const int lowest = top + rows - 1;
        const auto first = std::max<std::int64_t>(cells.left(), lowest + *reach + 1);
        if (first > cells.right() || body.right() - frame.cellRect({lowest, static_cast<int>(first)}).left() < width)
            return;
        const double y = std::max(body.top(), frame.cellRect({top, cells.left()}).top());
        const QRectF words(body.right() - width, y, width - gap, height);
        const auto is_cut = [&](Cell cell) {
            return frame.cellRect(cell)
                .adjusted(-frame_width, -frame_width, frame_width, frame_width)
                .intersects(words.adjusted(0, gap / 2.0, 0, -gap / 2.0));
        };
        if (std::ranges::any_of(framed, is_cut))
            continue;
        painter.save();
        painter.setPen(look.text);
        drawText(painter, words, Qt::AlignRight | Qt::AlignVCenter, text);
        painter.restore();
        return;
    }
}

void paintHidden(QPainter& painter, const HeatmapFrame& frame, const MatrixData& matrix, const Theme& look) {
    if (matrix.hidden.size() == 0)
        return;
    constexpr double readable = 9.0, share = 0.7, most_times = 1.8; // pixels of a cell; of an area; of the font
    const QRect cells = frame.visibleCells();
    const double cell = std::min(frame.cellWidth(), frame.cellHeight());
    const bool one_each = cell >= readable;
    const double line = one_each && cell >= separators_from ? 0.5 : 0.0;
    QRectF all;
    const QFont usual = painter.font();
    const auto write = [&](const QRectF& area) {
        const double room = share * std::min(area.width(), area.height());
        painter.setFont(scaledFont(usual, std::min(most_times, room / QFontMetricsF(usual).height())));
        drawText(painter, area, Qt::AlignCenter | Qt::TextDontClip, QStringLiteral("?"));
    };
    painter.save();
    painter.setClipRect(frame.body, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(look.text);
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            if (!matrix.isHidden(row, column))
                continue;
            const QRectF place = frame.cellRect({row, column});
            painter.fillRect(place.adjusted(line, line, -line, -line), look.border);
            all = all.united(place);
            if (one_each)
                write(place);
        }
    if (!one_each && !all.isEmpty())
        write(all);
    painter.restore();
}

void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const NumberAt& numbers_at, const ColorScale& scale,
                  const Theme& look, const CellNumbers& numbers) {
    if (numbers.digits == 0)
        return;
    const QRect cells = frame.visibleCells();
    const ColorScale shown = shownOn(look, scale);
    painter.save();
    painter.setClipRect(frame.body, Qt::IntersectClip);
    painter.setFont(numbers.font);
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            const auto value = numbers_at({row, column});
            const QString text = numbers.text(value);
            if (text.isEmpty())
                continue;
            painter.setPen(std::isnan(*value) ? look.warning_text : numberColorOn(shown.color(*value), text));
            drawText(painter, frame.cellRect({row, column}), Qt::AlignCenter | Qt::TextDontClip, text);
        }
    painter.restore();
}

void paintNumbers(QPainter& painter, const HeatmapFrame& frame, const HeatmapContent& content, const QFont& font) {
    const NumberAt numbers_at = numbersOf(content.matrix);
    paintNumbers(painter, frame, numbers_at, content.scale, content.look,
                 numbersFitting(frame, numbers_at, font, board_digits));
}

void paintMarks(QPainter& painter, const HeatmapFrame& frame, const HeatmapMarks& marks, const Theme& look) {
    painter.save();
    // Includes the outline of a cell at the edge.
    painter.setClipRect(frame.body.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    const auto shows = [&](std::optional<Cell> cell) {
        return cell && frame.visibleCells().contains(cell->column, cell->row);
    };
    if (shows(marks.crosshair)) {
        // On whole pixels: the lines of a cell that is lower than one would tilt.
        const QRect body = frame.body.toRect();
        const QRectF exact = frame.cellRect(*marks.crosshair);
        const QPoint first(qRound(exact.left()), qRound(exact.top()));
        const QRect cell(first, QSize(std::max(1, qRound(exact.right()) - first.x()),
                                      std::max(1, qRound(exact.bottom()) - first.y())));
        QColor halo = look.card;
        halo.setAlphaF(0.55F);
        for (const auto& [color, width] : {std::pair(halo, 3.0), std::pair(look.accent, 1.0)}) {
            outline(painter, QRect(body.left(), cell.top(), body.width(), cell.height()), color, width);
            outline(painter, QRect(cell.left(), body.top(), cell.width(), body.height()), color, width);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Cell& cell : marks.highlighted)
        if (shows(cell)) {
            outline(painter, frame.cellRect(cell), look.card, 4);
            outline(painter, frame.cellRect(cell), look.text, 2);
        }
    const auto dot = [&](Cell cell, double least) {
        const QRectF rect = frame.cellRect(cell);
        const QSizeF size = rect.size().expandedTo({least, least});
        return size == rect.size() ? rect : QRectF(rect.center() - QPointF(size.width(), size.height()) / 2, size);
    };
    if (shows(marks.cursor)) {
        const QRectF cell = dot(*marks.cursor, 5.0);
        outline(painter, cell, look.card, 4);
        outline(painter, cell, look.accent, 2);
    }
    if (shows(marks.pinned)) {
        // An outline visible on light and dark cells.
        const QRectF cell = dot(*marks.pinned, 8.0);
        outline(painter, cell, look.card, 4.5);
        outline(painter, cell, look.pin, 2.5);
    }
    painter.restore();
}

} // namespace attnlab::ui
