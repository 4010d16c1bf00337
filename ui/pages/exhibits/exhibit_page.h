// A page of the window's centre that shows one kind of exhibit.
#pragma once

#include "ui/document/computation.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/drawing_sequence.h"
#include "ui/widgets/flow_layout.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <variant>

class QLabel;
class QLayout;
class QVBoxLayout;

namespace attnlab::ui {

class DrawingCanvas;
class ScrollRoom;

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
    ScrollRoom* scroll_;
    QLabel* words_;
};

} // namespace attnlab::ui
