#include "ui/widgets/accessible.h"

#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVariant>
#include <QWidget>
#include <utility>
#include <vector>

namespace attnlab::ui {

/// What setAccessibleRole() said; nullopt where it said nothing.
std::optional<QAccessible::Role> accessibleRole(const QWidget& widget);
/// What setAccessibleExpanded() said.
std::optional<bool> accessibleExpanded(const QWidget& widget);
/// What setAccessibleLabelOf() said, or its buddy; null: it is no label of another widget.
QWidget* labelledBy(const QLabel& label);
/// Without what repeats the name: descriptions are often tooltips, which begin with it.
QString tidyDescription(const QString& description, const QString& name);

QAccessibleInterface* paintedInterface(QWidget& widget, QAccessible::Role role);
QAccessibleInterface* tableInterface(QWidget& widget, AccessibleTable& table);
QAccessibleInterface* buttonInterface(QAbstractButton& button);
QAccessibleInterface* listInterface(QComboBox& list);
QAccessibleInterface* labelInterface(QLabel& label);
QAccessibleInterface* tabsInterface(QTabBar& tabs);

namespace {

/// Objects of cells that are kept: a reader that walks over a matrix of millions asks for each.
constexpr std::size_t most_kept_cells = 16384;

class TableCell : public QAccessibleInterface, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
public:
    TableCell(QWidget* widget, AccessibleTable& table, int row, int column)
        : widget_(widget), cells_(table), row_(row), column_(column) {}

