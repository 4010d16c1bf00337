#include "core/code/code.h"

#include "core/code/writers.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/resolved_problem.h"
#include "core/rounding.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/tensor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <stdexcept>
#include <variant>

namespace attnlab::code {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 16; // computed within milliseconds

bool is_small(const ResolvedProblem& problem) {
    const auto& n = problem.sizes;
    const auto in_memory = [](const auto& named) {
        return named.second.in_memory() && named.second.size() < most_cells;
    };
    return n.at("L") <= most_cells / n.at("S") / n.at("H") / n.at("B") &&
           std::ranges::all_of(problem.tensors, in_memory);
}

/// True where all numbers of some run of `length` numbers are the same number that `is` accepts.
template <class Is>
bool any_run(const Tensor& tensor, std::int64_t length, Is is) {
    const auto values = tensor.values();
    const auto count = static_cast<std::size_t>(length);
    for (std::size_t first = 0; first + count <= values.size(); first += count) {
        const auto run = values.subspan(first, count);
        if (is(run.front()) && std::ranges::all_of(run, [&](double value) { return value == run.front(); }))
            return true;
    }
    return false;
}

/// The masks leave the key at the position of each query open, or the first key.
bool surely_reads(const ResolvedProblem& problem) {
    if (combines_otherwise(problem.spec) || implies_order(problem.spec))
        return false;
    const auto masks = masks_of(problem);
    const auto& n = problem.sizes;
    const auto offset = uses_positions(masks) ? query_offsets(problem.spec, problem.tensors).common() : 0;
    if (!offset)
        return false;
    const auto band_of = [&](const Selection& mask) {
        const auto& kind = mask_kind(mask.id);
        return kind.band ? std::optional(kind.band(mask_context(n), mask.parameters)) : std::nullopt;
    };
    const auto keeps_own_key = [&](const Selection& mask) {
        const auto band = band_of(mask);
        return band && band->before >= 0 && band->after >= 0;
    };
    const auto keeps_first_key = [&](const Selection& mask) {
        const auto band = band_of(mask);
        return band && band->before == Band::unlimited && (band->prefix > 0 || *offset + band->after >= 0);
    };
    return (*offset >= 0 && n.at("L") + *offset <= n.at("S") && std::ranges::all_of(masks, keeps_own_key)) ||
           std::ranges::all_of(masks, keeps_first_key);
}

Facts computed(const ResolvedProblem& problem) {
    const auto trace = problem.mechanism->run(problem, {});
    const auto row = problem.sizes.at("S"), head = row * problem.sizes.at("L");
    const auto scale = code_of(problem.spec.scale);
    Facts facts;
    for (const std::string part : {"", "_1", "_2"}) {
        const auto any_in = [&](const char* name, std::int64_t length, double wanted) {
            const Stage* stage = trace.find(name + part);
            return stage && any_run(stage->value, length > 0 ? length : stage->value.dim(-1),
                                    [wanted](double value) { return value == wanted; });
        };
        facts.unread_rows = facts.unread_rows || any_in("masked", row, -infinity);
        facts.zero_queries = facts.zero_queries || any_in("query", 0, 0.0);
        facts.zero_keys = facts.zero_keys || any_in("key", 0, 0.0);
        if (!scale.norm.empty()) // which makes scores of norm 0 zero
            facts.zero_scores = facts.zero_scores || any_in("scaled", scale.norm_of_rows ? row : head, 0.0);
    }
    return facts;
}

} // namespace

Facts facts_of(const ResolvedProblem& problem) {
    if (is_small(problem))
        return computed(problem);
    const bool bias = find_mask(problem.spec.masks, &MaskKind::adds) != nullptr;
    Facts facts;
    facts.unread_rows = bias || !problem.spec.score_mod.empty() ||
                        (problem.spec.mask_fill.value == -infinity && !surely_reads(problem));
    facts.zero_queries = facts.zero_keys = facts.zero_scores = true;
    return facts;
}

// The command line: attnlab compute with every choice.

namespace {

/// One word of a POSIX shell.
std::string word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(plain) == text.npos)
        return std::string(text);
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

/// "id", "id:value" or "id:a=1,b=2".
std::string choice(const Selection& selection, bool named) {
    std::string text = selection.id;
    char before = ':';
    for (const auto& [name, value] : selection.parameters.all()) {
        text += before + (named ? name + "=" : std::string()) + to_text(value);
        before = ',';
    }
    return text;
}

/// "prefix:2", "dilated:4,2".
std::string mask_choice(const Selection& mask) {
    const auto values = complete_mask(mask).parameters;
    std::string text = mask.id;
    for (const auto& parameter : mask_kind(mask.id).parameters)
        text += (text == mask.id ? ":" : ",") + to_text(*values.find(parameter.name));
    return text;
}

