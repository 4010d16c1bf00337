#include "ui/panels/inspector/number_table.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/label.h"
#include "ui/widgets/remove_later.h"

#include <QEvent>

#include <algorithm>

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
        removeLater(pairs_.back().name);
        removeLater(pairs_.back().number);
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
    updateGeometry();
    place();
}

QString NumberTable::number(const QString& name) const {
    const auto found =
        std::find_if(pairs_.begin(), pairs_.end(), [&name](const Pair& pair) { return pair.name->text() == name; });
    return found == pairs_.end() ? QString() : found->number->text();
}

NumberTable::Widths NumberTable::widthsOf(int column, int columns) const {
    Widths widths;
    for (auto i = static_cast<std::size_t>(column); i < pairs_.size(); i += static_cast<std::size_t>(columns)) {
        widths.name = std::max(widths.name, widthOf(*pairs_[i].name));
        widths.number = std::max(widths.number, widthOf(*pairs_[i].number));
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
    if (event->type() == QEvent::FontChange)
        place();
}

} // namespace attnlab::ui
