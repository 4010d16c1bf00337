#include "ui/learn/pager.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Where each line ends, from the top of the text.
std::vector<double> lineBottoms(const QTextDocument& text) {
    std::vector<double> bottoms;
    for (auto block = text.begin(); block != text.end(); block = block.next()) {
        const QPointF corner = text.documentLayout()->blockBoundingRect(block).topLeft();
        const auto* layout = block.layout();
        for (int line = 0; line < layout->lineCount(); ++line)
            bottoms.push_back(corner.y() + layout->lineAt(line).rect().bottom());
    }
    std::ranges::sort(bottoms);
    return bottoms;
}

} // namespace

void Pager::newPage() {
    pages_.emplace_back();
    bottom_ = 0.0;
}

void Pager::addGap(double height) {
    if (!pages_.back().empty())
        bottom_ += height;
}

void Pager::add(double height, Paint paint, double keep) {
    if (height + keep > room() && !pages_.back().empty())
        newPage();
    pages_.back().push_back({bottom_, std::move(paint)});
    bottom_ += height;
}

void Pager::addText(std::shared_ptr<QTextDocument> text, double indent, double keep) {
    text->setUseDesignMetrics(true); // paper has no pixels to fit letters to
    text->setTextWidth(page_.width() - indent);
    const auto bottoms = lineBottoms(*text);
    if (bottoms.empty())
        return;
    if (bottoms.front() + keep > room() && !pages_.back().empty())
        newPage();
    double from = 0.0;
    for (auto line = bottoms.begin(); line != bottoms.end();) {
        auto last = std::find_if(line, bottoms.end(), [&](double bottom) { return bottom - from > room(); });
        if (last == line && !pages_.back().empty()) {
            newPage();
            continue;
        }
        if (last == line)
            ++last; // higher than a page: it is cut off there
        const double height = *(last - 1) - from;
        pages_.back().push_back({bottom_, [text, from, height, indent](QPainter& painter, const QPointF& corner) {
                                     painter.save();
                                     painter.translate(corner.x() + indent, corner.y() - from);
                                     constexpr double descent = 2.0;
                                     text->drawContents(&painter, QRectF(0, from, text->textWidth(), height + descent));
                                     painter.restore();
                                 }});
        bottom_ += height;
        from += height;
        line = last;
    }
}

void Pager::paint(std::size_t page, QPainter& painter) const {
    for (const auto& piece : pages_[page])
        piece.paint(painter, QPointF(0, piece.top));
}

} // namespace attnlab::ui
