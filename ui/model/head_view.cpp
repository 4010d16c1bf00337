#include "ui/model/head_view.h"

#include "core/model/one_head.h"

#include <algorithm>

namespace attnlab::ui {

std::int64_t HeadOnShow::step() const {
    const auto& pass = *heads().pass;
    return std::max<std::int64_t>(1, (std::max(pass.queries, pass.keys) + most_cells_a_side - 1) / most_cells_a_side);
}

HeadOnShowPtr headOnShow(const ModelResultPtr& result, HeadPlace place) {
    auto made = std::make_shared<HeadOnShow>(HeadOnShow{result, place, nullptr});
    if (made->step() == 1) {
        const auto& heads = made->heads();
        auto computed = std::make_shared<Computed>();
        computed->trace = model::trace_of(*heads.pass, place.head, heads.tokens);
        made->weights = computed;
    }
    return made;
}

ColorScale scaleOf(const MatrixData& matrix) {
    ValueRange range;
    const auto view = matrix.view();
    for (std::int64_t i = 0; i < view.rows * view.columns; ++i)
        range.include(view.data[i]);
    return colorScale({}, range, range.low < 0.0);
}

} // namespace attnlab::ui
