#include "ui/pages/exhibits/page_reads_view.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/text_drawing.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr double reads_gap = 10.0;

} // namespace

PagesRead pagesRead(const PageReads& reads, std::int64_t query_page) {
    return {std::max<std::int64_t>(0, query_page - reads.neighbors),
            std::min(reads.key_pages - 1, query_page + reads.neighbors)};
}

QString PageReadsDrawing::besideText(std::int64_t query_page) const {
    return tr("pages read: %1").arg(std::max<std::int64_t>(0, pagesRead(reads, query_page).count()));
}

double PageReadsDrawing::besideWidth(const QFont& font) const {
    return QFontMetricsF(labelFont(font)).horizontalAdvance(besideText(reads.query_pages / 2)) + reads_gap;
}

QSizeF PageReadsDrawing::smallest(const QFont& font, double) const {
    const auto side = [](std::int64_t pages) { return std::max(140.0, static_cast<double>(pages) * 7.0); };
    return QSizeF(side(reads.key_pages) + 120 + besideWidth(font), side(reads.query_pages) + 90);
}

HeatmapLayout PageReadsDrawing::layout(const QRectF& area, const QFont& font) const {
    const double legend = QFontMetricsF(font).height() + reads_gap;
    return layoutHeatmap(area.adjusted(0, 0, -besideWidth(font), -legend), map.axes(), scale,
                         {font, false, false, 1.0});
}

HeatmapFrame PageReadsDrawing::frame(const HeatmapLayout& at) const {
    const auto view = map.view();
    return {at.body, QRectF(0, 0, static_cast<double>(view.columns), static_cast<double>(view.rows))};
}

QRectF PageReadsDrawing::pairRect(const HeatmapFrame& frame, std::int64_t query_page, std::int64_t key_page) const {
    const auto view = map.view();
    const auto size = reads.page_size;
    const auto rows = std::min(size, view.rows - query_page * size);
    const auto columns = std::min(size, view.columns - key_page * size);
    return frame.rectOf(QRect(static_cast<int>(key_page * size), static_cast<int>(query_page * size),
                              static_cast<int>(columns), static_cast<int>(rows)));
}

void PageReadsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const HeatmapLayout at = layout(area, style.font);
    const HeatmapFrame cells = frame(at);
    const QFont small = labelFont(style.font);
    painter.save();
    const HeatmapContent content{map, scale, style.look};
    if (style.vectors)
        paintCellsForFiles(painter, cells, content);
    else
        paintCells(painter, cells, content);
    paintNumbers(painter, cells, content, style.font);
    paintLabels(painter, at, placeLabels(at, cells, map.axes(), small, std::nullopt), map.axes(), small, style.look);

    painter.setFont(small);
    const double line = QFontMetricsF(small).height();
    for (std::int64_t a = 0; a < reads.query_pages; ++a) {
        const PagesRead read = pagesRead(reads, a);
        for (std::int64_t b = 0; b < reads.key_pages; ++b)
            paintTileMark(painter, pairRect(cells, a, b),
                          b >= read.first && b <= read.last ? TileState::Done : TileState::Skipped, style.look);
        const QRectF pair = pairRect(cells, a, 0);
        if (pair.height() >= line - 2) {
            painter.setPen(a == marked ? chosenInk(style.look) : style.look.muted);
            painter.drawText(QRectF(at.body.right() + reads_gap, pair.top(), besideWidth(style.font), pair.height()),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, besideText(a));
        }
    }
    if (marked)
        if (const PagesRead read = pagesRead(reads, *marked); read.count() > 0)
            paintReadingOutline(painter, pairRect(cells, *marked, read.first) | pairRect(cells, *marked, read.last),
                                style.look);
    const std::vector<LegendEntry> entries{tileEntry(TileState::Done, tr("a softmax of its own"), style.look),
                                           tileEntry(TileState::Skipped, tr("not read"), style.look)};
    const double width = legendWidth(entries, small);
    ui::paintLegend(painter, QRectF(at.body.center().x() - width / 2, at.body.bottom() + reads_gap, width, line),
                    entries, {style.look, small, style.vectors});
    painter.restore();
}

std::optional<std::int64_t> PageReadsDrawing::queryPageAt(const QPointF& position, const QRectF& area,
                                                          const QFont& font) const {
    const HeatmapLayout at = layout(area, font);
    if (at.body.isEmpty() || position.y() < at.body.top() || position.y() >= at.body.bottom())
        return std::nullopt;
    const auto row = static_cast<std::int64_t>(std::floor(frame(at).toCells(position).y()));
    return std::min(row / reads.page_size, reads.query_pages - 1);
}

