// Puts what is to be printed onto pages, one below the other.
#pragma once

#include <QPointF>
#include <QSizeF>

#include <functional>
#include <memory>
#include <vector>

class QPainter;
class QTextDocument;

namespace attnlab::ui {

/// Everything is in points; a page's corner is (0, 0).
class Pager {
public:
    explicit Pager(const QSizeF& page) : page_(page) { newPage(); }

    using Paint = std::function<void(QPainter&, const QPointF& corner)>;

    double width() const { return page_.width(); }
    double height() const { return page_.height(); }
    /// Left on the present page.
    double room() const { return page_.height() - bottom_; }
    std::size_t pageCount() const { return pages_.size(); }

    void newPage();
    /// Unless the page is still empty.
    void addGap(double height);
    /// Something that is not cut; with `keep` points of what follows on the same page.
    void add(double height, Paint paint, double keep = 0.0);
    /// Text that goes on over as many pages as it needs, cut between lines; `indent` from the left.
    void addText(std::shared_ptr<QTextDocument> text, double indent = 0.0, double keep = 0.0);

    void paint(std::size_t page, QPainter& painter) const;

private:
    struct Piece {
        double top;
        Paint paint;
    };
    QSizeF page_;
    double bottom_ = 0.0;
    std::vector<std::vector<Piece>> pages_;
};

} // namespace attnlab::ui
