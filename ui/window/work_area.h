// The middle of the window outside lessons: what a word reads, stages, pages and heads.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/pages/centre_pages.h"

#include <QList>
#include <QObject>
#include <QWidget>

class QAction;
class QWidget;

namespace attnlab::ui {

/// Shows a widget while it has something to show and the user has not hidden it; the user's choice is stored in the
/// settings.
class HideablePart : public QObject {
    Q_OBJECT
public:
    /// `id` is the page's id in the settings.
    HideablePart(const QString& id, const QString& title, QWidget* part);

    /// Checkable, for menus.
    QAction* action() const { return action_; }
    /// Whether there is anything to show.
    void setNeeded(bool needed);
    /// Whether the window has room for it; without, the action is disabled.
    void setRoom(bool room);

signals:
    void shown(bool shown);

private:
    void refresh();

    QWidget* part_;
    QAction* action_;
    bool needed_ = true, room_ = true;
};

class CompareWithFilePage;
class ComparePage;
class Document;
class ExhibitPages;
class LargeInputs;
class MatrixPage;

/// The pages of the window's centre.
/// Makes the pages, gives each the newest result, and keeps those available that have something to show.
class WindowPages : public CentrePages {
    Q_OBJECT
public:
    WindowPages(Document& document, ViewState& view, LargeInputs* large, QWidget* parent = nullptr);

    void setTrace(const ComputedPtr& computed);
    void showMatrix() { setCurrent(QStringLiteral("matrix")); }

    MatrixPage* matrix() const { return matrix_; }
    ComparePage* compare() const { return compare_; }
    CompareWithFilePage* compareWithFilePage() const { return compare_with_file_page_; }

private:
    /// addPage(), for a page that shows every result.
    void add(const QString& id, const char* title, Page* page);

    std::vector<Page*> of_any_trace_;
    MatrixPage* matrix_;
    ComparePage* compare_;
    CompareWithFilePage* compare_with_file_page_;
    ExhibitPages* exhibits_;
};

} // namespace attnlab::ui

// The middle of the window outside lessons: what a word reads, stages, pages and heads.

class QAction;
class QStackedWidget;
class QVBoxLayout;

namespace attnlab::ui {

class Document;
class HeadOverview;
class HeadsView;
class LargeInputs;
class SentenceRibbon;
class StageStrip;

class WorkArea : public QWidget {
    Q_OBJECT
public:
    WorkArea(Document& document, ViewState& view, LargeInputs& large, QWidget* parent = nullptr);

    /// Null beside a map.
    void setTrace(const ComputedPtr& computed);
    void showMap(bool map);

    SentenceRibbon* ribbon() const { return ribbon_; }
    StageStrip* strip() const { return strip_; }
    /// Places a tray below the row of stages, over the parts; it moves none of them.
    void addTray(QWidget* tray);
    WindowPages* pages() const { return pages_; }
    HeadsView* heads() const { return heads_; }
    /// The heads of a trace or of a map.
    QWidget* headsColumn() const;
    /// Show and hide parts.
    QList<QAction*> actions() const;
    void showAllParts();
    /// Keeps a margin at the edges of the window without a panel.
    void setOpenSides(bool left, bool right);

    /// Without the heads, which a narrow area hides.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void needHeads();
    void fit();

    LargeInputs& large_;
    QVBoxLayout* column_;
    StageStrip* strip_; // in the order of the Tab key
    SentenceRibbon* ribbon_;
    WindowPages* pages_;
    HeadsView* heads_;
    HeadOverview* overview_;
    QStackedWidget* heads_column_;
    HideablePart* ribbon_part_;
    HideablePart* heads_part_;
    bool is_low_ = false;
};

} // namespace attnlab::ui
