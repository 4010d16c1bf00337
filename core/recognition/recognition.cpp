#include "core/recognition/recognition.h"

#include "core/capture/capture.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/recognition/layer_conventions.h"
#include "core/recognition/offset_weights.h"
#include "core/recognition/projections.h"
#include "core/recognition/recognition_state.h"
#include "core/resolved_problem.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/view.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace attnlab {

bool Reading::holds(std::string_view name) const {
    return std::any_of(contents.arrays.begin(), contents.arrays.end(),
                       [&](const HeldArray& array) { return array.name == name; });
}

void Reading::unused(const HeldArray& array, Message why) {
    result.unused.push_back({array.name, array.file, array.tensor.shape(), std::move(why)});
}

void Reading::used(const HeldArray& array, std::string role, Message how) {
    result.used.push_back(
        {array.name, array.file, array.tensor.shape(), array.tensor.dtype(), std::move(role), std::move(how)});
}

bool Reading::put(const HeldArray& array, const std::string& role, Tensor tensor, Message how) {
    if (const auto before = origins.find(role); before != origins.end()) {
        if (before->second->name == array.name || (before->second->name != role && array.name != role))
            refuse_twice(role, *before->second, array);
        if (before->second->name == role) { // an array under the input's own name has priority
            unused(array, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
            return false;
        }
        const auto entry = std::find_if(result.used.begin(), result.used.end(), [&](const UsedArray& use) {
            return use.name == before->second->name && use.role == role;
        });
        if (entry != result.used.end())
            result.used.erase(entry);
        unused(*before->second, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
    }
    origins[role] = &array;
    result.problem.tensors.insert_or_assign(role, std::move(tensor));
    used(array, role, std::move(how));
    return true;
}

std::string label_of(const HeldArray& array) {
    return array.file.empty() ? array.name : array.file + ": " + array.name;
}

std::string first_listed(const std::vector<std::string>& words) {
    constexpr std::size_t most = 6;
    const auto text = listed(std::span(words).first(std::min(words.size(), most)));
    return words.size() > most ? text + ", … (" + std::to_string(words.size()) + ")" : text;
}

void refuse_twice(const std::string& role, const HeldArray& first, const HeldArray& second) {
    throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"), {role, label_of(first), label_of(second)}});
}

// Implements the part of core/recognition/recognition_state.h about captures: the file itself says what its arrays are.

namespace {

const CapturedPass* chosen_pass(const Capture& capture, Reading& reading) {
    if (const auto& name = reading.choices.group) {
        if (const auto* pass = capture.find(*name))
            return pass;
        throw Error({ATTNLAB_TEXT("pass: '%1' is not in %2, expected one of %3"),
                     {*name, capture.file, first_listed(capture.pass_names())}});
    }
    if (capture.passes.size() == 1)
        return &capture.passes.front();
    const auto names = capture.pass_names();
    reading.result.questions.push_back({Question::Kind::Group,
                                        {ATTNLAB_TEXT("%1 holds %2 passes, of which --pass chooses one: %3"),
                                         {capture.file, std::to_string(names.size()), first_listed(names)}},
                                        names});
    return nullptr;
}

/// What the array of a pass became; empty where it is not read.
std::string role_of(const std::string& array, const CapturedPass& pass) {
    for (const char* input : {"query", "key", "value", "weights", "beta", "log_gate", "gamma"})
        if (array == pass.array(input))
            return input;
    if (array == pass.array("sinks") || array == pass.bias)
        return "attn_bias";
    return array == pass.mask ? "attn_mask" : "";
}

} // namespace

void read_capture(Reading& reading) {
    const auto& capture = *reading.contents.capture;
    const auto& choices = reading.choices;
    if (!choices.layout.empty())
        throw Error({ATTNLAB_TEXT("layout: has %1, but a capture says itself how its arrays lie"), {choices.layout}});
    if (!choices.roles.empty())
        throw Error({ATTNLAB_TEXT("role: has %1, but a capture says itself what its arrays are"),
                     {choices.roles.begin()->first}});
    const auto* pass = chosen_pass(capture, reading);
    if (pass) {
        reading.result.problem = problem_of(capture, *pass);
        for (auto& remark : pass->remarks())
            reading.note(std::move(remark));
    }
    const auto& problem = reading.result.problem;
    const auto of_pass = pass ? pass->arrays() : std::vector<std::string>{};
    for (const auto& array : reading.contents.arrays) {
        const bool is_own = array.file == capture.file && std::ranges::find(of_pass, array.name) != of_pass.end();
        const auto role = is_own ? role_of(array.name, *pass) : std::string();
        if (array.file != capture.file)
            reading.unused(array, {ATTNLAB_TEXT("a capture has all of its arrays in its own file")});
        else if (!is_own)
            reading.unused(array, {ATTNLAB_TEXT("belongs to another pass of the capture")});
        else if (role.empty() || !problem.tensors.contains(role))
            reading.unused(array, {ATTNLAB_TEXT("is computed anew from query and key")});
        else
            reading.used(array, role);
    }
    if (!choices.variant.empty())
        reading.result.problem.spec.variant = choices.variant;
}

// Implements the part of core/recognition/recognition_state.h about choosing the mechanism.

namespace {

/// Fewer columns of keys than of queries: groups of heads share keys.
void share_keys(Reading& reading) {
    auto& problem = reading.result.problem;
    const auto w_q = problem.tensors.find("w_q"), w_k = problem.tensors.find("w_k");
    if (problem.spec.variant != "multi_head" || w_q == problem.tensors.end() || w_k == problem.tensors.end() ||
        w_q->second.rank() != 2 || w_k->second.rank() != 2 || w_k->second.dim(1) >= w_q->second.dim(1))
        return;
    problem.spec.variant = "grouped_query";
    reading.note({ATTNLAB_TEXT("w_k has fewer columns than w_q (%1 and %2): heads share keys and values, "
                               "so the mechanism is grouped_query"),
                  {std::to_string(w_k->second.dim(1)), std::to_string(w_q->second.dim(1))}});
}

/// The number of key heads, from the widths of w_q and w_k and the number of query heads.
std::optional<std::int64_t> shared_heads(const TensorMap& tensors, std::int64_t heads) {
    const auto w_q = tensors.find("w_q"), w_k = tensors.find("w_k");
    if (w_q == tensors.end() || w_k == tensors.end() || w_q->second.rank() != 2 || w_k->second.rank() != 2)
        return std::nullopt;
    const auto width = w_q->second.dim(1) / heads;
    if (width < 1 || w_q->second.dim(1) % heads != 0 || w_k->second.dim(1) % width != 0)
        return std::nullopt;
    return w_k->second.dim(1) / width;
}

void set_heads(Reading& reading) {
    auto& spec = reading.result.problem.spec;
    const auto& tensors = reading.result.problem.tensors;
    const auto& choices = reading.choices;
    const auto& parameters = mechanism_of(spec.variant).parameters;
    const auto declares = [&](std::string_view name) {
        return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    };
    if (choices.num_heads && reading.num_heads && choices.num_heads != reading.num_heads)
        throw Error({ATTNLAB_TEXT("num_heads: is %1, expected %2, as the weights of the layer have it"),
                     {std::to_string(*choices.num_heads), std::to_string(*reading.num_heads)}});
    const auto by_bias = tensors.find("relative_attention_bias");
    if (choices.num_heads && declares("num_heads"))
        spec.parameters.set("num_heads", *choices.num_heads);
    else if (reading.num_heads && declares("num_heads")) {
        spec.parameters.set("num_heads", *reading.num_heads);
        reading.note(
            {ATTNLAB_TEXT("num_heads is %1, as w_q has a matrix for each"), {std::to_string(*reading.num_heads)}});
    } else if (!reading.contents.workspace && declares("num_heads") && by_bias != tensors.end() &&
               by_bias->second.rank() == 2 && by_bias->second.dim(1) > 0) {
        const auto heads = by_bias->second.dim(1);
        spec.parameters.set("num_heads", heads);
        reading.note({ATTNLAB_TEXT("num_heads is %1, as relative_attention_bias has it"), {std::to_string(heads)}});
    }
    if (choices.num_kv_heads && declares("num_kv_heads"))
        spec.parameters.set("num_kv_heads", *choices.num_kv_heads);
    const auto heads = choices.num_heads ? choices.num_heads : reading.num_heads;
    if (heads && *heads > 0 && !choices.num_kv_heads && declares("num_kv_heads"))
        if (const auto shared = reading.num_kv_heads ? reading.num_kv_heads : shared_heads(tensors, *heads))
            spec.parameters.set("num_kv_heads", *shared);
}

/// Switches on the masks of the files.
void apply_masks(Reading& reading) {
    if (reading.contents.workspace)
        return;
    auto& spec = reading.result.problem.spec;
    for (const auto& kind : mask_kinds())
        for (const auto& input : kind.inputs)
            if (input.required && reading.origins.contains(std::string(input.name)) &&
                !refusal_of_mask(mechanism_of(spec.variant), kind.id))
                spec.masks.push_back({std::string(kind.id), {}});
}

} // namespace

void choose_mechanism(Reading& reading) {
    auto& spec = reading.result.problem.spec;
    const auto& tensors = reading.result.problem.tensors;
    const auto& choices = reading.choices;
    if (!choices.variant.empty()) {
        if (spec.variant != choices.variant)
            spec.parameters = {};
        spec.variant = choices.variant;
    } else if (!reading.contents.workspace) {
        const auto mask_true = spec.mask_true;
        auto fitting = spec_for(tensors);
        const bool is_layer = tensors.contains("w_q") && tensors.contains("w_k");
        if (fitting)
            spec = std::move(*fitting);
        // A layer without its input; one of another program has heads.
        if (is_layer && (!fitting || (reading.projected && spec.variant == "self")))
            spec.variant = "multi_head";
        spec.mask_true = mask_true;
        share_keys(reading);
        if (auto note = convention_of(reading.group); note && tensors.contains("w_q"))
            reading.note(std::move(*note));
    }
    set_heads(reading);
    apply_masks(reading);
}

std::vector<std::string> UsedArray::roles() const {
    constexpr std::string_view separator = ", ";
    std::vector<std::string> all;
    for (std::size_t start = 0; start <= role.size();) {
        const auto end = std::min(role.find(separator, start), role.size());
        all.push_back(role.substr(start, end - start));
        start = end + separator.size();
    }
    return all;
}

bool UsedArray::begins_problem() const {
    for (const auto& each : roles())
        for (const auto& candidate : mechanisms())
            if (const auto* input = find_input(candidate.inputs, each); input && input->required)
                return true;
    return false;
}

const std::vector<std::string>* UsedArray::labels_in(const AttentionProblem& problem) const {
    return role == "query_tokens" ? &problem.query_tokens : role == "key_tokens" ? &problem.key_tokens : nullptr;
}

const Question* Recognition::question(Question::Kind kind) const { return lookup(questions, kind, &Question::kind); }

Recognition recognise(const Contents& contents, const Choices& choices, const RunControl* control) {
    Reading reading{contents, choices, control};
    auto& result = reading.result;
    if (contents.capture && contents.workspace)
        throw Error({ATTNLAB_TEXT("%1: a capture says itself how its passes are computed, expected no workspace and no "
                                  "figure beside it"),
                     {contents.capture->file}});
    if (contents.capture) {
        read_capture(reading);
        for (const auto& other : contents.others) {
            if (control)
                control->checkpoint();
            result.unused.push_back({other.name, other.file, std::nullopt, other.what});
        }
        return std::move(result);
    }
    if (contents.workspace) {
        result.problem = *contents.workspace;
        result.view_json = contents.view_json;
        result.is_workspace = true;
        if (!choices.layout.empty())
            throw Error({ATTNLAB_TEXT("layout: has %1, but a saved workspace says itself how its arrays lie"),
                         {choices.layout}});
    }
    name_candidates(reading);
    choose_group(reading);
    read_module_arguments(reading);
    take_arrays(reading);
    read_offset_weights(reading);
    add_zero_biases(reading);
    take_labels(contents, choices, result);
    for (const auto& other : contents.others) {
        if (control)
            control->checkpoint();
        // An array that a figure has no room for may be in a file beside it.
        if (!result.is_workspace || !result.problem.tensors.contains(other.name))
            result.unused.push_back({other.name, other.file, std::nullopt, other.what});
    }
    choose_mechanism(reading);
    read_axes(reading);
    fit_labels(contents, result);
    if (auto question = heads_question(result.problem);
        question && !choices.num_heads && !reading.asks(Question::Kind::Heads))
        result.questions.push_back(std::move(*question));
    return std::move(result);
}

std::vector<UnusedGroup> grouped(const std::vector<UnusedArray>& unused) {
    constexpr std::size_t most = 8;
    const auto belongs = [](const UnusedGroup& group, const UnusedArray& array) {
        return group.file == array.file && group.why == array.why;
    };
    std::vector<UnusedGroup> groups;
    for (const auto& array : unused) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return belongs(g, array); });
        if (group == groups.end())
            groups.push_back({array.file, {array.name}, array.why});
        else
            group->names.push_back(array.name);
    }
    std::vector<UnusedGroup> result;
    for (const auto& array : unused) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return belongs(g, array); });
        if (group->names.size() <= most)
            result.push_back({array.file, {array.name}, array.why});
        else if (group->names.front() == array.name)
            result.push_back(*group);
    }
    return result;
}

