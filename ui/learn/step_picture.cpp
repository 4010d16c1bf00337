#include "ui/learn/step_picture.h"

#include "ui/widgets/rich_text.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTextDocument>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr double picture_gap = 10.0;
/// A board is wider than a heatmap.
constexpr QSizeF step_points(760, 520);
constexpr double picture_narrowest = 260.0; ///< for reading

struct StepExport {
    Q_DECLARE_TR_FUNCTIONS(StepExport)
};

} // namespace

StepPicture::StepPicture(std::shared_ptr<const Drawing> board, QString markdown)
    : board_(std::move(board)), markdown_(std::move(markdown)) {}

double StepPicture::textHeight(const QFont& font, double width) const {
    if (markdown_.isEmpty())
        return 0.0;
    const auto text = textDocument(markdown_, font, {});
    text->setUseDesignMetrics(true);
    text->setTextWidth(width);
    return text->size().height() + picture_gap;
}

QSizeF StepPicture::smallest(const QFont& font, double width) const {
    const QSizeF least = board_->smallest(font, width);
    const double wide = markdown_.isEmpty() ? least.width() : std::max(least.width(), picture_narrowest);
    return {wide, least.height() + textHeight(font, std::max(wide, width))};
}

QRectF StepPicture::boardArea(const QRectF& area, const QFont& font) const {
    return area.adjusted(0, 0, 0, -textHeight(font, area.width()));
}

void StepPicture::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const QRectF above = boardArea(area, style.font);
    board_->paint(painter, above, style);
    if (markdown_.isEmpty())
        return;
    const auto text = textDocument(markdown_, style.font, style.look.text);
    text->setUseDesignMetrics(true);
    text->setTextWidth(area.width());
    painter.save();
    painter.translate(area.left(), above.bottom() + picture_gap);
    text->drawContents(&painter);
    painter.restore();
}

QString StepPicture::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    return board_->textAt(position, boardArea(area, font), font);
}

ExportSubject stepExport(std::shared_ptr<const Drawing> board, const QString& title, const QString& markdown,
                         const QString& name) {
    const QString text = QStringLiteral("text");
    ExportSubject subject;
    subject.title = StepExport::tr("Export this step");
    subject.figure.title = title;
    subject.figure.size_points = step_points;
    if (!markdown.isEmpty())
        subject.choices.push_back({text, StepExport::tr("The text of the step below"), 1});
    const auto figure = [board = std::move(board), markdown, text](const ExportSettings& settings) -> Figure {
        const bool with_text = settings.choices.value(text) > 0;
        return std::shared_ptr<const Drawing>(std::make_shared<StepPicture>(board, with_text ? markdown : QString()));
    };
    subject.outputs.push_back(pictureOutput(title, name, figure));
    return subject;
}

} // namespace attnlab::ui
