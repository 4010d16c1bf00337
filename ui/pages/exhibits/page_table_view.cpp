#include "ui/pages/exhibits/page_table_view.h"

#include "ui/drawing/arcs.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <set>

namespace attnlab::ui {
namespace {

constexpr double page_gap = 14.0;
constexpr double least_slot = 5.0;
constexpr double text_slot = 22.0; ///< minimum width of a slot that shows its content
constexpr double narrow_slot = 12.0, widest_slot = 64.0;
constexpr double roomy = 1.8; ///< how much wider than its content a slot may be

} // namespace

PageSlot slotOf(const PageTable& table, std::int64_t token) {
    const auto page = token / table.page_size;
    return {page, token % table.page_size, table.block_table[static_cast<std::size_t>(page)]};
}

PageUse useOf(const PageTable& table) {
    const std::set<std::int64_t> distinct(table.block_table.begin(), table.block_table.end());
    PageUse use;
    use.pages = static_cast<std::int64_t>(table.block_table.size());
    use.held = std::min(table.length, use.pages * table.page_size);
    use.wasted = use.pages * table.page_size - use.held;
    use.pool_free = table.pool_pages - static_cast<std::int64_t>(distinct.size());
    return use;
}

/// Two wrapped rows of pages, one below the other.
struct PageTableDrawing::Layout {
    struct Flow {
        QPointF origin; ///< of the first page's box
        std::int64_t across = 1;
        double page_width = 0.0;
        double line_height = 0.0;
        double box_height = 0.0;

        QRectF page(std::int64_t index) const {
            const auto column = index % across, line = index / across;
            return QRectF(origin.x() + static_cast<double>(column) * (page_width + page_gap),
                          origin.y() + static_cast<double>(line) * line_height, page_width, box_height);
        }
        std::int64_t lines(std::int64_t count) const { return (count + across - 1) / across; }
    };
    double line = 0.0;
    double taller = 0.0;  ///< than a box has to be
    bool upright = false; ///< words are vertical, because a slot is narrower than some of them
    Flow sequence;
    Flow pool;
    QRectF use;
    double bottom = 0.0;

    static QRectF slot(const QRectF& page, std::int64_t slot, std::int64_t size) {
        const double width = page.width() / static_cast<double>(size);
        return QRectF(page.left() + static_cast<double>(slot) * width, page.top(), width, page.height());
    }
    QRectF nameOver(const QRectF& box, double width) const {
        return QRectF(box.center().x() - width / 2, box.top() - line - 3, width, line);
    }
    /// The entry of the block table below a page of the sequence.
    QRectF entry(std::int64_t page) const {
        const QRectF box = sequence.page(page);
        const double width = std::max(box.width() * 0.5, std::min(box.width(), 3.0 * line));
        return QRectF(box.center().x() - width / 2, box.bottom() + line * 0.5, width, line + 4);
    }
};

struct PageTableDrawing::Pen {
    QPainter& painter;
    const DrawingStyle& style;
    const Layout& at;

    void caption(double left, double top, const QString& text) const {
        painter.setPen(style.look.text);
        painter.drawText(QRectF(left, top, 1, at.line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
    void pageName(const QRectF& box, const QString& name, bool strong) const {
        painter.setPen(strong ? style.look.accent : style.look.muted);
        painter.drawText(at.nameOver(box, 0.0), Qt::AlignCenter | Qt::TextDontClip, name);
    }
    void slot(const QRectF& rect, const QString& text, bool held, bool strong) const {
        painter.setPen(Qt::NoPen);
        if (held)
            painter.fillRect(rect, style.look.accent_soft);
        else
            paintHatch(painter, rect, style.look);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.look.border, 1));
        painter.drawRect(rect);
        if (!held || rect.width() < text_slot)
            return;
        painter.setPen(strong ? style.look.accent : style.look.text);
        const double length = (at.upright ? rect.height() : rect.width()) - 2;
        const QString words = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, length);
        painter.save();
        painter.translate(rect.center());
        if (at.upright)
            painter.rotate(-90.0);
        painter.drawText(QRectF(0, 0, 0, 0), Qt::AlignCenter | Qt::TextDontClip, words);
        painter.restore();
    }
    void frame(const QRectF& box, bool used) const {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.look.muted, 1, used ? Qt::SolidLine : Qt::DotLine));
        painter.drawRect(box);
    }
};

