// Puts what is to be printed onto pages, one below the other.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <memory>
#include <vector>

class QPainter;
class QTextDocument;

namespace attnlab::ui {

/// Everything is in points; a page's corner is (0, 0). First all that there is, then pages().
class Pager {
public:
    explicit Pager(const QSizeF& page) : page_(page) {}

    using Paint = std::function<void(QPainter&, const QRectF& place)>;

    struct Piece {
        double top = 0.0;
        double height = 0.0;
        Paint paint;
        std::shared_ptr<QTextDocument> text; ///< instead of `paint`: a part of it
        double text_top = 0.0;               ///< where that part begins
        double indent = 0.0;
    };
    struct Page {
        std::vector<Piece> pieces;
        double bottom = 0.0;
    };

    double width() const { return page_.width(); }
    double height() const { return page_.height(); }

    /// Before what follows, unless that begins a page.
    void addGap(double height) { gap_ += height; }
    /// Something that is not cut.
    void add(double height, Paint paint, bool with_next = false);
    /// The same, made as low as `least` where it finds its place that way.
    void addFlexible(double height, double least, Paint paint);

    struct TextOptions {
        double indent = 0.0;    ///< from the left
        bool whole = false;     ///< on one page
        bool with_next = false; ///< its last line and what follows stand on one page
    };
    /// Text that goes on over as many pages as it needs. Short paragraphs are not cut, long ones have at least two
    /// lines on either side, and what ends in a colon stands before what it announces.
    void addText(std::shared_ptr<QTextDocument> text, const TextOptions& options);
    void addText(std::shared_ptr<QTextDocument> text) { addText(std::move(text), TextOptions()); }

    std::vector<Page> pages() const;
    void paint(const Page& page, QPainter& painter) const;

private:
    /// What a page is made of: never cut.
    struct Block {
        double gap = 0.0;
        double least = 0.0;
        bool with_next = false;
        Piece piece;
    };
    class Placing;
    void push(Block block);

    QSizeF page_;
    double gap_ = 0.0;
    std::vector<Block> blocks_;
};

} // namespace attnlab::ui
