// The part of core/recognition/reading.h about what the names of arrays say.
#include "core/recognition/layer_conventions.h"
#include "core/recognition/reading.h"

#include <algorithm>

namespace attnlab {
namespace {

/// The prefix of the torch.nn.Transformer state_dict that the files hold with its tables: "" or "transformer.".
std::optional<std::string> torch_transformer_prefix(Reading& reading) {
    // An encoder alone is read by its layers.
    constexpr std::string_view encoder = "encoder.layers.0.self_attn.in_proj_weight",
                               decoder = "decoder.layers.0.self_attn.in_proj_weight";
    std::optional<std::string> prefix;
    for (const auto& array : reading.contents.arrays) {
        if (!array.name.ends_with(encoder))
            continue;
        const auto before = array.name.substr(0, array.name.size() - encoder.size());
        if (reading.holds(before + std::string(decoder))) {
            prefix = before;
            break;
        }
    }
    const auto& group = reading.choices.group;
    if (!prefix || (group && !group->empty() && prefix != group))
        return std::nullopt; // none, or one layer of it was asked for
    if (reading.choices.variant != "transformer" && !reading.holds("src_embedding.weight")) {
        reading.note({ATTNLAB_TEXT("the layers of an nn.Transformer, without its tables src_embedding.weight, "
                                   "tgt_embedding.weight and generator.weight: each is read by itself")});
        return std::nullopt;
    }
    return prefix;
}

/// A choice that nothing answers to would be left out without a word.
void check_roles(const Reading& reading) {
    for (const auto& [array, role] : reading.choices.roles) {
        if (!reading.holds(array))
            throw Error({ATTNLAB_TEXT("role: '%1' is no array of the files, which hold %2"),
                         {array, held_text(reading.contents)}});
        if (!role.empty() && !is_input_name(role))
            throw Error({ATTNLAB_TEXT("role: '%1' is no input, expected query, key, value, weights, attn_mask, ... "
                                      "('attnlab list' has them all), or nothing to leave %2 out"),
                         {role, array}});
    }
}

bool is_argument(const Candidate& candidate) {
    const auto& name = candidate.array->name;
    return candidate.meaning && !candidate.chosen && candidate.meaning->role == name &&
           (name == "query" || name == "key" || name == "value");
}

} // namespace

void name_candidates(Reading& reading) {
    const auto transformer = torch_transformer_prefix(reading);
    for (const auto& array : reading.contents.arrays) {
        Candidate candidate{&array, known_name(array.name), false};
        if (const auto given = reading.choices.roles.find(array.name); given != reading.choices.roles.end()) {
            candidate.chosen = true;
            candidate.meaning.reset();
            if (!given->second.empty())
                candidate.meaning = ArrayName{"", given->second, NameForm::Own};
        } else if (transformer && array.name.starts_with(*transformer)) {
            candidate.meaning = ArrayName{"", array.name.substr(transformer->size()), NameForm::Own};
        }
        reading.candidates.push_back(std::move(candidate));
    }
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
                               "value_context); --role query=query reads them as projected already")});
}

} // namespace attnlab
