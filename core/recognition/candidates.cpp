// Implements the part of recognition_state.h about names of arrays: candidates, groups of layers, and token labels.
#include "core/mechanisms.h"
#include "core/recognition/array_names.h"
#include "core/recognition/layer_conventions.h"
#include "core/recognition/offset_weights.h"
#include "core/recognition/recognition_state.h"
#include "core/resolved_problem.h"

#include <algorithm>
#include <set>
#include <utility>

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
            throw Error({ATTNLAB_TEXT("role: '%1' is not an input of texts, which %2 holds, expected query_tokens, "
                                      "key_tokens, or nothing to leave it out"),
                         {role, array}});
        if (!reading.holds(array))
            throw Error({ATTNLAB_TEXT("role: '%1' is not an array of the files, which hold %2"),
                         {array, held_text(reading.contents)}});
        if (!role.empty() && !is_input_name(role))
            throw Error({ATTNLAB_TEXT("role: '%1' is not an input, expected query, key, value, weights, attn_mask, ... "
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

/// Beside a latent projection, what shares its prefix has the names of latent attention.
void name_latent_layers(std::vector<Candidate>& candidates) {
    const auto& latent = mechanism_of("mla");
    std::set<std::string> prefixes;
    for (const auto& candidate : candidates)
        if (candidate.meaning && candidate.meaning->role == "kv_a_proj_with_mqa.weight")
            prefixes.insert(candidate.meaning->prefix);
    for (auto& [array, meaning, chosen] : candidates)
        if (meaning && !chosen && prefixes.contains(meaning->prefix))
            if (auto name = array->name.substr(meaning->prefix.size()); find_input(latent.inputs, name))
                meaning = ArrayName{meaning->prefix, std::move(name), NameForm::Own};
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
        if (reading.control)
            reading.control->checkpoint();
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
        if (!candidate.meaning && !candidate.chosen && is_called_global_rows(array.name)) // of one layer of several
            candidate.meaning = ArrayName{"", array.name, NameForm::GlobalRows};
        if (candidate.meaning && !reading.contents.workspace && has_heads_apart(*candidate.meaning, array.tensor))
            candidate.meaning->form = NameForm::ByHead;
        reading.candidates.push_back(std::move(candidate));
    }
    name_latent_layers(reading.candidates);
    turn_linear_layers(reading.candidates);
    reading.lists = layer_lists(reading.contents.arrays, reading.control);
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

namespace {

/// Prefixes with all that attention needs, in the order of the files.
std::vector<std::string> complete_groups(const std::vector<Candidate>& candidates) {
    std::vector<std::string> order;
    std::map<std::string, std::set<std::string>> roles;
    for (const auto& candidate : candidates)
        if (candidate.meaning) {
            if (!roles.contains(candidate.meaning->prefix))
                order.push_back(candidate.meaning->prefix);
            roles[candidate.meaning->prefix].insert(candidate.meaning->role);
        }
    std::erase_if(order, [&](const std::string& prefix) {
        const auto& there = roles.at(prefix);
        const auto has = [&](const char* role) { return there.contains(role); };
        return !(has("query") && has("key")) && !has("qkv") && !(has("w_q") && has("w_k")) && !has("w_qkv") &&
               !has("in_proj_weight") && !(has("q_proj_weight") && has("k_proj_weight")) && !has("weights") &&
               !has("kv_a_proj_with_mqa.weight");
    });
    return order;
}

bool any_is(const std::vector<Candidate>& candidates, std::string_view role) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
        return candidate.meaning && candidate.meaning->role == role;
    });
}

/// Of several lists of weights, selects the requested or the only one.
void choose_list(Reading& reading, const std::vector<std::string>& groups) {
    const auto& choices = reading.choices;
    const bool weights_are_chosen =
        std::any_of(reading.candidates.begin(), reading.candidates.end(), [](const Candidate& candidate) {
            return candidate.chosen && candidate.meaning && candidate.meaning->role == "weights";
        });
    std::vector<std::string> prefixes;
    for (const auto& list : reading.lists) {
        if (std::find(prefixes.begin(), prefixes.end(), list.prefix) != prefixes.end())
            throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"),
                         {"weights", reading.lists.front().members.front()->file, list.members.front()->file}});
        prefixes.push_back(list.prefix);
        if (!weights_are_chosen && (choices.group ? list.prefix == *choices.group : reading.lists.size() == 1))
            reading.list = &list;
    }
    if (!weights_are_chosen && !reading.list && !choices.group && prefixes.size() > 1 && groups.empty())
        reading.result.questions.push_back(
            {Question::Kind::Group,
             {ATTNLAB_TEXT("the files hold %1 lists of weights, of which a prefix chooses one: %2"),
              {std::to_string(prefixes.size()), first_listed(prefixes)}},
             prefixes});
}

/// The prefix that the caller means. Throws Error where no array has it.
std::string asked_prefix(const Reading& reading, const std::vector<std::string>& groups) {
    auto prefix = *reading.choices.group;
    for (const char* end : {".", "/", "_"}) // the end of a prefix is often omitted
        if (std::find(groups.begin(), groups.end(), prefix + end) != groups.end()) {
            prefix += end;
            break;
        }
    const bool there =
        std::any_of(reading.candidates.begin(), reading.candidates.end(), [&](const Candidate& candidate) {
            return candidate.meaning && candidate.meaning->prefix == prefix;
        });
    if (!there && groups.empty())
        throw Error(
            {ATTNLAB_TEXT("prefix: '%1' is not in the files, which hold no layer whose names begin alike"), {prefix}});
    if (!there)
        throw Error({ATTNLAB_TEXT("prefix: '%1' is not in the files, expected the beginning of a layer's names, "
                                  "one of %2"),
                     {prefix, first_listed(groups)}});
    return prefix;
}

} // namespace