QString PageTableDrawing::tokenLabel(std::int64_t token) const {
    return token < tokens.size() && !tokens[token].isEmpty() ? tokens[token] : QString::number(token);
}

std::optional<std::int64_t> PageTableDrawing::pageIn(std::int64_t pool_page) const {
    const auto found = std::find(table.block_table.begin(), table.block_table.end(), pool_page);
    return found == table.block_table.end() ? std::nullopt : std::optional(found - table.block_table.begin());
}

std::optional<std::int64_t> PageTableDrawing::tokenIn(std::int64_t page, std::int64_t slot) const {
    const auto token = page * table.page_size + slot;
    return token < table.length ? std::optional(token) : std::nullopt;
}

PageSlot PageTableDrawing::markedSlot() const { return marked ? slotOf(table, *marked) : PageSlot{-1, -1, -1}; }

double PageTableDrawing::longestToken(const QFont& font) const {
    const QFontMetricsF metrics(font);
    double longest = metrics.horizontalAdvance(QString::number(table.length));
    for (const auto& token : tokens)
        longest = std::max(longest, metrics.horizontalAdvance(token));
    return longest;
}

/// Wide enough for every token.
double PageTableDrawing::widestSlot(const QFont& font) const { return std::min(longestToken(font) + 10, widest_slot); }

PageTableDrawing::Layout PageTableDrawing::layoutWith(double slot, const QRectF& area, const QFont& font) const {
    Layout at;
    at.line = std::ceil(QFontMetricsF(font).height());
    const auto size = static_cast<double>(table.page_size);
    const double least = std::max(least_slot, std::min(slot, area.width() / size)) * size;
    const auto pages = static_cast<std::int64_t>(table.block_table.size());
    const auto fitting = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor((area.width() + page_gap + 0.5) / (least + page_gap))), 1,
        std::max<std::int64_t>({1, pages, table.pool_pages}));
    // Distributes the remaining width among the pages.
    const double room = (area.width() + page_gap) / static_cast<double>(fitting) - page_gap;
    const double width = std::max(least, std::min(room, widestSlot(font) * roomy * size));
    const auto lines_of = [&](std::int64_t count) {
        return std::max<std::int64_t>(1, (count + fitting - 1) / fitting);
    };
    const auto flow = [&](double top, std::int64_t count, double below) {
        Layout::Flow made;
        // Lines of equal length.
        const auto lines = lines_of(count);
        made.across = std::max<std::int64_t>(1, (count + lines - 1) / lines);
        made.page_width = width;
        made.box_height = at.line + 8 + at.taller;
        made.line_height = made.box_height + at.line + below;
        const double whole = static_cast<double>(made.across) * (width + page_gap) - page_gap;
        made.origin = QPointF(std::floor(area.left() + std::max(0.0, (area.width() - whole) / 2)), std::floor(top));
        return made;
    };
    const auto place = [&](double top, double slack) {
        at.sequence = flow(top + 2.6 * at.line, pages, 1.9 * at.line + 8);
        const double below =
            at.sequence.origin.y() + static_cast<double>(at.sequence.lines(pages)) * at.sequence.line_height - at.line;
        at.pool = flow(below + 1.6 * at.line + slack + 1.6 * at.line, table.pool_pages, 0.7 * at.line);
        const double end = at.pool.origin.y() +
                           static_cast<double>(at.pool.lines(table.pool_pages)) * at.pool.line_height + 1.2 * at.line;
        at.use = QRectF(area.left(), end, area.width(), 2.4 * at.line);
        at.bottom = at.use.bottom();
    };
    // From the top first; the remaining height is then distributed.
    const auto spare_height = [&] {
        place(area.top(), 0.0);
        return std::max(0.0, area.bottom() - at.bottom);
    };
    const auto lines = lines_of(pages) + lines_of(table.pool_pages);
    const double spare_for_line = spare_height() / static_cast<double>(lines);
    at.taller = std::min(spare_for_line * 0.2, 2.0 * at.line);
    const double slot_width = width / size, longest = longestToken(font);
    const double for_words = longest + 8 - (at.line + 8); // where they are vertical
    if (slot_width >= std::max(text_slot, at.line) && slot_width < longest + 2 && for_words <= spare_for_line) {
        at.upright = true;
        at.taller = std::max(at.taller, for_words);
    }
    const double spare = spare_height();
    const double slack = std::min(spare * 0.6, 12.0 * at.line);
    place(area.top() + (spare - slack) * 0.4, slack);
    return at;
}

