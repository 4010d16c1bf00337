#include "ui/drawing/matrix_data.h"

#include "core/message.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <QCoreApplication>
#include <QMimeData>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>
#include <string>
#include <vector>

namespace attnlab::ui {
namespace {

struct AxisWords {
    Q_DECLARE_TR_FUNCTIONS(AxisWords)
};

} // namespace

bool isStartToken(const QString& label) {
    static const QStringList starts{
        QStringLiteral("<|endoftext|>"),   QStringLiteral("<s>"),         QStringLiteral("[CLS]"),
        QStringLiteral("<cls>"),           QStringLiteral("<bos>"),       QStringLiteral("<|begin_of_text|>"),
        QStringLiteral("<|startoftext|>"), QStringLiteral("<BOS_TOKEN>"), QStringLiteral("<｜begin▁of▁sentence｜>")};
    return starts.contains(label);
}

QString shownLabel(const QStringList& labels, qsizetype index) {
    return index == 0 && isStartToken(labels.front()) ? AxisWords::tr("start") : displayToken(labels[index]);
}

QString MatrixAxis::label(std::int64_t index) const {
    if (unnamed)
        return {};
    if (index >= labels.size() || labels[index].isEmpty())
        return QString::number(number(index));
    return literal ? displayToken(labels[index]) : shownLabel(labels, index);
}

QString MatrixAxis::fullLabel(std::int64_t index) const {
    const bool is_start = index == 0 && !literal && !labels.isEmpty() && isStartToken(labels.front());
    return is_start ? QStringLiteral("%1 (%2)").arg(label(index), labels.front()) : label(index);
}

namespace {

constexpr double hatch_period = 6.0; ///< between lines, along x

/// The colour of the largest magnitude in a block of cells; transparent when all are blocked or NaN.
QRgb colorOfBlock(const MatrixView& view, const BlockedCells& blocked, const OnScale& colors, const QRect& block) {
    double strongest = std::numeric_limits<double>::quiet_NaN();
    double magnitude = -1.0;
    for (std::int64_t row = block.top(); row <= block.bottom(); ++row)
        for (std::int64_t column = block.left(); column <= block.right(); ++column) {
            const double value = view(row, column);
            if (std::abs(value) > magnitude && !blocked(row, column)) {
                magnitude = std::abs(value);
                strongest = value;
            }
        }
    return colors.color(strongest);
}

/// The boundaries of `parts` nearly equal parts of `count` cells from `first` on.
std::vector<int> partition(int first, int count, int parts) {
    std::vector<int> starts;
    for (int i = 0; i <= parts; ++i)
        starts.push_back(first + static_cast<int>(std::int64_t{count} * i / parts));
    return starts;
}

struct HatchColors {
    QColor back;
    QColor line;
};

HatchColors hatchColors(Hatch hatch, const Theme& look) {
    if (hatch == Hatch::Blocked)
        return {look.hatch_back, look.hatch_line};
    if (hatch == Hatch::Ahead)
        return {look.ahead, look.ahead};
    // The text NaN on the lines must stay readable.
    QColor line = look.warning_text;
    line.setAlphaF(0.3F);
    return {look.warning_soft, line};
}

QPixmap hatchTile(double pixel_ratio, Hatch hatch, const Theme& look) {
    struct Tile {
        double pixel_ratio = 0.0;
        Hatch hatch = Hatch::Blocked;
        QRgb back = 0;
        QRgb line = 0;
        QPixmap pixmap;
    };
    // Enough for two screens, and a figure in the other theme.
    static std::array<Tile, 8> tiles;
    static std::size_t next = 0;
    const auto colors = hatchColors(hatch, look);
    const QRgb back = colors.back.rgb();
    const QRgb line = colors.line.rgb();
    for (const auto& tile : tiles)
        if (tile.pixel_ratio == pixel_ratio && tile.hatch == hatch && tile.back == back && tile.line == line)
            return tile.pixmap;

    // A whole number of device pixels, so that tiles join without a seam.
    const int size = std::max(2, static_cast<int>(std::lround(hatch_period * pixel_ratio)));
    QImage image(size, size, QImage::Format_RGB32);
    image.fill(colors.back);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.line, pixel_ratio));
    for (const int shift : {-size, 0, size})
        painter.drawLine(QPointF(shift - 1, size + 1), QPointF(shift + size + 1, -1));
    painter.end();
    QPixmap pixmap = QPixmap::fromImage(hatch == Hatch::Blocked ? image : image.mirrored(true, false));
    tiles[next] = {pixel_ratio, hatch, back, line, pixmap};
    next = (next + 1) % tiles.size();
    return pixmap;
}

bool isVectorDevice(const QPainter& painter) {
    const auto type = painter.paintEngine()->type();
    return type == QPaintEngine::SVG || type == QPaintEngine::Pdf || type == QPaintEngine::Picture;
}

