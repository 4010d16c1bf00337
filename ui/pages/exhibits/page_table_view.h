// Exhibit of a paged cache: a sequence in pages, its block table, and the pool of pages.
#pragma once

#include "core/attention.h"
#include "ui/drawing/drawing.h"
#include "ui/pages/exhibits/exhibit_page.h"

#include <optional>
#include <QCoreApplication>
#include <QPainterPath>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

/// The position of a token: slot `slot` of page `page` of the sequence, which is page `pool_page` of the pool.
struct PageSlot {
    std::int64_t page = 0;
    std::int64_t slot = 0;
    std::int64_t pool_page = 0;
    bool operator==(const PageSlot&) const = default;
};
PageSlot slotOf(const PageTable& table, std::int64_t token);

/// How full the pages are, in slots.
struct PageUse {
    std::int64_t held = 0;      ///< slots with a token
    std::int64_t wasted = 0;    ///< empty slots of the sequence's pages
    std::int64_t pages = 0;     ///< pages of the sequence
    std::int64_t pool_free = 0; ///< other pages of the pool
};
PageUse useOf(const PageTable& table);

class PageTableDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(PageTableDrawing)
public:
    PageTable table;
    QStringList tokens;
    std::optional<std::int64_t> marked; ///< a token

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

    const DrawnTable* drawnTable() const override { return this; }
    int rows() const override;
    int columns() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellWords(int row, int column) const override;
    QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const override;
    std::optional<std::pair<int, int>> markedCell() const override;

    /// The token at a position, in the sequence or in the pool.
    std::optional<std::int64_t> tokenAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    /// The position of a token in the sequence.
    QRectF rectOf(std::int64_t token, const QRectF& area, const QFont& font) const;
    /// The line from each entry of the block table to its page of the pool; empty for a page that the pool lacks.
    std::vector<QPainterPath> links(const QRectF& area, const QFont& font) const;
    /// The pages of the pool.
    std::vector<QRectF> poolPlaces(const QRectF& area, const QFont& font) const;
    QString tokenLabel(std::int64_t token) const;
    /// Describes the page and slot of a token.
    QString tokenText(std::int64_t token) const;

private:
    struct Layout;
    struct Pen;
    Layout layout(const QRectF& area, const QFont& font) const;
    Layout layoutWith(double slot, const QRectF& area, const QFont& font) const;
    double longestToken(const QFont& font) const;
    double widestSlot(const QFont& font) const;
    /// All -1 if no token is marked.
    PageSlot markedSlot() const;
    /// The page of the sequence that is stored in a page of the pool.
    std::optional<std::int64_t> pageIn(std::int64_t pool_page) const;
    std::optional<std::int64_t> tokenIn(std::int64_t page, std::int64_t slot) const;
    QPainterPath linkOf(const Layout& at, std::int64_t page, const QFont& font) const;
    void paintSequence(const Pen& pen) const;
    void paintPool(const Pen& pen) const;
    void paintLinks(const Pen& pen) const;
    void paintUse(const Pen& pen) const;
};

/// The tokens of a paged cache.
/// Left and Right mark a token; a text describes its page and slot.
class PageTableView : public MarkingPage<PageTableDrawing> {
    Q_OBJECT
public:
    explicit PageTableView(QWidget* parent = nullptr);

    bool hasExhibit() const override { return table() != nullptr; }

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::int64_t> markAt(const QPointF& position) const override;
    QRectF rectOf(std::int64_t token) const override;

private:
    const PageTable* table() const;
    QString useText() const;
};

} // namespace attnlab::ui