/// The widest slots for which everything is visible, and a pool of few pages is one line.
PageTableDrawing::Layout PageTableDrawing::layout(const QRectF& area, const QFont& font) const {
    const QFont small = labelFont(font);
    const auto most = std::max<double>(table.pool_pages, static_cast<double>(table.block_table.size()));
    const double in_line =
        ((area.width() + page_gap) / std::max(1.0, most) - page_gap) / static_cast<double>(table.page_size);
    const double widest =
        in_line >= text_slot ? std::min(widestSlot(small), std::floor(in_line * 8.0) / 8.0) : widestSlot(small);
    Layout at;
    for (const double slot : {widest, widest * 0.75, text_slot, narrow_slot}) {
        at = layoutWith(std::min(slot, widest), area, small);
        if (at.bottom <= area.bottom() + 0.5)
            break;
    }
    return at;
}

QSizeF PageTableDrawing::smallest(const QFont& font, double width) const {
    const double least = std::max(260.0, static_cast<double>(table.page_size) * least_slot);
    const Layout at = layout(QRectF(0, 0, std::max(width, least), 1), font);
    return QSizeF(least, at.bottom);
}

void PageTableDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const Layout at = layout(area, style.font);
    const Pen pen{painter, style, at};
    painter.save();
    painter.setFont(labelFont(style.font));
    paintLinks(pen);
    paintSequence(pen);
    paintPool(pen);
    paintUse(pen);
    painter.restore();
}

void PageTableDrawing::paintSequence(const Pen& pen) const {
    const auto& at = pen.at;
    const PageSlot where = markedSlot();
    pen.caption(at.sequence.origin.x(), at.sequence.origin.y() - 2.5 * at.line,
                tr("The sequence in order, and its block table below"));
    for (std::int64_t page = 0; page < static_cast<std::int64_t>(table.block_table.size()); ++page) {
        const QRectF box = at.sequence.page(page);
        const bool strong = where.page == page;
        pen.pageName(box, tr("page %1").arg(page), strong);
        for (std::int64_t slot = 0; slot < table.page_size; ++slot) {
            const auto token = tokenIn(page, slot);
            pen.slot(Layout::slot(box, slot, table.page_size), token ? tokenLabel(*token) : QString(),
                     token.has_value(), token && token == marked);
        }
        pen.frame(box, true);
        const QRectF entry = at.entry(page);
        pen.painter.setBrush(strong ? pen.style.look.accent_soft : pen.style.look.window);
        pen.painter.setPen(QPen(strong ? pen.style.look.accent : pen.style.look.border, 1));
        pen.painter.drawRect(entry);
        pen.painter.setPen(strong ? pen.style.look.accent : pen.style.look.text);
        pen.painter.drawText(entry, Qt::AlignCenter,
                             QString::number(table.block_table[static_cast<std::size_t>(page)]));
    }
    if (marked)
        paintReadingOutline(pen.painter, Layout::slot(at.sequence.page(where.page), where.slot, table.page_size),
                            pen.style.look);
}

