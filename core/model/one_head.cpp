#include "core/model/one_head.h"

#include "core/backend.h"
#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"
#include "core/stages/sliding_window.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <span>

namespace attnlab::model {
namespace {

constexpr std::int64_t rows_at_once = 32;
constexpr const char* sink_label = "sink";

/// Some of the heads of a pass.
struct Heads {
    std::int64_t first = 0, count = 1;
    bool is_all = false;

    /// (rows, columns) of one head, (1, heads, rows, columns) of all.
    Shape shape(std::int64_t heads, std::int64_t rows, std::int64_t columns) const {
        return is_all ? Shape{1, heads, rows, columns} : Shape{rows, columns};
    }
};

/// Of (heads, rows, width), with rows of zeros behind each head.
Tensor rows_of(const Floats& numbers, const Heads& heads, std::int64_t rows, std::int64_t width, std::int64_t more_rows,
               double factor) {
    Tensor tensor(heads.shape(heads.count, rows + more_rows, width), 0.0, DType::Float32);
    const auto values = tensor.mutable_values();
    for (std::int64_t head = 0; head < heads.count; ++head) {
        const float* from = numbers.data() + (heads.first + head) * rows * width;
        const auto to = values.begin() + head * (rows + more_rows) * width;
        std::transform(from, from + rows * width, to, [factor](float number) { return factor * number; });
    }
    return tensor;
}

/// 1 where a query may not read a key, with a column more for a sink.
Tensor blocked_cells_of(const Pass& pass, std::int64_t head, std::int64_t columns) {
    Tensor blocked({pass.queries, columns}, 1.0, DType::Bool);
    const auto values = blocked.mutable_values();
    for (std::int64_t row = 0; row < pass.queries; ++row) {
        const auto cells = values.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
        pass.blocked(head, row, cells.first(static_cast<std::size_t>(pass.keys)));
        std::fill(cells.begin() + pass.keys, cells.end(), 0.0);
    }
    return blocked;
}

Tensor bias_of(const Pass& pass, const Heads& heads, std::int64_t columns) {
    Tensor bias(heads.shape(heads.count, pass.queries, columns), 0.0, DType::Float32);
    const auto values = bias.mutable_values();
    const std::int64_t distances = pass.queries + pass.keys - 1;
    std::vector<float> cells(static_cast<std::size_t>(pass.added.empty() ? 0 : pass.keys));
    for (std::int64_t head = 0; head < heads.count; ++head)
        for (std::int64_t i = 0; i < pass.queries; ++i) {
            const auto at = values.begin() + (head * pass.queries + i) * columns;
            if (pass.by_distance) {
                const float* first = pass.by_distance->data() + (heads.first + head) * distances + pass.queries - 1 - i;
                std::copy(first, first + pass.keys, at);
            }
            if (!pass.added.empty()) {
                pass.added.read(heads.first + head, i, cells);
                std::transform(cells.begin(), cells.end(), at, at, std::plus<>());
            }
            if (!pass.sinks.empty())
                at[pass.keys] = static_cast<double>(pass.sinks[static_cast<std::size_t>(heads.first + head)]);
        }
    return bias;
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

Selection selected(const char* id, const char* name, double value) {
    Selection selection{id, {}};
    selection.parameters.set(name, value);
    return selection;
}

AttentionProblem problem_with(const Pass& pass, const Heads& heads, const Heads& key_heads, const PassTokens& tokens,
                              std::int64_t memory_limit) {
    const std::int64_t columns = pass.keys + (pass.sinks.empty() ? 0 : 1);
    const bool has_bias = pass.by_distance || !pass.added.empty() || !pass.sinks.empty();
    const bool has_mask = pass.blocks_anything() &&
                          (!pass.causal || pass.reads_both_ways() || columns > pass.keys || pass.queries != pass.keys);
    RunControl{.memory_limit = memory_limit}.require_memory("attn_bias", {heads.count, pass.queries, columns},
                                                            1.0 + has_bias + has_mask);
    AttentionProblem problem;
    problem.spec.variant = "scaled_dot_product";
    const double usual = 1.0 / std::sqrt(static_cast<double>(pass.width));
    double factor = 1.0;
    if (pass.soft_cap > 0.0) {
        problem.spec.scale = selected("softcap", "c", pass.soft_cap);
        factor = is_near(pass.scale, usual) ? 1.0 : pass.scale / usual;
    } else if (is_near(pass.scale, usual)) {
        problem.spec.scale = {"sqrt_dk", {}};
    } else if (is_near(pass.scale, 1.0)) {
        problem.spec.scale = {"none", {}};
    } else {
        problem.spec.scale = selected("custom", "c", pass.scale);
    }
    problem.tensors["query"] = rows_of(pass.query, heads, pass.queries, pass.width, 0, factor);
    problem.tensors["key"] = rows_of(pass.key, key_heads, pass.keys, pass.width, columns - pass.keys, 1.0);
    problem.tensors["value"] =
        rows_of(pass.value, key_heads, pass.keys, pass.width_of_values(), columns - pass.keys, 1.0);
    if (has_mask) {
        problem.tensors["attn_mask"] = blocked_cells_of(pass, heads.first, columns);
        problem.spec.masks.push_back({"attn_mask", {}});
        problem.spec.mask_true = MaskTrue::Blocks;
    } else if (pass.causal && pass.window > 0) {
        problem.spec.masks = sliding_window(pass.window);
    } else if (pass.causal) {
        problem.spec.masks.push_back({"causal", {}});
    }
    if (has_bias) {
        problem.tensors["attn_bias"] = bias_of(pass, heads, columns);
        problem.spec.masks.push_back({"attn_bias", {}});
    }
    problem.query_tokens = tokens.queries;
    if (columns > pass.keys || !tokens.keys_are_queries)
        problem.key_tokens = tokens.keys;
    if (columns > pass.keys && !problem.key_tokens.empty())
        problem.key_tokens.push_back(sink_label);
    return problem;
}

std::string label_of(const Model& model, std::int64_t id, const RunControl& control) {
    if (model.tokenizer()) {
        if (auto shown = model.tokenizer()->decode({id}, control); !shown.empty())
            return shown;
        if (auto spelled = model.tokenizer()->text_of(id))
            return *spelled;
    }
    return std::to_string(id);
}

/// The largest weight of each `step` keys, where it is larger than what `cells` has.
void pool(const float* weights, std::int64_t keys, std::int64_t step, double* cells) {
    for (std::int64_t first = 0; first < keys; first += step)
        cells[first / step] = std::max(
            cells[first / step], double{*std::max_element(weights + first, weights + std::min(first + step, keys))});
}

} // namespace

std::vector<std::string> labels_of(const Model& model, const std::vector<std::int64_t>& ids,
                                   const RunControl& control) {
    std::vector<std::string> labels;
    labels.reserve(ids.size());
    for (const auto id : ids)
        labels.push_back(label_of(model, id, control));
    return labels;
}

Trace trace_of(const Pass& pass, std::int64_t head, const PassTokens& tokens) {
    Trace trace;
    trace.query_tokens = tokens.queries;
    trace.key_tokens = tokens.keys;
    trace.passes[""].keys_are_queries = tokens.keys_are_queries;
    const auto weights = pass.weights(head);
    Tensor numbers({1, 1, pass.queries, pass.keys}, 0.0, DType::Float32);
    std::copy(weights.begin(), weights.end(), numbers.mutable_values().begin());
    if (pass.blocks_anything()) {
        Stage blocked;
        blocked.name = "blocked";
        const auto cells = blocked_cells_of(pass, head, pass.keys);
        blocked.value = Tensor({1, 1, pass.queries, pass.keys},
                               std::vector<double>(cells.values().begin(), cells.values().end()), DType::Bool);
        blocked.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
        blocked.role = StageRole::Mask;
        trace.stages.push_back(std::move(blocked));
    }
    Stage stage;
    stage.name = "weights";
    stage.value = std::move(numbers);
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    trace.stages.push_back(std::move(stage));
    return trace;
}

Tensor values_of(const Pass& pass, std::int64_t head) {
    if (pass.value.empty())
        return {};
    const auto width = pass.width_of_values(), first = pass.key_head(head) * pass.keys * width;
    Tensor values({1, 1, pass.keys, width}, 0.0, DType::Float32);
    std::copy_n(pass.value.begin() + first, pass.keys * width, values.mutable_values().begin());
    return values;
}

Tensor pooled_weights(const Pass& pass, std::int64_t head, std::int64_t step, const RunControl& control) {
    const auto columns = (pass.keys + step - 1) / step;
    Tensor pooled({(pass.queries + step - 1) / step, columns});
    const auto values = pooled.mutable_values();
    // Rows of the same cells are one thread's.
    const auto at_once = (rows_at_once + step - 1) / step * step;
    const auto blocks = (pass.queries + at_once - 1) / at_once;
    const int threads = flash::thread_count();
    std::vector<std::vector<float>> held(static_cast<std::size_t>(threads));
    std::atomic<std::int64_t> done{0};
    flash::parallel_for(threads, blocks, [&](int worker, std::int64_t block) {
        auto& rows = held[static_cast<std::size_t>(worker)];
        const auto last = std::min((block + 1) * at_once, pass.queries);
        for (auto first = block * at_once; first < last; first += rows_at_once) {
            control.checkpoint();
            const auto count = std::min(rows_at_once, last - first);
            rows.resize(static_cast<std::size_t>(count * pass.keys));
            pass.weights(head, first, count, rows);
            for (std::int64_t row = 0; row < count; ++row)
                pool(rows.data() + row * pass.keys, pass.keys, step, values.data() + (first + row) / step * columns);
        }
        ++done;
        if (worker == 0)
            control.report(static_cast<double>(done) / static_cast<double>(blocks));
    });
    return pooled;
}

AttentionProblem problem_of(const Pass& pass, std::int64_t head, const PassTokens& tokens, std::int64_t memory_limit) {
    return problem_with(pass, {head, 1, false}, {pass.key_head(head), 1, false}, tokens, memory_limit);
}

AttentionProblem problem_of(const Pass& pass, const PassTokens& tokens, std::int64_t memory_limit) {
    return problem_with(pass, {0, pass.heads, true}, {0, pass.key_value_heads, true}, tokens, memory_limit);
}

namespace {

/// `count` heads of (B,H,rows,width), from `first` on.
Floats heads_in(const Tensor& tensor, std::int64_t batch, std::int64_t first, std::int64_t count) {
    const auto numbers = tensor.dim(2) * tensor.dim(3);
    Floats read(static_cast<std::size_t>(count * numbers));
    tensor.read((batch * tensor.dim(1) + first) * numbers, read);
    return read;
}

/// Heads of one sequence: of (B,H,...) as (1,count,...), of (H) as (count).
Tensor part_of(const Tensor& tensor, std::int64_t batch, std::int64_t first, std::int64_t count) {
    auto shape = tensor.shape();
    const bool of_heads = shape.size() == 1;
    const auto heads = of_heads ? shape[0] : shape[1];
    if (!of_heads)
        shape[0] = 1;
    shape[of_heads ? 0 : 1] = count;
    std::int64_t each = 1;
    for (std::size_t axis = of_heads ? 1 : 2; axis < shape.size(); ++axis)
        each *= shape[axis];
    Tensor part(shape);
    tensor.read(((of_heads ? 0 : batch * heads) + first) * each, part.mutable_values());
    return part;
}

/// (1,count,L,L): the matrix that the carried state of heads equals.
Tensor matrix_of(const Capture& capture, const CapturedPass& captured, std::int64_t batch, std::int64_t first,
                 std::int64_t count) {
    auto problem = problem_of(capture, captured);
    const auto group = captured.heads / captured.key_value_heads;
    const auto shared_first = first / group, shared_count = std::max<std::int64_t>(1, count / group);
    for (auto& [name, tensor] : problem.tensors)
        tensor = name == "key" || name == "value" ? part_of(tensor, batch, shared_first, shared_count)
                                                  : part_of(tensor, batch, first, count);
    if (!problem.tensors.contains("value")) // the matrix does not depend on it
        problem.tensors.emplace("value", Tensor({1, shared_count, problem.tensors.at("key").dim(2), 1}));
    problem.query_tokens.clear();
    problem.key_tokens.clear();
    return reference_backend().run(problem, {}).find("weights")->value;
}

std::vector<std::string> sequence_labels(const Capture& capture, const std::string& name, std::int64_t batch) {
    const auto found = capture.tokens.find(name);
    if (found == capture.tokens.end())
        return {};
    const auto& lists = found->second;
    return lists.size() == 1 ? lists.front() : lists[static_cast<std::size_t>(batch)];
}

} // namespace

CapturedSize size_of(const Capture& capture, const CapturedPass& pass) {
    if (const auto* query = capture.tensor(pass.array("query")))
        return {query->dim(0), query->dim(2), capture.tensor(pass.array("key"))->dim(2)};
    const auto& weights = *capture.tensor(pass.array("weights"));
    return {weights.dim(0), weights.dim(2), weights.dim(3)};
}

Pass pass_of(const Capture& capture, const CapturedPass& captured, std::int64_t batch,
             std::optional<std::int64_t> head) {
    const auto size = size_of(capture, captured);
    const auto first = head.value_or(0), count = head ? 1 : captured.heads;
    const auto cells_of = [&](const std::string& name) {
        const Tensor* tensor = name.empty() ? nullptr : capture.tensor(name);
        return tensor ? PassCells{*tensor, batch, first} : PassCells{};
    };
    Pass pass;
    pass.name = captured.name;
    pass.heads = count;
    pass.queries = size.queries;
    pass.keys = size.keys;
    const Tensor* query = capture.tensor(captured.array("query"));
    if (!query) {
        pass.given = cells_of(captured.array("weights"));
        return pass;
    }
    if (!captured.mechanism.empty()) {
        pass.given = {matrix_of(capture, captured, batch, first, count), 0, 0};
        pass.causal = true;
        return pass;
    }
    const Tensor& key = *capture.tensor(captured.array("key"));
    pass.key_value_heads = head ? 1 : captured.key_value_heads;
    pass.width = query->dim(3);
    pass.query = heads_in(*query, batch, first, count);
    pass.key = heads_in(key, batch, first / (captured.heads / captured.key_value_heads), pass.key_value_heads);
    pass.scale = captured.scale;
    pass.soft_cap = captured.soft_cap;
    pass.causal = captured.causal;
    pass.offset = captured.offset;
    pass.window = captured.window;
    if (const Tensor* sinks = capture.tensor(captured.array("sinks"))) {
        pass.sinks.resize(static_cast<std::size_t>(count));
        sinks->read(first, pass.sinks);
    }
    pass.kept = cells_of(captured.mask);
    pass.added = cells_of(captured.bias);
    return pass;
}

PassTokens tokens_of(const Capture& capture, const CapturedPass& pass, std::int64_t batch) {
    return {sequence_labels(capture, pass.query_tokens, batch), sequence_labels(capture, pass.key_tokens, batch),
            !pass.query_tokens.empty() && pass.query_tokens == pass.key_tokens && pass.offset == 0};
}

} // namespace attnlab::model
