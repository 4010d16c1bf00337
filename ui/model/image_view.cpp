#include "ui/model/image_view.h"

#include "core/explain/reading.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace attnlab::ui {
ImageView::ImageView(QWidget* parent) : HeadView(parent), map_(new PatchMap) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(map_);
    connect(map_, &PatchMap::queryChosen, this, &HeadView::rowChosen);
}

bool ImageView::canShow(const SelectedHead& head) const { return !head.result->picture.isNull() && head.weights; }

void ImageView::setHead(const SelectedHeadPtr& head, const QString&) {
    head_ = head && canShow(*head) ? head : nullptr;
    note_.clear();
    if (head_)
        map_->setImage(head_->result->picture, head_->result->patches);
    else
        map_->setImage({}, {});
    emit noteChanged();
}

void ImageView::setRow(std::optional<int> query, const explain::Reading&) {
    if (!head_ || !query)
        return;
    const auto& weights = head_->stage()->value;
    std::vector<double> row;
    for (std::int64_t key = 0; key < weights.dim(-1); ++key)
        row.push_back(weights.at({0, 0, *query, key}));
    const auto& tokens = head_->heads().tokens.queries;
    const QString name = textOf(tokens[static_cast<std::size_t>(*query)]);
    const auto& patches = head_->result->patches;
    int brightest = patches.position(0, 0);
    double sum = 0.0;
    for (int line = 0; line < patches.rows; ++line)
        for (int column = 0; column < patches.columns; ++column) {
            const int key = patches.position(line, column);
            sum += row[static_cast<std::size_t>(key)];
            if (row[static_cast<std::size_t>(key)] > row[static_cast<std::size_t>(brightest)])
                brightest = key;
        }
    note_ = tr("%1 reads patch %2 most: %3")
                .arg(name, textOf(head_->heads().tokens.keys[static_cast<std::size_t>(brightest)]),
                     textOf(explain::share_text(row[static_cast<std::size_t>(brightest)])));
    if (patches.is_within_text)
        note_ += tr(" · the whole image: %1").arg(textOf(explain::share_text(sum)));
    else if (patches.first > 0)
        note_ += tr(" · the class token: %1").arg(textOf(explain::share_text(row.front())));
    if (!patches.is_within_text && patches.first > 1)
        note_ +=
            tr(" · the other tokens in front: %1")
                .arg(textOf(explain::share_text(std::accumulate(row.begin() + 1, row.begin() + patches.first, 0.0))));
    map_->setRow(query, row, note_);
    emit noteChanged();
}

std::optional<MatrixData> ImageView::matrix() const {
    return head_ ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : std::nullopt;
}

PatchMap::PatchMap(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Graphic);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    declareShortcuts(*this,
                     {tr("Patches of an image"),
                      {{tr("Arrow keys"), tr("Go from patch to patch")}, {tr("Home"), tr("Go to the first token")}}});
    setAccessibleName(tr("Patches of an image"));
}

void PatchMap::setImage(const QImage& image, const PatchPlace& patches) {
    image_ = image;
    patches_ = patches;
    update();
}

void PatchMap::setRow(std::optional<int> query, std::vector<double> weights, const QString& words) {
    const bool moved = query != query_;
    query_ = query;
    weights_ = std::move(weights);
    largest_ = 0.0;
    for (std::size_t key = 0; key < weights_.size(); ++key)
        if (patches_.patchAt(static_cast<int>(key)) && std::isfinite(weights_[key]))
            largest_ = std::max(largest_, weights_[key]);
    setAccessibleName(words.isEmpty() ? tr("Patches of an image") : words);
    moved ? sayTableCursor(*this) : sayTableCells(*this);
    update();
}

QString PatchMap::textOf(int row, int column) const {
    const auto key = static_cast<std::size_t>(patches_.position(row, column));
    return key < weights_.size() ? tr("Patch %1,%2: %3").arg(row).arg(column).arg(numberText(weights_[key]))
                                 : QString();
}

std::optional<std::pair<int, int>> PatchMap::tableCursor() const {
    return query_ && tableRows() > 0 ? patches_.patchAt(*query_) : std::nullopt;
}