void PageTableDrawing::paintPool(const Pen& pen) const {
    const auto& at = pen.at;
    const PageSlot where = markedSlot();
    // Below its pages, where no link comes.
    pen.caption(at.pool.origin.x(), at.use.top() - 1.6 * at.line, tr("The pool of pages in memory"));
    for (std::int64_t pool_page = 0; pool_page < table.pool_pages; ++pool_page) {
        const QRectF box = at.pool.page(pool_page);
        const auto page = pageIn(pool_page);
        pen.pageName(box, page ? QString::number(pool_page) : tr("%1: free").arg(pool_page),
                     where.pool_page == pool_page);
        for (std::int64_t slot = 0; page && slot < table.page_size; ++slot) {
            const auto token = tokenIn(*page, slot);
            pen.slot(Layout::slot(box, slot, table.page_size), token ? tokenLabel(*token) : QString(),
                     token.has_value(), token && token == marked);
        }
        pen.frame(box, page.has_value());
    }
    if (where.pool_page >= 0 && where.pool_page < table.pool_pages)
        paintReadingOutline(pen.painter, Layout::slot(at.pool.page(where.pool_page), where.slot, table.page_size),
                            pen.style.look);
}

/// From an entry of the block table to a page of the pool, beside its name if other pages are above it.
QPainterPath PageTableDrawing::linkOf(const Layout& at, std::int64_t page, const QFont& font) const {
    const auto pool_page = table.block_table[static_cast<std::size_t>(page)];
    if (pool_page < 0 || pool_page >= table.pool_pages)
        return {};
    const QRectF entry = at.entry(page), box = at.pool.page(pool_page);
    const bool is_above = pool_page < at.pool.across; // no page is between
    const bool is_last = pool_page % at.pool.across == at.pool.across - 1;
    // Between two columns of pages.
    const double lane = is_last && at.pool.across > 1 ? box.left() - page_gap / 2 : box.right() + page_gap / 2;
    const QPointF from(entry.center().x(), entry.bottom());
    const QPointF to(is_above ? box.center().x() : lane, at.pool.origin.y() - at.line - 5);
    QPainterPath path = curveBetween(from, to, Qt::Vertical);
    if (is_above)
        return path;
    const QRectF name = at.nameOver(box, QFontMetricsF(font).horizontalAdvance(QString::number(pool_page)) + 8);
    path.lineTo(lane, name.center().y());
    path.lineTo(lane < box.left() ? name.left() : name.right(), name.center().y());
    return path;
}

std::vector<QPainterPath> PageTableDrawing::links(const QRectF& area, const QFont& font) const {
    const Layout at = layout(area, font);
    std::vector<QPainterPath> result;
    for (std::size_t page = 0; page < table.block_table.size(); ++page)
        result.push_back(linkOf(at, static_cast<std::int64_t>(page), labelFont(font)));
    return result;
}

std::vector<QRectF> PageTableDrawing::poolPlaces(const QRectF& area, const QFont& font) const {
    const Layout at = layout(area, font);
    std::vector<QRectF> result;
    for (std::int64_t page = 0; page < table.pool_pages; ++page)
        result.push_back(at.pool.page(page));
    return result;
}