QString PageReadsDrawing::pageText(std::int64_t query_page) const {
    const PagesRead read = pagesRead(reads, query_page);
    const auto last = std::min((query_page + 1) * reads.page_size, map.view().rows) - 1;
    if (read.count() < 1)
        return tr("Queries %1 to %2 (page %3) read no page.")
            .arg(nameOf(map.row_labels, query_page * reads.page_size), nameOf(map.row_labels, last))
            .arg(query_page);
    return tr("Queries %1 to %2 (page %3) read the key pages %4 to %5, each with a softmax of its own: their weights "
              "sum "
              "to %6.")
        .arg(nameOf(map.row_labels, query_page * reads.page_size), nameOf(map.row_labels, last))
        .arg(query_page)
        .arg(read.first)
        .arg(read.last)
        .arg(read.count());
}

QString PageReadsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto cell = frame(layout(area, font)).cellAt(position);
    return cell ? cellWords(cell->row, cell->column) : QString();
}

int PageReadsDrawing::rows() const { return static_cast<int>(map.view().rows); }
int PageReadsDrawing::columns() const { return static_cast<int>(map.view().columns); }
QString PageReadsDrawing::rowName(int row) const { return map.rowLabel(row); }
QString PageReadsDrawing::columnName(int column) const { return map.columnLabel(column); }

QString PageReadsDrawing::cellWords(int row, int column) const {
    return tr("%1 → %2: %3\nQuery page %4, key page %5")
        .arg(map.rowLabel(row), map.columnLabel(column),
             map.isBlocked(row, column) ? tr("masked") : exactText(map.view()(row, column)))
        .arg(row / reads.page_size)
        .arg(column / reads.page_size);
}

QRectF PageReadsDrawing::cellPlace(int row, int column, const QRectF& area, const QFont& font) const {
    return frame(layout(area, font)).cellRect({row, column});
}

PageReadsView::PageReadsView(ViewState& view, QWidget* parent)
    : MarkingPage(Qt::Key_Down, Qt::Key_Up, parent), view_(view) {
    connect(&view_, &ViewState::sliceChanged, this, &PageReadsView::renew);
    renew();
}

std::int64_t PageReadsView::read() {
    setTitle(tr("Pages"));
    const auto* reads = computed_ ? exhibitOf<PageReads>(computed_->trace) : nullptr;
    const Stage* weights = reads ? computed_->trace.find("weights") : nullptr;
    const int head = computed_ ? headWithin(computed_->trace, view_.head()) : 0;
    auto map = weights ? sliceOf(computed_->trace, *weights, view_.batch(), head) : std::nullopt;
    const auto fits = [&](std::int64_t pages, std::int64_t tokens) {
        return pages >= 1 && (pages - 1) * reads->page_size < tokens && pages * reads->page_size >= tokens;
    };
    if (!map || reads->page_size < 1 || !fits(reads->query_pages, map->view().rows) ||
        !fits(reads->key_pages, map->view().columns))
        return 0;
    drawing_.reads = *reads;
    drawing_.map = std::move(*map);
    drawing_.scale = scaleFor(computed_->trace, *weights, view_.batch(), {});
    if (sizeOf(computed_->trace).heads > 1)
        setTitle(head == ViewState::mean_of_heads ? tr("Pages · mean of heads") : tr("Pages · head %1").arg(head));
    return reads->query_pages;
}

QString PageReadsView::sumsText() const {
    std::int64_t fewest = drawing_.reads.key_pages, most = 0;
    for (std::int64_t page = 0; page < drawing_.reads.query_pages; ++page) {
        const auto count = std::max<std::int64_t>(0, pagesRead(drawing_.reads, page).count());
        fewest = std::min(fewest, count);
        most = std::max(most, count);
    }
    if (fewest == most)
        return tr("Every pair of pages has a softmax of its own, and the outputs are added. So a row of weights sums "
                  "to the number of pages that it reads, here %1.")
            .arg(most);
    return tr("Every pair of pages has a softmax of its own, and the outputs are added. So a row of weights sums to "
              "the number of pages that it reads, here %1 to %2. It is not a distribution.")
        .arg(fewest)
        .arg(most);
}

QString PageReadsView::wordsNow() const { return drawing_.marked ? drawing_.pageText(*drawing_.marked) : sumsText(); }

std::optional<std::int64_t> PageReadsView::markAt(const QPointF& position) const {
    return drawing_.queryPageAt(position, canvas()->area(), canvas()->font());
}

namespace page_reads_view {

ExhibitKind kind() {
    return {PageReads::id, QT_TRANSLATE_NOOP("CentrePages", "Pages read"),
            [](ViewState& view) -> ExhibitPage* { return new PageReadsView(view); }};
}

} // namespace page_reads_view

} // namespace attnlab::ui
