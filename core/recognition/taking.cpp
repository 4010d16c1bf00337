// Implements the part of recognition_state.h about converting arrays to inputs, and masks.
#include "core/recognition/layer_conventions.h"
#include "core/recognition/layout.h"
#include "core/recognition/mask_arrays.h"
#include "core/recognition/offset_weights.h"
#include "core/recognition/projections.h"
#include "core/recognition/recognition_state.h"
#include "core/resolved_problem.h"
#include "core/run_control.h"

#include <algorithm>

namespace attnlab {
namespace {

bool is_projection(NameForm form) {
    switch (form) {
    case NameForm::Linear:
    case NameForm::Bias:
    case NameForm::FusedLinear:
    case NameForm::FusedBias:
    case NameForm::FusedConv1D:
    case NameForm::Conv1D:
    case NameForm::ByHead:
    case NameForm::FusedByHead:
    case NameForm::FusedByHeadBias:
        return true;
    default:
        return false;
    }
}

Message renamed(const HeldArray& array, const std::string& role) {
    if (array.name == role)
        return {};
    return {ATTNLAB_TEXT("read as %1"), {role}};
}

/// The input of a layer's projections has no heads.
bool is_projected(const std::string& role, const std::string& layout_id) {
    return (role == "x" || role == "context" || role == "value_context") &&
           (layout_id.empty() || !has_heads(layout(layout_id)));
}

Tensor plus_one(const Tensor& tensor) {
    auto result = tensor;
    for (double& value : result.mutable_values())
        value += 1.0;
    return result;
}

void take_tokens(Reading& reading, const HeldArray& array, const std::string& role) {
    if (reading.choices.layout.empty()) {
        reading.put(array, role, array.tensor, renamed(array, role));
        return;
    }
    const auto& chosen = layout(reading.choices.layout);
    reading.arranged = true;
    reading.put(array, role, arranged(array.tensor, chosen, label_of(array), reading.control),
                {ATTNLAB_TEXT("read as %1 with the axes %2"), {role, axes_text(chosen)}});
}

/// The columns [first, first + count) of the last axis.
Tensor columns(const Tensor& tensor, std::int64_t first, std::int64_t count) {
    auto shape = tensor.shape();
    const auto width = shape.back(), rows = width == 0 ? 0 : tensor.size() / width;
    shape.back() = count;
    std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
    for (std::int64_t row = 0; row < rows; ++row)
        tensor.read(row * width + first,
                    std::span(values).subspan(static_cast<std::size_t>(row * count), static_cast<std::size_t>(count)));
    return Tensor(std::move(shape), std::move(values), tensor.dtype());
}

/// qkv (B, L, (H + 2 Hkv) E) or (L, ...): query, key and value, with heads that read_axes() parts.
void take_fused_tokens(Reading& reading, const HeldArray& array) {
    const auto& choices = reading.choices;
    const auto heads = choices.num_heads.value_or(1), kv = choices.num_kv_heads.value_or(heads);
    const auto rank = array.tensor.rank();
    constexpr std::int64_t most = 1 << 20; // of heads
    const bool possible = heads > 0 && kv > 0 && heads <= most && kv <= most;
    if ((rank != 2 && rank != 3) || !possible || array.tensor.dim(-1) % (heads + 2 * kv) != 0)
        return reading.unused(array, {ATTNLAB_TEXT("expected query, key and value one after the other along the last "
                                                   "of two or three axes, (B, L, %1)"),
                                      {"(num_heads + 2 num_kv_heads) E"}});
    auto tensor = array.tensor;
    if (!choices.layout.empty()) {
        tensor = arranged(tensor, layout(choices.layout), label_of(array), reading.control);
        reading.arranged = true;
    }
    const auto width = array.tensor.dim(-1) / (heads + 2 * kv);
    std::int64_t first = 0;
    for (const auto& [role, count] : {std::pair{"query", heads}, std::pair{"key", kv}, std::pair{"value", kv}}) {
        if (const auto before = reading.origins.find(role); before != reading.origins.end())
            refuse_twice(role, *before->second, array);
        reading.origins[role] = &array;
        reading.result.problem.tensors.insert_or_assign(role, columns(tensor, first, count * width));
        first += count * width;
    }
    reading.used(array, "query, key, value",
                 {ATTNLAB_TEXT("read as %1, one after the other along its last axis"), {"query, key, value"}});
}

bool computes_weights(const Reading& reading) {
    return std::any_of(reading.candidates.begin(), reading.candidates.end(), [](const Candidate& candidate) {
        return candidate.meaning && (candidate.meaning->role == "query" || candidate.meaning->role == "qkv" ||
                                     candidate.meaning->role == "x");
    });
}

/// Throws Error unless weights have the axes of a layout with offsets, or layers before them.
void require_offsets(const HeldArray& array, const Layout& chosen) {
    const auto rank = array.tensor.shape().size();
    if (rank != chosen.id.size() && !(rank == 5 && chosen.id == "BHLO"))
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected the axes %3 as the layout says"),
                     {label_of(array), to_string(array.tensor.shape()), axes_text(chosen)}});
}