std::string held_text(const Contents& contents) {
    constexpr std::size_t most = 8;
    auto text = listed(std::span(contents.arrays).first(std::min(contents.arrays.size(), most)),
                       [](const HeldArray& array) { return array.name + " " + to_string(array.tensor.shape()); });
    if (contents.arrays.size() > most)
        text += ", … (" + std::to_string(contents.arrays.size()) + ")";
    return text;
}

// Implements the part of core/recognition/recognition.h about missing and unread inputs.

namespace {

std::optional<std::int64_t> width_of(const TensorMap& tensors, std::string_view name) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.rank() == 0)
        return std::nullopt;
    return found->second.dim(-1);
}

/// For a mask that is off, or an input of another mechanism.
Message why_unread(const std::string& role, const AttentionSpec& spec) {
    if (role == query_offset_input.name)
        return {ATTNLAB_TEXT("no mask, position or decay that uses it is on")};
    for (const auto& kind : mask_kinds())
        if (find_input(kind.inputs, role)) {
            const auto* refusal = refusal_of_mask(mechanism_of(spec.variant), kind.id);
            return refusal ? Message{refusal} : Message{ATTNLAB_TEXT("the mask %1 is off"), {std::string(kind.id)}};
        }
    for (const auto& term : position_terms())
        if (find_input(term.inputs, role))
            return {ATTNLAB_TEXT("the position %1 is off"), {std::string(term.id)}};
    for (const auto& decay : decays())
        if (find_input(decay.inputs, role) && !find_input(mechanism_of(spec.variant).inputs, role))
            return {ATTNLAB_TEXT("the decay %1 is off"), {std::string(decay.id)}};
    for (const auto& view : weights_views())
        if (find_input(view.inputs, role) && !find_input(mechanism_of(spec.variant).inputs, role))
            return {ATTNLAB_TEXT("the view %1 is off"), {std::string(view.id)}};
    for (const auto& mode : scale_modes())
        if (find_input(mode.inputs, role))
            return {ATTNLAB_TEXT("the scale %1 is off"), {std::string(mode.id)}};
    return {ATTNLAB_TEXT("%1 is not an input of %2"), {role, spec.variant}};
}

