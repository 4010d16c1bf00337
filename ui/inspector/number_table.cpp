#include "ui/inspector/number_table.h"

#include "ui/card.h"

#include <QGridLayout>
#include <QLabel>

namespace attnlab::ui {

NumberTable::NumberTable(int columns, QWidget* parent)
    : QWidget(parent), columns_(columns), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(3);
    for (int column = 0; column < columns; ++column) {
        grid_->setColumnStretch(column * 3, 1);
        if (column > 0)
            grid_->setColumnMinimumWidth(column * 3 - 1, 4);
    }
}

void NumberTable::setEntries(const std::vector<Entry>& entries) {
    while (names_.size() < entries.size()) {
        const int index = static_cast<int>(names_.size());
        auto* name = mutedLabel(this);
        auto* number = new QLabel(this);
        number->setTextFormat(Qt::PlainText);
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid_->addWidget(name, index / columns_, index % columns_ * 3);
        grid_->addWidget(number, index / columns_, index % columns_ * 3 + 1);
        names_.push_back(name);
        numbers_.push_back(number);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const bool there = i < entries.size();
        names_[i]->setVisible(there);
        numbers_[i]->setVisible(there);
        if (!there)
            continue;
        names_[i]->setText(entries[i].name);
        numbers_[i]->setText(entries[i].number);
        names_[i]->setToolTip(entries[i].help);
        numbers_[i]->setToolTip(entries[i].help);
        numbers_[i]->setAccessibleName(entries[i].name);
    }
}

QString NumberTable::number(const QString& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (!names_[i]->isHidden() && names_[i]->text() == name)
            return numbers_[i]->text();
    return {};
}

} // namespace attnlab::ui