    bool isValid() const override { return widget_ && row_ < cells_.tableRows() && column_ < cells_.tableColumns(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(widget_.data()); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? cells_.tableCellText(row_, column_) : QString();
    }
    QRect rect() const override {
        const QRect place = isValid() ? cells_.tableCellRect(row_, column_) : QRect();
        return place.isEmpty() ? QRect() : place.translated(widget_->mapToGlobal(QPoint()));
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.readOnly = true;
        state.invisible = !widget_->isVisible();
        state.offscreen = cells_.tableCellRect(row_, column_).isEmpty();
        state.focusable = true;
        state.selected = cells_.tableCursor() == std::pair(row_, column_);
        state.focused = state.selected && widget_->hasFocus();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface)
            return static_cast<QAccessibleTableCellInterface*>(this);
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return isValid() ? QStringList{pressAction()} : QStringList(); }
    void doAction(const QString& name) override {
        if (actionNames().contains(name))
            QMetaObject::invokeMethod(
                widget_,
                [row = row_, column = column_, table = &cells_] {
                    if (row < table->tableRows() && column < table->tableColumns())
                        table->pressTableCell(row, column);
                },
                Qt::QueuedConnection);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    bool isSelected() const override { return state().selected; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return column_; }
    int rowIndex() const override { return row_; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    QPointer<QWidget> widget_;
    AccessibleTable& cells_; ///< the widget
    int row_, column_;
};

class Table : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    Table(QWidget& widget, AccessibleTable& table) : QAccessibleWidget(&widget, QAccessible::Table), cells_(table) {}

    bool hasCells() const { return rowCount() > 0 && columnCount() > 0; }
    QAccessible::Role role() const override {
        return hasCells() ? QAccessible::Table : accessibleRole(*widget()).value_or(QAccessible::Chart);
    }
    QString text(QAccessible::Text kind) const override {
        const QString text = QAccessibleWidget::text(kind);
        return kind == QAccessible::Description ? tidyDescription(text, this->text(QAccessible::Name)) : text;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface && hasCells() ? static_cast<QAccessibleTableInterface*>(this)
                                                                 : QAccessibleWidget::interface_cast(type);
    }

    int childCount() const override {
        return static_cast<int>(
            std::min<std::int64_t>(std::int64_t{rowCount()} * columnCount(), std::numeric_limits<int>::max()));
    }
    QAccessibleInterface* child(int index) const override {
        return index >= 0 && index < childCount() ? cellAt(index / columnCount(), index % columnCount()) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        auto* cell = const_cast<QAccessibleInterface*>(child)->tableCellInterface();
        if (!cell || child->parent() != this)
            return -1;
        const auto index = std::int64_t{cell->rowIndex()} * columnCount() + cell->columnIndex();
        return index < childCount() ? static_cast<int>(index) : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        const auto cursor = cells_.tableCursor();
        return cursor && cells_.tableCellRect(cursor->first, cursor->second).contains(at) ? focusCell() : nullptr;
    }
    QAccessibleInterface* focusChild() const override { return widget()->hasFocus() ? focusCell() : nullptr; }

    QAccessibleInterface* cellAt(int row, int column) const override {
        if (row < 0 || row >= rowCount() || column < 0 || column >= columnCount())
            return nullptr;
        if (const auto known = known_.find({row, column}); known != known_.end())
            return QAccessible::accessibleInterface(known->second);
        if (known_.size() >= most_kept_cells)
            forget();
        auto* cell = new TableCell(widget(), cells_, row, column);
        known_.emplace(std::pair(row, column), QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    QAccessibleInterface* focusCell() const {
        const auto cursor = cells_.tableCursor();
        return cursor ? cellAt(cursor->first, cursor->second) : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QString columnDescription(int column) const override {
        return column >= 0 && column < columnCount() ? cells_.tableColumnName(column) : QString();
    }
    QString rowDescription(int row) const override {
        return row >= 0 && row < rowCount() ? cells_.tableRowName(row) : QString();
    }
    int columnCount() const override { return cells_.tableColumns(); }
    int rowCount() const override { return cells_.tableRows(); }
    int selectedCellCount() const override { return focusCell() ? 1 : 0; }
    QList<QAccessibleInterface*> selectedCells() const override {
        auto* cell = focusCell();
        return cell ? QList{cell} : QList<QAccessibleInterface*>();
    }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

protected:
    ~Table() override { forget(); }

private:
    void forget() const {
        const auto known = std::exchange(known_, {});
        for (const auto& [place, id] : known)
            QAccessible::deleteAccessibleInterface(id);
    }

    AccessibleTable& cells_;
    mutable std::map<std::pair<int, int>, QAccessible::Id> known_;
};

void say(QWidget& widget, QAccessible::Event kind) {
    if (!QAccessible::isActive() || !widget.hasFocus())
        return;
    auto* table = QAccessible::queryAccessibleInterface(&widget);
    if (auto* cell = table ? table->focusChild() : nullptr) {
        QAccessibleEvent event(cell, kind);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace

void sayTableCursor(QWidget& table) { say(table, QAccessible::Focus); }
void sayTableCells(QWidget& table) { say(table, QAccessible::NameChanged); }

QAccessibleInterface* tableInterface(QWidget& widget, AccessibleTable& table) { return new Table(widget, table); }

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
    MovableDivider(QWidget& divider, DividerShortcuts& keys)
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
    QPointer<DividerShortcuts> keys_;
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
    if (auto* keys = DividerShortcuts::of(*widget))
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

// Buttons, lists, labels and tabs.

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

namespace {

class Tab : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    Tab(QTabBar* tabs, int index) : tabs_(tabs), index_(index) {}

    bool isValid() const override { return tabs_ && index_ < tabs_->count(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(tabs_.data()); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::PageTab; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        if (!isValid())
            return {};
        const QString given = tabs_->accessibleTabName(index_);
        const QString name = given.isEmpty() ? withoutMnemonic(tabs_->tabText(index_)) : given;
        return kind == QAccessible::Name          ? name
               : kind == QAccessible::Description ? tidyDescription(tabs_->tabToolTip(index_), name)
                                                  : QString();
    }

    QRect rect() const override {
        return isValid() ? tabs_->tabRect(index_).translated(tabs_->mapToGlobal(QPoint())) : QRect();
    }

    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const bool current = index_ == tabs_->currentIndex();
        state.invisible = !tabs_->isVisible() || !tabs_->isTabVisible(index_);
        state.disabled = !tabs_->isEnabled() || !tabs_->isTabEnabled(index_);
        state.selectable = state.focusable = !state.disabled;
        state.selected = current;
        state.focused = current && tabs_->hasFocus();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override {
        return isValid() && tabs_->isTabEnabled(index_) ? QStringList{pressAction()} : QStringList();
    }
    void doAction(const QString& name) override {
        if (actionNames().contains(name))
            tabs_->setCurrentIndex(index_);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QPointer<QTabBar> tabs_;
    int index_;
};

/// Qt names it by its current tab, and says that this tab has the focus wherever it is.
class Tabs : public QAccessibleWidget {
public:
    explicit Tabs(QTabBar& tabs) : QAccessibleWidget(&tabs, QAccessible::PageTabList), tabs_(tabs) {}

    int childCount() const override { return tabs_.count(); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= tabs_.count())
            return nullptr;
        while (index >= static_cast<int>(known_.size()))
            known_.push_back(
                QAccessible::registerAccessibleInterface(new Tab(&tabs_, static_cast<int>(known_.size()))));
        return QAccessible::accessibleInterface(known_[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int i = 0; i < tabs_.count(); ++i)
            if (this->child(i) == child)
                return i;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        return child(tabs_.tabAt(tabs_.mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface* focusChild() const override {
        return tabs_.hasFocus() ? child(tabs_.currentIndex()) : nullptr;
    }

protected:
    ~Tabs() override {
        for (const auto id : known_)
            QAccessible::deleteAccessibleInterface(id);
    }

private:
    QTabBar& tabs_;
    mutable std::vector<QAccessible::Id> known_;
};

} // namespace

QAccessibleInterface* tabsInterface(QTabBar& tabs) { return new Tabs(tabs); }

} // namespace attnlab::ui
