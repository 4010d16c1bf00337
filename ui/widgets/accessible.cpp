#include "ui/widgets/accessible.h"

#include <QAbstractButton>
#include <QAccessibleWidget>
#include <QToolButton>
#include <QVariant>

namespace attnlab::ui {
namespace {

constexpr const char* role_property = "attnlab_accessible_role";

class ClickedButton : public QAccessibleWidget {
public:
    explicit ClickedButton(QAbstractButton* button) : QAccessibleWidget(button), button_(*button) {}

    QAccessible::Role role() const override {
        if (!button_.isCheckable())
            return QAccessible::PushButton;
        return button_.autoExclusive() || button_.group() ? QAccessible::RadioButton : QAccessible::CheckBox;
    }

    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        state.checkable = button_.isCheckable();
        state.checked = button_.isChecked();
        state.pressed = button_.isDown();
        return state;
    }

    QString text(QAccessible::Text kind) const override {
        const QString text = QAccessibleWidget::text(kind);
        return kind == QAccessible::Name && text.isEmpty() ? button_.text().remove(QLatin1Char('&')) : text;
    }

    QStringList actionNames() const override {
        QStringList names = QAccessibleWidget::actionNames();
        if (button_.isEnabled())
            names.prepend(button_.isCheckable() ? toggleAction() : pressAction());
        return names;
    }

    void doAction(const QString& name) override {
        if (name == pressAction() || name == toggleAction())
            QMetaObject::invokeMethod(&button_, &QAbstractButton::click, Qt::QueuedConnection); // it may open a dialog
        else
            QAccessibleWidget::doAction(name);
    }

private:
    QAbstractButton& button_;
};

/// Those with a menu show it, as Qt has it.
bool isClicked(const QAbstractButton& button) {
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    return tool ? !tool->menu() : button.isCheckable();
}

QAccessibleInterface* interfaceOf(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget)
        return nullptr;
    if (const QVariant role = widget->property(role_property); role.isValid())
        return new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt()));
    auto* button = qobject_cast<QAbstractButton*>(widget);
    return button && isClicked(*button) ? new ClickedButton(button) : nullptr;
}

} // namespace

void installAccessibility() { QAccessible::installFactory(interfaceOf); }

void setAccessibleRole(QWidget& widget, QAccessible::Role role) {
    widget.setProperty(role_property, static_cast<int>(role));
}

} // namespace attnlab::ui
