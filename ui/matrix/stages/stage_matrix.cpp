#include "ui/matrix/stages/stage_matrix.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/similarity.h"
#include "ui/document/view_state.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace attnlab::ui {
namespace {

std::int64_t sizeAlong(const Stage& stage, Axis axis) {
    const auto found = std::find(stage.axes.begin(), stage.axes.end(), axis);
    return found == stage.axes.end() ? 0 : stage.value.dim(static_cast<int>(found - stage.axes.begin()));
}

QStringList labelsOf(const Trace& trace, const Stage& stage, Axis axis) {
    if (axis != Axis::Query && axis != Axis::Key)
        return {};
    const auto& queries = stage.tokens ? stage.tokens->query : trace.query_tokens;
    const auto& keys = stage.tokens ? stage.tokens->key : trace.key_tokens;
    QStringList labels;
    for (const auto& token : axis == Axis::Query ? queries : keys)
        labels << QString::fromStdString(token);
    return labels;
}

/// Element-wise fold over the heads of one batch: (B,H,rows,columns) -> (rows,columns).
template <class Fold>
Tensor overHeads(const Tensor& values, std::int64_t batch, std::int64_t heads, double start, Fold fold) {
    const auto first = matrix_at(values, batch * heads);
    Tensor result({first.rows, first.columns}, start);
    auto out = result.mutable_values();
    for (std::int64_t head = 0; head < heads; ++head) {
        const auto matrix = matrix_at(values, batch * heads + head);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = fold(out[i], matrix.data[i]);
    }
    return result;
}

/// Shares the storage of the stage: a map of a long sequence is not copied for a single cell.
void setBlocked(MatrixData& data, const Trace& trace, const Stage& stage, std::int64_t batch, int head) {
    const Stage* blocked = trace.beside(stage, "blocked");
    if (!blocked || blocked->value.rank() != 4)
        return;
    const auto heads = blocked->value.dim(1);
    const auto view = data.view();
    if (batch >= blocked->value.dim(0) || head >= heads || blocked->value.dim(2) != view.rows ||
        blocked->value.dim(3) != view.columns)
        return;
    if (head == ViewState::mean_of_heads) {
        data.blocked = overHeads(blocked->value, batch, heads, 1.0, [](double all, double one) { return all * one; });
    } else {
        data.blocked = blocked->value;
        data.blocked_leading = batch * heads + head;
    }
}

bool hasTiles(const Stage& stage) {
    return stage.axes.size() >= 4 && stage.axes.size() == static_cast<std::size_t>(stage.value.rank()) &&
           (stage.axes.front() == Axis::Tile || stage.axes.front() == Axis::Hash) && stage.axes[1] == Axis::Batch &&
           stage.axes[2] == Axis::Head;
}

/// Tiles (or hashing rounds) precede batch and head. One number a row, (tiles,B,H,L), becomes rows x tiles; of whole
/// matrices, (tiles,B,H,L,Ev), the last one is shown, which is the final result.
Stage withoutTiles(const Stage& stage) {
    const auto& shape = stage.value.shape();
    const auto tiles = shape[0], matrices = shape[1] * shape[2];
    const auto size = static_cast<std::size_t>(stage.value.size() / tiles);
    const auto values = stage.value.values();
    Stage flat = stage;
    flat.axes.erase(flat.axes.begin());
    Shape rest(shape.begin() + 1, shape.end());
    if (shape.size() > 4) {
        const auto last = values.last(size);
        flat.value = Tensor(rest, std::vector<double>(last.begin(), last.end()));
        return flat;
    }
    rest.push_back(tiles);
    flat.axes.push_back(stage.axes.front());
    flat.value = Tensor(rest);
    auto out = flat.value.mutable_values();
    const auto rows = static_cast<std::size_t>(matrices * shape[3]);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::int64_t tile = 0; tile < tiles; ++tile)
            out[row * static_cast<std::size_t>(tiles) + static_cast<std::size_t>(tile)] =
                values[static_cast<std::size_t>(tile) * rows + row];
    return flat;
}

