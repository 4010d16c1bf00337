#include "ui/model/heads_wall.h"

#include "core/explain/head_figures.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_tip.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int tiny_side = 10; // with all heads in sight
constexpr int smallest_side = 22, usual_side = 72, largest_side = 260;
constexpr int title_gap = 4;
constexpr int least_side_apart = 16;
constexpr int fewest_columns_shown = 6; ///< of the width that is asked for
constexpr int least_side_with_bar = 28, least_side_with_words = 32;
constexpr double words_sizes[] = {1.0, 0.85};           ///< relative to other letters of the wall
constexpr double longer_words = 1.4;                    ///< width of "→ Mary 99%", in usual words
const QString usual_words = QStringLiteral("John 99%"); // the arrow of another answer is left out first

constexpr double picture_levels = 255.0;

QImage pictureOf(const ModelResult& result, HeadIndex place, bool differences, const ColorChoice& choice) {
    const ComparedPass* compared = differences ? result.comparedHeads(place) : nullptr;
    const auto index = static_cast<std::size_t>(place.head);
    QImage picture = compared ? compared->pictures[index] : result.heads(place).pictures[index];
    ValueRange range;
    range.include(compared ? -1.0 : 1.0);
    if (!compared && choice.logarithmic)
        range.include(1.0 / picture_levels);
    const auto scale =
        shownOn(theme(), colorScale(compared ? ColorChoice() : choice, range, compared != nullptr, true));
    if (compared || choice == ColorChoice()) {
        const auto& colors = scale.map->colors;
        picture.setColorTable(QList<QRgb>(colors.begin(), colors.end()));
    } else {
        QList<QRgb> table;
        for (int level = 0; level <= static_cast<int>(picture_levels); ++level)
            table << scale.color(level / picture_levels);
        picture.setColorTable(table);
    }
    // What no query may read is no weight of 0.
    const auto& ahead = compared ? compared->ahead : result.heads(place).ahead;
    if (std::ssize(ahead) != picture.height())
        return picture;
    picture = picture.convertToFormat(QImage::Format_RGB32);
    const QRgb plain = hatchBack(theme(), Hatch::Ahead).rgb();
    for (int row = 0; row < picture.height(); ++row)
        for (int column = ahead[static_cast<std::size_t>(row)]; column < picture.width(); ++column)
            picture.setPixel(column, row, plain);
    return picture;
}

/// From the border's colour to `all`, as of bars.
QColor effectColor(double share, const QColor& all) {
    const QColor& none = theme().border;
    const auto between = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * std::clamp(share, 0.0, 1.0)));
    };
    return {between(none.red(), all.red()), between(none.green(), all.green()), between(none.blue(), all.blue())};
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
    for (std::size_t pass = 0; pass < passes; ++pass) {
        const QString& title = passTitle(*result_, static_cast<int>(pass));
        titles_[pass]->setText(title);
        titles_[pass]->setToolTip(result_->are_layers ? tr("Layer %1").arg(title) : title);
    }
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
    std::ranges::for_each(columns_, removeSafely);
    if (axes_)
        removeSafely(std::exchange(axes_, nullptr));
    coloured_.clear();
    words_ = 0.0;
    columns_.clear();
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
            tiles_[pass].back()->setSelection(true);
        }
    }
    for (int head = 0; head < widest_ && !tiles_.empty(); ++head) {
        columns_.push_back(mutedLabel(content()));
        columns_.back()->setText(QString::number(head));
        columns_.back()->setToolTip(tr("Head %1").arg(head));
        columns_.back()->setAlignment(Qt::AlignCenter);
    }
    if (!columns_.empty()) {
        axes_ = mutedLabel(content());
        axes_->setText(result_->are_layers ? tr("layer ↓  head →") : tr("head →"));
    }
}

void HeadsWall::setOrder(const HeadFigure* figure) {
    order_ = figure;
    by_effect_ = false;
    sortHeads();
}

void HeadsWall::setOrderByEffect() {
    order_ = nullptr;
    by_effect_ = true;
    sortHeads();
}

void HeadsWall::setPictures(Pictures pictures) {
    if (std::exchange(pictures_, pictures) == pictures)
        return;
    refreshPictures();
    relayout();
}

void HeadsWall::setColors(const ColorChoice& colors) {
    if (std::exchange(colors_, colors) != colors)
        refreshPictures();
}

