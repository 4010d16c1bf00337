#include "ui/model/heads_wall.h"

#include "ui/drawing/colormap.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLabel>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int tiny_side = 10; // with all heads in sight
constexpr int smallest_side = 22, usual_side = 72, largest_side = 96;
constexpr int title_gap = 4;
constexpr int fewest_columns_shown = 6; ///< of the width that is asked for
constexpr int around = 2 * MatrixTile::dense_padding;

QImage pictureOf(const ModelResult& result, HeadIndex place, bool differences) {
    const ComparedPass* compared = differences ? result.comparedHeads(place) : nullptr;
    const auto index = static_cast<std::size_t>(place.head);
    QImage picture = compared ? compared->pictures[index] : result.heads(place).pictures[index];
    ValueRange range;
    range.include(compared ? -1.0 : 1.0);
    const auto& colors = shownOn(theme(), colorScale({}, range, compared != nullptr)).map->colors;
    picture.setColorTable(QList<QRgb>(colors.begin(), colors.end()));
    return picture;
}

} // namespace

HeadsWall::HeadsWall(QWidget* parent) : ThumbnailGrid(parent), descriptions_([this](int pass) { describe(pass); }) {
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Heads of a model"));
    declareShortcuts(*this, {tr("Heads of a model"),
                             {{tr("Arrow keys, Home, End"), tr("Go from head to head")},
                              {tr("Space"), tr("Switch the head off, or on again")}}});
}

void HeadsWall::setResult(ModelResultPtr result) {
    result_ = std::move(result);
    const auto passes = result_ ? result_->passes.size() : 0;
    bool same = passes == tiles_.size();
    for (std::size_t pass = 0; pass < passes && same; ++pass)
        same = result_->passes[pass].pictures.size() == tiles_[pass].size();
    if (!same)
        rebuild();
    for (std::size_t pass = 0; pass < passes; ++pass)
        titles_[pass]->setText(passTitle(*result_, static_cast<int>(pass)));
    setAccessibleDescription(result_ && result_->capture ? tr("Arrow keys choose a head")
                                                         : tr("Arrow keys choose a head, Space switches it off or on"));
    refreshPictures();
    descriptions_.start(static_cast<int>(passes));
    sortHeads();
    if (hasFocus())
        takeFocus();
}

void HeadsWall::rebuild() {
    for (const auto& row : tiles_)
        std::ranges::for_each(row, removeSafely);
    std::ranges::for_each(titles_, removeSafely);
    tiles_.assign(result_ ? result_->passes.size() : 0, {});
    titles_.clear();
    widest_ = 1;
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass) {
        titles_.push_back(mutedLabel(content()));
        titles_.back()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const auto heads = result_->passes[pass].pictures.size();
        widest_ = std::max(widest_, static_cast<int>(heads));
        for (std::size_t head = 0; head < heads; ++head) {
            tiles_[pass].push_back(addTile(content()));
            tiles_[pass].back()->setDense(true);
        }
    }
}

void HeadsWall::setOrder(const HeadFigure* figure) {
    order_ = figure;
    sortHeads();
}

void HeadsWall::setPictures(Pictures pictures) {
    pictures_ = pictures;
    refreshPictures();
}

void HeadsWall::refreshPictures() {
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass)
        for (std::size_t head = 0; head < tiles_[pass].size(); ++head) {
            const HeadIndex place{static_cast<int>(pass), static_cast<int>(head)};
            const bool differences = pictures_ == Pictures::Differences;
            tiles_[pass][head]->setImage(
                [result = result_, place, differences] { return pictureOf(*result, place, differences); });
            tiles_[pass][head]->setOff(result_->isOff(place));
        }
}

void HeadsWall::sortHeads() {
    shown_.clear();
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass)
        for (std::size_t head = 0; head < tiles_[pass].size(); ++head)
            shown_.push_back({static_cast<int>(pass), static_cast<int>(head)});
    if (order_) {
        const auto figure = [this](HeadIndex place) { return order_->of(*result_, place).value_or(-1.0); };
        std::ranges::stable_sort(shown_, std::greater<>(), figure);
    }
    const bool keeps_choice = chosen_ && tile(*chosen_);
    if (!keeps_choice)
        chosen_ = shown_.empty() ? std::nullopt : std::optional(shown_.front());
    relayout();
    updateGeometry();
    setChosenTile(chosen_ ? tile(*chosen_) : nullptr);
    if (!keeps_choice)
        emit chosenChanged();
}

MatrixTile* HeadsWall::tile(HeadIndex place) const {
    const auto pass = static_cast<std::size_t>(place.pass), head = static_cast<std::size_t>(place.head);
    return pass < tiles_.size() && head < tiles_[pass].size() ? tiles_[pass][head] : nullptr;
}

std::optional<HeadIndex> HeadsWall::placeOf(const MatrixTile* tile) const {
    const auto found = std::ranges::find(shown_, tile, [this](HeadIndex place) { return this->tile(place); });
    return found == shown_.end() ? std::nullopt : std::optional(*found);
}