Axis rowAxisOf(const Stage& stage) {
    if (hasOneNumberARow(stage))
        return stage.axes.back();
    return stage.axes.size() > 1 ? stage.axes[stage.axes.size() - 2] : Axis::Feature;
}

} // namespace

std::string_view shortNameOf(const Stage& stage) {
    return std::string_view(stage.name).substr(prefix_of(stage.name).size());
}

const Stage* stageToShow(const Trace& trace, std::string_view chosen) {
    if (const Stage* stage = trace.find(chosen))
        return stage;
    if (const Stage* weights = trace.find("weights"))
        return weights;
    if (!trace.layers.empty())
        return trace.find(trace.layers.front());
    const auto last = std::find_if(trace.stages.rbegin(), trace.stages.rend(),
                                   [](const Stage& stage) { return stage.role == StageRole::Step; });
    return last == trace.stages.rend() ? nullptr : &*last;
}

TraceSize sizeOf(const Trace& trace) {
    TraceSize size;
    for (const auto& stage : trace.stages) {
        size.batches = std::max(size.batches, static_cast<int>(sizeAlong(stage, Axis::Batch)));
        size.heads = std::max(size.heads, static_cast<int>(sizeAlong(stage, Axis::Head)));
    }
    return size;
}

std::optional<MatrixData> numbersOf(const Trace& trace, const Stage& stage, int batch, int head) {
    if (stage.axes.empty() || stage.value.size() == 0)
        return std::nullopt;
    if (hasTiles(stage))
        return numbersOf(trace, withoutTiles(stage), batch, head);
    const auto batches = std::max<std::int64_t>(1, sizeAlong(stage, Axis::Batch));
    const auto heads = sizeAlong(stage, Axis::Head);
    const auto all_heads = sizeOf(trace).heads;
    if (batch < 0 || batch >= batches || head >= all_heads)
        return std::nullopt;

    MatrixData data;
    if (hasOneNumberARow(stage)) {
        auto shape = stage.value.shape();
        shape.push_back(1);
        data.values = stage.value.reshaped(shape);
    } else {
        data.values = stage.value;
    }
    if (heads == 0) {
        data.leading = batch;
    } else if (head == ViewState::mean_of_heads) {
        const auto count = static_cast<double>(heads);
        data.values =
            overHeads(data.values, batch, heads, 0.0, [count](double sum, double one) { return sum + one / count; });
    } else {
        data.leading = batch * heads + head * heads / all_heads;
    }
    if (rowAxisOf(stage) == Axis::Query && stage.axes.back() == Axis::Key && !precedesMask(trace, stage))
        setBlocked(data, trace, stage, batch, head);
    data.shows_leaks = showsLeaks(stage);
    return data;
}

std::optional<MatrixData> sliceOf(const Trace& trace, const Stage& stage, int batch, int head) {
    if (hasTiles(stage) && stage.value.size() > 0)
        return sliceOf(trace, withoutTiles(stage), batch, head);
    auto data = numbersOf(trace, stage, batch, head);
    if (!data)
        return std::nullopt;
    const Axis row_axis = rowAxisOf(stage);
    data->row_labels = labelsOf(trace, stage, row_axis);
    data->row_title = translated(title_of(row_axis));
    if (!hasOneNumberARow(stage)) {
        data->column_labels = labelsOf(trace, stage, stage.axes.back());
        data->column_title = translated(title_of(stage.axes.back()));
    }
    return data;
}

bool precedesMask(const Trace& trace, const Stage& stage) {
    const Stage* blocked = trace.beside(stage, "blocked");
    for (const auto& other : trace.stages) {
        if (&other == blocked)
            return false;
        if (other.name == stage.name)
            return true;
    }
    return false;
}