void HeadsWall::setDimmed(bool dimmed) {
    if (std::exchange(is_dimmed_, dimmed) != dimmed && result_)
        refreshPictures();
}

void HeadsWall::setEffects(const HeadEffects* effects) {
    effects_ = effects;
    connect(effects_, &HeadEffects::changed, this, &HeadsWall::showEffects);
    showEffects();
}

void HeadsWall::refreshPictures() {
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass)
        for (std::size_t head = 0; head < tiles_[pass].size(); ++head) {
            const HeadIndex place{static_cast<int>(pass), static_cast<int>(head)};
            tiles_[pass][head]->setImage([this, place] { return imageOf(place); });
            tiles_[pass][head]->setOff(result_->isOff(place));
            showEffect(place);
        }
}

bool HeadsWall::hasBars() const { return side_ >= least_side_with_bar || isOrdered(); }

QImage HeadsWall::imageOf(HeadIndex place) const {
    QImage image = brightImageOf(place);
    if (!is_dimmed_)
        return image;
    image = image.convertToFormat(QImage::Format_RGB32);
    QColor fog = theme().window;
    constexpr int partly_covered = 102; // as OutdatedOverlay
    fog.setAlpha(partly_covered);
    QPainter(&image).fillRect(image.rect(), fog);
    return image;
}

/// The result is that of the tiles; a tile is painted before it is removed, if at all.
QImage HeadsWall::brightImageOf(HeadIndex place) const {
    const auto size = showsColors() && effects_ ? effects_->sizeOf(place) : std::nullopt;
    if (!size) // what is not known yet is still a picture
        return pictureOf(*result_, place, pictures_ == Pictures::Differences, colors_);
    const auto number = effects_->signedOf(place);
    const double whole = number ? 1.0 : std::max(effects_->largestMove(), HeadEffects::least_share);
    QImage one(1, 1, QImage::Format_RGB32);
    one.setPixelColor(0, 0, effectColor(*size / whole, number && *number > 0.0 ? theme().accent : theme().pin));
    return one;
}

bool HeadsWall::flips(HeadIndex place) const { return effects_ && flipsAnswer(*effects_, place); }

QString HeadsWall::axesText() const { return axes_ && !axes_->isHidden() ? axes_->text() : QString(); }

QString HeadsWall::effectText(HeadIndex place, bool marks_flip) const {
    return effects_ ? effectMark(*effects_, place, marks_flip).text : QString();
}

MatrixTile::Bar HeadsWall::barOf(HeadIndex place) const {
    const auto mark = effects_ ? effectMark(*effects_, place) : PanelMark();
    return {.share = mark.share, .is_signed = mark.is_signed, .is_hollow = mark.is_hollow};
}

void HeadsWall::showEffect(HeadIndex place) {
    MatrixTile& one = *tile(place);
    const bool shows = pictures_ == Pictures::Effects && hasBars();
    const auto size = effects_ ? effects_->sizeOf(place) : std::nullopt;
    one.setBar(shows ? std::optional(barOf(place)) : std::nullopt);
    one.setStrong(shows && flips(place));
    const bool has_color = showsColors() && size;
    one.setFilled(has_color);
    if (const bool had_color = coloured_.contains(&one); has_color || had_color)
        one.setImage([this, place] { return imageOf(place); });
    if (has_color)
        coloured_.insert(&one);
    else
        coloured_.erase(&one);
    one.setText(caption(place, one.width()));
}

void HeadsWall::showEffects() {
    const bool had_effects = std::exchange(has_effects_, effects_->state() != HeadEffects::State::None);
    if (!result_)
        return;
    if (had_effects != has_effects_)
        relayout();
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass)
        for (std::size_t head = 0; head < tiles_[pass].size(); ++head)
            showEffect({static_cast<int>(pass), static_cast<int>(head)});
    if (effects_->state() == HeadEffects::State::Running)
        return;
    if (by_effect_)
        sortHeads();
    descriptions_.start(static_cast<int>(tiles_.size()));
}

