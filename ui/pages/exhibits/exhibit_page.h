// Pages that show the exhibits of a mechanism, and the table of kinds of exhibits.
#pragma once

#include "ui/document/computation.h"
#include "ui/document/view_state.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/page.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <QWidget>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

class QLabel;
class QLayout;
class QVBoxLayout;

namespace attnlab::ui {

class DrawingCanvas;
class FittingScrollArea;

/// The first exhibit of this kind; null if the trace has none.
template <class Kind>
const Kind* exhibitOf(const Trace& trace) {
    for (const auto& exhibit : trace.exhibits)
        if (const auto* found = std::get_if<Kind>(&exhibit))
            return found;
    return nullptr;
}

/// A card: heading with tools, the drawing (which scrolls if the card is too small), text below it.
class ExhibitPage : public QWidget {
    Q_OBJECT
public:
    explicit ExhibitPage(QWidget* parent = nullptr);

    /// Shows the exhibit of the trace; `computed` may be null.
    virtual void setTrace(ComputedPtr computed) = 0;
    /// True if the trace has an exhibit for this page.
    virtual bool hasExhibit() const = 0;
    /// The displayed drawing, for painting elsewhere; null if there is none.
    virtual std::shared_ptr<const Drawing> picture() const = 0;
    /// All steps of a page that plays, as picture() would give them; nullopt for other pages.
    virtual std::optional<DrawingSequence> sequence() const;

    /// Also the title of an exported figure.
    QString title() const;
    /// Above the drawing.
    void setTitleShown(bool shown);
    QString words() const;
    DrawingCanvas* canvas() const { return canvas_; }

signals:
    /// The user wants to export the steps as an animation.
    void animationRequested();

protected:
    void setTitle(const QString& title);
    void setWords(const QString& words);
    /// The widgets at the right of the heading, or below it if there is little room.
    QLayout* tools() { return tools_; }
    /// The layout from heading to text; further widgets are added below.
    QVBoxLayout* column() { return column_; }

    /// Scrolls no more than needed to show a part of the drawing.
    void reveal(const QRectF& part);

    /// A key while the drawing has the focus; returns true when it was handled.
    virtual bool pressKey(int key);
    virtual void point(std::optional<QPointF> position);
    virtual void click(QPointF position);

    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* title_;
    FlowLayout* tools_;
    QVBoxLayout* column_;
    DrawingCanvas* canvas_;
    FittingScrollArea* scroll_;
    QLabel* words_;
};

// Exhibits in which one item may be marked: a token, a page, a point.

/// The mouse or the keys mark an item of `Shown`, a Drawing with `std::optional<Integer> marked`, and a text describes
/// it. `next` and `previous` start at the first and the last; Home and End go there, Escape removes the mark.
template <class Shown>
class MarkingPage : public ExhibitPage {
public:
    using Mark = typename decltype(Shown::marked)::value_type;

    void setTrace(ComputedPtr computed) override {
        computed_ = std::move(computed);
        renew();
    }
    bool hasExhibit() const override { return count_ > 0; }
    std::shared_ptr<const Drawing> picture() const override {
        return hasExhibit() ? std::make_shared<Shown>(drawing_) : nullptr;
    }
    const Shown& drawing() const { return drawing_; }

    void mark(std::optional<Mark> mark) {
        if (drawing_.marked == mark)
            return;
        drawing_.marked = mark;
        renewWords();
    }

protected:
    MarkingPage(Qt::Key next, Qt::Key previous, QWidget* parent)
        : ExhibitPage(parent), next_(next), previous_(previous) {}

    /// Makes drawing_ and the title from computed_. Returns the number of items; 0 if there is no exhibit.
    virtual std::int64_t read() = 0;
    /// Describes the marked item, or the whole if nothing is marked.
    virtual QString wordsNow() const = 0;
    virtual std::optional<Mark> markAt(const QPointF& position) const = 0;
    /// The part to scroll to when a key marks it; empty: none.
    virtual QRectF rectOf(Mark) const { return {}; }

    void renew() {
        canvas()->setDrawing(nullptr);
        count_ = read();
        if (drawing_.marked && static_cast<std::int64_t>(*drawing_.marked) >= count_)
            drawing_.marked.reset();
        if (hasExhibit())
            canvas()->setDrawing(&drawing_);
        renewWords();
    }
    void renewWords() {
        setWords(hasExhibit() ? wordsNow() : QString());
        canvas()->refresh();
    }

    bool pressKey(int key) override {
        if (count_ == 0)
            return false;
        if (key == Qt::Key_Escape) {
            mark(std::nullopt);
            return true;
        }
        const auto last = static_cast<Mark>(count_ - 1);
        const auto& marked = drawing_.marked;
        if (key == next_)
            mark(marked ? std::min<Mark>(*marked + 1, last) : Mark{0});
        else if (key == previous_)
            mark(!marked ? last : *marked == 0 ? 0 : *marked - 1);
        else if (key == Qt::Key_Home || key == Qt::Key_End)
            mark(key == Qt::Key_Home ? 0 : last);
        else
            return false;
        if (const QRectF place = rectOf(*marked); !place.isEmpty())
            reveal(place);
        return true;
    }
    void point(std::optional<QPointF> position) override {
        if (hasExhibit())
            mark(position ? markAt(*position) : std::nullopt);
    }

    ComputedPtr computed_;
    Shown drawing_;

private:
    Qt::Key next_, previous_;
    std::int64_t count_ = 0;
};

/// A kind of Exhibit as pages, boards of lessons and `attnlab render --view` show it.
struct ExhibitKind {
    std::string_view id;
    const char* title; ///< in the context CentrePages
    ExhibitPage* (*make)(ViewState& view);
};
/// In the order of Exhibit. <name>_view.cpp in this folder has `<name>_view::kind()`.
std::span<const ExhibitKind> exhibitKinds();
/// Null for another id.
const ExhibitKind* findExhibitKind(std::string_view id);

class CentrePages;

/// An exhibit as a page of the centre: exports pictures of the exhibit and numbers of the chosen stage.
class ExhibitCentrePage : public Page {
    Q_OBJECT
public:
    /// `id` is the prefix of file names.
    ExhibitCentrePage(const QString& id, ExhibitPage* exhibit, ViewState& view);

    QString title() const override;
    void setTrace(ComputedPtr computed) override;

    ExhibitPage* exhibit() const { return exhibit_; }

protected:
    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;

private:
    const Stage* stage() const;

    QString id_;
    ExhibitPage* exhibit_;
    ViewState& view_;
    ComputedPtr computed_;
};

/// Adds the pages to `centre` and makes those available that have something to show for the latest trace.
class ExhibitPages : public QObject {
    Q_OBJECT
public:
    /// `steps` precedes the pages made here.
    ExhibitPages(ViewState& view, CentrePages& centre, ExhibitPage* steps);

    void setTrace(const ComputedPtr& computed);
    /// The displayed exhibit; null while another page is shown.
    ExhibitPage* current() const;

private:
    void add(std::string_view id, const char* title, ExhibitPage* page);

    ViewState& view_;
    CentrePages& centre_;
    struct Room {
        QString id;
        ExhibitCentrePage* page;
    };
    std::vector<Room> rooms_;
};

} // namespace attnlab::ui
