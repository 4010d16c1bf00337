// The part of core/recognition/reading.h about making inputs of arrays.
#include "core/recognition/layer_conventions.h"
#include "core/recognition/layout.h"
#include "core/recognition/mask_arrays.h"
#include "core/recognition/projections.h"
#include "core/recognition/reading.h"

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

/// What a layer projects has no heads yet.
bool is_projected(const std::string& role, const std::string& layout_id) {
    return (role == "x" || role == "context" || role == "value_context") &&
           (layout_id.empty() || !has_heads(layout(layout_id)));
}

/// What ranks leave open is said once, for the query.
void note_axes(Reading& reading, const HeldArray& array, const std::string& role) {
    const auto& shape = array.tensor.shape();
    if (reading.contents.workspace)
        return;
    if (role == "x" && shape.size() == 3 && shape[0] > shape[1])
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, L, D): %3 sequences of %4 tokens; --layout LBE "
                                   "reads tokens first, as torch has them without batch_first"),
                      {array.name, to_string(shape), std::to_string(shape[0]), std::to_string(shape[1])}});
    if (role != "query")
        return;
    if (shape.size() == 3 && shape[0] > 1) {
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, L, E): %3 sequences, one head; --layout HLE "
                                   "reads heads, --layout LHE tokens first"),
                      {array.name, to_string(shape), std::to_string(shape[0])}});
        reading.result.questions.push_back({Question::Kind::Layout,
                                            {ATTNLAB_TEXT("%1 has three axes %2"), {array.name, to_string(shape)}},
                                            {"BLE", "HLE", "LHE"}});
    }
    if (shape.size() == 4 && shape[1] > shape[2]) {
        reading.note({ATTNLAB_TEXT("%1 %2 is read as (B, H, L, E): %3 heads of %4 tokens; --layout BLHE "
                                   "reads %4 heads of %3 tokens"),
                      {array.name, to_string(shape), std::to_string(shape[1]), std::to_string(shape[2])}});
        reading.result.questions.push_back(
            {Question::Kind::Layout,
             {ATTNLAB_TEXT("%1 has more heads than tokens %2"), {array.name, to_string(shape)}},
             {"BHLE", "BLHE"}});
    }
}

void take_tokens(Reading& reading, const HeldArray& array, const std::string& role) {
    if (reading.choices.layout.empty()) {
        note_axes(reading, array, role);
        reading.put(array, role, array.tensor, renamed(array, role));
        return;
    }
    const auto& chosen = layout(reading.choices.layout);
    reading.put(array, role, arranged(array.tensor, chosen, label_of(array)),
                {ATTNLAB_TEXT("read as %1 with the axes %2"), {role, axes_text(chosen)}});
}

/// How wide all heads together are, as the output projection of the layer takes them.
std::optional<std::int64_t> heads_width(const Reading& reading) {
    for (const auto& [array, meaning, chosen] : reading.candidates)
        if (meaning && meaning->role == "w_o" && meaning->prefix == reading.group && array->tensor.rank() == 2)
            return array->tensor.dim(meaning->form == NameForm::Linear ? 1 : 0);
    return std::nullopt;
}

std::vector<std::string> head_counts(std::int64_t width) {
    std::vector<std::string> counts;
    for (const auto count : divisors(width))
        counts.push_back(std::to_string(count));
    return counts;
}

void take_projection(Reading& reading, const HeldArray& array, const ArrayName& meaning) {
    reading.projected = true;
    const auto shape = to_string(array.tensor.shape());
    const LayerArray layer{label_of(array), meaning, array.tensor};
    if (needs_heads(layer) && !reading.choices.num_heads) {
        if (!reading.asks(Question::Kind::Heads))
            reading.result.questions.push_back(
                {Question::Kind::Heads,
                 {ATTNLAB_TEXT("num_heads: %1 %2 holds query, key and value of all heads and does not say how many "
                               "heads there are"),
                  {array.name, shape}},
                 head_counts(array.tensor.dim(0) / 3)});
        return reading.unused(array, {ATTNLAB_TEXT("cannot be parted without num_heads")});
    }
    std::string roles;
    const FusedSizes sizes{reading.choices.num_heads, reading.choices.num_kv_heads, heads_width(reading)};
    if (guesses_thirds(layer, sizes))
        reading.note({ATTNLAB_TEXT("%1 %2 is read as query, key and value of one size; num_kv_heads says "
                                   "otherwise where heads share keys"),
                      {array.name, shape}});
    for (auto& [role, tensor] : projections_of(layer, sizes)) {
        roles += (roles.empty() ? "" : ", ") + role;
        if (const auto before = reading.origins.find(role); before != reading.origins.end())
            refuse_twice(role, *before->second, array);
        reading.origins[role] = &array;
        reading.result.problem.tensors.insert_or_assign(role, std::move(tensor));
    }
    const bool turned = meaning.form == NameForm::Linear || meaning.form == NameForm::FusedLinear ||
                        meaning.form == NameForm::FusedByHead;
    reading.used(array, roles,
                 turned ? Message{ATTNLAB_TEXT("read as %1, turned from (out, in)"), {roles}}
                        : Message{ATTNLAB_TEXT("read as %1"), {roles}});
}