/// Of weights alone a layout has the keys in the place of E.
void take_weights(Reading& reading, const HeldArray& array, Message how) {
    if (reading.choices.layout.empty() || computes_weights(reading)) {
        reading.put(array, "weights", array.tensor, std::move(how));
        return;
    }
    const auto& chosen = layout(reading.choices.layout);
    if (has_offsets(chosen)) {
        require_offsets(array, chosen);
        reading.arranged = true;
        reading.put(array, "weights", array.tensor, std::move(how));
        return;
    }
    auto axes = axes_text(chosen);
    std::replace(axes.begin(), axes.end(), 'E', 'S');
    if (array.tensor.shape().size() != chosen.id.size())
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected the axes %3 as the layout says"),
                     {label_of(array), to_string(array.tensor.shape()), axes}});
    auto tensor = arranged(array.tensor, chosen, label_of(array), reading.control);
    if (tensor.rank() == 3)
        tensor = tensor.reshaped({tensor.dim(0), 1, tensor.dim(1), tensor.dim(2)});
    reading.arranged = true;
    reading.put(array, "weights", std::move(tensor),
                {ATTNLAB_TEXT("read as %1 with the axes %2"), {"weights", std::move(axes)}});
}

/// The total width of all heads, from the layer's output projection.
std::optional<std::int64_t> heads_width(const Reading& reading) {
    for (const auto& [array, meaning, chosen] : reading.candidates)
        if (meaning && meaning->role == "w_o" && meaning->prefix == reading.group) {
            const auto& tensor = array->tensor;
            if (tensor.rank() == 3 && meaning->form == NameForm::ByHead)
                return tensor.dim(0) * tensor.dim(1);
            if (tensor.rank() == 2)
                return tensor.dim(meaning->form == NameForm::Linear ? 1 : 0);
        }
    return std::nullopt;
}

std::vector<std::string> head_counts(std::int64_t width) {
    std::vector<std::string> counts;
    for (const auto count : divisors(width))
        counts.push_back(std::to_string(count));
    return counts;
}

/// The total width of all heads of a fused projection, as far as shapes determine it.
std::int64_t width_of(const Reading& reading, const Tensor& fused) {
    if (const auto width = heads_width(reading))
        return *width;
    return fused.rank() == 2 ? std::min(fused.dim(0), fused.dim(1)) : fused.size() / 3;
}

/// The number of heads, where there is a matrix for each.
void count_heads(Reading& reading, const HeldArray& array, const ArrayName& meaning) {
    if (meaning.form != NameForm::ByHead || array.tensor.rank() != 3)
        return;
    if (meaning.role == "w_q")
        reading.num_heads = array.tensor.dim(0);
    if (meaning.role == "w_k")
        reading.num_kv_heads = array.tensor.dim(0);
}

