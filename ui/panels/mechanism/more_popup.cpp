#include "ui/panels/mechanism/more_popup.h"

#include "ui/widgets/card.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

MorePopup::MorePopup(QWidget* parent) : Popup(parent), column_(new QVBoxLayout(this)) {
    column_->setSpacing(4);
    column_->setSizeConstraint(QLayout::SetMinAndMaxSize);
}

MorePopup::Group& MorePopup::group(int index) {
    while (groups_.size() <= static_cast<std::size_t>(index)) {
        auto* heading = mutedLabel(this, true);
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        column->setContentsMargins(0, 0, 0, 6);
        column_->addWidget(heading);
        column_->addLayout(column);
        groups_.push_back({heading, column});
    }
    return groups_[static_cast<std::size_t>(index)];
}

void MorePopup::add(int index, QWidget* part) { group(index).column->addWidget(part); }

void MorePopup::setHeading(int index, const QString& text) { group(index).heading->setText(text); }

bool MorePopup::shows(const Group& group) {
    for (int i = 0; i < group.column->count(); ++i)
        if (const auto* part = group.column->itemAt(i)->widget(); part && !part->isHidden())
            return true;
    return false;
}

bool MorePopup::isEmpty() const { return std::none_of(groups_.begin(), groups_.end(), shows); }

void MorePopup::openBelow(const QWidget& anchor) {
    for (const auto& each : groups_)
        each.heading->setVisible(shows(each));
    Popup::openBelow(anchor);
}

} // namespace attnlab::ui
