#include "core/recognition/token_labels.h"

#include "core/recognition/array_names.h"
#include "core/resolved_problem.h"

#include <algorithm>
#include <utility>

namespace attnlab {
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