/// The inputs that the problem reads in its own setting and in the compared one.
std::set<std::string, std::less<>> inputs_read(const AttentionProblem& problem) {
    std::set<std::string, std::less<>> read;
    const auto add = [&](const AttentionSpec& spec) {
        AttentionProblem setting;
        setting.spec = spec;
        setting.tensors = problem.tensors;
        try {
            setting.tensors = adopted_tensors(setting);
        } catch (const Error&) { // the run reports the error
        }
        for (const auto& input : inputs_of(spec))
            read.emplace(input.name);
        // Tensors removed by an adoption have been read.
        for (const auto& [name, tensor] : problem.tensors)
            if (!setting.tensors.contains(name))
                read.insert(name);
    };
    add(problem.spec);
    if (problem.compared_with)
        add(*problem.compared_with);
    return read;
}

bool is_read(const UsedArray& use, const std::set<std::string, std::less<>>& inputs) {
    const auto roles = use.roles();
    return use.role == "query_tokens" || use.role == "key_tokens" ||
           std::any_of(roles.begin(), roles.end(), [&](const std::string& role) { return inputs.contains(role); });
}

} // namespace

std::optional<Question> heads_question(const AttentionProblem& problem) {
    const auto& chosen = mechanism_of(problem.spec.variant);
    const bool cuts = std::any_of(chosen.parameters.begin(), chosen.parameters.end(),
                                  [](const Parameter& parameter) { return parameter.name == "num_heads"; });
    if (!cuts || problem.spec.parameters.find("num_heads"))
        return std::nullopt;
    TensorMap tensors;
    try {
        tensors = adopted_tensors(problem);
    } catch (const Error&) {
        return std::nullopt; // the run reports the error
    }
    auto width = width_of(tensors, "w_q");
    if (const auto made = tensors.find("kv_b_proj.weight"); made != tensors.end())
        for (const auto* name : {"q_proj.weight", "q_b_proj.weight"}) // torch's (out, in)
            if (const auto query = tensors.find(name); query != tensors.end())
                width = std::gcd(made->second.dim(0), query->second.dim(0));
    for (const auto* name : {"encoder.layers.self_attn.out_proj.weight", "decoder.layers.self_attn.out_proj.weight"})
        if (!width)
            width = width_of(tensors, name);
    if (!width || *width < 1)
        return std::nullopt;
    Question question{Question::Kind::Heads, {}, {}};
    for (const auto count : divisors(*width))
        question.answers.push_back(std::to_string(count));
    question.text = {
        ATTNLAB_TEXT("num_heads: the weights do not determine it, expected a divisor of their width %1: %2"),
        {std::to_string(*width), listed(question.answers)}};
    return question;
}

