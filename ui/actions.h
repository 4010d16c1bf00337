// Every command of the window, declared once: menus, buttons and shortcuts come from one table.
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QString>

class QMenu;
class QMenuBar;
class QWidget;

namespace attnlab::ui {

class Actions : public QObject {
    Q_OBJECT
public:
    /// Actions are added to `window`, so that their shortcuts work everywhere in it.
    explicit Actions(QWidget* window);

    /// The action called `id` in the table of actions.cpp. Asserts that it exists.
    QAction* operator[](const QString& id) const;
    /// A submenu of the table ("recent", "samples", "theme", "language", "panels", "lesson_menu"): the window fills it.
    QMenu* submenu(const QString& id) const;

    void fill(QMenuBar* bar);
    void retranslate();

protected:
    /// Fields take some keys for themselves that are commands here, such as Ctrl+E for the end of the line.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QHash<QString, QAction*> actions_;
    QHash<QString, QMenu*> menus_;
    QHash<QString, QMenu*> submenus_;
};

} // namespace attnlab::ui
