#include "ui/panels/inspector/named_numbers.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QEvent>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int table_spacing = 6, table_column_gap = 18, table_line_gap = 3;
constexpr int most_columns = 2;
constexpr int table_fewest_letters = 12; ///< of a name and its number

/// The width of a label of one line; querying the label would lay out a document each time.
int widthOf(const QLabel& label) { return label.fontMetrics().horizontalAdvance(label.text()) + 2; }

} // namespace

int NumberTable::Widths::sum() const { return name + table_spacing + number; }

NumberTable::NumberTable(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void NumberTable::setEntries(const std::vector<Entry>& entries) {
    while (pairs_.size() > entries.size()) {
        removeSafely(pairs_.back().name);
        removeSafely(pairs_.back().number);
        pairs_.pop_back();
    }
    while (pairs_.size() < entries.size()) {
        auto* number = new Label(this);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        pairs_.push_back({mutedLabel(this), number});
        setAccessibleLabelOf(*pairs_.back().name, *number);
        pairs_.back().name->show();
        number->show();
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        pairs_[i].name->setText(entries[i].name);
        pairs_[i].number->setText(entries[i].number);
        pairs_[i].name->setToolTip(entries[i].help);
        pairs_[i].number->setToolTip(entries[i].help);
        const QString& spoken = entries[i].spoken.isEmpty() ? entries[i].name : entries[i].spoken;
        pairs_[i].number->setAccessibleName(QStringLiteral("%1: %2").arg(spoken, entries[i].number));
        pairs_[i].number->setAccessibleDescription(entries[i].help);
    }
    measure();
    updateGeometry();
    place();
}

void NumberTable::measure() {
    for (Pair& pair : pairs_) {
        pair.name_width = widthOf(*pair.name);
        pair.number_width = widthOf(*pair.number);
    }
}

QString NumberTable::number(const QString& name) const {
    const auto found =
        std::find_if(pairs_.begin(), pairs_.end(), [&name](const Pair& pair) { return pair.name->text() == name; });
    return found == pairs_.end() ? QString() : found->number->text();
}

NumberTable::Widths NumberTable::widthsOf(int column, int columns) const {
    Widths widths;
    for (auto i = static_cast<std::size_t>(column); i < pairs_.size(); i += static_cast<std::size_t>(columns)) {
        widths.name = std::max(widths.name, pairs_[i].name_width);
        widths.number = std::max(widths.number, pairs_[i].number_width);
    }
    return widths;
}

int NumberTable::columnsIn(int width) const {
    const int two = widthsOf(0, most_columns).sum() + table_column_gap + widthsOf(1, most_columns).sum();
    return two <= width ? most_columns : 1;
}

int NumberTable::lineHeight() const { return fontMetrics().height(); }

int NumberTable::heightForWidth(int width) const {
    const int columns = columnsIn(width);
    const int lines = (static_cast<int>(pairs_.size()) + columns - 1) / columns;
    return std::max(0, lines * (lineHeight() + table_line_gap) - table_line_gap);
}

QSize NumberTable::sizeHint() const {
    const int width = widthsOf(0, 1).sum();
    return {width, heightForWidth(width)};
}

QSize NumberTable::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * table_fewest_letters, 0}; }

void NumberTable::place() {
    const int columns = columnsIn(width());
    int left = 0, spare = width() - (columns - 1) * table_column_gap;
    for (int column = 0; column < columns; ++column)
        spare -= widthsOf(column, columns).sum();
    for (int column = 0; column < columns; ++column) {
        Widths widths = widthsOf(column, columns);
        // Spare width goes between names and numbers; missing width is taken from the names.
        widths.name = std::max(0, widths.name + spare / columns);
        int top = 0;
        for (auto i = static_cast<std::size_t>(column); i < pairs_.size(); i += static_cast<std::size_t>(columns)) {
            pairs_[i].name->setGeometry(left, top, widths.name, lineHeight());
            pairs_[i].number->setGeometry(left + widths.name + table_spacing, top, widths.number, lineHeight());
            top += lineHeight() + table_line_gap;
        }
        left += widths.sum() + table_column_gap;
    }
}

void NumberTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void NumberTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        measure();
        place();
    }
}

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
        removeSafely(tiles_.back());
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