std::vector<UsedArray> read_arrays(const Recognition& recognition, const AttentionProblem& problem) {
    const auto inputs = inputs_read(problem);
    std::vector<UsedArray> read;
    std::copy_if(recognition.used.begin(), recognition.used.end(), std::back_inserter(read),
                 [&](const UsedArray& use) { return is_read(use, inputs); });
    return read;
}

std::vector<UnusedArray> unread_arrays(const Recognition& recognition, const AttentionProblem& problem) {
    const auto inputs = inputs_read(problem);
    std::vector<UnusedArray> unread;
    for (const auto& use : recognition.used)
        if (!is_read(use, inputs))
            unread.push_back({use.name, use.file, use.shape, why_unread(use.role, problem.spec)});
    return unread;
}

std::optional<Message> lacking(const Recognition& recognition, const AttentionProblem& problem,
                               std::string_view spare) {
    TensorMap tensors;
    try {
        tensors = adopted_tensors(problem);
    } catch (const Error& error) {
        return error.message();
    }
    constexpr int most_named = 8;
    std::string held;
    int count = 0;
    const auto add = [&](const std::string& name, const std::optional<Shape>& shape) {
        if (shape && ++count <= most_named)
            held += (held.empty() ? "" : ", ") + name + " " + to_string(*shape);
    };
    for (const auto& use : recognition.used)
        add(use.name, use.shape);
    for (const auto& unused : recognition.unused)
        add(unused.name, unused.shape);
    if (count > most_named)
        held += ", … (" + std::to_string(count) + ")";
    const auto inputs = inputs_of(mechanism_of(problem.spec.variant), problem.spec.parameters);
    const auto lacks = [&](const Input& input) {
        return input.required && input.name != spare && !tensor_for(inputs, input, tensors).second;
    };
    const bool complete = std::none_of(inputs.begin(), inputs.end(), lacks);
    for (const auto kind : {Question::Kind::Group, Question::Kind::Heads})
        if (const auto* question = recognition.question(kind); question && !complete)
            return question->text;
    for (const auto& input : inputs)
        if (lacks(input)) {
            for (const auto& unused : recognition.unused)
                if (recognition.is_workspace && unused.name == input.name && !unused.shape)
                    return Message{ATTNLAB_TEXT("%1: is missing in %2: %3"),
                                   {std::string(input.name), unused.file, unused.why}};
            return Message{ATTNLAB_TEXT("%1: is missing, expected an array (%2); the files hold %3"),
                           {std::string(input.name), std::string(input.dims),
                            held.empty() ? Argument(Message(ATTNLAB_TEXT("no array"))) : Argument(held)}};
        }
    return std::nullopt;
}

} // namespace attnlab
