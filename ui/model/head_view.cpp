#include "ui/model/head_view.h"

#include "ui/matrix/heatmap_view.h"

#include "core/model/one_head.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace attnlab::ui {

namespace {

bool linearHides(const MatrixData& matrix, const ValueRange& range) {
    const auto view = matrix.view();
    const auto cells = view.rows * view.columns;
    if (range.empty || range.low < 0.0 || cells < least_hidden_cells)
        return false;
    const BlockedCells blocked(matrix);
    const auto step = static_cast<std::int64_t>(sampleStep(static_cast<std::size_t>(cells), view.columns));
    std::vector<double> sample;
    for (std::int64_t at = 0; at < cells; at += step)
        if (!blocked(at / view.columns, at % view.columns) && std::isfinite(view.data[at]))
            sample.push_back(view.data[at]);
    if (sample.empty())
        return false;
    const double side = std::sqrt(static_cast<double>(sample.size()) * static_cast<double>(step));
    return linearHidesWeights(std::move(sample), side, range.high);
}

std::int64_t stepOf(const PassHeads& heads) {
    return std::max<std::int64_t>(1, (std::max(heads.queries, heads.keys) + most_cells_a_side - 1) / most_cells_a_side);
}

} // namespace

std::int64_t SelectedHead::step() const { return stepOf(heads()); }

bool isLong(const ModelResult& result, HeadIndex place) { return result.capture || stepOf(result.heads(place)) > 1; }

SelectedHeadPtr headOnShow(const ModelResultPtr& result, HeadIndex place, const RunControl& control) {
    auto made = std::make_shared<SelectedHead>(SelectedHead{result, place});
    const auto& heads = made->heads();
    const auto one = heads.one(place.head);
    if (const auto step = made->step(); step > 1) {
        const auto cells = model::pooled_weights(*one.pass, one.index, step, control);
        auto computed = std::make_shared<Computed>();
        Stage stage;
        stage.name = "weights";
        stage.value = cells.reshaped({1, 1, cells.dim(0), cells.dim(1)});
        stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
        computed->trace.stages.push_back(std::move(stage));
        made->pooled = computed;
    } else {
        auto computed = std::make_shared<Computed>();
        computed->trace = model::trace_of(*one.pass, one.index, heads.tokens);
        made->weights = computed;
    }
    return made;
}

SelectedHeadPtr headOfOther(const SelectedHead& head) {
    const auto* compared = head.result->comparedHeads(head.place);
    if (!compared || head.result->compared->of != ComparedRuns::Of::Texts ||
        std::max(compared->b->queries, compared->b->keys) > most_cells_a_side)
        return nullptr;
    auto computed = std::make_shared<Computed>();
    computed->trace = model::trace_of(*compared->b, head.place.head, compared->tokens_b);
    return std::make_shared<SelectedHead>(
        SelectedHead{.result = head.result, .place = head.place, .weights = computed});
}

void HeadView::setColors(const ColorChoice& colors) {
    colors_ = colors;
    if (const auto shown = heatmap() ? matrix() : std::nullopt)
        heatmap()->setMatrix(*shown, scaleOf(*shown));
}

ColorScale HeadView::scaleOf(const MatrixData& matrix) const {
    ValueRange range;
    const auto view = matrix.view();
    range.include(std::span(view.data, static_cast<std::size_t>(view.rows * view.columns)));
    const bool hides = linearHides(matrix, range);
    ColorScale scale = colorScale(choiceFor(hides && !colors_.locked, colors_), range, range.low < 0.0, true);
    scale.linear_hides = hides;
    return scale;
}

} // namespace attnlab::ui
