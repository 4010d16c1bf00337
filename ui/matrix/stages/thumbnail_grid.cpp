#include "ui/matrix/stages/thumbnail_grid.h"

#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QTextLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int narrowest_with_frame = 20; ///< images of dense tiles

/// The lines of a short text; the last one, and words that are longer than a line, end in an ellipsis.
QStringList brokenLines(const QString& text, const QFont& font, int width, int most) {
    QTextLayout layout(text, font);
    QStringList lines;
    layout.beginLayout();
    for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const bool last = static_cast<int>(lines.size()) + 1 == most;
        const QString shown = last ? text.mid(line.textStart()) : text.mid(line.textStart(), line.textLength());
        lines << QFontMetrics(font).elidedText(shown.trimmed(), Qt::ElideRight, width);
        if (last)
            break;
    }
    layout.endLayout();
    return lines;
}

} // namespace

QSize thumbnailSize(std::int64_t rows, std::int64_t columns, int height) {
    if (rows <= 0 || columns <= 0)
        return {height, height};
    const double aspect = static_cast<double>(columns) / static_cast<double>(rows);
    return {static_cast<int>(std::lround(height * std::clamp(aspect, 1.0 / 3.0, 1.6))), height};
}

QSize thumbnailWithin(std::int64_t rows, std::int64_t columns, int side) {
    if (rows <= 0 || columns <= 0)
        return {side, side};
    const double aspect = std::clamp(static_cast<double>(columns) / static_cast<double>(rows), 1.0 / 3.0, 3.0);
    return {static_cast<int>(std::lround(side * std::min(aspect, 1.0))),
            static_cast<int>(std::lround(side / std::max(aspect, 1.0)))};
}

