#include "ui/learn/pager.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>
#include <numeric>
#include <span>

namespace attnlab::ui {
namespace {

constexpr int short_paragraph = 4; ///< lines

struct Line {
    double top = 0.0;
    double bottom = 0.0;
    bool with_next = false; ///< no page break below it
};

std::vector<Line> linesOf(const QTextDocument& text) {
    std::vector<Line> lines;
    for (auto block = text.begin(); block != text.end(); block = block.next()) {
        const double top = text.documentLayout()->blockBoundingRect(block).top();
        const auto* layout = block.layout();
        const int count = layout->lineCount();
        const QString words = block.text().trimmed();
        const bool announces = words.endsWith(QLatin1Char(':')) || words.endsWith(QStringLiteral("："));
        for (int k = 0; k < count; ++k) {
            const QRectF place = layout->lineAt(k).rect();
            const bool inside = k + 1 < count && (count <= short_paragraph || k == 0 || k + 2 == count);
            const bool last = k + 1 == count && announces && block.next().isValid();
            lines.push_back({top + place.top(), top + place.bottom(), inside || last});
        }
    }
    return lines;
}

} // namespace

void Pager::push(Block block) {
    block.gap += gap_;
    gap_ = 0.0;
    blocks_.push_back(std::move(block));
}

void Pager::add(double height, Paint paint, bool with_next) {
    push({.least = height, .with_next = with_next, .piece = {.height = height, .paint = std::move(paint), .text = {}}});
}

void Pager::addFlexible(double height, double least, Paint paint, bool with_next) {
    push({.least = std::min(height, least),
          .with_next = with_next,
          .piece = {.height = height, .paint = std::move(paint), .text = {}}});
}

void Pager::addText(const std::shared_ptr<QTextDocument>& text, const TextOptions& options) {
    text->setUseDesignMetrics(true); // letters are not fitted to pixels on paper
    text->setTextWidth(page_.width() - options.indent);
    const auto lines = linesOf(*text);
    double before = 0.0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const auto& line = lines[k];
        const bool last = k + 1 == lines.size();
        const double height = line.bottom - line.top;
        push({.gap = std::max(0.0, line.top - before),
              .least = height,
              .with_next = last ? options.with_next : options.whole || line.with_next,
              .piece = {.height = height, .paint = {}, .text = text, .text_top = line.top, .indent = options.indent}});
        before = line.bottom;
    }
}

/// Processes the blocks and fills pages in order.
class Pager::Placing {
public:
    explicit Placing(double height) : height_(height), pages_(1) {}

    /// Places blocks that belong on one page.
    void place(std::span<const Block> group) {
        if (needed(group) > room() && !page().pieces.empty())
            pages_.emplace_back();
        // More than a page: breaks where that is least bad.
        if (needed(group) > room() && group.size() > 1) {
            for (std::size_t k = 0; k < group.size(); ++k)
                place(group.subspan(k, 1));
            return;
        }
        double excess = std::max(0.0, wanted(group) - room());
        for (const auto& block : group) {
            const double less = std::min(excess, block.piece.height - block.least);
            excess -= less;
            put(block, block.piece.height - less);
        }
    }

    std::vector<Page> take() { return std::move(pages_); }

private:
    Page& page() { return pages_.back(); }
    double room() { return height_ - page().bottom; }

    double sumOf(std::span<const Block> group, double (*height)(const Block&)) {
        const double gap = page().pieces.empty() ? group.front().gap : 0.0; // omitted at the top of a page
        return std::accumulate(group.begin(), group.end(), -gap,
                               [&](double sum, const Block& block) { return sum + block.gap + height(block); });
    }
    double needed(std::span<const Block> group) {
        return sumOf(group, [](const Block& block) { return block.least; });
    }
    double wanted(std::span<const Block> group) {
        return sumOf(group, [](const Block& block) { return block.piece.height; });
    }

    void put(const Block& block, double height) {
        auto& pieces = page().pieces;
        const double top = pieces.empty() ? 0.0 : page().bottom + block.gap;
        page().bottom = top + height;
        // Adjacent lines form one piece of their text.
        if (block.piece.text && !pieces.empty() && pieces.back().text == block.piece.text) {
            pieces.back().height = page().bottom - pieces.back().top;
            return;
        }
        pieces.push_back(block.piece);
        pieces.back().top = top;
        pieces.back().height = height;
    }

    double height_;
    std::vector<Page> pages_;
};

std::vector<Pager::Page> Pager::pages() const {
    Placing placing(page_.height());
    for (auto from = blocks_.begin(); from != blocks_.end();) {
        auto to = std::find_if(from, blocks_.end(), [](const Block& block) { return !block.with_next; });
        if (to != blocks_.end())
            ++to;
        placing.place({from, to});
        from = to;
    }
    return placing.take();
}

void Pager::paint(const Page& page, QPainter& painter) const {
    for (const auto& piece : page.pieces) {
        if (!piece.text) {
            piece.paint(painter, QRectF(0, piece.top, page_.width(), piece.height));
            continue;
        }
        painter.save();
        painter.translate(piece.indent, piece.top - piece.text_top);
        constexpr double descent = 2.0; // of letters below the last line
        piece.text->drawContents(&painter, QRectF(0, piece.text_top, piece.text->textWidth(), piece.height + descent));
        painter.restore();
    }
}

} // namespace attnlab::ui
