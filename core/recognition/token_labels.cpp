#include "core/recognition/token_labels.h"

#include "core/inputs.h"
#include "core/recognition/array_names.h"

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

} // namespace

void take_labels(const Contents& contents, Recognition& recognition) {
    for (const auto& held : contents.labels) {
        const auto meaning = known_name(held.name);
        const bool keys = meaning && meaning->role == "key_tokens";
        auto& tokens = keys ? recognition.problem.key_tokens : recognition.problem.query_tokens;
        if (!tokens.empty() && !contents.workspace) {
            recognition.unused.push_back(
                {held.name, held.file, std::nullopt, {ATTNLAB_TEXT("labels are given twice")}});
            continue;
        }
        tokens = held.labels;
        recognition.used.push_back({held.name,
                                    held.file,
                                    {static_cast<std::int64_t>(held.labels.size())},
                                    DType::Float64,
                                    keys ? "key_tokens" : "query_tokens",
                                    {}});
    }
}

void fit_labels(const Contents& contents, Recognition& recognition) {
    auto& problem = recognition.problem;
    if (contents.workspace || (problem.query_tokens.empty() && problem.key_tokens.empty()))
        return;
    Bindings sizes;
    try {
        sizes = bind(problem);
    } catch (const Error&) {
        return; // the run says what is wrong
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
