#include "ui/widgets/keyboard.h"

#include "core/lookup.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>
#include <QVariant>
#include <QWidget>
#include <utility>

namespace attnlab::ui {
namespace {

/// Sees every press of a key or of the mouse.
class LatestInput : public QObject {
public:
    explicit LatestInput(QObject* parent) : QObject(parent) { parent->installEventFilter(this); }

    bool isKeyboard() const { return is_keyboard_; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        const auto type = event->type();
        if (type == QEvent::MouseButtonPress || type == QEvent::KeyPress)
            set(type == QEvent::KeyPress);
        return false;
    }

private:
    void set(bool keyboard) {
        if (std::exchange(is_keyboard_, keyboard) == keyboard)
            return;
        if (QWidget* focused = QApplication::focusWidget())
            focused->update();
    }

    bool is_keyboard_ = true;
};

} // namespace

bool showsFocus(const QWidget& widget) {
    static QPointer<LatestInput> input;
    if (!input)
        input = new LatestInput(qApp);
    return widget.hasFocus() && input->isKeyboard();
}

namespace {

constexpr auto keys_property = "attnlab_own_keys";

} // namespace

void declareShortcuts(QWidget& widget, const WidgetShortcuts& keys) {
    widget.setProperty(keys_property, QVariant::fromValue(keys));
}

QList<WidgetShortcuts> declaredKeys(const QWidget& window) {
    QList<WidgetShortcuts> all;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        const auto declared = widget->property(keys_property);
        if (!declared.isValid())
            continue;
        const auto keys = declared.value<WidgetShortcuts>();
        WidgetShortcuts* same = lookup(all, keys.place, &WidgetShortcuts::place);
        if (!same)
            all << keys;
        else
            for (const auto& key : keys.keys)
                if (!same->keys.contains(key))
                    same->keys << key;
    }
    return all;
}

namespace {

bool canStop(const QWidget* member) {
    const bool hidden = member->isHidden() && member->testAttribute(Qt::WA_WState_ExplicitShowHide);
    return !hidden && member->isEnabledTo(member->parentWidget());
}

} // namespace

RovingFocus::RovingFocus(QList<QWidget*> members, QObject* parent) : QObject(parent), members_(std::move(members)) {
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

void RovingFocus::stopAt(QWidget* member) {
    stop_ = member;
    for (auto* one : std::as_const(members_))
        one->setFocusPolicy(one == stop_ ? Qt::StrongFocus : Qt::ClickFocus);
}

void RovingFocus::settle() {
    if (latest_ && canStop(latest_))
        return stopAt(latest_);
    if (const auto first = std::ranges::find_if(members_, canStop); first != members_.end())
        stopAt(*first);
}

bool RovingFocus::move(qsizetype from, int key) {
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

bool RovingFocus::eventFilter(QObject* watched, QEvent* event) {
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

DividerShortcuts::DividerShortcuts(QWidget& divider, Ways ways)
    : QObject(&divider), divider_(divider), ways_(std::move(ways)) {
    divider.installEventFilter(this);
    declareShortcuts(divider, {tr("Divider"),
                               {{tr("Arrow keys, Home, End"), tr("Move the divider")},
                                {tr("Enter"), tr("Leave it there")},
                                {tr("Escape"), tr("Put it back to where it was")}}});
}

DividerShortcuts* DividerShortcuts::of(const QWidget& widget) {
    return widget.findChild<DividerShortcuts*>(QString(), Qt::FindDirectChildrenOnly);
}

void DividerShortcuts::moveTo(int place) {
    const int before = ways_.place();
    ways_.move_to(std::clamp(place, 0, ways_.room()));
    if (before == ways_.place())
        return;
    QAccessibleValueChangeEvent event(&divider_, ways_.place());
    QAccessible::updateAccessibility(&event);
}

bool DividerShortcuts::press(int key) {
    const bool across = ways_.moves == Qt::Horizontal;
    if (key == (across ? Qt::Key_Left : Qt::Key_Up))
        moveTo(place() - step);
    else if (key == (across ? Qt::Key_Right : Qt::Key_Down))
        moveTo(place() + step);
    else if (key == Qt::Key_Home)
        moveTo(0);
    else if (key == Qt::Key_End)
        moveTo(room());
    else if (key == Qt::Key_Escape)
        moveTo(before_);
    else if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
        emit left();
    return true;
}

bool DividerShortcuts::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        if (event->type() == QEvent::FocusIn)
            before_ = place();
        divider_.update();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    return !(key->modifiers() & ~Qt::KeypadModifier) && press(key->key());
}

namespace {

class Handle : public QSplitterHandle {
public:
    Handle(Qt::Orientation orientation, QSplitter* splitter) : QSplitterHandle(orientation, splitter) {
        setFocusPolicy(Qt::TabFocus);
        new DividerShortcuts(*this, {orientation, [this] { return place(); }, [this](int to) { moveSplitter(to); },
                                     [this] { return room(); }});
    }

protected:
    void paintEvent(QPaintEvent*) override { paintDivider(*this, orientation()); }

private:
    int place() const { return orientation() == Qt::Horizontal ? x() : y(); }
    int room() const {
        const QSize all = splitter()->contentsRect().size();
        return orientation() == Qt::Horizontal ? all.width() - width() : all.height() - height();
    }
};

} // namespace

Splitter::Splitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent) {}

QSplitterHandle* Splitter::createHandle() { return new Handle(orientation(), this); }

void paintDivider(QWidget& divider, Qt::Orientation moves) {
    constexpr double length = 28.0, thickness = 3.0;
    QPainter painter(&divider);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const bool has_focus = showsFocus(divider);
    painter.setBrush(has_focus ? theme().accent : theme().outline);
    const QRectF whole(divider.rect());
    const bool across = moves == Qt::Horizontal;
    const double along = across ? whole.height() : whole.width();
    const double shown = has_focus ? along : std::min(along, length);
    QRectF bar(0, 0, across ? thickness : shown, across ? shown : thickness);
    bar.moveCenter(whole.center());
    painter.drawRoundedRect(bar, thickness / 2, thickness / 2);
}

} // namespace attnlab::ui