void HeadsWall::sortHeads() {
    shown_.clear();
    for (std::size_t pass = 0; pass < tiles_.size(); ++pass)
        for (std::size_t head = 0; head < tiles_[pass].size(); ++head)
            shown_.push_back({static_cast<int>(pass), static_cast<int>(head)});
    if (isOrdered()) {
        const auto figure = [this](HeadIndex place) {
            return order_     ? order_->of(*result_, place).value_or(-1.0)
                   : effects_ ? effects_->sizeOf(place).value_or(0.0)
                              : 0.0;
        };
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
        const HeadIndex place{pass, static_cast<int>(head)};
        // What it does to the answer comes before its figures.
        const QString all = headText(*result_, place), title = all.section(QLatin1Char('\n'), 0, 0);
        QString text = title;
        if (const QString effect = effectSentence(place); !effect.isEmpty())
            text += QLatin1Char('\n') + effect;
        text += all.sliced(title.size());
        if (const auto direct = effects_ ? effects_->directOf(place) : std::nullopt)
            text += QLatin1Char('\n') + tr("adds directly: %1 logits").arg(numberText(*direct, 3));
        if (const QString way = effects_ ? wayWords(*effects_, place) : QString(); !way.isEmpty())
            text += QLatin1Char('\n') + way;
        row[head]->setAccessibleName(text.replace(QLatin1Char('\n'), QStringLiteral(", ")));
    }
}

QString HeadsWall::effectSentence(HeadIndex place) const {
    const auto* effect = effects_ ? effects_->of(place) : nullptr;
    if (!effect)
        return {};
    return (effects_->by() == model::Ablation::By::Other ? tr("alone as in text B, the answer is %1: %2")
                                                         : tr("alone off, the answer is %1: %2"))
        .arg(effect->answer.name, probabilityText(effect->answer.probability));
}

QString HeadsWall::tipText(HeadIndex place) const {
    QStringList parts{headTitle(*result_, place)};
    if (result_->isOff(place))
        parts << tr("switched off");
    if (const QString effect = effectSentence(place); !effect.isEmpty())
        parts << effect;
    else if (const auto word = explain::what_it_does(result_->figures(place)); !word.empty())
        parts << translated(word);
    return parts.join(tr(" · "));
}

/// A picture that is small on the wall is shown larger.
void HeadsWall::enlarge(HeadIndex place, const QPoint& global) {
    if (!tip_)
        tip_ = new HeadTip(this);
    tip_->showAt(global, pictureOf(*result_, place, pictures_ == Pictures::Differences, colors_), tipText(place));
}

/// While the button is held, the head under the mouse is chosen.
void HeadsWall::scrub(const QPoint& global) {
    const auto* under = qobject_cast<MatrixTile*>(content()->childAt(content()->mapFromGlobal(global)));
    if (const auto place = placeOf(under))
        choose(*place);
}

/// Of a tile; true: it is handled.
bool HeadsWall::followMouse(const QObject* watched, QEvent& event) {
    const auto* under = qobject_cast<const MatrixTile*>(watched);
    switch (event.type()) {
    case QEvent::ToolTip: {
        const auto place = placeOf(under);
        if (place && side_ < usual_side)
            enlarge(*place, static_cast<const QHelpEvent&>(event).globalPos());
        else if (place)
            showTip(event, tipText(*place), *tile(*place));
        return place.has_value();
    }
    case QEvent::Enter:
        if (const auto place = tip_ && tip_->isVisible() ? placeOf(under) : std::nullopt)
            enlarge(*place, static_cast<const QEnterEvent&>(event).globalPosition().toPoint());
        return false;
    case QEvent::Leave:
    case QEvent::Wheel:
        if (tip_)
            tip_->hideSoon();
        return false;
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove: {
        const auto& mouse = static_cast<const QMouseEvent&>(event);
        if (!mouse.buttons().testFlag(Qt::LeftButton))
            return false;
        if (tip_)
            tip_->hide();
        scrub(mouse.globalPosition().toPoint());
        return false;
    }
    case QEvent::MouseButtonRelease: // the keys go on from where the drag ended
        if (MatrixTile* last = chosen_ ? tile(*chosen_) : nullptr; under && last != under && under->hasFocus())
            last->setFocus(Qt::MouseFocusReason);
        return false;
    default:
        return false;
    }
}

void HeadsWall::measureTitles() {
    title_width_ = 0;
    for (std::size_t pass = 0; pass < titles_.size() && !isOrdered(); ++pass)
        title_width_ = std::max(title_width_, titles_[pass]->sizeHint().width() + 2 * title_gap);
}

