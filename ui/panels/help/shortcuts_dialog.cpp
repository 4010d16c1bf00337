#include "ui/panels/help/shortcuts_dialog.h"

#include "ui/widgets/own_keys.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Every key of the action; what it does at any time ("Undo", not "Undo: Set Q[3, 1] to 2").
QStringList rowOf(const QAction& action) {
    QStringList keys;
    for (const auto& sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    const auto usual = action.data().toString();
    return {usual.isEmpty() ? withoutMnemonic(action.text()) : usual, keys.join(QStringLiteral(", "))};
}

} // namespace

ShortcutsDialog::ShortcutsDialog(QMainWindow& window)
    : QDialog(&window), search_(new QLineEdit), list_(new QTreeWidget) {
    setWindowTitle(tr("Keyboard shortcuts"));
    search_->setPlaceholderText(tr("Search commands and keys"));
    search_->setAccessibleName(tr("Search"));
    search_->setClearButtonEnabled(true);
    list_->setAccessibleName(windowTitle());
    list_->setHeaderLabels({tr("Command"), tr("Key")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->header()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    addMenus(window);
    for (const auto& place : declaredKeys(window)) {
        QList<QStringList> rows;
        for (const auto& key : place.keys)
            rows << QStringList{key.does, key.keys};
        addGroup(place.place, rows);
    }
    list_->expandAll();
    list_->resizeColumnToContents(0);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    resize(620, 560);
}

void ShortcutsDialog::addMenus(QMainWindow& window) {
    for (const auto* entry : window.menuBar()->actions()) {
        QList<QStringList> rows;
        if (const auto* menu = entry->menu())
            for (const auto* action : menu->actions())
                if (!action->shortcut().isEmpty())
                    rows << rowOf(*action);
        addGroup(withoutMnemonic(entry->text()), rows);
    }
}

void ShortcutsDialog::addGroup(const QString& title, const QList<QStringList>& rows) {
    if (rows.isEmpty())
        return;
    auto* group = new QTreeWidgetItem(list_, {title});
    group->setFlags(Qt::ItemIsEnabled);
    QFont bold = list_->font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setFirstColumnSpanned(true);
    group->setData(1, Qt::AccessibleTextRole, title);
    for (const auto& row : rows) {
        auto* item = new QTreeWidgetItem(group, row);
        item->setData(0, Qt::AccessibleTextRole, row.join(QStringLiteral(": ")));
    }
}

/// Shows the rows with all of these words, in the command, the key or the name of the group.
void ShortcutsDialog::filter(const QString& words) {
    const auto wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        auto* group = list_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            auto* row = group->child(j);
            const QString text = group->text(0) + QLatin1Char(' ') + row->text(0) + QLatin1Char(' ') + row->text(1);
            const bool fits = std::ranges::all_of(
                wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
            row->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

void showShortcuts(QMainWindow& window) {
    auto* dialog = new ShortcutsDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace attnlab::ui