void take_mask(Reading& reading, const HeldArray& array, ReadMask mask) {
    if (!reading.put(array, mask.role, std::move(mask.tensor), mask.how.empty() ? renamed(array, mask.role) : mask.how))
        return;
    if (mask.true_keeps)
        reading.result.problem.spec.mask_true = MaskTrue::Keeps;
    if (mask.role == "attn_mask" && !mask.true_keeps && !reading.contents.workspace)
        reading.note({ATTNLAB_TEXT("%1: True blocks a cell, as for nn.MultiheadAttention, unless --mask-true "
                                   "keeps says that it keeps it, as for scaled_dot_product_attention"),
                      {array.name}});
}

/// A layer of weights whose arrays are numbered.
void take_layer(Reading& reading, const HeldArray& array, const LayerList& list) {
    if (&list != reading.list)
        return reading.unused(
            array, {ATTNLAB_TEXT("belongs to another list of weights: the prefix %1 reads it"), {list.prefix}});
    const auto place = std::find(list.members.begin(), list.members.end(), &array) - list.members.begin();
    reading.used(array, "weights", {ATTNLAB_TEXT("read as the weights of layer %1"), {std::to_string(place)}});
    if (place != 0)
        return; // stacked with the first
    if (const auto before = reading.origins.find("weights"); before != reading.origins.end())
        refuse_twice("weights", *before->second, array);
    reading.origins["weights"] = &array;
    reading.result.problem.tensors.insert_or_assign("weights", stacked(list));
}

void take_unnamed(Reading& reading, const HeldArray& array) {
    auto& result = reading.result;
    if (reading.contents.workspace && array.file.empty()) {
        result.problem.tensors.insert_or_assign(array.name, array.tensor);
        return reading.unused(array, {ATTNLAB_TEXT("is no input of any mechanism")});
    }
    const bool alone = reading.contents.arrays.size() == 1;
    if (alone && looks_like_weights(array.tensor)) {
        reading.put(array, "weights", array.tensor, {ATTNLAB_TEXT("read as weights: its rows sum to 1")});
        return;
    }
    if (reading.holds_layers)
        return reading.unused(array, {ATTNLAB_TEXT("is no part of an attention layer")});
    if (!reading.asks(Question::Kind::Roles))
        result.questions.push_back(
            {Question::Kind::Roles, {ATTNLAB_TEXT("the names do not say what these arrays are")}, {}});
    for (auto& question : result.questions)
        if (question.kind == Question::Kind::Roles)
            question.answers.push_back(array.name);
    reading.unused(
        array, {ATTNLAB_TEXT("its name says nothing; --role %1=query, for example, says what it is"), {array.name}});
}

const LayerList* list_of(const Reading& reading, const HeldArray& array) {
    for (const auto& list : reading.lists)
        if (std::find(list.members.begin(), list.members.end(), &array) != list.members.end())
            return &list;
    return nullptr;
}

/// Why an array with a meaning is not read, if it is not.
std::optional<Message> why_not(const Reading& reading, const ArrayName& meaning) {
    const bool shared =
        meaning.role == "relative_attention_bias" && shares_relative_bias(meaning.prefix, reading.group);
    if (!meaning.prefix.empty() && meaning.prefix != reading.group && !shared)
        return reading.asks(Question::Kind::Group)
                   ? Message{ATTNLAB_TEXT("belongs to one of several layers")}
                   : Message{ATTNLAB_TEXT("belongs to another layer or part of the model")};
    switch (meaning.form) {
    case NameForm::Result:
        return Message{ATTNLAB_TEXT("is what attention computes, not what it reads; 'attnlab compare "
                                    "--against' compares with it")};
    case NameForm::Unsupported:
        return Message{ATTNLAB_TEXT("changes the weights of its layer in a way that no mechanism here has: "
                                    "they differ from the model's")};
    case NameForm::Tokens:
        return Message{ATTNLAB_TEXT("holds numbers, expected texts")};
    default:
        return std::nullopt;
    }
}

void take(Reading& reading, const Candidate& candidate) {
    const auto& array = *candidate.array;
    if (candidate.chosen && !candidate.meaning)
        return reading.unused(array, {ATTNLAB_TEXT("left out as asked")});
    if (const auto* list = list_of(reading, array); list && !candidate.chosen)
        return take_layer(reading, array, *list);
    if (!candidate.meaning)
        return take_unnamed(reading, array);
    const auto& meaning = *candidate.meaning;
    if (auto why = why_not(reading, meaning))
        return reading.unused(array, std::move(*why));
    if (is_projection(meaning.form))
        return take_projection(reading, array, meaning);
    if (meaning.form == NameForm::AttentionMask)
        return take_mask(reading, array, read_attention_mask(array.tensor));
    if (meaning.role == "attn_mask")
        return take_mask(reading, array, read_attn_mask(array.tensor));
    if (meaning.role == "query" || meaning.role == "key" || meaning.role == "value" ||
        is_projected(meaning.role, reading.choices.layout))
        return take_tokens(reading, array, meaning.role);
    reading.put(array, meaning.role, array.tensor, renamed(array, meaning.role));
}

} // namespace

void take_arrays(Reading& reading) {
    for (const auto& candidate : reading.candidates)
        take(reading, candidate);
}

} // namespace attnlab