MatrixTile::MatrixTile(QWidget* parent) : QAbstractButton(parent) {
    setAccessibleRole(*this, QAccessible::RadioButton); // one of the tiles around it is chosen
    setCheckable(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void MatrixTile::setMatrix(MakeMatrix source, const ColorScale& scale) {
    source_ = std::move(source);
    image_ = nullptr;
    scale_ = scale;
    picture_ = QPixmap();
    update();
}

void MatrixTile::setImage(std::function<QImage()> image) {
    image_ = std::move(image);
    source_ = nullptr;
    picture_ = QPixmap();
    update();
}

void MatrixTile::setRole(std::optional<AttentionRole> role) {
    role_ = role;
    update();
}

void MatrixTile::setOff(bool off) {
    if (std::exchange(is_off_, off) != off)
        update();
}

void MatrixTile::setDense(bool dense) {
    dense_ = dense;
    update();
}

void MatrixTile::setBar(std::optional<Bar> bar) {
    if (std::exchange(bar_, bar) != bar)
        update();
}

void MatrixTile::setSelection(bool selection) {
    is_selection_ = selection;
    update();
}

QColor MatrixTile::choiceColor() const { return is_selection_ ? theme().pin : theme().accent; }

void MatrixTile::setFilled(bool filled) {
    if (std::exchange(is_filled_, filled) != filled)
        update();
}

void MatrixTile::setStrong(bool strong) {
    if (std::exchange(strong_, strong) != strong)
        update();
}

void MatrixTile::setDetail(std::function<QString()> detail) {
    detail_ = std::move(detail);
    update();
}

void MatrixTile::setPictureSize(QSize size) {
    if (picture_size_ == size)
        return;
    picture_size_ = size;
    picture_ = QPixmap();
    update();
}

void MatrixTile::setCrosshair(std::optional<Cell> cell) {
    if (crosshair_ == cell)
        return;
    crosshair_ = cell;
    update();
}

QRectF MatrixTile::pictureRect() const {
    const QSizeF size = picture_size_;
    const bool title_below = dense_ && (!text().isEmpty() || bar_);
    const double top = title_below ? dense_padding : (height() - size.height()) / 2;
    if (!hasTextBeside())
        return {{(width() - size.width()) / 2, top}, size};
    return {{isRightToLeft() ? width() - padding - size.width() : padding, top}, size};
}

std::optional<Cell> MatrixTile::cellAt(const QPointF& position) const {
    const QRectF area = pictureRect();
    if (rows_ == 0 || columns_ == 0 || !area.contains(position))
        return std::nullopt;
    const QPointF inside = position - area.topLeft();
    return Cell{std::min(static_cast<int>(rows_) - 1,
                         static_cast<int>(inside.y() / area.height() * static_cast<double>(rows_))),
                std::min(static_cast<int>(columns_) - 1,
                         static_cast<int>(inside.x() / area.width() * static_cast<double>(columns_)))};
}

QFont MatrixTile::titleFont() const {
    QFont result = font();
    result.setBold(isChecked() || detail_);
    return result;
}

QFont MatrixTile::detailFont() const {
    QFont result = font();
    result.setPointSizeF(result.pointSizeF() * 0.88);
    return result;
}

int MatrixTile::textHeight() const {
    const int title = text().isEmpty() ? 0 : QFontMetrics(titleFont()).height();
    return title + (detail_ ? QFontMetrics(detailFont()).height() * detail_lines : 0);
}

int MatrixTile::titleWidth() const {
    QFont bold = font();
    bold.setBold(true); // the width when chosen, so that choosing does not change the layout
    return QFontMetrics(bold).horizontalAdvance(text()) + 2;
}

int MatrixTile::detailWidth(const QString& detail) const {
    int widest = 0;
    for (const auto& word : detail.split(QLatin1Char(' ')))
        widest = std::max(widest, QFontMetrics(detailFont()).horizontalAdvance(word));
    return widest + 2;
}

int MatrixTile::widthWith(int picture, int text) {
    return padding + picture + (text > 0 && picture > 0 ? text_gap : 0) + text + padding;
}

void MatrixTile::renderPicture() {
    if (picture_size_.isEmpty())
        return;
    const qreal ratio = devicePixelRatioF();
    picture_ = QPixmap(picture_size_ * ratio);
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(Qt::transparent);
    if (image_) {
        QPainter(&picture_).drawImage(QRect(QPoint(), picture_size_), image_());
        return;
    }
    const auto shown = matrix();
    rows_ = shown ? shown->view().rows : 0;
    columns_ = shown ? shown->view().columns : 0;
    if (!shown || shown->view().empty() || !scale_.map)
        return;
    QPainter painter(&picture_);
    paintMatrix(painter, QRectF(QPointF(0, 0), QSizeF(picture_size_)), *shown, scale_);
}

void MatrixTile::paintFrame(QPainter& painter) const {
    if (is_filled_)
        return; // see paintFilledFrame()
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor soft = is_selection_ ? theme().pin : theme().accent_soft;
    if (is_selection_)
        soft.setAlphaF(0.1F);
    if (isChecked() && dense_) {
        painter.setPen(QPen(choiceColor(), 2.0));
        painter.setBrush(text().isEmpty() ? choiceColor() : soft);
        painter.drawRoundedRect(frame, 2, 2);
    } else if (isChecked()) {
        painter.setPen(QPen(choiceColor(), hasFocus() ? 2.0 : is_selection_ ? 1.6 : 1.2));
        painter.setBrush(soft);
        painter.drawRoundedRect(frame, 5, 5);
        if (hasFocus()) {
            painter.setPen(QPen(theme().text, 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(frame.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
        }
    } else if ((underMouse() && isEnabled()) || hasFocus()) {
        painter.setPen(QPen(hasFocus() ? theme().accent : theme().border, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(frame, 5, 5);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MatrixTile::paintText(QPainter& painter) const {
    const int left = padding + picture_size_.width() + (picture_size_.isEmpty() ? 0 : text_gap);
    const int room = width() - padding - left;
    if (!hasTextBeside() || room <= 0)
        return;
    const QFontMetrics title(titleFont()), detail(detailFont());
    const QStringList lines = detail_ ? brokenLines(detail_(), detailFont(), room, detail_lines) : QStringList();
    const int title_height = text().isEmpty() ? 0 : title.height();
    QRect line(left, (height() - title_height - static_cast<int>(lines.size()) * detail.height()) / 2, room,
               title_height);
    const auto draw = [&](const QFont& font, const QColor& color, const QString& words) {
        painter.setFont(font);
        painter.setPen(color);
        const auto flags = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft | Qt::AlignVCenter);
        painter.drawText(QStyle::visualRect(layoutDirection(), rect(), line),
                         static_cast<int>(flags) | Qt::TextSingleLine, words);
        line.moveTop(line.bottom() + 1);
        line.setHeight(detail.height());
    };
    if (title_height > 0) {
        const QColor plain = role_ ? roleColor(*role_, theme()) : detail_ ? theme().text : theme().muted;
        draw(titleFont(), isChecked() && !detail_ && !role_ && !is_selection_ ? theme().accent : plain,
             title.elidedText(text(), Qt::ElideMiddle, room));
    }
    line.setHeight(detail.height());
    for (const auto& words : lines)
        draw(detailFont(), theme().muted, words);
}

void MatrixTile::paintTextBelow(QPainter& painter) const {
    const int top = dense_padding + picture_size_.height() + (bar_ ? bar_room : 0);
    QFont shown = font();
    shown.setBold(strong_);
    painter.setFont(shown);
    painter.setPen(strong_ || (isChecked() && is_selection_) ? theme().text
                   : isChecked()                             ? theme().accent
                                                             : theme().muted);
    painter.drawText(QRect(0, top, width(), height() - top), Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetrics(shown).elidedText(text(), Qt::ElideRight, width()));
}

void MatrixTile::paintBar(QPainter& painter) const {
    constexpr int bar_height = 4;
    const QRectF picture = pictureRect();
    const QRectF whole(picture.left(), picture.bottom() + (bar_room - bar_height) / 2.0 + 1.0, picture.width(),
                       bar_height);
    if (theme().high_contrast) { // whose border is as strong as a bar
        painter.setPen(QPen(theme().border, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(whole.adjusted(0.0, 0.0, -1.0, -1.0));
    } else {
        painter.fillRect(whole, theme().border);
    }
    const double share = std::clamp(bar_->share, -1.0, 1.0);
    const double room = bar_->is_signed ? whole.width() / 2.0 : whole.width();
    QRectF part = whole;
    part.setWidth(std::max(share != 0.0 ? 1.0 : 0.0, room * std::abs(share)));
    if (bar_->is_signed && share < 0.0)
        part.moveRight(whole.center().x());
    else if (bar_->is_signed)
        part.moveLeft(whole.center().x());
    part = QStyle::visualRect(layoutDirection(), whole.toRect(), part.toRect());
    const QColor color = bar_->is_signed && share > 0.0 ? theme().accent : theme().pin;
    if (!bar_->is_hollow || part.width() < 3.0)
        return painter.fillRect(part, color);
    painter.fillRect(part, theme().card);
    painter.setPen(QPen(color, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.adjusted(0.0, 0.0, -1.0, -1.0));
}

void MatrixTile::paintCrosshair(QPainter& painter) const {
    if (!crosshair_ || crosshair_->row >= rows_ || crosshair_->column >= columns_)
        return;
    const QRectF area = pictureRect();
    const double height = area.height() / static_cast<double>(rows_);
    const double width = area.width() / static_cast<double>(columns_);
    QRectF cell(area.left() + crosshair_->column * width, area.top() + crosshair_->row * height, width, height);
    // A cell of a large matrix is less than a pixel: the outline has a minimum size.
    const double grow_x = std::max(0.0, (5.0 - width) / 2), grow_y = std::max(0.0, (5.0 - height) / 2);
    cell.adjust(-grow_x, -grow_y, grow_x, grow_y);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(255, 255, 255, 200), 3.0));
    painter.drawRect(cell);
    painter.setPen(QPen(theme().pin, 1.0));
    painter.drawRect(cell);
}

/// Two lines, of which one is seen on every colour; the colour of the choice may be that of the tile.
void MatrixTile::paintFilledFrame(QPainter& painter) const {
    painter.setBrush(Qt::NoBrush);
    if (!isChecked()) {
        painter.setPen(QPen(theme().outline, 1.0));
        painter.drawRect(pictureRect().adjusted(0.0, 0.0, -1.0, -1.0));
        return;
    }
    const QRectF frame = pictureRect().adjusted(-1.0, -1.0, 1.0, 1.0);
    painter.setPen(QPen(theme().text, 2.0));
    painter.drawRect(frame.adjusted(1.0, 1.0, -1.0, -1.0));
    painter.setPen(QPen(theme().card, 1.0));
    painter.drawRect(frame.adjusted(2.5, 2.5, -2.5, -2.5));
}

void MatrixTile::paintEvent(QPaintEvent*) {
    if (picture_.isNull())
        renderPicture();
    QPainter painter(this);
    paintFrame(painter);
    const QRectF area = pictureRect();
    if (is_off_) { // the colour of a chosen frame would show through
        painter.fillRect(area, theme().card);
        painter.setOpacity(0.25);
    }
    painter.drawPixmap(area.topLeft(), picture_);
    painter.setOpacity(1.0);
    if (is_off_) {
        painter.setPen(QPen(theme().muted, 2));
        painter.drawLine(area.topLeft(), area.bottomRight());
        painter.drawLine(area.topRight(), area.bottomLeft());
    }
    if (theme().high_contrast && (rows_ > 0 || image_)) { // cells may be as dark as what is around them
        painter.setPen(QPen(theme().outline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(pictureRect().adjusted(-1, -1, 0, 0));
    }
    paintCrosshair(painter);
    if (is_filled_) {
        paintFilledFrame(painter);
    } else if (dense_ && isChecked() && picture_size_.width() < narrowest_with_frame) { // its frame is below the image
        painter.setPen(QPen(choiceColor(), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
    if (dense_ && hasFocus()) {                       // the frame of a dense tile has no room for it
        const double inside = is_filled_ ? 4.0 : 0.0; // of the frames of a tile of one colour
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().text, 1));
        painter.drawRect(area.adjusted(inside, inside, -1 - inside, -1 - inside));
        if (is_filled_) { // which may be the colour of the ring
            painter.setPen(QPen(theme().card, 1));
            painter.drawRect(area.adjusted(inside + 1, inside + 1, -2 - inside, -2 - inside));
        }
    }
    if (dense_ && bar_)
        paintBar(painter);
    if (dense_)
        paintTextBelow(painter);
    else
        paintText(painter);
}

void MatrixTile::mouseMoveEvent(QMouseEvent* event) {
    QAbstractButton::mouseMoveEvent(event);
    emit cellHovered(cellAt(event->position()));
}

void MatrixTile::mouseDoubleClickEvent(QMouseEvent* event) {
    QAbstractButton::mouseDoubleClickEvent(event);
    emit doubleClicked();
}

void MatrixTile::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    emit cellHovered(std::nullopt);
}

void MatrixTile::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        picture_ = QPixmap();
}

namespace {

class ThinBar : public QScrollBar {
public:
    using QScrollBar::QScrollBar;
    QSize sizeHint() const override {
        const QSize usual = QScrollBar::sizeHint();
        return orientation() == Qt::Vertical ? QSize(TileScroll::bar_width, usual.height())
                                             : QSize(usual.width(), TileScroll::bar_width);
    }
};

} // namespace

TileScroll::TileScroll(QWidget* parent) : QScrollArea(parent) {
    setVerticalScrollBar(new ThinBar(Qt::Vertical, this));
    setHorizontalScrollBar(new ThinBar(Qt::Horizontal, this));
    setWidget(new QWidget);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    content()->setAutoFillBackground(false);
}

void TileScroll::reveal(const QWidget& tile, int margin) {
    // A mirrored scroll bar counts from the right.
    const QRect at = QStyle::visualRect(layoutDirection(), content()->rect(), tile.geometry());
    const auto into = [margin](QScrollBar& bar, int first, int last, int room) {
        if (first - margin < bar.value() || last - first + 2 * margin > room)
            bar.setValue(first - margin);
        else if (last + margin > bar.value() + room)
            bar.setValue(last + margin - room);
    };
    into(*verticalScrollBar(), at.top(), at.bottom(), viewport()->height());
    into(*horizontalScrollBar(), at.left(), at.right(), viewport()->width());
}

QRect TileScroll::sight() const {
    // Not the viewport's size, which is out of date until the next layout.
    return {QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value()), size()};
}

ThumbnailGrid::ThumbnailGrid(QWidget* parent) : QWidget(parent), scroll_(new TileScroll(this)) {
    // Only a laid out scroll bar can move to the chosen tile.
    for (const QScrollBar* bar : {scroll_->verticalScrollBar(), scroll_->horizontalScrollBar()})
        connect(bar, &QScrollBar::rangeChanged, this, &ThumbnailGrid::revealChosen);
}

MatrixTile* ThumbnailGrid::addTile(QWidget* parent) {
    auto* tile = new MatrixTile(parent);
    tile->installEventFilter(this);
    connect(tile, &MatrixTile::clicked, this, [this, tile] { choose(*tile); });
    connect(tile, &MatrixTile::doubleClicked, this, [this, tile] {
        choose(*tile);
        emit enlarged();
    });
    placeForTab(scroll_, tile);
    tile->show();
    return tile;
}

void ThumbnailGrid::setRows(Rows rows) {
    rows_ = std::move(rows);
    markChosen();
}

std::optional<ThumbnailGrid::Position> ThumbnailGrid::positionOf(const MatrixTile* tile) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (const auto at = std::ranges::find(rows_[row], tile); at != rows_[row].end())
            return Position{row, static_cast<std::size_t>(at - rows_[row].begin())};
    return std::nullopt;
}

void ThumbnailGrid::setChosenTile(MatrixTile* tile) {
    chosen_ = tile;
    markChosen();
    revealChosen();
}

void ThumbnailGrid::markChosen() {
    const bool has_chosen = positionOf(chosen_).has_value();
    bool is_first = true;
    for (const auto& row : rows_)
        for (MatrixTile* tile : row) {
            const bool is_stop = has_chosen ? tile == chosen_ : is_first;
            tile->setChecked(tile == chosen_);
            tile->setFocusPolicy(is_stop ? Qt::StrongFocus : Qt::ClickFocus);
            is_first = false;
        }
}

void ThumbnailGrid::revealChosen() {
    if (positionOf(chosen_) && chosen_->parentWidget() == content())
        scroll_->reveal(*chosen_, reveal_margin);
}

void ThumbnailGrid::place(QWidget& part, const QRect& at) const {
    part.setGeometry(QStyle::visualRect(layoutDirection(), part.parentWidget()->rect(), at));
}

void ThumbnailGrid::choose(MatrixTile& tile) {
    chooseTile(tile);
    markChosen(); // a click on the chosen tile must not uncheck it
}

MatrixTile* ThumbnailGrid::target(Position from, const QKeyEvent& key) const {
    const auto& row = rows_[from.row];
    const bool whole = key.modifiers().testFlag(Qt::ControlModifier);
    const bool mirrored = isRightToLeft();
    const bool one_row = rows_.size() == 1;
    const bool one_column = std::ranges::all_of(rows_, [](const auto& tiles) { return tiles.size() == 1; });
    int down = 0, right = 0;
    switch (key.key()) {
    case Qt::Key_Home:
        return whole || one_column ? rows_.front().front() : row.front();
    case Qt::Key_End:
        return whole || one_column ? rows_.back().back() : row.back();
    case Qt::Key_Left:
        right = mirrored ? 1 : -1;
        break;
    case Qt::Key_Right:
        right = mirrored ? -1 : 1;
        break;
    case Qt::Key_Up:
        down = -1;
        break;
    case Qt::Key_Down:
        down = 1;
        break;
    default:
        return nullptr;
    }
    if (one_row)
        right += std::exchange(down, 0);
    else if (one_column)
        down += std::exchange(right, 0);
    const auto next = [](std::size_t at, int step, std::size_t count) {
        const auto to = static_cast<std::ptrdiff_t>(at) + step;
        return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    const auto& to = rows_[next(from.row, down, rows_.size())];
    return to[next(std::min(from.column, to.size() - 1), right, to.size())];
}

bool ThumbnailGrid::press(MatrixTile& from, const QKeyEvent& key) {
    const auto at = positionOf(&from);
    if (!at)
        return false;
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
        choose(from);
        emit enlarged();
        return true;
    }
    MatrixTile* to = target(*at, key);
    if (!to)
        return false;
    if (to != &from) {
        choose(*to);
        to->setFocus(Qt::TabFocusReason);
    }
    return true;
}

bool ThumbnailGrid::eventFilter(QObject* watched, QEvent* event) {
    auto* from = qobject_cast<MatrixTile*>(watched);
    return (from && event->type() == QEvent::KeyPress && press(*from, *static_cast<QKeyEvent*>(event))) ||
           QWidget::eventFilter(watched, event);
}

void ThumbnailGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void ThumbnailGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange)
        relayout();
}

} // namespace attnlab::ui
