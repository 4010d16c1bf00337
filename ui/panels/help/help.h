// Help: the authors, the report of a problem, and the list of keyboard shortcuts.
#pragma once

#include "core/attention.h"
#include "core/message.h"

#include <QDialog>
#include <QString>

class QWidget;

namespace attnlab::ui {

void showAbout(QWidget* window);

} // namespace attnlab::ui

// What helps to find the cause of a problem, to be copied into a report: nothing of the user's, no names, paths or
// numbers.

class QScreen;
class QWidget;

namespace attnlab::ui {

struct ReportSubject {
    QString build;  ///< of the program, a line each
    Message device; ///< known facts about the device; empty if there are none
    const AttentionProblem& problem;
};

/// In English, for those who read it.
QString problemReport(const ReportSubject& subject, const QScreen& screen);

/// Shows it with a button that copies it. Not modal.
void showProblemReport(QWidget* window, const QString& report);

} // namespace attnlab::ui

// The list of all keyboard shortcuts.

class QLineEdit;
class QMainWindow;
class QTreeWidget;

namespace attnlab::ui {

class StateBox;

/// Made from the menus of the window and from the keys that its widgets declare (see declareShortcuts).
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
    StateBox* nothing_; ///< that nothing was found
};

/// Not modal.
void showShortcuts(QMainWindow& window);

} // namespace attnlab::ui
