#include "core/mechanisms/shared/multi_head_family.h"

#include "core/mechanisms.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/exact.h"
#include "core/stages/gradients.h"

#include <algorithm>

namespace attnlab {
namespace {

bool on(const ParameterValues& parameters, std::string_view name) {
    return parameters.find(name) && parameters.boolean(name);
}

/// (B,H,S,E) with one more key: `row` (H*E) for every batch, or zeros.
Tensor with_key(const Tensor& keys, const Tensor* row, const RunControl& control) {
    const auto B = keys.dim(0), H = keys.dim(1), S = keys.dim(2), E = keys.dim(3);
    control.require_memory("key", {B, H, S + 1, E}, 1.0);
    Tensor longer({B, H, S + 1, E});
    const auto out = longer.mutable_values();
    for (std::int64_t head = 0; head < B * H; ++head) {
        const auto there =
            keys.values().subspan(static_cast<std::size_t>(head * S * E), static_cast<std::size_t>(S * E));
        const auto to =
            out.subspan(static_cast<std::size_t>(head * (S + 1) * E), static_cast<std::size_t>((S + 1) * E));
        std::copy(there.begin(), there.end(), to.begin());
        if (row)
            std::copy_n(row->data() + head % H * E, E, to.begin() + S * E);
    }
    return longer;
}

void append_keys(ExactInputs& exact, const TensorMap& tensors, const ParameterValues& parameters,
                 const RunControl& control) {
    if (const Tensor* bias_k = find_tensor(tensors, "bias_k")) {
        exact.key = with_key(exact.key, bias_k, control);
        exact.value = with_key(exact.value, find_tensor(tensors, "bias_v"), control);
        ++exact.appended_keys;
    }
    if (on(parameters, "add_zero_attn")) {
        exact.key = with_key(exact.key, nullptr, control);
        exact.value = with_key(exact.value, nullptr, control);
        ++exact.appended_keys;
    }
}

/// (B,L,Do)
Shape output_shape(const ResolvedProblem& problem) {
    const auto& x = problem.tensors.find("x")->second;
    const Tensor* w_o = find_tensor(problem.tensors, "w_o");
    const auto heads = problem.spec.parameters.integer("num_heads");
    const auto size = [&](const char* name) { return problem.sizes.find(name)->second; };
    const auto batches = batched(x).dim(0);
    return {batches, size("L"), w_o ? w_o->dim(1) : heads * size("Ev")};
}

/// The gradient of the heads' outputs (B,H,L,Ev), from that of the output: back through W_o and the concatenation.
Tensor head_gradient(const ResolvedProblem& problem, const RunControl& control) {
    const Tensor* given = find_tensor(problem.tensors, "grad_output");
    auto rows = given ? batched(*given) : Tensor(output_shape(problem), 1.0);
    if (const Tensor* w_o = find_tensor(problem.tensors, "w_o"))
        rows = project(rows, transposed(*w_o), nullptr, control);
    return split_heads(rows, problem.spec.parameters.integer("num_heads"));
}

/// Removes stages that the caller switched off.
void drop_unwanted(Trace& trace, const ParameterValues& parameters) {
    const bool need = !parameters.find("need_weights") || parameters.boolean("need_weights");
    const bool average = !parameters.find("average_attn_weights") || parameters.boolean("average_attn_weights");
    std::erase_if(trace.stages, [&](const Stage& stage) {
        const bool mean = stage.name == "weights_mean";
        return (!need && (mean || stage.name == "weights" || stage.name == "weights_dropped")) || (!average && mean);
    });
}

/// Puts the transpose of rows [first, first + count) of a torch (out, in) weight under `name`.
void put_transposed(TensorMap& tensors, const std::string& name, const Tensor& weight, std::int64_t first,
                    std::int64_t count) {
    const auto width = weight.dim(1);
    const Tensor rows({count, width},
                      std::vector<double>(weight.data() + first * width, weight.data() + (first + count) * width));
    tensors.insert_or_assign(name, transposed(rows));
}

Tensor taken(TensorMap& tensors, const char* name, int rank, std::initializer_list<const char*> replaced) {
    auto node = tensors.extract(tensors.find(name));
    const Tensor& tensor = node.mapped();
    if (tensor.rank() != rank)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 axes, as torch.nn.MultiheadAttention saves it"),
                     {name, to_string(tensor.shape()), std::to_string(rank)}});
    for (const char* ours : replaced)
        if (tensors.contains(ours))
            throw Error({ATTNLAB_TEXT("%1: is given together with %2, expected one of the two"), {name, ours}});
    return tensor;
}

std::int64_t third(const Tensor& tensor, const char* name) {
    if (tensor.dim(0) % 3 != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected a first size that 3 divides (query, key, value)"),
                     {name, to_string(tensor.shape())}});
    return tensor.dim(0) / 3;
}

} // namespace