void choose_group(Reading& reading) {
    const auto groups = complete_groups(reading.candidates);
    const bool complete_layer = any_is(reading.candidates, "x");
    reading.holds_layers = std::any_of(groups.begin(), groups.end(), [&](const auto& prefix) {
        return !prefix.empty() || (complete_layer && groups.size() == 1);
    });
    choose_list(reading, groups);
    if (reading.list && reading.choices.group)
        return;
    if (reading.choices.group)
        reading.group = asked_prefix(reading, groups);
    else if (groups.size() == 1 || (!groups.empty() && groups.front().empty()))
        reading.group = groups.front();
    else if (groups.size() > 1)
        reading.result.questions.push_back(
            {Question::Kind::Group,
             {ATTNLAB_TEXT("the files hold %1 layers, of which a prefix chooses one: %2"),
              {std::to_string(groups.size()), first_listed(groups)}},
             groups});
}

namespace {

void drop_labels(Recognition& recognition, std::vector<std::string>& labels, std::string_view role,
                 std::int64_t expected) {
    if (labels.empty() || std::ssize(labels) == expected)
        return;
    const Message why{ATTNLAB_TEXT("has %1 labels, expected %2, one a token"),
                      {std::to_string(labels.size()), std::to_string(expected)}};
    std::erase_if(recognition.used, [&](const UsedArray& use) {
        if (use.role != role)
            return false;
        recognition.unused.push_back({use.name, use.file, std::nullopt, why});
        return true;
    });
    labels.clear();
}

/// The part of a name before its trailing number: lists within a list are called tokens.0, tokens.1, ...
std::string_view stem_of(std::string_view name) {
    const auto end = name.find_last_not_of("0123456789");
    return end == name.npos ? std::string_view() : name.substr(0, end + 1);
}

/// The number of sequences whose labels the file has under such names.
std::ptrdiff_t sequences(const Contents& contents, const HeldLabels& held) {
    const auto stem = stem_of(held.name);
    if (!stem.ends_with('.') && !stem.empty())
        return 1;
    return std::count_if(contents.labels.begin(), contents.labels.end(), [&](const HeldLabels& other) {
        return other.file == held.file && other.name != stem && stem_of(other.name) == stem;
    });
}

const std::string* chosen_role(const Choices& choices, const HeldLabels& held) {
    for (const auto& [name, role] : choices.roles)
        if (held.is_called(name) && (role.empty() || is_tokens(role)))
            return &role;
    return nullptr;
}

} // namespace

bool is_tokens(std::string_view role) { return role == "query_tokens" || role == "key_tokens"; }

void take_labels(const Contents& contents, const Choices& choices, Recognition& recognition) {
    auto& problem = recognition.problem;
    const HeldLabels* origins[] = {nullptr, nullptr}; // of queries and keys
    const auto put = [&](const HeldLabels& held, bool keys) {
        auto& tokens = keys ? problem.key_tokens : problem.query_tokens;
        if (const auto* before = origins[keys ? 1 : 0]; before && !contents.workspace) {
            recognition.unused.push_back({held.name,
                                          held.file,
                                          std::nullopt,
                                          {ATTNLAB_TEXT("labels are given twice; %1 takes these"),
                                           {"--role " + (held.name == before->name ? held.file : held.name) +
                                            (keys ? "=query_tokens" : "=key_tokens")}}});
            return;
        }
        origins[keys ? 1 : 0] = &held;
        tokens = held.labels;
        recognition.used.push_back({held.name,
                                    held.file,
                                    {static_cast<std::int64_t>(held.labels.size())},
                                    DType::Float64,
                                    keys ? "key_tokens" : "query_tokens",
                                    {}});
    };
    for (const auto& held : contents.labels) // choices have priority
        if (const auto* role = chosen_role(choices, held); role && !role->empty())
            put(held, *role == "key_tokens");
    for (const auto& held : contents.labels) {
        const auto meaning = known_name(held.name);
        if (const auto* role = chosen_role(choices, held)) {
            if (role->empty())
                recognition.unused.push_back({held.name, held.file, std::nullopt, {ATTNLAB_TEXT("left out as asked")}});
        } else if (const auto count = sequences(contents, held); count > 1) {
            recognition.unused.push_back(
                {held.name,
                 held.file,
                 std::nullopt,
                 {ATTNLAB_TEXT("labels one of %1 sequences, and all are shown with the same labels; %2 "
                               "takes these"),
                  {std::to_string(count), "--role " + held.name + "=query_tokens"}}});
        } else {
            put(held, meaning && meaning->role == "key_tokens");
        }
    }
}

void fit_labels(const Contents& contents, Recognition& recognition) {
    auto& problem = recognition.problem;
    if (contents.workspace || (problem.query_tokens.empty() && problem.key_tokens.empty()))
        return;
    Bindings sizes;
    try {
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        return; // the run reports the error
    }
    const auto L = sizes.find("L"), S = sizes.find("S");
    if (L == sizes.end())
        return;
    const auto keys = S == sizes.end() ? L->second : S->second;
    if (std::ssize(problem.query_tokens) != L->second && std::ssize(problem.query_tokens) == keys &&
        problem.key_tokens.empty()) {
        problem.key_tokens = std::move(problem.query_tokens);
        problem.query_tokens.clear();
        for (auto& use : recognition.used)
            if (use.role == "query_tokens")
                use.role = "key_tokens";
    }
    drop_labels(recognition, problem.query_tokens, "query_tokens", L->second);
    drop_labels(recognition, problem.key_tokens, "key_tokens", keys);
}

} // namespace attnlab