/// The part of a polygon with sign * (mirror * x + y) <= sign * sum.
QPolygonF clipped(const QPolygonF& polygon, double mirror, double sign, double sum) {
    QPolygonF inside;
    const auto beyond = [&](const QPointF& point) { return sign * (mirror * point.x() + point.y() - sum); };
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF from = polygon[i], to = polygon[(i + 1) % polygon.size()];
        const double before = beyond(from), after = beyond(to);
        if (before <= 0.0)
            inside << from;
        if ((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0))
            inside << from + (to - from) * (before / (before - after));
    }
    return inside;
}

/// Stripes along the diagonals x + y = k * period, clipped by arithmetic, since QSvgGenerator does not support
/// clipping. NaN has the mirrored ones, x - y.
void paintHatchLines(QPainter& painter, const QRectF& area, Hatch hatch, const Theme& look) {
    constexpr double half_width = 0.53; // of a line of 0.75 along x
    const auto colors = hatchColors(hatch, look);
    const double mirror = hatch == Hatch::Blocked ? 1.0 : -1.0;
    const double left = std::min(mirror * area.left(), mirror * area.right());
    painter.save();
    painter.fillRect(area, colors.back);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.line);
    const QPolygonF corners{{area.topLeft(), area.topRight(), area.bottomRight(), area.bottomLeft()}};
    const double first = std::ceil((left + area.top() - half_width) / hatch_period) * hatch_period;
    const double end = left + area.width() + area.bottom() + half_width;
    for (double sum = first; sum < end; sum += hatch_period) {
        const auto stripe = clipped(clipped(corners, mirror, 1.0, sum + half_width), mirror, -1.0, sum - half_width);
        if (stripe.size() > 2)
            painter.drawConvexPolygon(stripe);
    }
    painter.restore();
}

/// Hatches below the transparent pixels of an image of the cells, run by run, extended by half a pixel: the image
/// covers it, and rounding leaves no gap.
void paintHatchUnder(QPainter& painter, const QRectF& target, const MatrixData& matrix, const QRect& cells,
                     const QImage& image, const Theme& look) {
    const QSize pixels = image.size();
    const auto rows = partition(cells.top(), cells.height(), pixels.height());
    const auto columns = partition(cells.left(), cells.width(), pixels.width());
    const double width = target.width() / pixels.width();
    const double height = target.height() / pixels.height();
    const HatchedCells hatched(matrix);
    const auto hatch_of = [&](int y, int x) -> std::optional<Hatch> {
        if (qAlpha(reinterpret_cast<const QRgb*>(image.constScanLine(y))[x]) != 0)
            return std::nullopt;
        Hatch of_all = Hatch::Ahead;
        for (int row = rows[static_cast<std::size_t>(y)]; row < rows[static_cast<std::size_t>(y) + 1]; ++row)
            for (int column = columns[static_cast<std::size_t>(x)]; column < columns[static_cast<std::size_t>(x) + 1];
                 ++column) {
                const auto hatch = hatched(row, column);
                if (hatch == Hatch::NotANumber)
                    return hatch;
                if (hatch == Hatch::Blocked)
                    of_all = Hatch::Blocked;
            }
        return of_all;
    };
    for (int y = 0; y < pixels.height(); ++y)
        for (int x = 0; x < pixels.width();) {
            const int start = x;
            const auto hatch = hatch_of(y, x);
            do
                ++x;
            while (x < pixels.width() && hatch_of(y, x) == hatch);
            if (hatch)
                paintHatch(painter,
                           QRectF(QPointF(target.left() + start * width, target.top() + y * height),
                                  QPointF(target.left() + x * width, target.top() + (y + 1) * height))
                               .adjusted(-0.5, -0.5, 0.5, 0.5),
                           look, *hatch);
        }
}

QRect allCells(const MatrixData& matrix) {
    const auto view = matrix.view();
    return QRect(0, 0, static_cast<int>(view.columns), static_cast<int>(view.rows));
}

} // namespace

HatchedCells::HatchedCells(const MatrixData& matrix) : blocked_(matrix), view_(matrix.view()) {
    if (!blocked_.any())
        return;
    const auto most = std::max<std::int64_t>(0, view_.columns - view_.rows);
    std::int64_t reach = 0;
    std::optional<std::int64_t> edge; // the last kept column of the rows before
    bool moves = false;
    for (std::int64_t row = 0; row < view_.rows; ++row) {
        auto last = view_.columns - 1; // that is not blocked
        while (last >= 0 && blocked_(row, last))
            --last;
        if (last - row > most)
            return;
        reach = std::max(reach, last - row);
        if (last >= 0) {
            moves = moves || (edge && *edge != last);
            edge = last;
        }
    }
    if (moves) // padding ends every row at the same column
        reach_ = reach;
}

QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, QSize largest) {
    return matrixImage(matrix, scale, allCells(matrix), largest);
}

QImage matrixImage(const MatrixData& matrix, const ColorScale& scale, const QRect& cells, QSize largest) {
    const auto view = matrix.view();
    const BlockedCells blocked(matrix);
    const OnScale colors(scale);
    const int width = std::min(cells.width(), std::max(1, largest.width()));
    const int height = std::min(cells.height(), std::max(1, largest.height()));
    if (width <= 0 || height <= 0)
        return {};
    const auto rows = partition(cells.top(), cells.height(), height);
    const auto columns = partition(cells.left(), cells.width(), width);
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const int top = rows[static_cast<std::size_t>(y)];
        const int bottom = rows[static_cast<std::size_t>(y) + 1];
        for (int x = 0; x < width; ++x) {
            const int left = columns[static_cast<std::size_t>(x)];
            const int right = columns[static_cast<std::size_t>(x) + 1];
            line[x] = colorOfBlock(view, blocked, colors, QRect(left, top, right - left, bottom - top));
        }
    }
    return image;
}

void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale) {
    paintMatrix(painter, target, matrix, scale, allCells(matrix), theme());
}

void paintMatrix(QPainter& painter, const QRectF& target, const MatrixData& matrix, const ColorScale& scale,
                 const QRect& cells, const Theme& look) {
    const double pixel_ratio = painter.device()->devicePixelRatioF();
    const QSize pixels(static_cast<int>(std::ceil(target.width() * pixel_ratio)),
                       static_cast<int>(std::ceil(target.height() * pixel_ratio)));
    const QImage image = matrixImage(matrix, shownOn(look, scale), cells, pixels);
    if (image.isNull() || target.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setClipRect(target, Qt::IntersectClip);
    paintHatchUnder(painter, target, matrix, cells, image, look);
    painter.drawImage(target, image);
    painter.restore();
}

QString hiddenText() { return QCoreApplication::translate("MatrixData", "?, covered until you answer"); }

QColor hatchBack(const Theme& look, Hatch hatch) { return hatchColors(hatch, look).back; }

void paintHatch(QPainter& painter, const QRectF& area, const Theme& look, Hatch hatch) {
    if (area.isEmpty())
        return;
    if (hatch == Hatch::Ahead) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(area, look.ahead);
        painter.restore();
        return;
    }
    if (isVectorDevice(painter)) {
        paintHatchLines(painter, area, hatch, look);
        return;
    }
    // A brush rather than drawTiledPixmap, which rounds the tile's origin and so leaves seams at fractional positions.
    const double pixel_ratio = painter.device()->devicePixelRatioF();
    QBrush brush(hatchTile(pixel_ratio, hatch, look));
    brush.setTransform(QTransform::fromScale(1.0 / pixel_ratio, 1.0 / pixel_ratio));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrushOrigin(0, 0);
    painter.fillRect(area, brush);
    painter.restore();
}

namespace {

/// The text and the HTML of a table, written row by row.
class CopiedTable {
public:
    explicit CopiedTable(bool has_row_labels) : has_row_labels_(has_row_labels) {}

    void beginRow(const QString& label) {
        html_ += "<tr>";
        is_first_ = true;
        if (has_row_labels_)
            addLabel(label);
    }
    void addLabel(const QString& label) { add(label.toStdString(), label.toHtmlEscaped().toStdString(), "th"); }
    void addNumber(double value) {
        const auto number = to_text(value);
        add(number, number, "td");
    }
    void endRow() {
        text_ += '\n';
        html_ += "</tr>";
    }
    std::unique_ptr<QMimeData> mime() const {
        auto mime = std::make_unique<QMimeData>();
        mime->setText(QString::fromStdString(text_));
        mime->setHtml(QString::fromStdString("<table>" + html_ + "</table>"));
        return mime;
    }

private:
    void add(const std::string& text, const std::string& escaped, const char* tag) {
        if (!is_first_)
            text_ += '\t';
        is_first_ = false;
        text_ += text;
        html_.append("<").append(tag).append(">").append(escaped).append("</").append(tag).append(">");
    }

    bool has_row_labels_;
    bool is_first_ = true;
    std::string text_, html_;
};

} // namespace

std::unique_ptr<QMimeData> mimeOf(const MatrixView& cells, const QStringList& row_labels,
                                  const QStringList& column_labels) {
    CopiedTable table(!row_labels.isEmpty());
    if (!column_labels.isEmpty()) {
        table.beginRow({});
        for (const auto& label : column_labels)
            table.addLabel(label);
        table.endRow();
    }
    for (std::int64_t row = 0; row < cells.rows; ++row) {
        table.beginRow(row_labels.value(row));
        for (const double value : cells.row(row))
            table.addNumber(value);
        table.endRow();
    }
    return table.mime();
}

} // namespace attnlab::ui