/// Behind the pages. A sequence of several lines has too many links: then only that of the marked token is shown.
void PageTableDrawing::paintLinks(const Pen& pen) const {
    const auto pages = static_cast<std::int64_t>(table.block_table.size());
    const bool all = pen.at.sequence.lines(pages) == 1;
    const PageSlot where = markedSlot();
    pen.painter.setRenderHint(QPainter::Antialiasing);
    const auto link = [&](std::int64_t page, bool strong) {
        const QPainterPath path = linkOf(pen.at, page, pen.painter.font());
        if (path.isEmpty())
            return;
        const QColor color = strong ? pen.style.look.accent : pen.style.look.muted;
        pen.painter.setBrush(Qt::NoBrush);
        pen.painter.setPen(QPen(color, strong ? 2.2 : 1.2));
        pen.painter.drawPath(path);
        pen.painter.setPen(Qt::NoPen);
        pen.painter.setBrush(color);
        const QPointF to = path.currentPosition();
        const double turned =
            to.y() > pen.at.pool.origin.y() ? (path.elementAt(path.elementCount() - 2).x < to.x() ? -90 : 90) : 0;
        const QTransform head = QTransform::fromTranslate(to.x(), to.y()).rotate(turned);
        pen.painter.drawPolygon(head.map(QPolygonF{QPointF(0, 2), QPointF(-4, -5), QPointF(4, -5)}));
    };
    for (std::int64_t page = 0; all && page < pages; ++page)
        if (where.page != page)
            link(page, false);
    if (marked)
        link(where.page, true);
    pen.painter.setRenderHint(QPainter::Antialiasing, false);
}

