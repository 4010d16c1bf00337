// The panels around the window's centre, their handles, and their arrangement on screens of different heights.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QObject>
#include <QWidget>

class QDockWidget;

namespace attnlab::ui {

/// A title bar for a dock whose panel has its own heading.
class PanelGrip : public QWidget {
    Q_OBJECT
public:
    explicit PanelGrip(QDockWidget& dock);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void openMenu(const QPoint& at);

    QDockWidget& dock_;
};

} // namespace attnlab::ui

// The panels around the window's centre, and their arrangement on screens of different heights.

class QAction;
class QDockWidget;
class QMenu;

namespace attnlab::ui {

/// Arrangements are saved separately for low screens (a projector, or a screen at 200 %), where panels share one place.
class PanelDocks : public QObject {
    Q_OBJECT
public:
    /// Adds panels to `window`, which owns this object.
    explicit PanelDocks(QMainWindow& window);
    /// Deletes the panels.
    ~PanelDocks() override;

    /// In the order inputs, mask, inspector. `title` is a literal marked by QT_TRANSLATE_NOOP("PanelDocks", ...).
    QDockWidget* add(const char* id, const char* title, QWidget* content, Qt::DockWidgetArea area,
                     const QMargins& margins);
    const QList<QDockWidget*>& all() const { return docks_; }

    /// Restores the initial arrangement: inputs and mask are open where the window has room for them.
    void layOut();
    /// Opens inputs and mask.
    void openInputs();
    bool showsInputs() const;
    /// True if a panel is open at this side of the window.
    bool standsAt(Qt::DockWidgetArea area) const;
    /// Show and hide panels.
    QList<QAction*> actions() const;
    /// Menus, one for each panel: at which side it is, or floating.
    QList<QAction*> placeActions() const;
    /// Shows it there; NoDockWidgetArea: in a window of its own.
    void place(QDockWidget& dock, Qt::DockWidgetArea area);
    void restore();
    /// The room that a page wants: three matrices want more than one picture.
    enum class PageWidth { Usual, Wide, Widest };
    /// In a narrow window the inspector makes way for other panels, and for a page that needs the width; it comes back
    /// after. What the user opens stays.
    void setPageWidth(PageWidth width);
    void fit();
    /// Whether fit() has hidden the inspector; for a window whose widgets are made again.
    bool isAside() const { return is_aside_; }
    void setHeadingNote(bool aside) { makes_way_ = is_aside_ = aside; }
    QByteArray saved() const;

private:
    void forgetPlaces();
    void addPlaceMenu(QDockWidget* dock);

    QMainWindow& window_;
    QList<QDockWidget*> docks_;
    QList<Qt::DockWidgetArea> areas_;
    QList<QMenu*> places_;
    PageWidth page_width_ = PageWidth::Usual;
    bool makes_way_ = false;
    bool is_aside_ = false; ///< the inspector, hidden by fit()
};

} // namespace attnlab::ui
