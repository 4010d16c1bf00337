// Implements the part of core/recognition/reading.h about several layers in the files.
#include "core/recognition/reading.h"

#include <algorithm>
#include <set>

namespace attnlab {
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
               !has("in_proj_weight") && !(has("q_proj_weight") && has("k_proj_weight")) && !has("weights");
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
              {std::to_string(prefixes.size()), listed(prefixes)}},
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
    if (!there)
        throw Error({ATTNLAB_TEXT("prefix: '%1' is not in the files, expected the beginning of a layer's names, "
                                  "one of %2"),
                     {prefix, listed(groups)}});
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
              {std::to_string(groups.size()), listed(groups)}},
             groups});
}

} // namespace attnlab