void HeadsWall::choose(HeadIndex place) {
    if (chosen_ == place || !tile(place))
        return;
    chosen_ = place;
    setChosenTile(tile(place));
    emit chosenChanged();
}

void HeadsWall::chooseFirst() {
    if (!shown_.empty())
        choose(shown_.front());
}

void HeadsWall::takeFocus() {
    if (MatrixTile* head = chosen_ ? tile(*chosen_) : nullptr)
        head->setFocus(Qt::OtherFocusReason);
    else
        setFocus(Qt::OtherFocusReason); // until there are heads
}

void HeadsWall::chooseTile(MatrixTile& tile) {
    if (const auto place = placeOf(&tile))
        choose(*place);
}

/// Names the heads of a pass.
void HeadsWall::describe(int pass) {
    const auto& row = tiles_[static_cast<std::size_t>(pass)];
    for (std::size_t head = 0; head < row.size(); ++head) {
        QString text = headText(*result_, {pass, static_cast<int>(head)});
        row[head]->setToolTip(text);
        row[head]->setAccessibleName(text.replace(QLatin1Char('\n'), QStringLiteral(", ")));
    }
}

void HeadsWall::measureTitles() {
    title_width_ = 0;
    for (std::size_t pass = 0; pass < titles_.size() && !order_; ++pass)
        title_width_ = std::max(title_width_, titles_[pass]->sizeHint().width() + 2 * title_gap);
}

HeadsWall::Fit HeadsWall::fitWith(int side, int width) const {
    const int titles = title_width_, across = side + around;
    Fit fit;
    fit.side = side;
    fit.tile = {across, across + (order_ ? fontMetrics().height() : 0)};
    fit.columns = order_ ? std::max(1, (width - titles) / across) : widest_;
    const auto count = static_cast<int>(shown_.size());
    const int rows = order_ ? (count + fit.columns - 1) / fit.columns : static_cast<int>(tiles_.size());
    fit.content = {titles + fit.columns * across, rows * fit.tile.height()};
    return fit;
}

/// The largest pictures with all in sight; where they would be too small, as many in a row as there are heads.
HeadsWall::Fit HeadsWall::fit(QSize room) const {
    for (int side = largest_side; side >= (order_ ? smallest_side : tiny_side); --side)
        if (const Fit whole = fitWith(side, room.width());
            whole.content.width() <= room.width() && whole.content.height() <= room.height())
            return whole;
    const int width = room.width() - TileScroll::bar_width;
    return fitWith(std::clamp((width - title_width_) / widest_ - around, smallest_side, largest_side), width);
}

void HeadsWall::relayout() {
    scroll()->setGeometry(rect());
    measureTitles();
    const Fit fit = this->fit(size());
    content()->resize(fit.content);
    Rows rows;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const int index = static_cast<int>(i);
        const int row = order_ ? index / fit.columns : shown_[i].pass;
        const int column = order_ ? index % fit.columns : shown_[i].head;
        MatrixTile* one = tile(shown_[i]);
        one->setPictureSize({fit.side, fit.side});
        one->setText(order_ ? figureText(shown_[i], fit.tile.width()) : QString());
        place(*one, {QPoint(title_width_ + column * fit.tile.width(), row * fit.tile.height()), fit.tile});
        if (rows.empty() || column == 0)
            rows.emplace_back();
        rows.back().push_back(one);
    }
    setRows(std::move(rows));
    for (std::size_t pass = 0; pass < titles_.size(); ++pass) {
        titles_[pass]->setVisible(!order_);
        place(*titles_[pass],
              {0, static_cast<int>(pass) * fit.tile.height(), title_width_ - title_gap, fit.tile.height()});
    }
    revealChosen();
}

/// "1.0: 0.14", the layer and head with the figure that orders them; the figure alone where there is little room.
QString HeadsWall::figureText(HeadIndex place, int width) const {
    const auto figure = order_->of(*result_, place);
    const QString number = figure ? QString::number(*figure, 'f', 2) : QStringLiteral("–");
    const QString whole = QStringLiteral("%1.%2: %3").arg(place.pass).arg(place.head).arg(number);
    return fontMetrics().horizontalAdvance(whole) <= width ? whole : number;
}

bool HeadsWall::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space)
        if (const auto place = placeOf(qobject_cast<MatrixTile*>(watched))) {
            choose(*place);
            emit toggled(*place);
            return true;
        }
    return ThumbnailGrid::eventFilter(watched, event);
}

QSize HeadsWall::sizeHint() const {
    const int width = fewest_columns_shown * (usual_side + around);
    return {width, std::min(fitWith(usual_side, width).content.height(), 24 * fontMetrics().height())};
}

QSize HeadsWall::minimumSizeHint() const {
    const QSize least = fitWith(smallest_side, 0).tile;
    return {title_width_ + 2 * least.width(), least.height()};
}

} // namespace attnlab::ui
