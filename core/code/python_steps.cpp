#include "core/code/python_steps.h"

#include "core/code/writers.h"
#include "core/expression/written.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

namespace attnlab::code {
namespace {

enum class Meaning { Number, Whole, Truth };

/// By the declarations of masks; all other arrays are numbers.
Meaning meaning_of(std::string_view name) {
    for (const auto& kind : mask_kinds())
        for (const auto& input : kind.inputs)
            if (input.name == name)
                return input.dtype == DType::Int64  ? Meaning::Whole
                       : input.dtype == DType::Bool ? Meaning::Truth
                                                    : Meaning::Number;
    return Meaning::Number;
}

std::string element(double value, Meaning meaning, std::string_view np) {
    switch (meaning) {
    case Meaning::Truth:
        return value != 0.0 ? "True" : "False";
    case Meaning::Whole:
        return std::to_string(static_cast<std::int64_t>(value));
    case Meaning::Number:
        break;
    }
    return float_text(value, np);
}

/// Nested lists as NumPy prints them; rows continue below their first number.
class Literal {
public:
    Literal(const Tensor& tensor, Meaning meaning, std::string_view np) : tensor_(tensor), meaning_(meaning), np_(np) {}

    std::string text(std::size_t column) {
        add(0, column);
        return std::move(text_);
    }

private:
    static constexpr std::size_t longest_line = 100;

    void add(std::size_t axis, std::size_t column) {
        const auto& shape = tensor_.shape();
        const bool innermost = axis + 1 == shape.size();
        text_ += '[';
        std::size_t at = column + 1;
        for (std::int64_t k = 0; k < shape[axis]; ++k) {
            if (!innermost) {
                if (k > 0)
                    text_ += ",\n" + std::string(column + 1, ' ');
                add(axis + 1, column + 1);
                continue;
            }
            const auto word = element(tensor_.value(next_++), meaning_, np_);
            if (k > 0 && at + word.size() + 2 > longest_line) {
                text_ += ",\n" + std::string(column + 1, ' ');
                at = column + 1;
            } else if (k > 0) {
                text_ += ", ";
                at += 2;
            }
            text_ += word;
            at += word.size();
        }
        text_ += ']';
    }

