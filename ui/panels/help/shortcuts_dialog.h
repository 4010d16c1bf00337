// The list of all keyboard shortcuts.
#pragma once

#include <QDialog>

class QLineEdit;
class QMainWindow;
class QTreeWidget;

namespace attnlab::ui {

/// Made from the menus of the window and from the keys that its widgets declare (see declareKeys).
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(QMainWindow& window);

    QLineEdit* search() const { return search_; }
    /// A group for each menu and each kind of widget; what a key does, and the key.
    QTreeWidget* list() const { return list_; }

private:
    void addGroup(const QString& title, const QList<QStringList>& rows);
    void addMenus(QMainWindow& window);
    void filter(const QString& words);

    QLineEdit* search_;
    QTreeWidget* list_;
};

/// Not modal.
void showShortcuts(QMainWindow& window);

} // namespace attnlab::ui