/// "window:4" or, with two reaches, "window:2,1".
std::string window_choice(const Selection& mask) {
    const auto values = complete_mask(mask).parameters;
    if (values.choice("sides") == "equal")
        return mask.id + ":" + std::to_string(values.integer("w"));
    return mask.id + ":" + std::to_string(values.integer("left")) + "," + std::to_string(values.integer("right"));
}

class CommandLine {
public:
    void add(std::string_view option) { text_ += " --" + std::string(option); }
    void add(std::string_view option, std::string_view value) {
        add(option);
        text_ += " " + word(value);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// What has an effect without a mask that blocks is not spelled: the program would warn.
void add_masks(CommandLine& words, const AttentionSpec& spec) {
    for (const auto& mask : spec.masks)
        words.add("mask", is_window(mask_kind(mask.id)) ? window_choice(mask) : mask_choice(mask));
    if (spec.masks.empty())
        words.add("mask", "none");
    if (!spec.mask_combine.empty())
        words.add("mask-combine", spec.mask_combine);
    const MaskFill usual;
    const bool fills = mechanism_of(spec.variant).fills_own_mask ||
                       std::ranges::any_of(spec.masks, [](const auto& mask) { return !mask_kind(mask.id).adds; });
    if (fills || spec.mask_fill != usual) {
        words.add("mask-fill", to_text(spec.mask_fill.value));
        words.add("mask-fill-mode", spec.mask_fill.mode == MaskFill::Mode::Replace ? "replace" : "add");
    }
    if (spec.mask_true != MaskTrue::Blocks || find_mask(spec.masks, &MaskKind::uses_mask_true))
        words.add("mask-true", spec.mask_true == MaskTrue::Blocks ? "blocks" : "keeps");
}

bool reads_offset(const AttentionSpec& spec) {
    const auto by_expressions = expression_inputs(spec);
    if (lookup(by_expressions, query_offset_input.name, &Input::name) || implies_order(spec))
        return true;
    return std::ranges::any_of(further_inputs(spec), [](std::span<const Input> declared) {
        return lookup(declared, query_offset_input.name, &Input::name) != nullptr;
    });
}

} // namespace

std::string command_of(const AttentionSpec& spec, const std::optional<KeyGrid>& key_grid, std::string_view file) {
    CommandLine words;
    words.add("variant", spec.variant);
    for (const auto& [name, value] : spec.parameters.all())
        words.add("set", name + "=" + to_text(value));
    words.add("scale", choice(spec.scale, false));
    if (spec.scale_after_softmax)
        words.add("scale-after-softmax");
    words.add("position", spec.position.id.empty() ? "none" : choice(spec.position, true));
    if (spec.query_offset && reads_offset(spec))
        words.add("query-offset", std::to_string(*spec.query_offset));
    add_masks(words, spec);
    if (key_grid && std::ranges::any_of(spec.masks, [](const auto& mask) { return mask_kind(mask.id).needs_key_grid; }))
        words.add("key-grid", std::to_string(key_grid->rows) + "x" + std::to_string(key_grid->columns));
    if (!spec.score_mod.empty())
        words.add("score-mod", spec.score_mod);
    words.add("normaliser", spec.normaliser.id.empty() ? "softmax" : choice(spec.normaliser, false));
    words.add("decay", spec.decay.id.empty() ? "none" : choice(spec.decay, false));
    if (!spec.view.empty())
        words.add("view", spec.view);
    if (spec.statistics)
        words.add("statistics");
    words.add("round", spec.rounding ? to_text(*spec.rounding) : "none");
    const std::string name = (file.starts_with('-') ? "./" : "") + std::string(file);
    return "attnlab compute " + word(name) + words.text() + " --out stages.npz\n";
}

namespace {

constexpr std::array language_table = {LanguageInfo{Language::PyTorch, "pytorch", "PyTorch"},
                                       LanguageInfo{Language::NumPy, "numpy", "NumPy"},
                                       LanguageInfo{Language::Jax, "jax", "JAX"},
                                       LanguageInfo{Language::Flex, "flex", "FlexAttention"},
                                       LanguageInfo{Language::Sdpa, "sdpa", "scaled_dot_product_attention"},
                                       LanguageInfo{Language::Latex, "latex", "LaTeX"},
                                       LanguageInfo{Language::Command, "command", "command line"}};

bool is_on(const ParameterValues& parameters, std::string_view name) {
    return parameters.find(name) && parameters.boolean(name);
}

std::optional<Message> refusal_of_setting(const ResolvedProblem& problem) {
    const auto& spec = problem.spec;
    const auto& parameters = spec.parameters;
    if (!problem.mechanism->code)
        return Message{ATTNLAB_TEXT("%1 has no short code: it takes more than a few steps"), {spec.variant}};
    if (spec.rounding)
        return Message{ATTNLAB_TEXT("Rounding to %1 has no short code"), {std::string(name_of(spec.rounding->format))}};
    if (parameters.find("dropout") && parameters.real("dropout") > 0.0)
        return Message{ATTNLAB_TEXT("Dropout has no short code: other libraries drop other weights")};
    if (problem.tensors.contains("bias_k") || is_on(parameters, "add_bias_kv") || is_on(parameters, "add_zero_attn"))
        return Message{ATTNLAB_TEXT("Keys that are appended (bias_k, the zero key) have no short code")};
    return std::nullopt;
}

/// True for an array that a mask adds to the scores.
bool is_added(std::string_view array) {
    return std::ranges::any_of(mask_kinds(),
                               [&](const MaskKind& kind) { return kind.adds && array_of(kind).name == array; });
}

/// Code and engine treat NaN and infinity differently; a bias may block by -inf.
std::optional<Message> refusal_of_numbers(const ResolvedProblem& resolved) {
    for (const auto& [name, tensor] : resolved.tensors) {
        if (tensor.size() == 0)
            return Message{ATTNLAB_TEXT("%1 is empty: there is nothing to compute"), {name}};
        if (is_added(name) || !tensor.in_memory())
            continue;
        constexpr std::int64_t piece = 1 << 16; // values() would copy an edited array whole
        std::vector<double> numbers(static_cast<std::size_t>(std::min(piece, tensor.size())));
        for (std::int64_t first = 0; first < tensor.size(); first += piece) {
            const auto part =
                std::span(numbers).first(static_cast<std::size_t>(std::min(piece, tensor.size() - first)));
            tensor.read(first, part);
            const auto odd = std::ranges::find_if(part, [](double value) { return !std::isfinite(value); });
            if (odd != part.end())
                return Message{ATTNLAB_TEXT("%1 has %2: short code needs finite numbers"), {name, to_text(*odd)}};
        }
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

/// What a language refuses: nothing, some settings, or these and some numbers.
struct Refusals {
    std::optional<Message> of_setting, of_numbers, of_flex, of_sdpa;

    /// Reads the numbers if `with_numbers`.
    Refusals(const ResolvedProblem& resolved, bool with_numbers) : of_setting(refusal_of_setting(resolved)) {
        if (with_numbers)
            of_numbers = refusal_of_numbers(resolved);
        of_flex = refusal_of_flex(resolved);
        of_sdpa = refusal_of_sdpa(resolved);
    }
    std::optional<Message> in(Language language) const {
        if (language == Language::Command)
            return std::nullopt;
        if (of_setting || language == Language::Latex)
            return of_setting;
        const auto& of_function = language == Language::Flex   ? of_flex
                                  : language == Language::Sdpa ? of_sdpa
                                                               : of_numbers;
        return of_function ? of_function : of_numbers;
    }
};

bool reads_numbers(Language language) { return language != Language::Command && language != Language::Latex; }

} // namespace

std::span<const LanguageInfo> languages() { return language_table; }

Language language(std::string_view id) {
    if (const auto* found = lookup(language_table, id))
        return found->language;
    throw UnknownName({ATTNLAB_TEXT("language: '%1' is not one of %2"),
                       {std::string(id), listed(language_table, &LanguageInfo::id)}});
}

std::optional<Message> why_no_code(const AttentionProblem& problem, Language language) {
    try {
        const auto resolved = resolve(problem);
        check(resolved);
        return Refusals(resolved, reads_numbers(language)).in(language);
    } catch (const Error& error) {
        return error.message();
    }
}

std::vector<std::optional<Message>> why_no_code(const AttentionProblem& problem) {
    std::vector<std::optional<Message>> reasons;
    try {
        const auto resolved = resolve(problem);
        check(resolved);
        const Refusals refusals(resolved, true);
        for (const auto& info : language_table)
            reasons.push_back(refusals.in(info.language));
    } catch (const Error& error) {
        reasons.assign(language_table.size(), error.message());
    }
    return reasons;
}

std::string code_of(const AttentionProblem& problem, Language language, std::string_view file) {
    if (const auto why = why_no_code(problem, language))
        throw Error(*why);
    const auto resolved = resolve(problem);
    switch (language) {
    case Language::Latex:
        return latex_of(resolved);
    case Language::Command:
        return command_of(resolved.spec, resolved.key_grid, file);
    case Language::Flex:
        return flex_of(resolved, problem.tensors, file);
    case Language::PyTorch:
    case Language::Sdpa:
    case Language::NumPy:
    case Language::Jax:
        break;
    }
    return python_of(resolved, problem.tensors, language, file);
}

void fail_without_code(std::string_view id) { throw std::logic_error(std::string(id) + " has no code yet"); }

bool projects(const Mechanism& mechanism) { return find_input(mechanism.inputs, "w_q") != nullptr; }

bool has_heads(const Mechanism& mechanism) {
    return projects(mechanism) && lookup(mechanism.parameters, "num_heads", &Parameter::name) != nullptr;
}

std::vector<Selection> masks_of(const ResolvedProblem& problem) {
    auto masks = problem.spec.masks;
    const auto implied = problem.mechanism->implied_mask;
    if (!implied.empty() && !lookup(masks, implied))
        masks.insert(masks.begin(), complete_mask({std::string(implied), {}}));
    return masks;
}

bool keeps_all(const ResolvedProblem& problem, const Selection& mask) {
    const auto& kind = mask_kind(mask.id);
    if (!kind.band)
        return false;
    const auto band = kind.band(mask_context(problem.sizes), mask.parameters);
    return band.before == Band::unlimited && band.after == Band::unlimited;
}

bool reads_gain(const ResolvedProblem& problem, std::string_view gain) {
    const auto& inputs = scale_mode(problem.spec.scale.id).inputs;
    return problem.tensors.contains(gain) && lookup(inputs, gain, &Input::name) != nullptr;
}

std::string filled(std::string_view code, const std::function<std::string(std::string_view name)>& value_of) {
    std::string text;
    for (std::size_t at = 0; at < code.size();) {
        const bool opens =
            code[at] == '<' && at + 1 < code.size() && std::isalpha(static_cast<unsigned char>(code[at + 1]));
        if (!opens) {
            text += code[at++];
            continue;
        }
        const auto end = code.find('>', at);
        const auto inside = code.substr(at + 1, end - at - 1);
        const auto name = inside.substr(0, inside.find(' ')), sign = inside.substr(name.size());
        const auto value = value_of(name);
        if (sign.empty() || (value != "1" && value != "1.0"))
            text += value + std::string(sign);
        at = end + 1;
    }
    return text;
}

std::string scale_code(const ResolvedProblem& problem, std::string_view code, std::string stage, const Words& words) {
    const auto& parameters = problem.spec.scale.parameters;
    const auto& mode = scale_mode(problem.spec.scale.id);
    const bool has_sizes = code.find("<d>") != code.npos || code.find("<S>") != code.npos;
    if (!has_sizes && mode.factor && mode.factor({1, 1}, parameters) == 1.0)
        return stage;
    return filled(code, [&](std::string_view name) {
        return name == "s"      ? stage
               : name == "d"    ? words.width
               : name == "S"    ? words.keys
               : name == "head" ? words.head
                                : words.number(number_of(parameters, name));
    });
}

double number_of(const ParameterValues& parameters, std::string_view name) {
    const auto* value = parameters.find(name);
    return value && std::holds_alternative<std::int64_t>(*value) ? static_cast<double>(parameters.integer(name))
                                                                 : parameters.real(name);
}

std::string mask_code(const ResolvedProblem& problem, const Selection& mask, std::string_view code,
                      const Words& words) {
    const auto& array = array_of(mask_kind(mask.id));
    const bool for_each_query = problem.tensors.find(array.name)->second.rank() == 2;
    return filled(code, [&](std::string_view name) -> std::string {
        if (name == "not")
            return problem.spec.mask_true == MaskTrue::Keeps ? std::string() : words.negation;
        return name == "cells"  ? words.cells
               : name == "rows" ? (for_each_query ? ":" : "None")
               : name == "row"  ? (for_each_query ? "{b,i}" : "b")
               : name == "head" ? words.head
                                : throw std::logic_error(std::string(name) + " is no word of the code of a mask");
    });
}

std::int64_t key_heads(const ResolvedProblem& problem) {
    const auto& tensors = problem.tensors;
    if (has_heads(*problem.mechanism))
        return tensors.at("w_k").dim(1) * problem.spec.parameters.integer("num_heads") / tensors.at("w_q").dim(1);
    if (projects(*problem.mechanism))
        return 1;
    const Tensor* value = find_tensor(tensors, "value"); // one for each head, also where keys are in pairs
    return !value ? problem.sizes.at("H") : value->rank() == 4 ? value->dim(1) : 1;
}

} // namespace attnlab::code
