// Which stages, operations and names a StageStrip has room for.
#include "ui/matrix/stages/operation_label.h"
#include "ui/matrix/stages/stage_strip.h"

#include <QFrame>
#include <QLabel>
#include <QLayout>
#include <QToolButton>

#include <algorithm>
#include <functional>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr int largest_picture = 32, smallest_picture = 28, low_picture = 20;
constexpr int stage_gap = 6;
constexpr int longest_operation = 160;
constexpr int narrowest_cut = 52; // a shorter cut of an operation is useless

} // namespace

/// Sizes for which the strip fits a width.
struct StageStrip::Fit {
    int picture = largest_picture;
    int widest_operation = 0;       ///< operations are cut to this width; 0: not shown
    bool whole_only = false;        ///< longer operations are omitted instead of cut
    std::size_t first = 0, end = 0; ///< the stages in sight
    int widest_tile = 10000;        ///< names are cut to it
};

/// The width of the divider before the stages of role Exact, with its caption.
int StageStrip::dividerWidth() const { return exact_caption_->sizeHint().width() + 3 * stage_gap; }

QSize StageStrip::sizeHint() const {
    const int text = QFontMetrics(font()).height();
    const int tile = std::max(low_ ? low_picture : largest_picture, text) + MatrixTile::padding * 2;
    const QMargins around = layout()->contentsMargins();
    return {640, (low_ ? tile : std::max(tile, more_->sizeHint().height())) + around.top() + around.bottom()};
}
QSize StageStrip::minimumSizeHint() const { return {200, sizeHint().height()}; }

bool StageStrip::startsExact(std::size_t item, const Fit& fit) const {
    return items_[item].exact && (item == fit.first || !items_[item - 1].exact);
}

int StageStrip::tileWidth(const Item& item, const Fit& fit) const {
    const int picture = thumbnailSize(item.shape.height(), item.shape.width(), fit.picture).width();
    return std::min(MatrixTile::widthWith(picture, item.tile->titleWidth()), fit.widest_tile);
}

/// The width of an operation, with the gap after it; 0 if it is not shown. The one before the first stage in sight has
/// no place where stages are left out.
int StageStrip::operationRoom(std::size_t item, const Fit& fit) const {
    const int width = items_[item].operation_width;
    if (width == 0 || fit.widest_operation == 0 || (fit.whole_only && width > fit.widest_operation) ||
        (item == fit.first && item > 0))
        return 0;
    return std::min(width, fit.widest_operation) + stage_gap;
}

int StageStrip::widthOf(const Fit& fit) const {
    int width = ((fit.first > 0) + (fit.end < items_.size())) * markWidth();
    for (auto item = fit.first; item < fit.end; ++item)
        width += tileWidth(items_[item], fit) + operationRoom(item, fit) +
                 (startsExact(item, fit) ? dividerWidth() : 0) + (item > fit.first ? stage_gap : 0);
    return width;
}

/// As many stages as fit without operations, the chosen one among them and, if possible, those of before.
void StageStrip::fitStages(Fit& fit, int width) const {
    const auto chosen_item =
        std::find_if(items_.begin(), items_.end(), [](const Item& item) { return item.tile->isChecked(); });
    const auto chosen = static_cast<std::size_t>(chosen_item == items_.end() ? 0 : chosen_item - items_.begin());
    fit.first = std::min(first_, chosen);
    fit.end = fit.first;
    const auto fits = [&](std::size_t first, std::size_t end) {
        Fit other = fit;
        other.first = first;
        other.end = end;
        return widthOf(other) <= width;
    };
    while (fit.end < items_.size() && fits(fit.first, fit.end + 1))
        ++fit.end;
    while (fit.end <= chosen) { // the chosen one is farther to the right
        ++fit.end;
        while (fit.first < chosen && !fits(fit.first, fit.end))
            ++fit.first;
    }
    while (fit.first > 0 && fits(fit.first - 1, fit.end))
        --fit.first;
    fit.widest_tile = width - 2 * markWidth(); // of the chosen one, if it is alone
}

/// Operations are cut as far as is useful, then the longest are omitted.
void StageStrip::fitOperations(Fit& fit, int width) const {
    for (fit.widest_operation = longest_operation; fit.widest_operation > narrowest_cut; fit.widest_operation -= 4)
        if (widthOf(fit) <= width)
            return;
    fit.whole_only = true;
    std::vector<int> widths{0};
    for (const auto& item : items_)
        widths.push_back(std::min(item.operation_width, narrowest_cut));
    std::ranges::sort(widths, std::greater<>());
    for (const int widest : widths) {
        fit.widest_operation = widest;
        if (widthOf(fit) <= width)
            return;
    }
}

StageStrip::Fit StageStrip::fit(int width) const {
    Fit fit;
    if (low_)
        fit.picture = low_picture;
    fit.end = items_.size();
    fit.widest_operation = longest_operation;
    for (; fit.picture > smallest_picture && widthOf(fit) > width; --fit.picture)
        ;
    fit.widest_operation = 0;
    if (widthOf(fit) > width)
        fitStages(fit, width);
    fitOperations(fit, width);
    return fit;
}

int StageStrip::markWidth() const { return OperationLabel::widthOf(left_out_[0]->text(), font()) + stage_gap; }

/// An ellipsis where stages are left out.
void StageStrip::placeMark(OperationLabel* mark, bool shown, int& x) {
    mark->setVisible(shown);
    if (!shown)
        return;
    mark->setGeometry(x, 0, markWidth() - stage_gap, content_->height());
    x += markWidth();
}

void StageStrip::relayout() {
    const QSize room = content_->size();
    for (auto& item : items_)
        item.operation_width = OperationLabel::widthOf(item.operation_text, font());
    const Fit sizes = fit(room.width());
    if (isVisible()) // before, the width is not known
        first_ = sizes.first;
    int x = std::max(0, (room.width() - widthOf(sizes)) / 2);
    divider_->hide();
    exact_caption_->hide();
    placeMark(left_out_[0], sizes.first > 0, x);
    for (std::size_t i = 0; i < items_.size(); ++i) {
        auto& item = items_[i];
        const bool in_sight = i >= sizes.first && i < sizes.end;
        const int operation = in_sight ? operationRoom(i, sizes) : 0;
        item.tile->setVisible(in_sight);
        item.operation->setVisible(operation > 0);
        if (!in_sight)
            continue;
        if (startsExact(i, sizes))
            x = placeDivider(x, room.height());
        if (operation > 0)
            item.operation->setGeometry(x, 0, operation - stage_gap, room.height());
        x += operation;
        const QSize picture = thumbnailSize(item.shape.height(), item.shape.width(), sizes.picture);
        const int height =
            std::min(room.height(), std::max(picture.height(), item.tile->textHeight()) + MatrixTile::padding * 2);
        item.tile->setPictureSize(picture);
        item.tile->setGeometry(x, (room.height() - height) / 2, tileWidth(item, sizes), height);
        x += item.tile->width() + stage_gap;
    }
    placeMark(left_out_[1], sizes.end < items_.size(), x);
}

/// Returns the start of the stages after it.
int StageStrip::placeDivider(int x, int height) {
    const QSize size = exact_caption_->sizeHint();
    divider_->setGeometry(x, height / 8, 2, height * 3 / 4);
    divider_->show();
    exact_caption_->setGeometry(x + stage_gap, (height - size.height()) / 2, size.width(), size.height());
    exact_caption_->show();
    return x + dividerWidth();
}

} // namespace attnlab::ui
