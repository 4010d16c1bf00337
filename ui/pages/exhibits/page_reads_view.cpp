#include "ui/pages/exhibits/page_reads_view.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_colors.h"
#include "ui/matrix/stages/stage_kinds.h"

#include <algorithm>

namespace attnlab::ui {

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
        return tr("Every pair of pages has a softmax of its own and the outputs are added: a row of weights sums to "
                  "the "
                  "number of pages that it reads, here %1.")
            .arg(most);
    return tr("Every pair of pages has a softmax of its own and the outputs are added: a row of weights sums to the "
              "number of pages that it reads, here %1 to %2. It is no distribution.")
        .arg(fewest)
        .arg(most);
}

QString PageReadsView::wordsNow() const { return drawing_.marked ? drawing_.pageText(*drawing_.marked) : sumsText(); }

std::optional<std::int64_t> PageReadsView::markAt(const QPointF& position) const {
    return drawing_.queryPageAt(position, canvas()->area(), canvas()->font());
}

} // namespace attnlab::ui