/// One bar for all slots of the pool: used, wasted, in free pages.
void PageTableDrawing::paintUse(const Pen& pen) const {
    const PageUse use = useOf(table);
    const auto& look = pen.style.look;
    const double all = static_cast<double>(std::max<std::int64_t>(1, table.pool_pages * table.page_size));
    const QRectF bar(pen.at.use.left(), pen.at.use.top(), pen.at.use.width() - 1, pen.at.line * 0.8);
    double x = bar.left();
    const auto part = [&](std::int64_t size, const auto& fill) {
        const QRectF rect(x, bar.top(), bar.width() * static_cast<double>(size) / all, bar.height());
        fill(pen.painter, rect);
        pen.painter.setPen(QPen(look.border, 1));
        pen.painter.setBrush(Qt::NoBrush);
        pen.painter.drawRect(rect);
        x = rect.right();
    };
    const auto held = [&look](QPainter& painter, const QRectF& rect) { painter.fillRect(rect, look.accent); };
    const auto wasted = [&look](QPainter& painter, const QRectF& rect) { paintHatch(painter, rect, look); };
    const auto unused = [&look](QPainter& painter, const QRectF& rect) {
        painter.setPen(QPen(look.muted, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
    };
    part(use.held, held);
    part(use.wasted, wasted);
    part(use.pool_free * table.page_size, unused);
    const std::vector<LegendEntry> entries{{held, tr("holds a token: %1").arg(use.held)},
                                           {wasted, tr("reserved and empty: %1").arg(use.wasted)},
                                           {unused, tr("in free pages: %1").arg(use.pool_free * table.page_size)}};
    const DrawingStyle style{look, pen.painter.font(), pen.style.vectors};
    ui::paintLegend(pen.painter, QRectF(bar.left(), bar.bottom() + pen.at.line * 0.4, bar.width(), pen.at.line),
                    entries, style);
}

std::optional<std::int64_t> PageTableDrawing::tokenAt(const QPointF& position, const QRectF& area,
                                                      const QFont& font) const {
    const Layout at = layout(area, font);
    const auto slot_in = [&](const QRectF& box) {
        return std::min(table.page_size - 1, static_cast<std::int64_t>((position.x() - box.left()) / box.width() *
                                                                       static_cast<double>(table.page_size)));
    };
    for (std::int64_t page = 0; page < static_cast<std::int64_t>(table.block_table.size()); ++page)
        if (const QRectF box = at.sequence.page(page); box.contains(position))
            return tokenIn(page, slot_in(box));
    for (std::int64_t pool_page = 0; pool_page < table.pool_pages; ++pool_page)
        if (const QRectF box = at.pool.page(pool_page); box.contains(position))
            if (const auto page = pageIn(pool_page))
                return tokenIn(*page, slot_in(box));
    return std::nullopt;
}

QRectF PageTableDrawing::rectOf(std::int64_t token, const QRectF& area, const QFont& font) const {
    const PageSlot where = slotOf(table, token);
    return Layout::slot(layout(area, font).sequence.page(where.page), where.slot, table.page_size);
}

QString PageTableDrawing::tokenText(std::int64_t token) const {
    const PageSlot at = slotOf(table, token);
    if (token < tokens.size() && !tokens[token].isEmpty())
        return tr("Token %1, “%2”: slot %3 of page %4, which lies in page %5 of the pool.")
            .arg(token)
            .arg(tokens[token])
            .arg(at.slot)
            .arg(at.page)
            .arg(at.pool_page);
    return tr("Token %1: slot %2 of page %3, which lies in page %4 of the pool.")
        .arg(token)
        .arg(at.slot)
        .arg(at.page)
        .arg(at.pool_page);
}

QString PageTableDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto token = tokenAt(position, area, font);
    return token ? tokenText(*token) : QString();
}

int PageTableDrawing::rows() const { return static_cast<int>(table.block_table.size()); }
int PageTableDrawing::columns() const { return static_cast<int>(table.page_size); }
QString PageTableDrawing::rowName(int row) const { return tr("page %1").arg(row); }
QString PageTableDrawing::columnName(int column) const { return tr("slot %1").arg(column); }

QString PageTableDrawing::cellWords(int row, int column) const {
    const auto token = tokenIn(row, column);
    return token ? tokenText(*token) : tr("%1, %2: empty", "page, slot").arg(rowName(row), columnName(column));
}

QRectF PageTableDrawing::cellPlace(int row, int column, const QRectF& area, const QFont& font) const {
    return Layout::slot(layout(area, font).sequence.page(row), column, table.page_size);
}

std::optional<std::pair<int, int>> PageTableDrawing::markedCell() const {
    const PageSlot where = markedSlot();
    return marked ? std::optional(std::pair(static_cast<int>(where.page), static_cast<int>(where.slot))) : std::nullopt;
}

PageTableView::PageTableView(QWidget* parent) : MarkingPage(Qt::Key_Right, Qt::Key_Left, parent) { renew(); }

const PageTable* PageTableView::table() const { return computed_ ? exhibitOf<PageTable>(computed_->trace) : nullptr; }

std::int64_t PageTableView::read() {
    setTitle(tr("Pages"));
    if (!table())
        return 0;
    drawing_.table = *table();
    const auto room = static_cast<std::int64_t>(drawing_.table.block_table.size()) * drawing_.table.page_size;
    drawing_.table.length = std::min(drawing_.table.length, room);
    drawing_.tokens.clear();
    for (const auto& token : computed_->trace.key_tokens)
        drawing_.tokens << QString::fromStdString(token);
    return drawing_.table.length;
}

QString PageTableView::useText() const {
    const PageUse use = useOf(drawing_.table);
    const auto slots_held = use.pages * drawing_.table.page_size;
    const double wasted =
        slots_held == 0 ? 0.0 : 100.0 * static_cast<double>(use.wasted) / static_cast<double>(slots_held);
    return tr("%1 tokens take %2 pages of %3 slots; of these slots %4 are empty, which is %5% lost to fragmentation. "
              "Of the %6 pages of the pool %7 are free.")
        .arg(use.held)
        .arg(use.pages)
        .arg(drawing_.table.page_size)
        .arg(use.wasted)
        .arg(numberText(wasted, 3))
        .arg(drawing_.table.pool_pages)
        .arg(use.pool_free);
}

QString PageTableView::wordsNow() const { return drawing_.marked ? drawing_.tokenText(*drawing_.marked) : useText(); }

std::optional<std::int64_t> PageTableView::markAt(const QPointF& position) const {
    return drawing_.tokenAt(position, canvas()->area(), canvas()->font());
}

QRectF PageTableView::rectOf(std::int64_t token) const {
    return drawing_.rectOf(token, canvas()->area(), canvas()->font());
}

namespace page_table_view {

ExhibitKind kind() {
    return {PageTable::id, QT_TRANSLATE_NOOP("CentrePages", "Page table"),
            [](ViewState&) -> ExhibitPage* { return new PageTableView; }};
}

} // namespace page_table_view

} // namespace attnlab::ui
