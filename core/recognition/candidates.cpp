// Implements the part of core/recognition/reading.h about names of arrays.
#include "core/recognition/layer_conventions.h"
#include "core/recognition/reading.h"
#include "core/recognition/token_labels.h"

#include <algorithm>
#include <set>

namespace attnlab {
namespace {

/// Reports choices that match no array.
void check_roles(const Reading& reading) {
    for (const auto& [array, role] : reading.choices.roles) {
        const bool texts = std::any_of(reading.contents.labels.begin(), reading.contents.labels.end(),
                                       [&name = array](const HeldLabels& held) { return held.is_called(name); });
        if (texts && (role.empty() || is_tokens(role)))
            continue;
        if (texts && !reading.holds(array))
            throw Error({ATTNLAB_TEXT("role: '%1' is no input of texts, which %2 holds, expected query_tokens, "
                                      "key_tokens, or nothing to leave it out"),
                         {role, array}});
        if (!reading.holds(array))
            throw Error({ATTNLAB_TEXT("role: '%1' is no array of the files, which hold %2"),
                         {array, held_text(reading.contents)}});
        if (!role.empty() && !is_input_name(role))
            throw Error({ATTNLAB_TEXT("role: '%1' is no input, expected query, key, value, weights, attn_mask, ... "
                                      "('attnlab list' has them all), or nothing to leave %2 out"),
                         {role, array}});
    }
}

/// Where a layer's c_attn is a Linear, (out, in), so is its c_proj.
void turn_linear_layers(std::vector<Candidate>& candidates) {
    std::set<std::string> prefixes;
    for (auto& [array, meaning, chosen] : candidates)
        if (meaning && meaning->form == NameForm::FusedConv1D && array->tensor.rank() == 2 &&
            array->tensor.dim(0) > array->tensor.dim(1)) {
            meaning->form = NameForm::FusedLinear;
            prefixes.insert(meaning->prefix);
        }
    for (auto& [array, meaning, chosen] : candidates)
        if (meaning && meaning->form == NameForm::Conv1D && prefixes.contains(meaning->prefix))
            meaning->form = NameForm::Linear;
}

/// w_q (num_heads, D, E) and b_q (num_heads, E) under their own names.
bool has_heads_apart(const ArrayName& meaning, const Tensor& tensor) {
    const auto& role = meaning.role;
    const bool weight = role == "w_q" || role == "w_k" || role == "w_v" || role == "w_o",
               bias = role == "b_q" || role == "b_k" || role == "b_v";
    return meaning.form == NameForm::Own && ((weight && tensor.rank() == 3) || (bias && tensor.rank() == 2));
}

bool is_argument(const Candidate& candidate) {
    const auto& name = candidate.array->name;
    return candidate.meaning && !candidate.chosen && candidate.meaning->role == name &&
           (name == "query" || name == "key" || name == "value");
}

} // namespace

void name_candidates(Reading& reading) {
    const auto transformer = torch_transformer_prefix(reading);
    reading.is_transformer = transformer.has_value();
    for (const auto& array : reading.contents.arrays) {
        Candidate candidate{&array, known_name(array.name), false};
        if (const auto given = reading.choices.roles.find(array.name);
            given != reading.choices.roles.end() && !is_tokens(given->second)) {
            candidate.chosen = true;
            candidate.meaning.reset();
            if (!given->second.empty())
                candidate.meaning = ArrayName{"", given->second, NameForm::Own};
        } else if (transformer && array.name.starts_with(*transformer)) {
            candidate.meaning = ArrayName{"", array.name.substr(transformer->size()), NameForm::Own};
        }
        if (candidate.meaning && !reading.contents.workspace && has_heads_apart(*candidate.meaning, array.tensor))
            candidate.meaning->form = NameForm::ByHead;
        reading.candidates.push_back(std::move(candidate));
    }
    turn_linear_layers(reading.candidates);
    reading.lists = layer_lists(reading.contents.arrays);
    check_roles(reading);
}

void read_module_arguments(Reading& reading) {
    std::optional<std::int64_t> width;
    Candidate* query = nullptr;
    for (auto& candidate : reading.candidates) {
        if (!candidate.meaning)
            continue;
        const auto& meaning = *candidate.meaning;
        const auto takes = token_width(meaning, candidate.array->tensor);
        if (takes && (meaning.prefix.empty() || meaning.prefix == reading.group))
            width = takes;
        if (meaning.role == "x" || meaning.role == "context" || meaning.role == "value_context")
            return;
        if (is_argument(candidate) && meaning.role == "query")
            query = &candidate;
    }
    const auto rank = query ? query->array->tensor.rank() : 0;
    if (!width || reading.contents.workspace || rank < 2 || rank > 3 || query->array->tensor.dim(-1) != *width)
        return;
    for (auto& candidate : reading.candidates)
        if (is_argument(candidate))
            candidate.meaning->role = candidate.meaning->role == "query" ? "x"
                                      : candidate.meaning->role == "key" ? "context"
                                                                         : "value_context";
    reading.note({ATTNLAB_TEXT("query, key and value are read as what the layer projects (x, context and "
                               "value_context); %1 reads them as projected already"),
                  {"--role query=query"}});
}

} // namespace attnlab
