#include "core/code/code.h"

#include "core/code/writers.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/variants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace attnlab::code {
namespace {

constexpr std::array language_table = {
    LanguageInfo{Language::PyTorch, "pytorch", "PyTorch"}, LanguageInfo{Language::NumPy, "numpy", "NumPy"},
    LanguageInfo{Language::Jax, "jax", "JAX"}, LanguageInfo{Language::Latex, "latex", "LaTeX"},
    LanguageInfo{Language::Command, "command", "command line"}};

constexpr std::array short_variants = {"scaled_dot_product", "flash",           "bilinear",     "additive", "concat",
                                       "vector_sum",         "gaussian_kernel", "self",         "causal",   "cross",
                                       "multi_head",         "multi_query",     "grouped_query"};

bool is_on(const ParameterValues& parameters, std::string_view name) {
    return parameters.find(name) && parameters.boolean(name);
}

std::optional<Message> refusal_of_setting(const ResolvedProblem& problem) {
    const auto& spec = problem.spec;
    const auto& parameters = spec.parameters;
    if (std::ranges::find(short_variants, spec.variant) == short_variants.end())
        return Message{ATTNLAB_TEXT("%1 has no short code: it takes more than a few steps"), {spec.variant}};
    if (spec.rounding)
        return Message{ATTNLAB_TEXT("Rounding to %1 has no short code"), {std::string(name_of(spec.rounding->format))}};
    if (parameters.find("dropout") && parameters.real("dropout") > 0.0)
        return Message{ATTNLAB_TEXT("Dropout has no short code: other libraries drop other weights")};
    const bool extra_key = spec.variant == "multi_head" && problem.tensors.contains("bias_k");
    if (extra_key || is_on(parameters, "add_bias_kv") || is_on(parameters, "add_zero_attn"))
        return Message{ATTNLAB_TEXT("Keys that are appended (bias_k, the zero key) have no short code")};
    return std::nullopt;
}

/// Code and engine treat NaN and infinity differently; a bias may block by -inf.
std::optional<Message> refusal_of_numbers(const ResolvedProblem& resolved) {
    for (const auto& [name, tensor] : resolved.tensors) {
        if (tensor.size() == 0)
            return Message{ATTNLAB_TEXT("%1 is empty: there is nothing to compute"), {name}};
        if (name == "attn_bias" || !tensor.in_memory())
            continue;
        const auto odd = std::ranges::find_if(tensor.values(), [](double value) { return !std::isfinite(value); });
        if (odd != tensor.values().end())
            return Message{ATTNLAB_TEXT("%1 has %2: short code needs finite numbers"), {name, to_text(*odd)}};
    }
    return std::nullopt;
}

/// As issues_in(), without reading arrays that are not in memory.
void check(const ResolvedProblem& resolved) {
    const auto& sizes = resolved.sizes;
    const auto width = [&](const char* symbol) { return sizes.contains(symbol) ? sizes.find(symbol)->second : 0; };
    check_position(resolved, {sizes.at("B"), sizes.at("H"), sizes.at("L"), sizes.at("S"), width("E"), width("Ek")});
    if (std::ranges::all_of(resolved.tensors, [](const auto& named) { return named.second.in_memory(); }))
        check_masks(resolved);
}

std::optional<Message> refusal(const AttentionProblem& problem, Language language) {
    const auto resolved = resolve(problem);
    check(resolved);
    if (language == Language::Command)
        return std::nullopt;
    if (auto why = refusal_of_setting(resolved))
        return why;
    return language == Language::Latex ? std::nullopt : refusal_of_numbers(resolved);
}

} // namespace

std::span<const LanguageInfo> languages() { return language_table; }

Language language(std::string_view id) {
    const auto found = std::ranges::find(language_table, id, &LanguageInfo::id);
    if (found != language_table.end())
        return found->language;
    std::string known;
    for (const auto& info : language_table)
        known += (known.empty() ? "" : ", ") + std::string(info.id);
    throw UnknownName({ATTNLAB_TEXT("language: '%1' is not one of %2"), {std::string(id), known}});
}

std::optional<Message> why_no_code(const AttentionProblem& problem, Language language) {
    try {
        return refusal(problem, language);
    } catch (const Error& error) {
        return error.message();
    }
}

std::string code_of(const AttentionProblem& problem, Language language, std::string_view file) {
    if (const auto why = why_no_code(problem, language))
        throw Error(*why);
    const auto resolved = resolve(problem);
    switch (language) {
    case Language::Latex:
        return latex_of(resolved);
    case Language::Command:
        return command_of(resolved.spec, file);
    case Language::PyTorch:
    case Language::NumPy:
    case Language::Jax:
        break;
    }
    return python_of(resolved, problem.tensors, language, file);
}

void fail_without_code(std::string_view id) { throw std::logic_error(std::string(id) + " has no code yet"); }

bool has_heads(std::string_view variant) {
    return variant == "multi_head" || variant == "multi_query" || variant == "grouped_query";
}

bool projects(std::string_view variant) {
    return has_heads(variant) || variant == "self" || variant == "causal" || variant == "cross";
}

std::vector<Selection> masks_of(const ResolvedProblem& problem) {
    auto masks = problem.spec.masks;
    if (problem.spec.variant == "causal" && std::ranges::find(masks, "causal", &Selection::id) == masks.end())
        masks.insert(masks.begin(), complete_mask({"causal", {}}));
    return masks;
}

bool keeps_all(const Selection& mask) {
    return mask.id == "window" && window_reaches(mask.parameters) == WindowReaches{};
}

std::int64_t key_heads(const ResolvedProblem& problem) {
    const auto& spec = problem.spec;
    if (spec.variant == "multi_head")
        return spec.parameters.integer("num_heads");
    if (spec.variant == "grouped_query")
        return spec.parameters.integer("num_kv_heads");
    if (projects(spec.variant))
        return 1;
    const auto& key = problem.tensors.at("key");
    return key.rank() == 4 ? key.dim(1) : 1;
}

} // namespace attnlab::code
