// Implements the part of core/recognition/recognition.h about missing and unread inputs.
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/recognition/projections.h"
#include "core/recognition/recognition.h"
#include "core/resolved_problem.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace attnlab {
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
        if (lacks(input))
            return Message{ATTNLAB_TEXT("%1: is missing, expected an array (%2); the files hold %3"),
                           {std::string(input.name), std::string(input.dims),
                            held.empty() ? Argument(Message(ATTNLAB_TEXT("no array"))) : Argument(held)}};
    return std::nullopt;
}

} // namespace attnlab