bool showsLeaks(const Stage& stage) {
    const auto name = shortNameOf(stage);
    return stage.role == StageRole::Exact || name.starts_with("weights") || name.starts_with("grad_");
}

bool hasOneNumberARow(const Stage& stage) {
    if (stage.axes.empty() || endsWithAxes(stage, Axis::Query, Axis::Query))
        return false;
    const Axis last = stage.axes.back();
    return last == Axis::Batch || last == Axis::Head || last == Axis::Query;
}

bool hasAxis(const Stage& stage, Axis axis) {
    return std::find(stage.axes.begin(), stage.axes.end(), axis) != stage.axes.end();
}

bool holdsWeights(const Stage& stage) {
    return endsWithAxes(stage, Axis::Query, Axis::Key) && stage.name.find("weights") != std::string::npos &&
           !stage.name.starts_with("grad");
}

bool endsWithAxes(const Stage& stage, Axis rows, Axis columns) {
    const auto count = stage.axes.size();
    return count >= 2 && stage.axes[count - 2] == rows && stage.axes[count - 1] == columns;
}

int headWithin(const Trace& trace, int head) { return std::min(head, sizeOf(trace).heads - 1); }

const Stage* headMapStage(const Trace& trace, const QString& chosen) {
    const auto maps = [](const Stage* stage) {
        return stage && stage->role != StageRole::Mask && hasAxis(*stage, Axis::Head) &&
               endsWithAxes(*stage, Axis::Query, Axis::Key);
    };
    const Stage* stage = trace.find(chosen.toStdString());
    if (maps(stage))
        return stage;
    const Stage* weights = weightsBeside(trace, stage);
    return weights && hasAxis(*weights, Axis::Head) && weights->value.rank() == 4 ? weights : nullptr;
}

const Stage* weightsBeside(const Trace& trace, const Stage* stage) {
    const Stage* weights = stage ? trace.beside(*stage, "weights") : nullptr;
    if (!weights)
        weights = trace.find("weights");
    return !weights && !trace.layers.empty() ? trace.find(trace.layers.front()) : weights;
}

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

bool isDifference(const Stage& stage) { return stage.role == StageRole::Exact && stage.name.ends_with("difference"); }

/// Signed numbers suit a diverging map, weights and probabilities a sequential one; the same for every batch. Ignores
/// the fill of blocked cells. `known` is the range of `batch`.
bool isSigned(const Trace& trace, const Stage& stage, int batch, const ValueRange& known) {
    // Even if it is all zeros: white then represents zero too.
    if (isDifference(stage))
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

namespace {

/// The numbers of a batch, and which of them count: not those of blocked cells that nothing reads.
struct CountedCells {
    CountedCells(const Trace& trace, const Stage& stage, int batch) : values(batchOf(stage, batch)) {
        const bool masked = isMap(stage) && stage.role != StageRole::Mask && !precedesMask(trace, stage);
        const Stage* mask = masked ? trace.beside(stage, "blocked") : nullptr;
        if (const auto of_mask = mask ? batchOf(*mask, batch) : std::span<const double>();
            of_mask.size() == values.size())
            blocked = of_mask;
        leaks = showsLeaks(stage);
    }

    bool counts(std::size_t i) const {
        return blocked.empty() || blocked[i] == 0.0 || (leaks && std::abs(values[i]) > 0.0);
    }

    std::span<const double> values, blocked;
    bool leaks = false;
};

/// `range` is that of the batch.
bool linearHidesIn(const Trace& trace, const Stage& stage, int batch, const ValueRange& range) {
    if (!areShares(trace, stage) || range.empty || range.low < 0.0 || isDifference(stage))
        return false;
    const auto columns = stage.value.dim(-1), cells = stage.value.dim(-2) * columns;
    if (cells < least_hidden_cells)
        return false;
    const CountedCells counted(trace, stage, batch);
    const std::size_t step = sampleStep(counted.values.size(), columns);
    std::vector<double> sample;
    sample.reserve(counted.values.size() / step + 1);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < counted.values.size(); i += step, ++tried)
        if (counted.counts(i) && std::isfinite(counted.values[i]))
            sample.push_back(counted.values[i]);
    if (sample.empty())
        return false;
    const double counts = static_cast<double>(sample.size()) / static_cast<double>(tried);
    return linearHidesWeights(std::move(sample), std::sqrt(counts * static_cast<double>(cells)), range.high);
}

ColorScale withColorsOf(bool linear_hides, const ColorChoice& choice, const ValueRange& range, bool is_signed,
                        bool shares) {
    // A range of the user is for the colours that it was chosen in.
    ColorScale scale = colorScale(choiceFor(linear_hides && !choice.locked, choice), range, is_signed, shares);
    scale.linear_hides = linear_hides;
    return scale;
}

} // namespace

