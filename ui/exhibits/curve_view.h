// A line through points, and where the present setting is on it.
#pragma once

#include "ui/exhibits/curve_drawing.h"
#include "ui/exhibits/exhibit_page.h"

namespace attnlab::ui {

/// The mouse or Left and Right mark a point, whose numbers are said in words.
class CurveView : public ExhibitPage {
    Q_OBJECT
public:
    explicit CurveView(QWidget* parent = nullptr);

    void setTrace(ComputedPtr computed) override;
    bool hasExhibit() const override { return !drawing_.points.empty(); }
    std::shared_ptr<const Drawing> picture() const override;

    const CurveDrawing& drawing() const { return drawing_; }
    void mark(std::optional<std::size_t> point);

protected:
    void retranslate() override { refresh(); }
    bool pressKey(int key) override;
    void point(std::optional<QPointF> position) override;

private:
    void refresh();
    void refreshWords();

    ComputedPtr computed_;
    CurveDrawing drawing_;
};

} // namespace attnlab::ui