/// Notes ambiguities in the shape of a projection that was taken.
void note_projection(Reading& reading, const HeldArray& array, const ArrayName& meaning) {
    const auto shape = to_string(array.tensor.shape());
    if (meaning.form == NameForm::ByHead && array.tensor.rank() == 2 && meaning.role == "w_q")
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (in, out), what tokens are multiplied by from the right, and "
                                   "the other projections of its layer so too"),
                      {array.name, shape}});
    if (meaning.form != NameForm::FusedByHead)
        return;
    const auto& tensors = reading.result.problem.tensors;
    const auto queries = tensors.find("w_q")->second.dim(1), keys = tensors.find("w_k")->second.dim(1);
    if (keys < queries && keys > queries / *reading.choices.num_heads)
        reading.note({ATTNLAB_TEXT("%1 %2 is read group by group of heads that share keys, as Falcon stores it. A "
                                   "group has its queries, then its key and its value"),
                      {array.name, shape}});
}

void take_projection(Reading& reading, const HeldArray& array, const ArrayName& meaning) {
    reading.projected = true;
    const auto shape = to_string(array.tensor.shape());
    const LayerArray layer{label_of(array), meaning, array.tensor};
    if (needs_heads(layer) && !reading.choices.num_heads) {
        if (!reading.asks(Question::Kind::Heads))
            reading.result.questions.push_back(
                {Question::Kind::Heads,
                 {ATTNLAB_TEXT("num_heads: %1 %2 holds query, key and value of all heads and "
                               "does not give their number"),
                  {array.name, shape}},
                 head_counts(width_of(reading, array.tensor))});
        return reading.unused(array, {ATTNLAB_TEXT("cannot be parted without num_heads")});
    }
    std::string roles;
    const FusedSizes sizes{reading.choices.num_heads, reading.choices.num_kv_heads, heads_width(reading)};
    if (guesses_thirds(layer, sizes))
        reading.note({ATTNLAB_TEXT("%1 %2 is read as query, key and value of one size; %3 says "
                                   "otherwise where heads share keys"),
                      {array.name, shape, "--set num_kv_heads=N"}});
    for (auto& [role, tensor] : projections_of(layer, sizes)) {
        roles += (roles.empty() ? "" : ", ") + role;
        if (const auto before = reading.origins.find(role); before != reading.origins.end())
            refuse_twice(role, *before->second, array);
        reading.origins[role] = &array;
        reading.result.problem.tensors.insert_or_assign(role, std::move(tensor));
    }
    count_heads(reading, array, meaning);
    note_projection(reading, array, meaning);
    const bool turned = meaning.form == NameForm::Linear || meaning.form == NameForm::FusedLinear ||
                        meaning.form == NameForm::FusedByHead;
    reading.used(array, roles,
                 turned ? Message{ATTNLAB_TEXT("read as %1, turned from (out, in)"), {roles}}
                        : Message{ATTNLAB_TEXT("read as %1"), {roles}});
}

/// A layer of weights among numbered arrays.
void take_layer(Reading& reading, const HeldArray& array, const LayerList& list) {
    if (&list != reading.list)
        return reading.unused(
            array, {ATTNLAB_TEXT("belongs to another list of weights: %1 reads it"), {"--prefix " + list.prefix}});
    const auto place = std::find(list.members.begin(), list.members.end(), &array) - list.members.begin();
    const auto layers = static_cast<std::ptrdiff_t>(list.layers());
    const auto layer = std::to_string(place % layers), step = std::to_string(place / layers);
    reading.used(array, "weights",
                 list.steps == 1 ? Message{ATTNLAB_TEXT("read as the weights of layer %1"), {layer}}
                                 : Message{ATTNLAB_TEXT("read as the weights of layer %1 in step %2"), {layer, step}});
    if (place != 0)
        return; // included with the first
    if (!reading.choices.layout.empty() && !computes_weights(reading)) {
        const auto& chosen = layout(reading.choices.layout);
        if (has_offsets(chosen))
            require_offsets(array, chosen);
        reading.arranged = has_offsets(chosen) || chosen.id == (array.tensor.rank() == 4 ? "BHLE" : "HLE");
    }
    if (const auto before = reading.origins.find("weights"); before != reading.origins.end())
        refuse_twice("weights", *before->second, array);
    reading.origins["weights"] = &array;
    reading.result.problem.tensors.insert_or_assign("weights", stacked(list));
    if (list.steps > 1)
        reading.note(
            {ATTNLAB_TEXT("the weights are those of %1 steps of generate(): first the rows of the prompt (%2), "
                          "then one row for each generated token. Keys that come later have weight 0"),
             {std::to_string(list.steps), std::to_string(array.tensor.dim(-2))}});
}