int HeadsWall::roomBelow(int side, double words) const {
    const int line = fontMetrics().height();
    if (isOrdered())
        return line + (has_effects_ ? MatrixTile::bar_room : 0);
    if (!has_effects_ || side < least_side_with_bar)
        return 0;
    return MatrixTile::bar_room + (words > 0.0 ? sizeOfWords(words).height() : 0);
}

/// Large letters need larger tiles. The words are Latin in every language of the window.
QSize HeadsWall::sizeOfWords(double words) const {
    if (known_words_.words != words || known_words_.font != font()) { // fit() asks for each side
        QFont bold = scaledFont(font(), words);
        const int height = QFontMetrics(bold).height();
        bold.setBold(true);
        known_words_ = {font(), words, {QFontMetrics(bold).horizontalAdvance(usual_words), height}};
    }
    return known_words_.size;
}

/// Small pictures are closer to each other.
int HeadsWall::around(int side) const { return side < least_side_apart ? 2 : 2 * MatrixTile::dense_padding; }

HeadsWall::Fit HeadsWall::fitWith(int side, int width, double words, bool names_axes) const {
    const int titles = title_width_, down = side + around(side);
    const int across = words > 0.0 ? std::max(down, sizeOfWords(words).width()) : down;
    Fit fit;
    fit.side = side;
    fit.words = words;
    fit.tile = {across, down + roomBelow(side, words)};
    fit.columns = isOrdered() ? std::max(1, (width - titles) / across) : widest_;
    const bool has_axes = names_axes && !isOrdered() && widest_ > 1 && side >= least_side_apart;
    fit.axes = has_axes ? fontMetrics().height() : 0;
    fit.above = isOrdered() || widest_ == 1 ? 0 : fit.axes + fontMetrics().height();
    const auto count = static_cast<int>(shown_.size());
    const int rows = isOrdered() ? (count + fit.columns - 1) / fit.columns : static_cast<int>(tiles_.size());
    fit.content = {titles + fit.columns * across, fit.above + rows * fit.tile.height()};
    return fit;
}

/// The largest pictures with all in sight, and smaller ones, or no names of the axes, rather than none of their words;
/// where they would be too small, as many in a row as there are heads.
HeadsWall::Fit HeadsWall::fit(QSize room) const {
    const bool may_have_words = has_effects_ && !isOrdered(); // in every tab, so that tiles stay
    const auto largest = [&](int least, double words, bool names_axes) -> std::optional<Fit> {
        for (int side = largest_side; side >= least; --side)
            if (const Fit whole = fitWith(side, room.width(), words, names_axes);
                whole.content.width() <= room.width() && whole.content.height() <= room.height())
                return whole;
        return std::nullopt;
    };
    for (const bool names_axes : {true, false})
        for (const double words : words_sizes)
            if (auto whole = may_have_words ? largest(least_side_with_words, words, names_axes) : std::nullopt) {
                // Words that are longer than usual ones have what is left of the width.
                const int wanted = static_cast<int>(longer_words * sizeOfWords(words).width()) - whole->tile.width();
                const int more = std::min(wanted, (room.width() - whole->content.width()) / whole->columns);
                whole->tile.rwidth() += std::max(0, more);
                whole->content.rwidth() += std::max(0, more) * whole->columns;
                return *whole;
            }
    if (const auto whole = largest(isOrdered() ? smallest_side : tiny_side, 0.0, true))
        return *whole;
    const int width = room.width() - TileScroll::bar_width;
    const int side = std::clamp((width - title_width_) / widest_ - around(usual_side), smallest_side, largest_side);
    return fitWith(side, width, may_have_words && side + around(side) >= sizeOfWords(1.0).width() ? 1.0 : 0.0, true);
}

