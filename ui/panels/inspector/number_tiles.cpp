#include "ui/panels/inspector/number_tiles.h"

#include "ui/widgets/label.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int tile_gap = 5, tile_side = 5, tile_above = 4, fewest_tiles = 2, tiles_usual = 280;
constexpr double large_tile_font = 1.12, small_tile_font = 0.85;

QFont sized(QFont font, double factor) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

} // namespace

/// The number above its name. A label, so that screen readers take it for text.
class NumberTile : public Label {
public:
    using Label::Label;

    void setEntry(const NumberTiles::Entry& entry) {
        if (entry == entry_)
            return;
        entry_ = entry;
        setAccessibleName(QStringLiteral("%1: %2").arg(entry.name, number()));
        setAccessibleDescription(entry.help);
        setToolTip(accessibleName() + QLatin1Char('\n') + entry.help);
        update();
    }

    const NumberTiles::Entry& entry() const { return entry_; }
    QString number() const {
        return entry_.unit.isEmpty() ? entry_.number : entry_.number + QLatin1Char(' ') + entry_.unit;
    }

    int neededWidth() const {
        const QFontMetrics small(smallFont()), large(largeFont());
        const int unit = entry_.unit.isEmpty() ? 0 : small.horizontalAdvance(QLatin1Char(' ') + entry_.unit);
        return std::max(large.horizontalAdvance(entry_.number) + unit, small.horizontalAdvance(entry_.name)) +
               2 * tile_side + 1;
    }
    int neededHeight() const {
        return QFontMetrics(largeFont()).height() + QFontMetrics(smallFont()).height() + 2 * tile_above;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().window);
        painter.drawRoundedRect(rect(), 5, 5);
        const QFontMetrics small(smallFont()), large(largeFont());
        const int room = width() - 2 * tile_side;
        const QString unit = entry_.unit.isEmpty() ? QString() : QLatin1Char(' ') + entry_.unit;
        const int unit_width = small.horizontalAdvance(unit);
        const QString shown = large.elidedText(entry_.number, Qt::ElideRight, room - unit_width);
        const int shown_width = large.horizontalAdvance(shown);
        const int left = std::max(tile_side, (width() - shown_width - unit_width) / 2);
        painter.setPen(theme().text);
        painter.setFont(largeFont());
        painter.drawText(left, tile_above + large.ascent(), shown);
        painter.setPen(theme().muted);
        painter.setFont(smallFont());
        painter.drawText(left + shown_width, tile_above + large.ascent(), unit);
        painter.drawText(QRect(tile_side, tile_above + large.height(), room, small.height()), Qt::AlignCenter,
                         small.elidedText(entry_.name, Qt::ElideRight, room));
    }

private:
    QFont largeFont() const { return sized(font(), large_tile_font); }
    QFont smallFont() const { return sized(font(), small_tile_font); }

    NumberTiles::Entry entry_;
};

NumberTiles::NumberTiles(QWidget* parent) : QWidget(parent) {
    // Not Fixed: the height of sizeHint(), which is for another width, would be the largest one.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void NumberTiles::setEntries(const std::vector<Entry>& entries) {
    for (; tiles_.size() > entries.size(); tiles_.pop_back())
        removeLater(tiles_.back());
    while (tiles_.size() < entries.size()) {
        tiles_.push_back(new NumberTile(this));
        tiles_.back()->show();
    }
    for (std::size_t i = 0; i < tiles_.size(); ++i)
        tiles_[i]->setEntry(entries[i]);
    updateGeometry();
    place();
}

QString NumberTiles::number(const QString& name) const {
    const auto found = std::ranges::find_if(tiles_, [&name](const auto* tile) { return tile->entry().name == name; });
    return found == tiles_.end() ? QString() : (*found)->number();
}

int NumberTiles::columnsIn(int width) const {
    int needed = -tile_gap;
    for (const auto* tile : tiles_)
        needed += tile->neededWidth() + tile_gap;
    return needed <= width ? std::max(1, static_cast<int>(tiles_.size())) : fewest_tiles;
}

int NumberTiles::heightForWidth(int width) const {
    if (tiles_.empty())
        return 0;
    const int columns = columnsIn(width), lines = (static_cast<int>(tiles_.size()) + columns - 1) / columns;
    return lines * (tiles_.front()->neededHeight() + tile_gap) - tile_gap;
}

QSize NumberTiles::sizeHint() const { return {tiles_usual, heightForWidth(tiles_usual)}; }
QSize NumberTiles::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 12, 0}; }

void NumberTiles::place() {
    const int columns = columnsIn(width()), count = static_cast<int>(tiles_.size());
    // In one row each gets what it needs and a share of the rest; in several they are as wide as each other.
    int spare = width() - (columns - 1) * tile_gap;
    if (columns == count)
        for (const auto* tile : tiles_)
            spare -= tile->neededWidth();
    int left = 0, top = 0;
    for (int i = 0; i < count; ++i) {
        auto* tile = tiles_[static_cast<std::size_t>(i)];
        const bool last = i % columns == columns - 1 || i == count - 1;
        const int own = (columns == count ? tile->neededWidth() : 0) + spare / columns;
        tile->setGeometry(left, top, last ? std::max(0, width() - left) : own, tile->neededHeight());
        left = last ? 0 : left + own + tile_gap;
        top += last ? tile->neededHeight() + tile_gap : 0;
    }
}

void NumberTiles::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void NumberTiles::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        place();
}

} // namespace attnlab::ui