void take_unnamed(Reading& reading, const HeldArray& array) {
    auto& result = reading.result;
    const auto of_expressions = expression_inputs(result.problem.spec); // of a workspace
    if (reading.choices.kept.contains(array.name) || find_input(of_expressions, array.name)) {
        result.problem.tensors.insert_or_assign(array.name, array.tensor);
        return reading.used(array, array.name);
    }
    if (reading.contents.workspace && array.file.empty()) {
        result.problem.tensors.insert_or_assign(array.name, array.tensor);
        return reading.unused(array, {ATTNLAB_TEXT("is not an input of any mechanism")});
    }
    const bool alone = reading.contents.arrays.size() == 1;
    if (alone && looks_like_weights(array.tensor)) {
        return take_weights(reading, array, {ATTNLAB_TEXT("read as weights: its rows sum to 1")});
    }
    if (alone && looks_like_dropped_weights(array.tensor))
        return reading.unused(
            array,
            {ATTNLAB_TEXT("its name is not known, and some numbers are negative, so they are not read as weights. "
                          "flash-attention's S_dmask is such an array. Its sign marks weights that dropout set to 0, "
                          "and queries and keys are padded to a multiple of 128. Save the magnitudes of the first L "
                          "rows and S columns, or read the numbers as they are with %1"),
             {"--role " + array.name + "=weights"}});
    if (reading.holds_layers)
        return reading.unused(array, {ATTNLAB_TEXT("is not a part of an attention layer")});
    if (!reading.asks(Question::Kind::Roles))
        result.questions.push_back(
            {Question::Kind::Roles, {ATTNLAB_TEXT("the names do not say what these arrays are")}, {}});
    for (auto& question : result.questions)
        if (question.kind == Question::Kind::Roles)
            question.answers.push_back(array.name);
    reading.unused(array,
                   {ATTNLAB_TEXT("its name is not known; %1, for example, says what it is"), {"--role NAME=query"}});
}

const LayerList* list_of(const Reading& reading, const HeldArray& array) {
    for (const auto& list : reading.lists)
        if (std::find(list.members.begin(), list.members.end(), &array) != list.members.end())
            return &list;
    return nullptr;
}

bool any_projection(const Reading& reading, const std::string* prefix) {
    return std::any_of(reading.candidates.begin(), reading.candidates.end(), [&](const Candidate& other) {
        return other.meaning && is_projection(other.meaning->form) && (!prefix || other.meaning->prefix == *prefix);
    });
}

/// A mask stored with a layer's weights is the model's own table, for any number of tokens.
bool is_model_mask(const Reading& reading, const Candidate& candidate) {
    const auto& meaning = *candidate.meaning;
    return meaning.form == NameForm::ModelMask || (meaning.form == NameForm::Alias && meaning.role == "attn_mask" &&
                                                   !meaning.prefix.empty() && any_projection(reading, &meaning.prefix));
}

