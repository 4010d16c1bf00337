// Exhibit: which query pages read which key pages, on the map of the weights.
#pragma once

#include "core/attention.h"
#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/pages/exhibits/exhibit_page.h"

#include <optional>
#include <QCoreApplication>

namespace attnlab::ui {

/// Query page `query_page` reads the key pages from `first` to `last`; none when last < first.
struct PagesRead {
    std::int64_t first = 0;
    std::int64_t last = -1;
    std::int64_t count() const { return last - first + 1; }
};
PagesRead pagesRead(const PageReads& reads, std::int64_t query_page);

class PageReadsDrawing : public Drawing, public DrawnTable {
    Q_DECLARE_TR_FUNCTIONS(PageReadsDrawing)
public:
    PageReads reads;
    MatrixData map; ///< the weights: queries x keys
    ColorScale scale;
    std::optional<std::int64_t> marked; ///< a query page

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

    std::optional<std::int64_t> queryPageAt(const QPointF& position, const QRectF& area, const QFont& font) const;
    QString pageText(std::int64_t query_page) const;

private:
    HeatmapLayout layout(const QRectF& area, const QFont& font) const;
    HeatmapFrame frame(const HeatmapLayout& layout) const;
    double besideWidth(const QFont& font) const;
    QRectF pairRect(const HeatmapFrame& frame, std::int64_t query_page, std::int64_t key_page) const;
    QString besideText(std::int64_t query_page) const;
};

/// The pages that read each other.
/// Up and Down mark a query page; a text describes what it reads.
class PageReadsView : public MarkingPage<PageReadsDrawing> {
    Q_OBJECT
public:
    explicit PageReadsView(ViewState& view, QWidget* parent = nullptr);

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::int64_t> markAt(const QPointF& position) const override;

private:
    QString sumsText() const;

    ViewState& view_;
};

} // namespace attnlab::ui
