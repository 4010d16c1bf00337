// Layout and painting of the parts of a HeatmapView.
#include "ui/drawing/color_bar.h"
#include "ui/matrix/heatmap_view.h"

#include <QFontInfo>
#include <QPainter>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double minimap_size = 120.0, minimap_gap = 8.0;
constexpr std::int64_t minimap_from = 32; ///< rows or columns

double largestOf(const std::vector<double>& values) {
    double top = 0.0;
    for (const double value : values)
        top = std::isfinite(value) ? std::max(top, value) : top;
    return top;
}

QStringList textsOf(const std::vector<PlacedLabel>& labels) {
    QStringList texts;
    for (const auto& label : labels)
        texts << label.text;
    return texts;
}

} // namespace

QFont HeatmapView::labelsFont() const {
    QFont small = labelFont(font());
    if (label_size_ < 1.0)
        small.setPixelSize(std::max(1, static_cast<int>(QFontInfo(small).pixelSize() * label_size_)));
    return small;
}

/// The last turned label extends beyond the cells, where most views have a colour bar.
double HeatmapView::lean() const { return color_bar_ ? 0.0 : 1.5 * QFontMetricsF(labelsFont()).height(); }

void HeatmapView::relayout() {
    layOut(fixed_label_size_.value_or(1.0));
    if (!fixed_label_size_ && columnsAreTurned()) {
        layOut(smaller_labels);
        if (columnsAreTurned())
            layOut(1.0);
    }
    placeCells();
}

bool HeatmapView::columnsAreTurned() const {
    return !layout_.body.isEmpty() &&
           !columnLabelsFitFlat(axes_.columns, labelsFont(),
                                layout_.body.width() / static_cast<double>(axes_.columns.count));
}

bool HeatmapView::labelsEveryRow() const {
    return layout_.body.isEmpty() ||
           rowLabelsFit(axes_.rows, labelsFont(), layout_.body.height() / static_cast<double>(axes_.rows.count));
}

double HeatmapView::fittedCell() const {
    return layout_.body.isEmpty() ? 0.0
                                  : std::min(layout_.body.width() / static_cast<double>(axes_.columns.count),
                                             layout_.body.height() / static_cast<double>(axes_.rows.count));
}

void HeatmapView::layOut(double label_size) {
    label_size_ = label_size;
    LayoutWishes wishes{font(), color_bar_, false, 1.0 / devicePixelRatioF(), row_labels_};
    wishes.labels = labelsFont();
    wishes.title_beside = true;
    wishes.profiles = wishes.fill_strips = source_->profiles() != nullptr;
    layout_ = layoutHeatmap(QRectF(rect()).adjusted(0, 0, -lean(), 0), axes_, scale_, wishes);
    layout_.area = QRectF(rect());
}

void HeatmapView::placeCells() {
    // Views side by side get rooms of equal width, regardless of fractional label widths.
    QRectF room = layout_.room;
    room.setSize(QSizeF(std::max(1.0, std::floor(room.width())), std::max(1.0, std::floor(room.height()))));
    const QSizeF body = layout_.body.size();
    const double less =
        body.isEmpty() ? 1.0 : std::min({1.0, room.width() / body.width(), room.height() / body.height()});
    const QSizeF cell = axes_.empty() ? QSizeF(1, 1)
                                      : QSizeF(less * body.width() / static_cast<double>(axes_.columns.count),
                                               less * body.height() / static_cast<double>(axes_.rows.count));
    viewport_.setRoom(room, cell, 1.0 / devicePixelRatioF());
    refresh();
}

/// The visible part or the colours have changed.
void HeatmapView::refresh() {
    numbers_.reset();
    picture_ = QPixmap();
    source_->setSight(sight());
    describeCell();
    renewTip();
    update();
}

MatrixSight HeatmapView::sight() const { return {frame(), scale_, theme(), devicePixelRatioF()}; }

HeatmapLayout HeatmapView::placed() const {
    HeatmapLayout at = layout_;
    at.setBody(frame().body);
    if (showsMinimap() && !at.color_bar.isEmpty())
        at.color_bar.setBottom(minimapRect().top() - 2 * minimap_gap);
    return at;
}

const CellNumbers& HeatmapView::numbers() const {
    if (!numbers_)
        numbers_ = axes_.empty() || frame().body.isEmpty()
                       ? CellNumbers()
                       : numbersFitting(
                             frame(), [this](Cell cell) { return source_->numberAt(cell); }, font());
    return *numbers_;
}

HeatmapLabels HeatmapView::labels() const {
    return placeLabels(placed(), frame(), axes_, labelsFont(), marks_.crosshair ? marks_.crosshair : marks_.cursor);
}

QString HeatmapView::textInCell(Cell cell) const { return numbers().text(source_->numberAt(cell)); }
QStringList HeatmapView::visibleRowLabels() const { return textsOf(labels().rows); }
QStringList HeatmapView::visibleColumnLabels() const { return textsOf(labels().columns); }

void HeatmapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().card);
    if (!source_->hasCells()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, message_);
        return;
    }
    if (picture_.isNull() || picture_.devicePixelRatioF() != devicePixelRatioF())
        renderPicture();
    painter.drawPixmap(0, 0, picture_);
    if (!before_.isNull())
        paintFading(painter);
    if (!layout_.body.isEmpty()) {
        paintLabels(painter, placed(), labels(), axes_, labelsFont(), theme());
        painter.save();
        if (showsMinimap())
            painter.setClipRegion(QRegion(rect()) - QRegion(minimapRect().adjusted(-2, -2, 2, 2).toAlignedRect()));
        paintEdge(painter);
        paintMarks(painter, frame(), marks_, theme());
        painter.restore();
    }
    if (focus_shown_) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// In high contrast a matrix whose cells are as dark as the card has an outline.
