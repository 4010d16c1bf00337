#include "ui/widgets/accessible.h"

#include "ui/widgets/accessible_interfaces.h"
#include "ui/widgets/accessible_table.h"
#include "ui/widgets/divider_keys.h"
#include "ui/widgets/label.h"

#include <QAbstractButton>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QPointer>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr const char* role_property = "attnlab_accessible_role";
constexpr const char* labelled_property = "attnlab_accessible_label_of";
constexpr const char* expanded_property = "attnlab_accessible_expanded";

QString words(const char* text) { return QCoreApplication::translate("Accessible", text); }

class Painted : public QAccessibleWidget {
public:
    Painted(QWidget& widget, QAccessible::Role role, QString usual_name = {})
        : QAccessibleWidget(&widget, role), usual_name_(std::move(usual_name)) {}

    QString text(QAccessible::Text kind) const override {
        const QString text = QAccessibleWidget::text(kind);
        if (kind == QAccessible::Name && text.isEmpty())
            return usual_name_;
        return kind == QAccessible::Description ? tidyDescription(text, this->text(QAccessible::Name)) : text;
    }

private:
    QString usual_name_;
};

/// Qt gives it no name.
class Bar : public Painted, public QAccessibleValueInterface {
public:
    explicit Bar(QScrollBar& bar)
        : Painted(bar, QAccessible::ScrollBar,
                  bar.orientation() == Qt::Horizontal ? words(QT_TRANSLATE_NOOP("Accessible", "Horizontal scroll bar"))
                                                      : words(QT_TRANSLATE_NOOP("Accessible", "Vertical scroll bar"))),
          bar_(bar) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : Painted::interface_cast(type);
    }
    QVariant currentValue() const override { return bar_.value(); }
    void setCurrentValue(const QVariant& value) override { bar_.setValue(value.toInt()); }
    QVariant maximumValue() const override { return bar_.maximum(); }
    QVariant minimumValue() const override { return bar_.minimum(); }
    QVariant minimumStepSize() const override { return bar_.singleStep(); }

private:
    QScrollBar& bar_;
};

class MovableDivider : public Painted, public QAccessibleValueInterface {
public:
    MovableDivider(QWidget& divider, DividerKeys& keys)
        : Painted(divider, QAccessible::Separator, words(QT_TRANSLATE_NOOP("Accessible", "Divider"))), keys_(&keys) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : Painted::interface_cast(type);
    }
    QVariant currentValue() const override { return keys_ ? keys_->place() : 0; }
    void setCurrentValue(const QVariant& value) override {
        if (keys_)
            keys_->moveTo(value.toInt());
    }
    QVariant maximumValue() const override { return keys_ ? keys_->room() : 0; }
    QVariant minimumValue() const override { return 0; }
    QVariant minimumStepSize() const override { return 1; }

private:
    QPointer<DividerKeys> keys_;
};

QAccessibleInterface* interfaceOf(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget)
        return nullptr;
    if (auto* table = dynamic_cast<AccessibleTable*>(widget))
        return tableInterface(*widget, *table);
    if (auto* button = qobject_cast<QAbstractButton*>(widget))
        return buttonInterface(*button);
    if (const auto role = accessibleRole(*widget))
        return paintedInterface(*widget, *role);
    if (auto* list = qobject_cast<QComboBox*>(widget))
        return listInterface(*list);
    if (auto* tabs = qobject_cast<QTabBar*>(widget))
        return tabsInterface(*tabs);
    // Qt reads the text of those with markup.
    if (auto* label = dynamic_cast<Label*>(widget); label && label->textFormat() == Qt::PlainText)
        return labelInterface(*label);
    if (auto* bar = qobject_cast<QScrollBar*>(widget))
        return new Bar(*bar);
    if (auto* keys = DividerKeys::of(*widget))
        return new MovableDivider(*widget, *keys);
    if (qobject_cast<QSplitterHandle*>(widget)) // of Qt's own dialogs
        return new Painted(*widget, QAccessible::Separator, words(QT_TRANSLATE_NOOP("Accessible", "Divider")));
    return nullptr;
}

} // namespace

void installAccessibility() { QAccessible::installFactory(interfaceOf); }

void setAccessibleRole(QWidget& widget, QAccessible::Role role) {
    widget.setProperty(role_property, static_cast<int>(role));
}

std::optional<QAccessible::Role> accessibleRole(const QWidget& widget) {
    const QVariant role = widget.property(role_property);
    return role.isValid() ? std::optional(static_cast<QAccessible::Role>(role.toInt())) : std::nullopt;
}

void setAccessibleExpanded(QWidget& widget, bool expanded) {
    const bool changed = accessibleExpanded(widget) == std::optional(!expanded);
    widget.setProperty(expanded_property, expanded);
    if (!changed)
        return;
    QAccessible::State state;
    state.expanded = state.collapsed = true;
    QAccessibleStateChangeEvent event(&widget, state);
    QAccessible::updateAccessibility(&event);
}

std::optional<bool> accessibleExpanded(const QWidget& widget) {
    const QVariant expanded = widget.property(expanded_property);
    return expanded.isValid() ? std::optional(expanded.toBool()) : std::nullopt;
}

void setAccessibleLabelOf(QLabel& label, QWidget& of) {
    label.setProperty(labelled_property, QVariant::fromValue(QPointer<QWidget>(&of)));
}

QWidget* labelledBy(const QLabel& label) {
    auto* of = label.property(labelled_property).value<QPointer<QWidget>>().data();
    return of ? of : label.buddy();
}

QString tidyDescription(const QString& description, const QString& name) {
    if (name.isEmpty() || !description.startsWith(name))
        return description;
    const QString rest = description.mid(name.size());
    if (!rest.isEmpty() && rest.front().isLetterOrNumber())
        return description; // the name is a part of another one
    const auto first = std::ranges::find_if(rest, [](QChar letter) {
        return !letter.isSpace() && !QStringView(u":;,.…").contains(letter); // "Brush: the cells"
    });
    return rest.mid(first - rest.begin());
}

QAccessibleInterface* paintedInterface(QWidget& widget, QAccessible::Role role) { return new Painted(widget, role); }

} // namespace attnlab::ui