double PatchMap::brightness(int key) const {
    const auto index = static_cast<std::size_t>(key);
    return index < weights_.size() && weights_[index] > 0.0 && largest_ > 0.0 ? weights_[index] / largest_ : 0.0;
}

/// As large as fits, in the image's shape.
QRectF PatchMap::place() const {
    const QSizeF size = QSizeF(image_.size()).scaled(QSizeF(width() - 6, height() - 6), Qt::KeepAspectRatio);
    return {(width() - size.width()) / 2.0, (height() - size.height()) / 2.0, size.width(), size.height()};
}

QRectF PatchMap::patchRect(int row, int column) const {
    const QRectF at = place();
    const double width = at.width() * patches_.covered.width() / patches_.columns,
                 height = at.height() * patches_.covered.height() / patches_.rows;
    return {at.left() + column * width, at.top() + row * height, width, height};
}

std::optional<int> PatchMap::keyAt(const QPointF& position) const {
    if (image_.isNull() || patches_.rows == 0 || !place().contains(position))
        return std::nullopt;
    const QPointF inside = position - place().topLeft();
    const QRectF patch = patchRect(0, 0);
    const int row = static_cast<int>(inside.y() / patch.height()),
              column = static_cast<int>(inside.x() / patch.width());
    if (row >= patches_.rows || column >= patches_.columns) // a rest of the image that no patch covers
        return std::nullopt;
    return patches_.position(row, column);
}

void PatchMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (image_.isNull())
        return;
    painter.drawImage(place(), image_);
    constexpr int darkest = 225;
    for (int row = 0; row < patches_.rows && !weights_.empty(); ++row)
        for (int column = 0; column < patches_.columns; ++column) {
            const QRectF at = patchRect(row, column);
            const auto veil =
                static_cast<int>(std::lround(darkest * (1.0 - brightness(patches_.position(row, column)))));
            painter.fillRect(at.toAlignedRect() & place().toAlignedRect(), QColor(0, 0, 0, veil));
        }
    painter.setBrush(Qt::NoBrush);
    if (const auto patch = query_ ? patches_.patchAt(*query_) : std::nullopt) {
        for (const auto& [color, width] : {std::pair(theme().card, 5), std::pair(theme().pin, 2)}) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(patchRect(patch->first, patch->second).adjusted(1, 1, -1, -1));
        }
    } else if (query_) { // another token reads: the frame is around everything
        painter.setPen(QPen(theme().pin, 2));
        painter.drawRect(place().adjusted(-1, -1, 1, 1));
    }
    if (showsFocus(*this))
        paintFocusFrame(painter, *this);
}

void PatchMap::mousePressEvent(QMouseEvent* event) {
    if (const auto key = keyAt(event->position()); key && event->button() == Qt::LeftButton)
        emit queryChosen(*key);
}

void PatchMap::keyPressEvent(QKeyEvent* event) {
    if (patches_.rows == 0 || patches_.columns == 0)
        return QWidget::keyPressEvent(event);
    const auto patch = query_ ? patches_.patchAt(*query_) : std::nullopt;
    auto [row, column] = patch.value_or(std::pair(0, 0));
    switch (event->key()) {
    case Qt::Key_Left:
        --column;
        break;
    case Qt::Key_Right:
        column += patch ? 1 : 0;
        break;
    case Qt::Key_Up:
        --row;
        break;
    case Qt::Key_Down:
        row += patch ? 1 : 0;
        break;
    case Qt::Key_Home:
        emit queryChosen(0);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    row = std::clamp(row, 0, patches_.rows - 1);
    column = std::clamp(column, 0, patches_.columns - 1);
    emit queryChosen(patches_.position(row, column));
}

bool PatchMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto key = keyAt(tipPosition(*event));
        const bool known = key && static_cast<std::size_t>(*key) < weights_.size();
        const auto [row, column] = (known ? patches_.patchAt(*key) : std::nullopt).value_or(std::pair(0, 0));
        showTip(*event, known ? textOf(row, column) : QString(), *this,
                known ? patchRect(row, column).toRect() : QRect());
        return true;
    }
    return QWidget::event(event);
}

} // namespace attnlab::ui
