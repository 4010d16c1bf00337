#include "core/code/python_arrays.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace attnlab::code {
namespace {

enum class Meaning { Number, Whole, Truth };

Meaning meaning_of(std::string_view name) {
    return name == "valid_lens" || name == "query_offset" ? Meaning::Whole
           : name.ends_with("_mask")                      ? Meaning::Truth
                                                          : Meaning::Number;
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

std::string module_of(Language language) {
    return language == Language::PyTorch ? "torch" : language == Language::Jax ? "jnp" : "np";
}

std::string written_out(const TensorMap& tensors, Language language) {
    const auto np = module_of(language);
    std::string text;
    for (const auto& [name, tensor] : tensors) {
        const auto begin = name + " = " + np + (language == Language::PyTorch ? ".tensor(" : ".array(");
        text += begin + Literal(tensor, meaning_of(name), np).text(begin.size()) + ")\n";
    }
    return text;
}

/// `array` is an expression for the NumPy array of this name and type.
std::string converted(const std::string& array, std::string_view name, DType dtype, Language language) {
    const auto meaning = meaning_of(name);
    const bool numbers = meaning == Meaning::Number && dtype != DType::Float64;
    const bool truths = meaning == Meaning::Truth && dtype != DType::Bool;
    const bool wholes = meaning == Meaning::Whole && dtype != DType::Int64;
    const std::string cast = numbers ? ".astype(float)" : truths ? ".astype(bool)" : wholes ? ".astype(int)" : "";
    switch (language) {
    case Language::PyTorch:
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
        return converted("arrays[\"" + torch + "\"]" + part + transposed, name, given.find(torch)->second.dtype(),
                         language);
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
        text += name + " = " +
                (found != given.end() ? converted("arrays[\"" + name + "\"]", name, found->second.dtype(), language)
                                      : taken_from_torch(name, given, language)) +
                "\n";
    }
    return text;
}

std::string imports(Language language, bool loads, bool logarithm) {
    std::string numpy = "import numpy as np\n";
    switch (language) {
    case Language::PyTorch:
        return (logarithm ? "import math\n\n" : "") + (loads ? numpy : std::string()) +
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
                          std::string_view file) {
    std::int64_t numbers = 0;
    for (const auto& [name, tensor] : problem.tensors)
        numbers += tensor.size();
    const bool loads = numbers > most_numbers;
    return imports(language, loads, problem.spec.scale.id == "log_n") + "\n" +
           (loads ? read_from(file, problem, given, language) : written_out(problem.tensors, language));
}

} // namespace attnlab::code
