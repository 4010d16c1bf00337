#include "ui/matrix/stages/stage_colors.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_kinds.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

/// The numbers of one batch, all heads.
std::span<const double> batchOf(const Stage& stage, int batch) {
    const bool has_batches = !stage.axes.empty() && stage.axes.front() == Axis::Batch && stage.value.rank() > 0;
    const auto batches = static_cast<std::size_t>(has_batches ? stage.value.dim(0) : 1);
    const auto index = static_cast<std::size_t>(batch);
    if (batch < 0 || index >= batches)
        return {};
    const std::size_t size = stage.value.values().size() / batches;
    return stage.value.values().subspan(index * size, size);
}

bool isMap(const Stage& stage) {
    const auto count = stage.axes.size();
    return count >= 2 && stage.axes[count - 2] == Axis::Query && stage.axes[count - 1] == Axis::Key;
}

/// Signed numbers suit a diverging map, weights and probabilities a sequential one; the same for every batch. Ignores
/// the fill of blocked cells. `known` is the range of `batch`.
bool isSigned(const Trace& trace, const Stage& stage, int batch, const ValueRange& known) {
    // Even if it is all zeros: white then represents zero too.
    if (stage.role == StageRole::Exact && stage.name.ends_with("difference"))
        return true;
    if (known.low < 0.0)
        return true;
    const int batches = sizeOf(trace).batches;
    for (int other = 0; other < batches; ++other)
        if (other != batch && rangeOf(trace, stage, other).low < 0.0)
            return true;
    return false;
}

/// The weights of a pass, or what is made of them: shares, which start at zero.
bool areShares(const Trace& trace, const Stage& stage) {
    const Stage* weights = weightsBeside(trace, &stage);
    return weights && isMap(stage) && stage.role != StageRole::Mask && &stage >= weights;
}

} // namespace

ValueRange rangeOf(const Trace& trace, const Stage& stage, int batch) {
    const auto values = batchOf(stage, batch);
    const bool masked = isMap(stage) && stage.role != StageRole::Mask && !precedesMask(trace, stage);
    const Stage* mask = masked ? trace.beside(stage, "blocked") : nullptr;
    const auto blocked = mask ? batchOf(*mask, batch) : std::span<const double>();
    const bool leaks = showsLeaks(stage);
    ValueRange range;
    if (blocked.size() != values.size()) {
        range.include(values);
        return range;
    }
    const auto counts = [&](std::size_t i) { return blocked[i] == 0.0 || (leaks && std::abs(values[i]) > 0.0); };
    for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) { // by runs of cells that count
        for (end = begin + 1; end < values.size() && counts(end) == counts(begin); ++end)
            ;
        if (counts(begin))
            range.include(values.subspan(begin, end - begin));
    }
    return range;
}

ColorScale scaleFor(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice) {
    const auto range = rangeOf(trace, stage, batch);
    return colorScale(choice, range, isSigned(trace, stage, batch, range), areShares(trace, stage));
}

ColorScale scaleForBoth(const TwoStages& stages, int batch, const ColorChoice& choice) {
    const ValueRange own = rangeOf(stages.a_trace, stages.a, batch);
    const ValueRange other = rangeOf(stages.b_trace, stages.b, batch);
    ValueRange range = own;
    if (!other.empty)
        for (const double end :
             {other.low, other.high, other.smallest_positive > 0.0 ? other.smallest_positive : other.high})
            range.include(end);
    return colorScale(choice, range,
                      isSigned(stages.a_trace, stages.a, batch, own) ||
                          isSigned(stages.b_trace, stages.b, batch, other),
                      areShares(stages.a_trace, stages.a) && areShares(stages.b_trace, stages.b));
}

} // namespace attnlab::ui
