// The panels around the window's centre, their handles, and their arrangement on screens of different heights.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QObject>
#include <QPointer>
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

    /// Restores the initial arrangement: inputs and mask are open where the window has room for them. In a narrower one
    /// they open in the place of the inspector, which comes back when they close, and nothing else on the page moves.
    void layOut();
    /// Opens a panel as the user does: of those that share a place, it is the only one.
    void open(QDockWidget& dock);
    /// Opens the inputs, and the mask where the window has room for both.
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
    /// Why the inspector is hidden, if it comes back; for a window whose widgets are made again.
    struct Hidden {
        bool is_aside = false;   ///< by fit()
        bool is_covered = false; ///< by a panel in its place
    };
    Hidden hidden() const { return {is_aside_, is_covered_}; }
    void setHidden(const Hidden& hidden);
    QByteArray saved() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Panel { Inputs, Mask, Inspector };

    void forgetPlaces();
    void putInputs();
    void showAlone(QDockWidget& dock);
    void coverInspector();
    void uncover();
    bool isBeside(Panel panel) const;
    void addPlaceMenu(QDockWidget* dock);

    QMainWindow& window_;
    QList<QDockWidget*> docks_;
    QList<Qt::DockWidgetArea> areas_;
    QList<QMenu*> places_;
    QPointer<QWidget> focus_before_; ///< before the user opened a panel
    PageWidth page_width_ = PageWidth::Usual;
    bool is_narrow_ = false; ///< inputs and mask open in the place of the inspector
    bool makes_way_ = false;
    bool is_aside_ = false;   ///< the inspector, hidden by fit()
    bool is_covered_ = false; ///< the inspector, hidden while another panel is in its place
};

} // namespace attnlab::ui