void HeadsWall::relayout() {
    scroll()->setGeometry(rect());
    measureTitles();
    const Fit fit = this->fit(size());
    content()->resize(fit.content);
    const bool same_side = std::exchange(side_, fit.side) == fit.side;
    const bool same_words = std::exchange(words_, fit.words) == fit.words;
    if (const bool are_smaller = words_ > 0.0 && words_ < 1.0; are_smaller || !same_words)
        for (const auto& row : tiles_)
            for (MatrixTile* tile : row)
                tile->setFont(are_smaller ? scaledFont(font(), words_) : QFont());
    Rows rows;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const int index = static_cast<int>(i);
        const int row = isOrdered() ? index / fit.columns : shown_[i].pass;
        const int column = isOrdered() ? index % fit.columns : shown_[i].head;
        MatrixTile* one = tile(shown_[i]);
        one->setPictureSize({fit.side, fit.side});
        // Without a bar and words a tile is lower, and its picture stands where it does with them.
        const bool is_whole = isOrdered() || pictures_ == Pictures::Effects;
        const QSize taken = is_whole ? fit.tile : QSize(fit.tile.width(), fit.side + around(fit.side));
        place(*one, {QPoint(title_width_ + column * fit.tile.width(), fit.above + row * fit.tile.height()), taken});
        if (same_side)
            one->setText(caption(shown_[i], fit.tile.width()));
        else
            showEffect(shown_[i]);
        if (rows.empty() || column == 0)
            rows.emplace_back();
        rows.back().push_back(one);
    }
    setRows(std::move(rows));
    for (std::size_t pass = 0; pass < titles_.size(); ++pass) {
        titles_[pass]->setVisible(!isOrdered());
        place(*titles_[pass], {0, fit.above + static_cast<int>(pass) * fit.tile.height(), title_width_ - title_gap,
                               fit.side + around(fit.side)});
    }
    // Numbers that would touch are left out.
    const int number = fontMetrics().horizontalAdvance(QString::number(widest_ - 1)) + title_gap;
    const int step = (number + fit.tile.width() - 1) / std::max(1, fit.tile.width());
    for (int head = 0; head < static_cast<int>(columns_.size()); ++head) {
        QLabel& label = *columns_[static_cast<std::size_t>(head)];
        label.setVisible(fit.above > 0 && head % step == 0);
        const int middle = title_width_ + head * fit.tile.width() + fit.tile.width() / 2;
        place(label, {middle - number / 2, fit.axes, number, fit.above - fit.axes});
    }
    if (axes_) {
        axes_->setVisible(fit.axes > 0);
        place(*axes_, {0, 0, fit.content.width(), fit.axes});
    }
    revealChosen();
}

QString HeadsWall::caption(HeadIndex place, int width) const {
    if (order_)
        return figureText(place, width);
    const bool has_words = pictures_ == Pictures::Effects && (by_effect_ || words_ > 0.0);
    QString effect = has_words ? effectText(place) : QString();
    if (!by_effect_) {
        QFont shown = words_ > 0.0 ? scaledFont(font(), words_) : font();
        shown.setBold(flips(place));
        const QFontMetrics metrics(shown);
        if (flips(place) && metrics.horizontalAdvance(effect) > width)
            effect = effectText(place, false);
        return metrics.elidedText(effect, Qt::ElideMiddle, width);
    }
    const QString whole = QStringLiteral("%1.%2 %3").arg(place.pass).arg(place.head).arg(effect).trimmed();
    return fontMetrics().horizontalAdvance(whole) <= width ? whole
                                                           : QStringLiteral("%1.%2").arg(place.pass).arg(place.head);
}

/// "1.0: 0.14", the layer and head with the figure that orders them; the figure alone where there is little room.
QString HeadsWall::figureText(HeadIndex place, int width) const {
    const auto figure = order_->of(*result_, place);
    const QString number = figure ? QString::number(*figure, 'f', 2) : QStringLiteral("–");
    const QString whole = QStringLiteral("%1.%2: %3").arg(place.pass).arg(place.head).arg(number);
    return fontMetrics().horizontalAdvance(whole) <= width ? whole : number;
}

bool HeadsWall::eventFilter(QObject* watched, QEvent* event) {
    if (followMouse(watched, *event))
        return true;
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space)
        if (const auto place = placeOf(qobject_cast<MatrixTile*>(watched))) {
            choose(*place);
            emit toggled(*place);
            return true;
        }
    return ThumbnailGrid::eventFilter(watched, event);
}

QSize HeadsWall::sizeHint() const {
    const int width = fewest_columns_shown * (usual_side + around(usual_side));
    const double words = has_effects_ && !isOrdered() ? 1.0 : 0.0;
    return {width, std::min(fitWith(usual_side, width, words, true).content.height(), 24 * fontMetrics().height())};
}

QSize HeadsWall::minimumSizeHint() const {
    const QSize least = fitWith(smallest_side, 0, 0.0, true).tile;
    return {title_width_ + 2 * least.width(), least.height()};
}

} // namespace attnlab::ui