/// Why an array with a known meaning is not read, if so.
std::optional<Message> why_not(const Reading& reading, const Candidate& candidate) {
    const auto& meaning = *candidate.meaning;
    if (is_model_mask(reading, candidate))
        return Message{ATTNLAB_TEXT("is a part of what a model makes its causal mask of; %1 is that mask"),
                       {"--mask causal"}};
    const bool shared =
        meaning.role == "relative_attention_bias" && shares_relative_bias(meaning.prefix, reading.group);
    if (!meaning.prefix.empty() && meaning.prefix != reading.group && !shared)
        return reading.asks(Question::Kind::Group)
                   ? Message{ATTNLAB_TEXT("belongs to one of several layers")}
                   : Message{ATTNLAB_TEXT("belongs to another layer or part of the model")};
    switch (meaning.form) {
    case NameForm::Result:
        return Message{ATTNLAB_TEXT("is what attention computes, not what it reads; %1 compares with it"),
                       {"attnlab compare --against"}};
    case NameForm::Unsupported:
        return Message{ATTNLAB_TEXT("changes the weights of its layer in a way that no mechanism here has: "
                                    "they differ from the model's")};
    case NameForm::Tokens:
        return Message{ATTNLAB_TEXT("holds numbers, expected texts")};
    default:
        return std::nullopt;
    }
}

/// Masks are collected in `masks` for later.
void take(Reading& reading, const Candidate& candidate, std::vector<const Candidate*>& masks) {
    const auto& array = *candidate.array;
    if (candidate.chosen && !candidate.meaning)
        return reading.unused(array, {ATTNLAB_TEXT("left out as asked")});
    if (is_of_global_tokens(candidate))
        return; // read_offset_weights() reports it
    if (const auto* list = list_of(reading, array); list && !candidate.chosen)
        return take_layer(reading, array, *list);
    // Without a model it is a saved bias; with one axis, that of a Linear called attn.
    const bool no_table = candidate.meaning && candidate.meaning->form == NameForm::ModelMask &&
                          (array.tensor.rank() == 1 || !any_projection(reading, nullptr));
    if (!candidate.meaning || no_table)
        return take_unnamed(reading, array);
    const auto& meaning = *candidate.meaning;
    if (auto why = why_not(reading, candidate))
        return reading.unused(array, std::move(*why));
    if (is_mask(candidate)) {
        masks.push_back(&candidate);
        return;
    }
    if (is_projection(meaning.form))
        return take_projection(reading, array, meaning);
    // The gradient of the output has the axes of the queries.
    const bool has_their_axes =
        meaning.role == "grad_output" && !reading.choices.layout.empty() && has_heads(layout(reading.choices.layout));
    if (meaning.role == "query" || meaning.role == "key" || meaning.role == "value" || has_their_axes ||
        is_projected(meaning.role, reading.choices.layout))
        return take_tokens(reading, array, meaning.role);
    if (meaning.form == NameForm::FusedTokens)
        return take_fused_tokens(reading, array);
    if (meaning.role == "weights")
        return take_weights(reading, array, renamed(array, meaning.role));
    const bool gain = meaning.role == "query_gain" || meaning.role == "key_gain";
    if (gain && !candidate.chosen && stores_gain_without_one(meaning.prefix, reading.contents)) {
        reading.put(array, meaning.role, plus_one(array.tensor),
                    {ATTNLAB_TEXT("read as %1, with 1 added: Gemma stores its gains without it"), {meaning.role}});
        return;
    }
    reading.put(array, meaning.role, array.tensor, renamed(array, meaning.role));
}

} // namespace

void take_arrays(Reading& reading) {
    std::vector<const Candidate*> masks;
    for (const auto& candidate : reading.candidates) {
        if (reading.control)
            reading.control->checkpoint();
        take(reading, candidate, masks);
    }
    take_masks(reading, masks);
}

