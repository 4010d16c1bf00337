#include "ui/pages/exhibits/page_table_view.h"

#include "ui/widgets/text.h"

#include <algorithm>

namespace attnlab::ui {

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

} // namespace attnlab::ui