    const Tensor& tensor_;
    const Meaning meaning_;
    const std::string_view np_;
    std::int64_t next_ = 0;
    std::string text_;
};

/// The arrays that expressions read have the meaning of their type.
Meaning meaning_in(const ResolvedProblem& problem, std::string_view name, DType dtype) {
    const auto inputs = expression_inputs(problem.spec);
    const bool by_expression = lookup(inputs, name, &Input::name) != nullptr;
    if (!by_expression || dtype == DType::Float64 || dtype == DType::Float32)
        return meaning_of(name);
    return dtype == DType::Bool ? Meaning::Truth : Meaning::Whole;
}

bool is_torch(Language language) {
    return language == Language::PyTorch || language == Language::Flex || language == Language::Sdpa;
}

std::string module_of(Language language) {
    return is_torch(language) ? "torch" : language == Language::Jax ? "jnp" : "np";
}

/// The name of a variable for the array of this name.
std::string identifier(std::string name) {
    std::ranges::replace(name, '.', '_');
    return name;
}

std::string written_out(const ResolvedProblem& problem, Language language) {
    const auto np = module_of(language);
    std::string text;
    for (const auto& [name, tensor] : problem.tensors) {
        const auto begin = identifier(name) + " = " + np + (is_torch(language) ? ".tensor(" : ".array(");
        text += begin + Literal(tensor, meaning_in(problem, name, tensor.dtype()), np).text(begin.size()) + ")\n";
    }
    return text;
}

/// `array` is an expression for a NumPy array of this type.
std::string converted(const std::string& array, Meaning meaning, DType dtype, Language language) {
    const bool numbers = meaning == Meaning::Number && dtype != DType::Float64;
    const bool truths = meaning == Meaning::Truth && dtype != DType::Bool;
    const bool wholes = meaning == Meaning::Whole && dtype != DType::Int64;
    const std::string cast = numbers ? ".astype(float)" : truths ? ".astype(bool)" : wholes ? ".astype(int)" : "";
    switch (language) {
    case Language::PyTorch:
    case Language::Flex:
    case Language::Sdpa:
        return "torch.from_numpy(" + array + cast + ")";
    case Language::Jax:
        return "jnp.array(" + array + cast + ")";
    default:
        return array + cast;
    }
}

/// Where the file has the names of torch.nn.MultiheadAttention, whose weights are (out, in).
std::string taken_from_torch(std::string_view name, const TensorMap& given, Language language) {
    constexpr std::string_view projections = "qkv";
    const auto has = [&](const std::string& torch) { return given.contains(torch); };
    const auto read = [&](const std::string& torch, const std::string& part, const char* transposed) {
        return converted("arrays[\"" + torch + "\"]" + part + transposed, meaning_of(name),
                         given.find(torch)->second.dtype(), language);
    };
    const bool bias = name.starts_with("b_");
    const auto letter = name.back();
    const auto third = projections.find(letter);
    const std::string together = bias ? "in_proj_bias" : "in_proj_weight";
    const std::string separate =
        letter == 'o' ? (bias ? "out_proj.bias" : "out_proj.weight") : std::string(1, letter) + "_proj_weight";
    if (has(separate))
        return read(separate, "", bias ? "" : ".T");
    const auto rows = given.find(together)->second.dim(0) / 3, first = rows * static_cast<std::int64_t>(third);
    return read(together, "[" + std::to_string(first) + ":" + std::to_string(first + rows) + "]", bias ? "" : ".T");
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + '"';
}

std::string read_from(std::string_view file, const ResolvedProblem& problem, const TensorMap& given,
                      Language language) {
    const bool is_saved = file != workspace_name;
    std::string text = "arrays = np.load(" + quoted(file) + ")" +
                       (is_saved ? "" : "  # File > Save of the window makes it, with these names") + "\n";
    for (const auto& [name, tensor] : problem.tensors) {
        const auto found = given.find(name);
        text += identifier(name) + " = " +
                (found != given.end()
                     ? converted("arrays[\"" + name + "\"]", meaning_in(problem, name, found->second.dtype()),
                                 found->second.dtype(), language)
                     : taken_from_torch(name, given, language)) +
                "\n";
    }
    return text;
}

std::string imports(Language language, bool loads, bool uses_math) {
    std::string numpy = "import numpy as np\n";
    switch (language) {
    case Language::PyTorch:
    case Language::Flex:
    case Language::Sdpa:
        return (uses_math ? "import math\n\n" : "") + (loads ? numpy : std::string()) +
               "import torch\n\ntorch.set_default_dtype(torch.float64)\n";
    case Language::Jax:
        return "import jax\nimport jax.numpy as jnp\n" + (loads ? numpy : std::string());
    default:
        return numpy;
    }
}

} // namespace

std::string float_text(double value, std::string_view np) {
    if (std::isinf(value))
        return (value < 0 ? "-" : "") + std::string(np) + ".inf";
    const auto text = to_text(value);
    return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

std::string python_arrays(const ResolvedProblem& problem, const TensorMap& given, Language language,
                          std::string_view file, bool uses_math) {
    std::int64_t numbers = 0;
    for (const auto& [name, tensor] : problem.tensors)
        numbers += tensor.size();
    const bool loads = numbers > most_numbers;
    return imports(language, loads, uses_math) + "\n" +
           (loads ? read_from(file, problem, given, language) : written_out(problem, language));
}

// From arrays to scaled scores.

namespace {

std::string self_projections(const ResolvedProblem& problem) {
    const auto lines = [&](const char* made, const char* from, const char* weight) {
        const auto rank = problem.tensors.find(from)->second.rank();
        return std::string(made) + " = (" + from + " @ " + weight + ")" + (rank == 2 ? "[None, None]" : "[:, None]") +
               "\n";
    };
    const char* context = problem.tensors.contains("context") ? "context" : "x";
    return lines("query", "x", "w_q") + lines("key", context, "w_k") + lines("value", context, "w_v");
}

std::string head_projections(const ResolvedProblem& problem) {
    const auto& tensors = problem.tensors;
    std::string text = "def heads(rows, count):  # (B, rows, count * width) to (B, count, rows, width)\n"
                       "    return rows.reshape(rows.shape[0], rows.shape[1], count, -1).swapaxes(1, 2)\n\n\n";
    const auto source = [&](const char* name, const char* otherwise) {
        return std::string(tensors.contains(name) ? name : otherwise);
    };
    const auto keys = source("context", "x"), values = source("value_context", keys.c_str());
    const auto line = [&](const std::string& made, const std::string& from, std::int64_t count) {
        const std::string letter = made.substr(0, 1), bias = "b_" + letter;
        const auto rows = tensors.find(from)->second.rank() == 2 ? from + "[None]" : from;
        text += made + " = heads(" + rows + " @ w_" + letter + (tensors.contains(bias) ? " + " + bias : "") + ", " +
                std::to_string(count) + ")\n";
    };
    const auto shared = key_heads(problem);
    line("query", "x", problem.spec.parameters.integer("num_heads"));
    line("key", keys, shared);
    line("value", values, shared);
    return text;
}

} // namespace

std::string four_axes_of(const ResolvedProblem& problem) {
    std::string text;
    for (const std::string name : {"query", "key", "value"}) {
        const auto rank = problem.tensors.find(name)->second.rank();
        if (rank < 4)
            text += name + " = " + name + (rank == 3 ? "[:, None]" : "[None, None]") + "\n";
    }
    return text;
}

std::string projections_of(const ResolvedProblem& problem) {
    return has_heads(*problem.mechanism) ? head_projections(problem) : self_projections(problem);
}

std::string scores_of(const ResolvedProblem& problem) {
    const auto& parameters = problem.spec.parameters;
    return filled(problem.mechanism->code(problem).python,
                  [&](std::string_view name) { return float_text(number_of(parameters, name)); });
}

std::string divisor_of_scores(const ResolvedProblem& problem, bool some_zero) {
    const auto code = code_of(problem.spec.scale);
    if (code.norm.empty())
        return {};
    return std::string(code.norm) + (some_zero ? "norm = norm + (norm == 0)  # scores of norm 0 become 0\n" : "");
}

std::string scaled_of(const ResolvedProblem& problem, const std::string& stage) {
    return scale_code(problem, code_of(problem.spec.scale).python, stage,
                      {.width = "query.shape[-1]", .keys = "key.shape[-2]", .number = [](double value) {
                           return float_text(value);
                       }});
}

// Positions and masks.

namespace {

std::string whole(std::int64_t value) { return std::to_string(value); }

std::int64_t size_of(const ResolvedProblem& problem, const char* symbol) { return problem.sizes.find(symbol)->second; }

/// The position of query i; (B,1,L,1) where the sequences have different offsets.
std::string position_at(const QueryOffsets& offsets) {
    const auto common = offsets.common();
    return common ? shifted("i", *common) : "i + query_offset[:, None, None, None]";
}

/// The same where an operator precedes or follows it.
std::string operand(const std::string& position) { return position == "i" ? position : "(" + position + ")"; }

/// The largest distance of an offset from 0.
std::int64_t farthest_offset(const ResolvedProblem& problem, const QueryOffsets& offsets) {
    std::int64_t farthest = 0;
    for (std::int64_t b = 0; b < size_of(problem, "B"); ++b)
        farthest = std::max(farthest, std::abs(offsets.of(b)));
    return farthest;
}

} // namespace

std::string alibi_slopes(const ResolvedProblem& problem) {
    const auto heads = size_of(problem, "H");
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const auto share = "np.arange(1, " + whole(power + 1) + ") / " + whole(power);
    const auto finer = "np.arange(1, " + whole(2 * (heads - power)) + ", 2) / " + whole(2 * power);
    const auto shares = heads == power ? share : "np.concatenate([" + share + ", " + finer + "])";
    return "slopes = 2.0 ** (-8 * " + shares + ")\n";
}

namespace {

std::string alibi(const ResolvedProblem& problem) {
    return alibi_slopes(problem) + "position_bias = -slopes[:, None, None] * np.abs(" +
           operand(position_at(position_offsets(problem))) + " - j)\n";
}

/// The first distance of each bucket of one direction, as far as distances reach.
std::string bucket_starts(const ResolvedProblem& problem, std::int64_t buckets, std::int64_t farthest) {
    const auto far = problem.spec.position.parameters.integer("max_distance");
    const auto bucket = [&](std::int64_t distance) { return t5_bucket(-distance, buckets, far, false); };
    std::string text = "0";
    for (std::int64_t k = 1; k < buckets && bucket(farthest) >= k; ++k) {
        std::int64_t below = 0, reached = farthest;
        while (reached - below > 1) {
            const auto middle = below + (reached - below) / 2;
            (bucket(middle) >= k ? reached : below) = middle;
        }
        text += ", " + whole(reached);
    }
    return text;
}

std::string t5(const ResolvedProblem& problem) {
    const auto& values = problem.spec.position.parameters;
    const bool both = values.boolean("bidirectional");
    const auto buckets = problem.tensors.find("relative_attention_bias")->second.dim(0) / (both ? 2 : 1);
    const auto offsets = position_offsets(problem);
    const auto farthest = size_of(problem, "L") + size_of(problem, "S") + farthest_offset(problem, offsets);
    const auto position = position_at(offsets), from = operand(position);
    const auto distance = both ? "np.abs(j - " + from + ")" : "np.clip(" + from + " - j, 0, None)";
    const auto later = both ? " + " + whole(buckets) + " * (j > " + position + ")" : std::string();
    const auto* bias = offsets.common() ? "np.moveaxis(relative_attention_bias[bucket], -1, 0)"
                                        : "np.moveaxis(relative_attention_bias[bucket][:, 0], -1, 1)";
    return "starts = np.array([" + bucket_starts(problem, buckets, farthest) +
           "])  # the first distance of each bucket\nbucket = np.searchsorted(starts, " + distance +
           ", side=\"right\") - 1" + later + "\nposition_bias = " + bias + "\n";
}

/// The array with four axes where it has a matrix for each head of each batch, in one axis.
std::string per_cell(const ResolvedProblem& problem, const std::string& name) {
    const auto& shape = problem.tensors.find(name)->second.shape();
    const auto B = size_of(problem, "B"), H = size_of(problem, "H");
    if (shape.size() != 3 || B == 1 || shape[0] != B * H)
        return name;
    return name + ".reshape(" + whole(B) + ", " + whole(H) + ", " + whole(shape[1]) + ", " + whole(shape[2]) + ")";
}

/// Whether `code` uses the variable of that one letter.
bool has_name(std::string_view code, char letter) {
    const auto continues = [&](std::size_t at) {
        return at < code.size() && (std::isalnum(static_cast<unsigned char>(code[at])) || code[at] == '_');
    };
    for (auto at = code.find(letter); at != code.npos; at = code.find(letter, at + 1))
        if (!continues(at + 1) && (at == 0 || !continues(at - 1)))
            return true;
    return false;
}

/// The condition of a band, of `i` and `j`.
std::string condition(const Band& band, const QueryOffsets& offsets) {
    const auto position = position_at(offsets);
    if (band.before == band.after)
        return "np.abs(" + position + " - j) <= " + whole(band.before);
    std::string before, after;
    if (band.before != Band::unlimited)
        before = operand(position) + " - j <= " + whole(band.before);
    if (band.after != Band::unlimited)
        after = "j <= " + shifted(position, band.after);
    if (band.prefix > 0)
        after = "(j < " + whole(band.prefix) + ") | (" + after + ")";
    return before.empty() ? after : after.empty() ? before : "(" + before + ") & (" + after + ")";
}

/// Which cells a mask keeps, of `i` and `j`, or what it adds to them.
std::string code_of_mask(const ResolvedProblem& problem, const Selection& mask) {
    const auto& kind = mask_kind(mask.id);
    if (kind.band)
        return condition(kind.band(mask_context(problem.sizes), mask.parameters),
                         query_offsets(problem.spec, problem.tensors));
    if (kind.intervals || kind.rules) {
        const auto offsets = query_offsets(problem.spec, problem.tensors);
        const auto sizes = mask_context(problem.sizes);
        return kind.python_of({sizes, mask.parameters, problem.tensors, operand(position_at(offsets)), offsets.common(),
                               offsets.is_given()});
    }
    return mask_code(problem, mask, kind.python,
                     {.cells = per_cell(problem, std::string(array_of(kind).name)), .negation = "~"});
}

} // namespace

std::string rotation_of(const ResolvedProblem& problem) {
    const auto& values = problem.spec.position.parameters;
    const bool half = values.choice("style") == "half";
    const auto offsets = position_offsets(problem);
    const auto common = offsets.common();
    const auto offset = !common        ? std::string(" + query_offset[:, None, None]")
                        : *common == 0 ? std::string()
                        : *common > 0  ? " + " + whole(*common)
                                       : " - " + whole(-*common);
    const std::string turned = "x * cos - y * sin, x * sin + y * cos], axis=-1)";
    return "def rotated(rows, positions):\n    half = rows.shape[-1] // 2\n    angles = positions[..., None] * " +
           float_text(values.real("base")) +
           " ** (-np.arange(half) / half)\n    cos, sin = np.cos(angles), np.sin(angles)\n    x, y = " +
           (half ? "rows[..., :half], rows[..., half:]\n    return np.concatenate([" + turned
                 : "rows[..., 0::2], rows[..., 1::2]\n    return np.stack([" + turned + ".reshape(rows.shape)") +
           "\n\n\nquery = rotated(query, np.arange(query.shape[-2])" + offset +
           ")\nkey = rotated(key, np.arange(key.shape[-2]))\n";
}

std::string row_and_column_of(const ResolvedProblem& problem) {
    const auto& position = problem.spec.position.id;
    bool rows = position == "alibi" || position == "t5" || implies_order(problem.spec), columns = rows;
    bool batches = false, heads = false;
    auto texts = conditions_of(problem);
    texts.push_back(score_mod_of(problem, "scores"));
    for (const auto& condition : texts) {
        rows = rows || has_name(condition, 'i');
        columns = columns || rows || has_name(condition, 'j');
        batches = batches || has_name(condition, 'b');
        heads = heads || has_name(condition, 'h');
    }
    return std::string(batches ? "b = np.arange(query.shape[-4])[:, None, None, None]\n" : "") +
           (heads ? "h = np.arange(query.shape[-3])[:, None, None]\n" : "") +
           std::string(rows ? "i = np.arange(query.shape[-2])[:, None]\n" : "") +
           (columns ? "j = np.arange(key.shape[-2])\n" : "");
}

std::string position_bias_of(const ResolvedProblem& problem) {
    const auto& id = problem.spec.position.id;
    if (id == "alibi")
        return alibi(problem);
    if (id == "t5")
        return t5(problem);
    if (!id.empty() && id != "rope")
        fail_without_code(id);
    return {};
}

std::string bias_of(const ResolvedProblem& problem) {
    const auto* mask = find_mask(problem.spec.masks, &MaskKind::adds);
    return mask ? code_of_mask(problem, *mask) : std::string();
}

std::string order_of(const ResolvedProblem& problem) {
    if (!implies_order(problem.spec))
        return {};
    return condition(band_of_order(problem.spec), query_offsets(problem.spec, problem.tensors));
}

std::string decay_bias_of(const ResolvedProblem& problem) {
    if (problem.spec.decay.id != "forget")
        return {};
    const bool logits = problem.tensors.contains("forget_gate");
    const auto position = position_at(query_offsets(problem.spec, problem.tensors));
    const std::string here =
        position == "i" ? "past[..., :query.shape[-2], None]"
                        : "np.where(j == " + position + ", past[..., None, :], 0.0).sum(axis=-1, keepdims=True)";
    return (logits ? std::string("log_forget_gate = -np.log1p(np.exp(-forget_gate))\n") : std::string()) +
           "past = np.cumsum(log_forget_gate, axis=-1)\n"
           "decay_bias = " +
           here + " - past[..., None, :]\n";
}

std::string decay_factor_of(const ResolvedProblem& problem) {
    if (problem.spec.decay.id != "retention")
        return {};
    const auto* of_all = problem.spec.decay.parameters.find("gamma");
    std::string gamma, lines;
    if (problem.tensors.contains("gamma")) {
        gamma = "gamma[:, None, None]";
    } else if (of_all) {
        gamma = float_text(std::get<double>(*of_all));
    } else {
        lines = "gamma = 1.0 - 2.0 ** (-5.0 - np.arange(" + std::to_string(problem.sizes.at("H")) + "))\n";
        gamma = "gamma[:, None, None]";
    }
    const auto position = position_at(query_offsets(problem.spec, problem.tensors));
    return lines + "decay = np.where(j <= " + position + ", " + gamma + " ** np.abs(" + position + " - j), 0.0)\n";
}

std::string score_mod_of(const ResolvedProblem& problem, const std::string& score) {
    if (problem.spec.score_mod.empty())
        return {};
    const CellExpression expression(problem.spec.score_mod, CellExpression::Meaning::ScoreMod);
    const auto offsets = expression.reads("offset") ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    const auto sizes = mask_context(problem.sizes);
    const auto names = names_of_cell({sizes, {}, problem.tensors, "i", offsets.common(), offsets.is_given()},
                                     "query_offset[:, None, None, None]");
    return in_python(expression, [&](const std::string& name) { return name == "score" ? score : names(name); });
}

namespace {

/// The condition of masks that are not joined by AND.
std::string combined_condition(const ResolvedProblem& problem) {
    const auto names = names_in_combination(problem.spec.masks);
    std::vector<std::string> texts;
    for (const auto& mask : problem.spec.masks)
        if (!mask_kind(mask.id).adds)
            texts.push_back("(" + (keeps_all(problem, mask) ? "j >= 0" : code_of_mask(problem, mask)) + ")");
    if (problem.spec.mask_combine == "or") {
        std::string any;
        for (const auto& text : texts)
            any += (any.empty() ? "" : " | ") + text;
        return any;
    }
    return in_python(CellExpression(problem.spec.mask_combine, CellExpression::Meaning::Combination, names),
                     [&](const std::string& name) {
                         return texts[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
                     });
}

} // namespace

std::vector<std::string> conditions_of(const ResolvedProblem& problem) {
    std::vector<std::string> conditions;
    auto masks = masks_of(problem);
    if (combines_otherwise(problem.spec)) {
        conditions.push_back(combined_condition(problem));
        masks.clear();
        if (const auto implied = problem.mechanism->implied_mask; !implied.empty())
            masks.push_back(complete_mask({std::string(implied), {}}));
    }
    for (const auto& mask : masks)
        if (!mask_kind(mask.id).adds && !keeps_all(problem, mask))
            if (const auto text = code_of_mask(problem, mask); std::ranges::find(conditions, text) == conditions.end())
                conditions.push_back(text);
    if (conditions.size() > 1)
        for (auto& text : conditions)
            if (!text.starts_with('~') && text.find(' ') != text.npos)
                text = "(" + text + ")";
    return conditions;
}

} // namespace attnlab::code
