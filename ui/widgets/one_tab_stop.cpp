#include "ui/widgets/one_tab_stop.h"

#include <QKeyEvent>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

bool canStop(const QWidget* member) {
    const bool hidden = member->isHidden() && member->testAttribute(Qt::WA_WState_ExplicitShowHide);
    return !hidden && member->isEnabledTo(member->parentWidget());
}

} // namespace

OneTabStop::OneTabStop(QList<QWidget*> members, QObject* parent) : QObject(parent), members_(std::move(members)) {
    for (auto* member : members_) {
        member->installEventFilter(this);
        connect(member, &QObject::destroyed, this, [this](QObject* gone) {
            members_.removeIf([gone](const QObject* one) { return one == gone; });
            for (auto** kept : {&stop_, &latest_})
                if (*kept == gone)
                    *kept = nullptr;
        });
    }
    stopAt(members_.value(0));
    settle();
}

void OneTabStop::stopAt(QWidget* member) {
    stop_ = member;
    for (auto* one : std::as_const(members_))
        one->setFocusPolicy(one == stop_ ? Qt::StrongFocus : Qt::ClickFocus);
}

void OneTabStop::settle() {
    if (latest_ && canStop(latest_))
        return stopAt(latest_);
    if (const auto first = std::ranges::find_if(members_, canStop); first != members_.end())
        stopAt(*first);
}

bool OneTabStop::move(qsizetype from, int key) {
    const auto last = members_.size() - 1;
    const bool back = key == Qt::Key_Left || key == Qt::Key_Up || key == Qt::Key_End;
    const bool to_end = key == Qt::Key_Home || key == Qt::Key_End;
    const qsizetype step = back ? -1 : 1;
    for (auto i = to_end ? (back ? last : 0) : from + step; i >= 0 && i <= last; i += step)
        if (canStop(members_[i])) {
            members_[i]->setFocus(back ? Qt::BacktabFocusReason : Qt::TabFocusReason);
            return true;
        }
    return false;
}

bool OneTabStop::eventFilter(QObject* watched, QEvent* event) {
    const auto at = std::ranges::find(members_, watched) - members_.begin();
    switch (event->type()) {
    case QEvent::FocusIn:
        latest_ = members_.value(at);
        stopAt(latest_);
        break;
    case QEvent::EnabledChange:
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
        settle();
        break;
    case QEvent::KeyPress: {
        const auto* key = static_cast<QKeyEvent*>(event);
        constexpr int moves[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End};
        if (!(key->modifiers() & ~Qt::KeypadModifier) && std::ranges::find(moves, key->key()) != std::end(moves)) {
            move(at, key->key());
            return true;
        }
        break;
    }
    default:
        break;
    }
    return false;
}

} // namespace attnlab::ui
