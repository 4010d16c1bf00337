// An array that is right in another order of its axes is no mistake of the kernel.
#include "core/against/array_comparison.h"
#include "core/against/fitted_array.h"
#include "core/against/mistakes.h"

namespace attnlab::against {

void blame_layout(Diagnosis& diagnosis, const Trace& exact, const Stage& stage, const Tensor& array,
                  std::string_view axes) {
    const double tolerance = default_tolerance(narrowest_type(array), exact);
    const auto as = [&](std::string_view order) { return compare_array(stage, fitted(array, stage, "", order)); };
    const auto fits = [&](const ArrayComparison& read) { return cells_beyond(read, stage, tolerance) == 0; };
    if (diagnosis.exact_distance == 0.0 || fits(as(axes)))
        return;
    std::vector<LikelyMistake> found;
    for (const auto& order : orders_for(array.shape(), stage)) {
        if (order == axes || !is_usual_order(order))
            continue;
        if (const auto read = as(order); fits(read))
            found.push_back({"layout",
                             {ATTNLAB_TEXT("the array lies in the layout %1 and is read in the layout %2"),
                              {order, axes.empty() ? axes_of(stage) : std::string(axes)}},
                             read.relative});
    }
    if (!found.empty())
        diagnosis.likely = std::move(found);
}

} // namespace attnlab::against
