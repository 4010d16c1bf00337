#include "ui/widgets/accessible_interfaces.h"
#include "ui/widgets/text.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <QTabBar>

#include <vector>

namespace attnlab::ui {
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
