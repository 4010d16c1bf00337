// A step of a lesson as one picture: its board with the text below.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/export/export_subject.h"

#include <memory>

namespace attnlab::ui {

class StepPicture : public Drawing {
public:
    /// `board` is not null; `markdown` may be empty.
    StepPicture(std::shared_ptr<const Drawing> board, QString markdown);

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    double textHeight(const QFont& font, double width) const;
    QRectF boardArea(const QRectF& area, const QFont& font) const;

    std::shared_ptr<const Drawing> board_;
    QString markdown_;
};

/// A board with or without the text of its step below. `markdown` may be empty; `name` is the proposed file name.
ExportSubject stepExport(std::shared_ptr<const Drawing> board, const QString& title, const QString& markdown,
                         const QString& name);

} // namespace attnlab::ui
