#include "ui/window/side_part.h"

#include "ui/document/settings.h"

#include <QAction>
#include <QWidget>

namespace attnlab::ui {

SidePart::SidePart(const QString& id, const QString& title, QWidget* part)
    : QObject(part), part_(part), action_(new QAction(title, this)) {
    action_->setCheckable(true);
    action_->setChecked(settings::isPartShown(id));
    connect(action_, &QAction::toggled, this, [this, id](bool on) {
        settings::setPartShown(id, on);
        refresh();
    });
    refresh();
}

void SidePart::setNeeded(bool needed) {
    needed_ = needed;
    refresh();
}

void SidePart::setRoom(bool room) {
    room_ = room;
    action_->setEnabled(room);
    refresh();
}

void SidePart::refresh() {
    const bool visible = needed_ && room_ && action_->isChecked();
    part_->setVisible(visible);
    emit shown(visible);
}

} // namespace attnlab::ui