ValueRange rangeOf(const Trace& trace, const Stage& stage, int batch) {
    const CountedCells cells(trace, stage, batch);
    ValueRange range;
    if (cells.blocked.empty()) {
        range.include(cells.values);
        return range;
    }
    const std::size_t size = cells.values.size();
    for (std::size_t begin = 0, end = 0; begin < size; begin = end) { // by runs of cells that count
        for (end = begin + 1; end < size && cells.counts(end) == cells.counts(begin); ++end)
            ;
        if (cells.counts(begin))
            range.include(cells.values.subspan(begin, end - begin));
    }
    return range;
}

bool linearHides(const Trace& trace, const Stage& stage, int batch) {
    return linearHidesIn(trace, stage, batch, rangeOf(trace, stage, batch));
}

namespace {

/// Weights more than a tenth above a scale, where a mask or a sharper softmax moves them, would all be of one colour. A
/// scale that takes them in moves the others little: weights end at 1. Scores have no end, and a scale that followed
/// them would hide that they grow.
bool outgrows(const ValueRange& weights, const ColorScale& scale) {
    constexpr double least = 1.1;
    return !weights.empty && weights.high > least * scale.high;
}

} // namespace

ColorScale scaleFor(const Trace& trace, const Stage& stage, int batch, const ColorChoice& choice) {
    const auto range = rangeOf(trace, stage, batch);
    return colorScale(choice, range, isSigned(trace, stage, batch, range), areShares(trace, stage));
}

ColorScale shownScale(const Trace& trace, const Stage& stage, int batch, const ViewState& view) {
    ColorChoice choice = view.colors();
    if (view.stage().toStdString() != stage.name)
        choice.locked = false;
    const ValueRange now = rangeOf(trace, stage, batch);
    const bool shares = areShares(trace, stage);
    ColorScale fitted =
        withColorsOf(linearHidesIn(trace, stage, batch, now), choice, now, isSigned(trace, stage, batch, now), shares);
    const HeldRange* held = choice.locked ? nullptr : view.held().a.find(stage.name, batch);
    if (!held)
        return fitted;
    const auto held_scale = [&](const ValueRange& range) {
        return withColorsOf(held->linear_hides, choice, range, held->is_signed, shares);
    };
    // A range that holds none of the present numbers would show one colour: it also takes them in.
    ValueRange range = held->range;
    ColorScale scale = held_scale(range);
    const bool is_outside = !now.empty && (now.low >= range.high || now.high <= range.low);
    if (is_outside || (shares && outgrows(now, scale))) {
        range.include(now);
        scale = held_scale(range);
        scale.grown = true;
    }
    return heldTo(scale, fitted);
}

