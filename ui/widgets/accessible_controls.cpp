// Buttons, lists, labels and tabs.
#include "ui/widgets/accessible_interfaces.h"
#include "ui/widgets/text.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace attnlab::ui {
namespace {

QMenu* menuOf(const QAbstractButton& button) {
    if (const auto* tool = qobject_cast<const QToolButton*>(&button))
        return tool->menu();
    const auto* push = qobject_cast<const QPushButton*>(&button);
    return push ? push->menu() : nullptr;
}

/// It has no children: what a card that is a button shows, its name and description say.
class Button : public QAccessibleWidget {
public:
    explicit Button(QAbstractButton& button) : QAccessibleWidget(&button), button_(button) {}

    int childCount() const override { return 0; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }

    QAccessible::Role role() const override {
        if (const auto given = accessibleRole(button_))
            return *given;
        if (!button_.isCheckable())
            return menuOf(button_) ? QAccessible::ButtonMenu : QAccessible::PushButton;
        return button_.autoExclusive() || button_.group() ? QAccessible::RadioButton : QAccessible::CheckBox;
    }

    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        state.checkable = button_.isCheckable();
        state.checked = button_.isChecked();
        state.pressed = button_.isDown();
        state.hasPopup = menuOf(button_) != nullptr;
        if (const auto* box = qobject_cast<QCheckBox*>(&button_); box && box->checkState() == Qt::PartiallyChecked)
            state.checkStateMixed = true;
        if (const auto* push = qobject_cast<QPushButton*>(&button_))
            state.defaultButton = push->isDefault();
        if (const auto expanded = accessibleExpanded(button_)) {
            state.expandable = true;
            state.expanded = *expanded;
            state.collapsed = !*expanded;
        }
        return state;
    }

    QString text(QAccessible::Text kind) const override {
        QString text = QAccessibleWidget::text(kind);
        if (kind == QAccessible::Name && text.isEmpty())
            return withoutMnemonic(button_.text());
        if (kind == QAccessible::Accelerator && text.isEmpty())
            return button_.shortcut().toString(QKeySequence::NativeText);
        return kind == QAccessible::Description ? tidyDescription(text, this->text(QAccessible::Name)) : text;
    }

    QStringList actionNames() const override {
        QStringList names = QAccessibleWidget::actionNames();
        if (!button_.isEnabled())
            return names;
        if (menuOf(button_))
            names.prepend(showMenuAction());
        names.prepend(button_.isCheckable() ? toggleAction() : pressAction());
        return names;
    }

    void doAction(const QString& name) override {
        if (!button_.isEnabled())
            return;
        // Later, since it may open a dialog or a menu.
        if (name == showMenuAction() || (name == pressAction() && menuOf(button_)))
            QMetaObject::invokeMethod(
                &button_, [button = &button_] { showMenuOf(*button); }, Qt::QueuedConnection);
        else if (name == pressAction() || name == toggleAction())
            QMetaObject::invokeMethod(&button_, &QAbstractButton::click, Qt::QueuedConnection);
        else
            QAccessibleWidget::doAction(name);
    }

    QStringList keyBindingsForAction(const QString& name) const override {
        const bool clicks = name == pressAction() || name == toggleAction();
        return clicks && !button_.shortcut().isEmpty() ? QStringList{button_.shortcut().toString()}
                                                       : QAccessibleWidget::keyBindingsForAction(name);
    }

private:
    static void showMenuOf(QAbstractButton& button) {
        if (auto* tool = qobject_cast<QToolButton*>(&button))
            tool->showMenu();
        else if (auto* push = qobject_cast<QPushButton*>(&button))
            push->showMenu();
    }

    QAbstractButton& button_;
};

/// On Linux Qt names a list by its entry alone, whatever setAccessibleName() said.
class List : public QAccessibleWidget {
public:
    explicit List(QComboBox& list) : QAccessibleWidget(&list, QAccessible::ComboBox), list_(list) {}

    int childCount() const override { return list_.isEditable() ? 2 : 1; }
    QAccessibleInterface* child(int index) const override {
        QWidget* const parts[] = {list_.view(), list_.lineEdit()};
        if (list_.isEditable() && parts[1]->accessibleName() != list_.accessibleName())
            parts[1]->setAccessibleName(list_.accessibleName());
        return index >= 0 && index < childCount() ? QAccessible::queryAccessibleInterface(parts[index]) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        return child->object() == list_.view() ? 0 : list_.isEditable() && child->object() == list_.lineEdit() ? 1 : -1;
    }

    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Value)
            return list_.currentText();
        const QString text = QAccessibleWidget::text(kind);
        if (kind == QAccessible::Name)
            return text.isEmpty() ? list_.currentText() : QStringLiteral("%1: %2").arg(text, list_.currentText());
        return kind == QAccessible::Description ? tidyDescription(text, list_.accessibleName()) : text;
    }

    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = isOpen();
        state.collapsed = !isOpen();
        state.editable = list_.isEditable();
        return state;
    }

    QStringList actionNames() const override {
        QStringList names = QAccessibleWidget::actionNames();
        if (list_.isEnabled())
            names.prepend(showMenuAction());
        return names;
    }

    void doAction(const QString& name) override {
        if (name != showMenuAction() && name != pressAction())
            return QAccessibleWidget::doAction(name);
        QMetaObject::invokeMethod(
            &list_, [list = &list_, open = isOpen()] { open ? list->hidePopup() : list->showPopup(); },
            Qt::QueuedConnection);
    }

private:
    bool isOpen() const { return list_.view()->isVisible(); }

    QComboBox& list_;
};

class LabelText : public QAccessibleWidget {
public:
    explicit LabelText(QLabel& label) : QAccessibleWidget(&label, QAccessible::StaticText), label_(label) {}

    QString text(QAccessible::Text kind) const override {
        const QString text = QAccessibleWidget::text(kind);
        if (kind == QAccessible::Name && text.isEmpty())
            return label_.text();
        return kind == QAccessible::Description ? tidyDescription(text, this->text(QAccessible::Name)) : text;
    }

    QList<std::pair<QAccessibleInterface*, QAccessible::Relation>>
    relations(QAccessible::Relation match) const override {
        auto all = QAccessibleWidget::relations(match);
        if (auto* of = labelledBy(label_); of && match & QAccessible::Labelled)
            all.append({QAccessible::queryAccessibleInterface(of), QAccessible::Labelled});
        return all;
    }

    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        state.readOnly = true;
        return state;
    }

private:
    QLabel& label_;
};

} // namespace

QAccessibleInterface* buttonInterface(QAbstractButton& button) { return new Button(button); }
QAccessibleInterface* listInterface(QComboBox& list) { return new List(list); }
QAccessibleInterface* labelInterface(QLabel& label) { return new LabelText(label); }

} // namespace attnlab::ui