namespace {

void take_mask(Reading& reading, const HeldArray& array, ReadMask mask) {
    if (mask.how.empty() && array.name != mask.role)
        mask.how = {ATTNLAB_TEXT("read as %1"), {mask.role}};
    if (!reading.put(array, mask.role, std::move(mask.tensor), mask.how))
        return;
    if (mask.true_keeps)
        reading.result.problem.spec.mask_true = MaskTrue::Keeps;
    if (!mask.doubt.empty())
        reading.note(mask.doubt);
    if (mask.role == "attn_mask" && !mask.settled && !reading.contents.workspace)
        reading.note({ATTNLAB_TEXT("%1: True blocks a cell, as for nn.MultiheadAttention, unless %2 says "
                                   "that it keeps it, as for scaled_dot_product_attention"),
                      {array.name, "--mask-true keeps"}});
}

/// In a model with a decoder, this mask is for the context keys.
std::optional<Message> why_not_cross(const Reading& reading, const HeldArray& array, NameForm form) {
    const bool crosses = reading.result.problem.tensors.contains("context");
    const bool both = std::any_of(reading.candidates.begin(), reading.candidates.end(), [&](const Candidate& other) {
        return other.array != &array && other.meaning && !other.chosen &&
               other.meaning->form == (form == NameForm::CrossMask ? NameForm::AttentionMask : NameForm::CrossMask);
    });
    if (!both || crosses == (form == NameForm::CrossMask))
        return std::nullopt;
    return crosses ? Message{ATTNLAB_TEXT("masks the decoder's own tokens: the keys are those of the context")}
                   : Message{ATTNLAB_TEXT("masks the keys of cross-attention, which has a context")};
}

void take_positions(Reading& reading, const HeldArray& array, const TokenCounts& counts) {
    auto offsets = offsets_of_positions(array.tensor, counts);
    if (!offsets)
        return reading.unused(array, {ATTNLAB_TEXT("is not read as query_offset: expected consecutive positions, one "
                                                   "for each of %1 queries"),
                                      {counts.L ? std::to_string(*counts.L) : "L"}});
    const auto first = to_text(offsets->value(0));
    reading.put(array, "query_offset", std::move(*offsets),
                {ATTNLAB_TEXT("read as query_offset: the first query is at position %1"), {first}});
}

ReadMask read(const Candidate& candidate, const TokenCounts& counts, bool from_workspace, const RunControl* control) {
    const auto& [array, meaning, chosen] = candidate;
    const auto own = known_name(array->name);
    const bool is_transformers = own && (own->form == NameForm::AttentionMask || own->form == NameForm::CrossMask);
    if (meaning->role == "key_padding_mask" && !is_transformers)
        return from_workspace ? ReadMask{.role = meaning->role, .tensor = array->tensor}
                              : read_key_padding_mask(array->tensor, array->name, label_of(*array), counts,
                                                      chosen || !array->has_type, control);
    if (own && own->form == NameForm::AttentionMask && !chosen && !from_workspace)
        if (auto documents = read_packed_documents(array->tensor, control))
            return *documents;
    if (!from_workspace)
        require_mask_numbers(array->tensor, label_of(*array), control);
    // A role determines the axes; that 1 keeps follows from the name.
    if (is_transformers)
        return read_attention_mask(array->tensor, array->name, counts,
                                   chosen ? std::string_view(meaning->role) : std::string_view(), control);
    if (meaning->form == NameForm::CausalMask)
        return read_causal_mask(array->tensor, array->name, control);
    return read_attn_mask(array->tensor, array->name, chosen || from_workspace || !array->has_type, control);
}

} // namespace

bool is_mask(const Candidate& candidate) {
    if (!candidate.meaning)
        return false;
    const auto& role = candidate.meaning->role;
    return role == "key_padding_mask" || role == "attn_mask" || candidate.meaning->form == NameForm::Positions;
}

void take_masks(Reading& reading, const std::vector<const Candidate*>& masks) {
    const auto counts = token_counts(reading.result.problem.tensors);
    for (const auto* candidate : masks) {
        const auto& array = *candidate->array;
        const auto form = candidate->meaning->form;
        if (form == NameForm::Positions) {
            take_positions(reading, array, counts);
            continue;
        }
        if (form == NameForm::AttentionMask || form == NameForm::CrossMask)
            if (auto why = why_not_cross(reading, array, form)) {
                reading.unused(array, std::move(*why));
                continue;
            }
        take_mask(reading, array, read(*candidate, counts, reading.contents.workspace.has_value(), reading.control));
    }
}

} // namespace attnlab
