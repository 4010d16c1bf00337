// Exhibits in which one item may be marked: a token, a page, a point.
#pragma once

#include "ui/drawing/drawing_canvas.h"
#include "ui/pages/exhibits/exhibit_page.h"

#include <algorithm>
#include <utility>

namespace attnlab::ui {

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

} // namespace attnlab::ui