void HeatmapView::paintEdge(QPainter& painter) const {
    if (!theme().high_contrast)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme().outline, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame().body.adjusted(-1, -1, 0, 0));
}

/// Only in the same size: cells at other places would confuse.
void HeatmapView::paintFading(QPainter& painter) const {
    if (before_.size() != picture_.size())
        return;
    painter.save();
    painter.setOpacity(fade_->currentValue().toDouble());
    painter.drawPixmap(0, 0, before_);
    painter.restore();
}

void HeatmapView::renderPicture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(theme().card);
    if (layout_.body.isEmpty())
        return;
    QPainter painter(&picture_);
    painter.setFont(font());
    const MatrixSight seen = sight();
    const HeatmapLayout at = placed();
    source_->paint(painter, seen);
    paintNumbers(
        painter, seen.frame, [this](Cell cell) { return source_->numberAt(cell); }, scale_, seen.look, numbers());
    if (source_->profiles())
        paintProfiles(painter, at);
    if (color_bar_)
        paintColorBar(painter, at.color_bar, scale_, labelsFont(), seen.look);
    if (showsMinimap())
        paintMinimap(painter);
}

void HeatmapView::paintProfiles(QPainter& painter, const HeatmapLayout& at) const {
    const MatrixProfiles& all = *source_->profiles();
    const HeatmapFrame seen = frame();
    QVector<QRectF> bars;
    const auto number = [](std::int64_t first, std::size_t i, std::int64_t bin) {
        return static_cast<double>((first + static_cast<std::int64_t>(i)) * bin);
    };
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().accent);
    const double widest = largestOf(all.rows);
    for (std::size_t i = 0; i < all.rows.size(); ++i)
        if (all.rows[i] > 0.0)
            bars << QRectF(
                at.row_profile.left(),
                at.body.top() + (number(all.first_row, i, all.bin_rows) - seen.range.top()) * seen.cellHeight(),
                at.row_profile.width() * all.rows[i] / widest, static_cast<double>(all.bin_rows) * seen.cellHeight());
    painter.setClipRect(at.row_profile);
    painter.drawRects(bars);
    bars.clear();
    const double highest = largestOf(all.columns);
    for (std::size_t i = 0; i < all.columns.size(); ++i)
        if (all.columns[i] > 0.0)
            bars << QRectF(at.body.left() +
                               (number(all.first_column, i, all.bin_columns) - seen.range.left()) * seen.cellWidth(),
                           at.column_profile.top(), static_cast<double>(all.bin_columns) * seen.cellWidth(),
                           at.column_profile.height() * all.columns[i] / highest);
    painter.setClipRect(at.column_profile);
    painter.drawRects(bars);
    painter.setClipping(false);
    painter.setFont(labelsFont());
    painter.setPen(theme().muted);
    const QRectF corner(at.row_profile.left(), at.column_profile.top(), at.color_bar.right() - at.row_profile.left(),
                        at.column_profile.height());
    painter.drawText(corner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     all.means ? tr("mean of each row and column") : tr("largest of each row and column"));
    painter.restore();
}

bool HeatmapView::showsMinimap() const {
    const QSizeF body = frame().body.size();
    return !isFitted() && source_->hasCells() && std::max(axes_.rows.count, axes_.columns.count) > minimap_from &&
           body.width() > 3 * minimap_size && body.height() > 2 * minimap_size;
}

/// Below the colour bar, where it hides no cell; a view without a colour bar has it over its cells.
QRectF HeatmapView::minimapRect() const {
    HeatmapLayout at = layout_;
    const QRectF body = frame().body;
    at.setBody(body);
    const auto fitting = [this](double most) { return viewport_.fittedSize().scaled(most, most, Qt::KeepAspectRatio); };
    if (at.color_bar.isEmpty()) {
        const QSizeF size = fitting(minimap_size);
        return {body.topRight() + QPointF(-minimap_gap - size.width(), minimap_gap), size};
    }
    const double left = (at.row_profile.isEmpty() ? body.right() : at.row_profile.right()) + minimap_gap;
    const QSizeF size = fitting(std::min(minimap_size, at.color_bar.right() - left));
    return {QPointF(left, body.bottom() - size.height()), size};
}

void HeatmapView::paintMinimap(QPainter& painter) const {
    const QRectF place = minimapRect();
    painter.save();
    painter.fillRect(place, theme().hatch_back);
    source_->paintWhole(painter, place, sight());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().card, 3));
    painter.drawRect(place);
    const QRectF seen = frame().range;
    const double x = place.width() / static_cast<double>(axes_.columns.count);
    const double y = place.height() / static_cast<double>(axes_.rows.count);
    QRectF window(place.left() + seen.left() * x, place.top() + seen.top() * y, seen.width() * x, seen.height() * y);
    if (window.width() < 4 || window.height() < 4)
        window = QRectF(window.center() - QPointF(2, 2), QSizeF(4, 4));
    painter.setPen(QPen(theme().pin, 2));
    painter.drawRect(window);
    painter.restore();
}

void HeatmapView::dragMinimap(const QPointF& position) {
    const QRectF place = minimapRect();
    viewport_.centreOn({(position.x() - place.left()) / place.width() * static_cast<double>(axes_.columns.count),
                        (position.y() - place.top()) / place.height() * static_cast<double>(axes_.rows.count)});
    moved();
}

} // namespace attnlab::ui