ColorScale scaleForBoth(const TwoStages& stages, int batch, const ColorChoice& choice, const HeldColors* held) {
    const auto own_range = [batch](const Trace& trace, const Stage& stage) {
        const ValueRange range = rangeOf(trace, stage, batch);
        return HeldRange{range, isSigned(trace, stage, batch, range), linearHidesIn(trace, stage, batch, range)};
    };
    const HeldRange a = own_range(stages.a_trace, stages.a), b = own_range(stages.b_trace, stages.b);
    const bool shares = areShares(stages.a_trace, stages.a) && areShares(stages.b_trace, stages.b);
    const auto scale_of = [&](HeldRange both, const HeldRange& other) {
        both.range.include(other.range);
        return withColorsOf(both.linear_hides || other.linear_hides, choice, both.range,
                            both.is_signed || other.is_signed, shares);
    };
    ColorScale fitted = scale_of(a, b);
    const HeldRange* held_a = held && !choice.locked ? held->a.find(stages.a.name, batch) : nullptr;
    const HeldRange* held_b = held && !choice.locked ? held->b.find(stages.b.name, batch) : nullptr;
    if (!held_a && !held_b)
        return fitted;
    ColorScale scale = scale_of(held_a ? *held_a : a, held_b ? *held_b : b);
    ValueRange now = a.range;
    now.include(b.range);
    if (shares && outgrows(now, scale)) {
        HeldRange grown = held_a ? *held_a : a;
        grown.range.include(now);
        scale = scale_of(grown, held_b ? *held_b : b);
        scale.grown = true;
    }
    return heldTo(scale, fitted);
}

bool keepsColors(const AttentionProblem& before, const AttentionSpec& setting, const AttentionProblem& next,
                 const AttentionSpec& next_setting) {
    if (setting.variant != next_setting.variant)
        return false;
    const auto chosen = [](const AttentionSpec& spec) {
        ParameterValues values = spec.parameters;
        for (const auto& added : {gradients_parameter(), similarity_parameter()}) // stages beside the others
            values.erase(added.name);
        return values;
    };
    if (chosen(setting) != chosen(next_setting))
        return false;
    const auto same = [&](std::string_view name) {
        const auto one = before.tensors.find(name), other = next.tensors.find(name);
        const bool has_one = one != before.tensors.end(), has_other = other != next.tensors.end();
        return has_one == has_other && (!has_one || one->second == other->second);
    };
    const auto reads = [](std::span<const Input> inputs, std::string_view name) {
        return std::ranges::find(inputs, name, &Input::name) != inputs.end();
    };
    const Mechanism* mechanism = lookup(mechanisms(), setting.variant);
    // Inputs of scales, masks and positions may change, and those of other mechanisms.
    const auto is_choice = [&](std::string_view name) {
        if (mechanism && reads(mechanism->inputs, name))
            return false;
        const auto any = [&](const auto& rows) {
            return std::ranges::any_of(rows, [&](const auto& row) { return reads(row.inputs, name); });
        };
        const bool adopts = mechanism && mechanism->adopt; // names that it does not declare
        return any(scale_modes()) || any(position_terms()) || any(decays()) || any(mask_kinds()) ||
               (!adopts && any(mechanisms()));
    };
    const auto all_same = [&](const TensorMap& tensors) {
        return std::ranges::all_of(tensors,
                                   [&](const auto& entry) { return is_choice(entry.first) || same(entry.first); });
    };
    return all_same(before.tensors) && all_same(next.tensors);
}

void holdRanges(HeldRanges& held, const Trace& trace, const AttentionSpec& setting) {
    const int batches = sizeOf(trace).batches;
    for (const Stage& stage : trace.stages) {
        if (held.stages.contains(stage.name))
            continue;
        HeldRanges::Stage ranges{{}, setting};
        for (int batch = 0; batch < batches; ++batch) {
            const ValueRange range = rangeOf(trace, stage, batch);
            ranges.batches.push_back({range, false, linearHidesIn(trace, stage, batch, range)});
        }
        const bool is_signed = isDifference(stage) || std::ranges::any_of(ranges.batches, [](const HeldRange& one) {
                                   return one.range.low < 0.0;
                               });
        for (HeldRange& range : ranges.batches)
            range.is_signed = is_signed;
        held.stages.emplace(stage.name, std::move(ranges));
    }
}

} // namespace attnlab::ui
