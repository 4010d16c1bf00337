#include "ui/exhibits/page_table_view.h"

#include "ui/exhibits/drawing_canvas.h"
#include "ui/text.h"

#include <algorithm>

namespace attnlab::ui {

PageTableView::PageTableView(QWidget* parent) : ExhibitPage(parent) { refresh(); }

const PageTable* PageTableView::table() const { return computed_ ? exhibitOf<PageTable>(computed_->trace) : nullptr; }

void PageTableView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    canvas()->setDrawing(nullptr);
    if (table()) {
        drawing_.table = *table();
        const auto room = static_cast<std::int64_t>(drawing_.table.block_table.size()) * drawing_.table.page_size;
        drawing_.table.length = std::min(drawing_.table.length, room);
        drawing_.tokens.clear();
        for (const auto& token : computed_->trace.key_tokens)
            drawing_.tokens << QString::fromStdString(token);
        if (drawing_.marked && *drawing_.marked >= drawing_.table.length)
            drawing_.marked.reset();
        canvas()->setDrawing(&drawing_);
    }
    refresh();
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

void PageTableView::refresh() {
    setTitle(tr("Pages"));
    if (!table())
        setWords({});
    else
        setWords(drawing_.marked ? drawing_.tokenText(*drawing_.marked) : useText());
    canvas()->refresh();
}

void PageTableView::mark(std::optional<std::int64_t> token) {
    if (drawing_.marked == token)
        return;
    drawing_.marked = token;
    refresh();
}

void PageTableView::markAndReveal(std::int64_t token) {
    mark(token);
    reveal(drawing_.rectOf(token, canvas()->area(), canvas()->font()));
}

bool PageTableView::pressKey(int key) {
    const auto last = drawing_.table.length - 1;
    if (!table() || last < 0)
        return false;
    const auto stepped = steppedMark(key, Qt::Key_Right, Qt::Key_Left, drawing_.marked, last);
    if (!stepped)
        return false;
    if (*stepped)
        markAndReveal(**stepped);
    else
        mark(std::nullopt);
    return true;
}

void PageTableView::point(std::optional<QPointF> position) {
    if (table())
        mark(position ? drawing_.tokenAt(*position, canvas()->area(), canvas()->font()) : std::nullopt);
}

std::shared_ptr<const Drawing> PageTableView::picture() const {
    return table() ? std::make_shared<PageTableDrawing>(drawing_) : nullptr;
}

} // namespace attnlab::ui
