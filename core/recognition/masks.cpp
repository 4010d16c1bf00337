// Implements the part of core/recognition/reading.h about masks, whose interpretation depends on the sizes of the other
// arrays.
#include "core/recognition/mask_arrays.h"
#include "core/recognition/reading.h"

#include <algorithm>
#include <iterator>

namespace attnlab {
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

/// Text tables do not distinguish integers from other numbers.
bool has_no_type(const HeldArray& array) {
    constexpr std::string_view tables[] = {".csv", ".tsv", ".txt"};
    return std::any_of(std::begin(tables), std::end(tables),
                       [&](std::string_view ending) { return array.file.ends_with(ending); });
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
                              : read_key_padding_mask(array->tensor, label_of(*array), counts, control);
    if (!from_workspace)
        require_mask_numbers(array->tensor, label_of(*array), control);
    // A role determines the axes; that 1 keeps follows from the name.
    if (is_transformers)
        return read_attention_mask(array->tensor, array->name, counts,
                                   chosen ? std::string_view(meaning->role) : std::string_view(), control);
    if (meaning->form == NameForm::CausalMask)
        return read_causal_mask(array->tensor, array->name, control);
    return read_attn_mask(array->tensor, array->name, chosen || from_workspace || has_no_type(*array), control);
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
