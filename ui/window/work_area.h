// The middle of the window outside lessons: what a word reads, stages, pages and heads.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"

#include <QList>
#include <QWidget>

class QAction;
class QStackedWidget;
class QVBoxLayout;

namespace attnlab::ui {

class Document;
class HeadOverview;
class HeadsView;
class LargeInputs;
class SentenceRibbon;
class SidePart;
class StageStrip;
class WindowPages;

class WorkArea : public QWidget {
    Q_OBJECT
public:
    WorkArea(Document& document, ViewState& view, LargeInputs& large, QWidget* parent = nullptr);

    /// Null beside a map.
    void setTrace(const ComputedPtr& computed);
    void showMap(bool map);

    SentenceRibbon* ribbon() const { return ribbon_; }
    StageStrip* strip() const { return strip_; }
    WindowPages* pages() const { return pages_; }
    HeadsView* heads() const { return heads_; }
    /// The heads of a trace or of a map.
    QWidget* headsColumn() const;
    /// Show and hide parts.
    QList<QAction*> actions() const;
    void showAllParts();
    /// Keeps its distance to the edges of the window where no panel stands.
    void setOpenSides(bool left, bool right);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void needHeads();
    void fit();

    LargeInputs& large_;
    QVBoxLayout* column_;
    SentenceRibbon* ribbon_;
    StageStrip* strip_;
    WindowPages* pages_;
    HeadsView* heads_;
    HeadOverview* overview_;
    QStackedWidget* heads_column_;
    SidePart* ribbon_part_;
    SidePart* heads_part_;
};

} // namespace attnlab::ui
