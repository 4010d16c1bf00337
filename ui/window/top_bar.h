// The row below the menu bar, in one place on every page: what is open, the tools of the page, and what acts on it.
#pragma once

#include <QString>
#include <QToolBar>
#include <utility>
#include <vector>

class QAction;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QToolButton;

namespace attnlab::ui {

class Actions;
class BarButton;
class ChooserButton;
class PageStack;

/// From left to right: a button that names what is open, with a menu of what else can be opened; the tools of the page;
/// Undo, Redo, Compare and Export, each where it applies. A narrow row shows icons without words, from the left.
class TopBar : public QToolBar {
    Q_OBJECT
public:
    explicit TopBar(const Actions& actions);

    /// For a page of the window. Takes ownership of menu and tools; `tools` may be null.
    void addPage(const QWidget* page, QMenu* menu, QWidget* tools);
    void showPage(const QWidget* page);
    /// What is open on the page; `help` says more about it. There is room for `longer`, which the title may become,
    /// so that nothing moves then.
    void setTitle(const QWidget* page, const QString& title, const QString& help = {}, const QString& longer = {});

    /// Takes less height.
    void setLow(bool low);
    /// Names what is open on the page on show.
    QPushButton* chooser() const;
    /// Null for an action that has no button.
    QPushButton* button(const QAction* action) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        const QWidget* page;
        QMenu* menu;
        QWidget* tools;
        QString title, help, longer;
    };
    struct Button {
        QAction* action;
        BarButton* button;
    };
    Entry* entryOf(const QWidget* page);
    void addIcon(QAction* action);
    void addButton(QAction* action, BarButton* button);
    void showActions();
    void showTitle(const Entry& entry);
    void fit();

    QWidget* row_;
    QHBoxLayout* layout_;
    ChooserButton* chooser_;
    PageStack* tools_;
    std::vector<Entry> entries_;
    const QWidget* shown_ = nullptr;
    std::vector<std::pair<QAction*, QToolButton*>> icons_;
    std::vector<Button> buttons_;
};

} // namespace attnlab::ui