DotProductForm multi_head_form(const ResolvedProblem& problem, std::int64_t key_value_heads) {
    const auto& tensors = problem.tensors;
    const auto& parameters = problem.spec.parameters;
    const auto heads = parameters.integer("num_heads");
    const auto optional = [&](const char* name) {
        const Tensor* tensor = find_tensor(tensors, name);
        return tensor ? std::optional(*tensor) : std::nullopt;
    };
    const auto& x = tensors.at("x");
    const Tensor* context = find_tensor(tensors, "context");
    const auto& keys = context ? *context : x;
    const Tensor* value_context = find_tensor(tensors, "value_context");
    const auto& values = value_context ? *value_context : keys;
    const auto& w_k = tensors.at("w_k");
    const auto& w_v = tensors.at("w_v");

    DotProductForm form{.spec = problem.spec,
                        .query = {x, tensors.at("w_q"), optional("b_q"), heads},
                        .key = {keys, w_k, optional("b_k"), key_value_heads},
                        .value = {values, w_v, optional("b_v"), key_value_heads}};
    form.appends_keys = find_tensor(tensors, "bias_k") || on(parameters, "add_zero_attn");
    form.concatenates = true;
    form.output_weight = optional("w_o");
    form.output_bias = optional("b_o");
    if (key_value_heads != heads)
        form.notes.push_back(
            cache_note(heads, w_k.dim(1) + w_v.dim(1), heads * ((w_k.dim(1) + w_v.dim(1)) / key_value_heads)));
    return form;
}

Note cache_note(std::int64_t heads, std::int64_t numbers, std::int64_t of_all_heads) {
    return {Note::Severity::Info,
            {ATTNLAB_TEXT("Key/value cache: %1 numbers a token; with a key head for each of the %2 query "
                          "heads it would be %3"),
             {std::to_string(numbers), std::to_string(heads), std::to_string(of_all_heads)}}};
}

void check_multi_head_gradient(const ResolvedProblem& problem) {
    const Tensor* given = find_tensor(problem.tensors, "grad_output");
    if (!given)
        return;
    const auto expected = output_shape(problem);
    if (batched(*given).shape() != expected)
        throw Error({ATTNLAB_TEXT("grad_output: has shape %1, expected that of the output, %2"),
                     {to_string(given->shape()), to_string(expected)}});
}

Trace run_multi_head(const ResolvedProblem& problem, std::int64_t key_value_heads, const RunControl& control) {
    const auto& parameters = problem.spec.parameters;
    const auto form = multi_head_form(problem, key_value_heads);
    ExactInputs exact;
    exact.query = made(form.query, control);
    exact.key = made(form.key, control);
    exact.value = made(form.value, control);
    append_keys(exact, problem.tensors, parameters, control);
    if (wants_gradients(parameters))
        exact.grad_output = head_gradient(problem, control);
    exact.output_name = "head_output";
    exact.always_mean = true;
    auto trace = exact_attention(problem, exact, dot_product(), control);
    const auto heads = std::ranges::find(trace.stages, std::string("head_output"), &Stage::name);
    auto output = concatenated(form, heads->value, control);
    trace.stages.insert(std::next(heads), std::move(output));
    trace.notes.insert(trace.notes.end(), form.notes.begin(), form.notes.end());
    drop_unwanted(trace, parameters);
    return trace;
}

void adopt_torch_multi_head(TensorMap& tensors) {
    if (tensors.contains("in_proj_weight")) {
        const auto weight = taken(tensors, "in_proj_weight", 2, {"w_q", "w_k", "w_v"});
        const auto rows = third(weight, "in_proj_weight");
        put_transposed(tensors, "w_q", weight, 0, rows);
        put_transposed(tensors, "w_k", weight, rows, rows);
        put_transposed(tensors, "w_v", weight, 2 * rows, rows);
    }
    for (const auto& [torch, ours] : {std::pair{"q_proj_weight", "w_q"},
                                      {"k_proj_weight", "w_k"},
                                      {"v_proj_weight", "w_v"},
                                      {"out_proj.weight", "w_o"}}) {
        if (!tensors.contains(torch))
            continue;
        const auto weight = taken(tensors, torch, 2, {ours});
        put_transposed(tensors, ours, weight, 0, weight.dim(0));
    }
    if (tensors.contains("in_proj_bias")) {
        const auto bias = taken(tensors, "in_proj_bias", 1, {"b_q", "b_k", "b_v"});
        const auto rows = third(bias, "in_proj_bias");
        std::int64_t first = 0;
        for (const auto* ours : {"b_q", "b_k", "b_v"}) {
            tensors.emplace(ours, Tensor({rows}, {bias.data() + first, bias.data() + first + rows}));
            first += rows;
        }
    }
    if (tensors.contains("out_proj.bias"))
        tensors.emplace("b_o", taken(tensors, "out_proj.bias", 1, {"b_o"}));
}

} // namespace attnlab
