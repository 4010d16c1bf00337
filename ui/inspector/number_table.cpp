#include "ui/inspector/number_table.h"

#include "ui/card.h"
#include "ui/label.h"

#include <QGridLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int spacing = 6, column_gap = 12;
constexpr int cells = 3; // name, number, gap

/// What a label of one line needs; to ask the label itself would lay out a document each time.
int widthOf(const QLabel& label) { return label.fontMetrics().horizontalAdvance(label.text()) + 2; }

} // namespace

NumberTable::NumberTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(spacing);
    grid_->setVerticalSpacing(3);
}

void NumberTable::setEntries(const std::vector<Entry>& entries) {
    const bool anew = entries.size() != pairs_.size();
    while (pairs_.size() > entries.size()) {
        delete pairs_.back().name;
        delete pairs_.back().number;
        pairs_.pop_back();
    }
    while (pairs_.size() < entries.size()) {
        auto* number = new Label(this);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        pairs_.push_back({mutedLabel(this), number});
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        pairs_[i].name->setText(entries[i].name);
        pairs_[i].number->setText(entries[i].number);
        pairs_[i].name->setToolTip(entries[i].help);
        pairs_[i].number->setToolTip(entries[i].help);
        pairs_[i].number->setAccessibleName(entries[i].name);
    }
    if (anew)
        columns_ = 0;
    arrange(widthFor(2) <= width() ? 2 : 1);
}

QString NumberTable::number(const QString& name) const {
    const auto found =
        std::find_if(pairs_.begin(), pairs_.end(), [&name](const Pair& pair) { return pair.name->text() == name; });
    return found == pairs_.end() ? QString() : found->number->text();
}

int NumberTable::widthFor(int columns) const {
    int width = (columns - 1) * (column_gap + spacing);
    for (int column = 0; column < columns; ++column) {
        int names = 0, numbers = 0;
        for (std::size_t i = static_cast<std::size_t>(column); i < pairs_.size();
             i += static_cast<std::size_t>(columns)) {
            names = std::max(names, widthOf(*pairs_[i].name));
            numbers = std::max(numbers, widthOf(*pairs_[i].number));
        }
        width += names + spacing + numbers;
    }
    return width;
}

void NumberTable::arrange(int columns) {
    if (columns_ == columns)
        return;
    columns_ = columns;
    int index = 0;
    for (const auto& pair : pairs_) {
        grid_->addWidget(pair.name, index / columns, index % columns * cells);
        grid_->addWidget(pair.number, index / columns, index % columns * cells + 1);
        ++index;
    }
    grid_->setColumnMinimumWidth(2, columns > 1 ? column_gap - spacing : 0);
    grid_->setColumnStretch(0, 1);
    grid_->setColumnStretch(cells, columns > 1 ? 1 : 0);
    updateGeometry();
}

QSize NumberTable::minimumSizeHint() const { return {widthFor(1), QWidget::minimumSizeHint().height()}; }

void NumberTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(widthFor(2) <= width() ? 2 : 1);
}

} // namespace attnlab::ui
