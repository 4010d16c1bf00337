// A line through points, and where the present setting is on it.
#pragma once

#include "ui/pages/exhibits/curve_drawing.h"
#include "ui/pages/exhibits/marking_page.h"

namespace attnlab::ui {

/// Left and Right mark a point, whose numbers are said in words.
class CurveView : public MarkingPage<CurveDrawing> {
    Q_OBJECT
public:
    explicit CurveView(QWidget* parent = nullptr);

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::size_t> markAt(const QPointF& position) const override;

private:
    bool ringIsOnCurve() const;
};

} // namespace attnlab::ui
