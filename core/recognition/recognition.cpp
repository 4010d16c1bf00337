#include "core/recognition/recognition.h"

#include "core/binder.h"
#include "core/recognition/reading.h"
#include "core/recognition/token_labels.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab {

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
        for (const auto& candidate : variants())
            if (const auto* input = find_input(candidate.inputs, each); input && input->required)
                return true;
    return false;
}

const std::vector<std::string>* UsedArray::labels_in(const AttentionProblem& problem) const {
    return role == "query_tokens" ? &problem.query_tokens : role == "key_tokens" ? &problem.key_tokens : nullptr;
}

const Question* Recognition::question(Question::Kind kind) const {
    const auto found =
        std::find_if(questions.begin(), questions.end(), [kind](const Question& asked) { return asked.kind == kind; });
    return found == questions.end() ? nullptr : &*found;
}

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
    add_zero_biases(reading);
    take_labels(contents, choices, result);
    for (const auto& other : contents.others) {
        if (control)
            control->checkpoint();
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
    std::string text;
    for (std::size_t i = 0; i < contents.arrays.size() && i < most; ++i)
        text +=
            (text.empty() ? "" : ", ") + contents.arrays[i].name + " " + to_string(contents.arrays[i].tensor.shape());
    if (contents.arrays.size() > most)
        text += ", … (" + std::to_string(contents.arrays.size()) + ")";
    return text;
}

} // namespace attnlab
