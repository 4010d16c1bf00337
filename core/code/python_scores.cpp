// From arrays to scaled scores.
#include "core/code/python_arrays.h"
#include "core/code/python_steps.h"
#include "core/code/writers.h"
#include "core/variants.h"

namespace attnlab::code {
namespace {

const std::string width = "query.shape[-1]", key_count = "key.shape[-2]", root = width + " ** 0.5";

std::string sum_of_pairs(const std::string& of_query, const std::string& of_key, const char* axes) {
    return of_query + "[..., :, None" + axes + "] + " + of_key + "[..., None, :" + axes + "]";
}

std::string real(const ResolvedProblem& problem, const char* name) {
    return float_text(problem.spec.scale.parameters.real(name));
}

std::string self_projections(const ResolvedProblem& problem) {
    const auto lines = [&](const char* made, const char* from, const char* weight) {
        const auto rank = problem.tensors.find(from)->second.rank();
        return std::string(made) + " = (" + from + " @ " + weight + ")" + (rank == 2 ? "[None, None]" : "[:, None]") +
               "\n";
    };
    const char* context = problem.spec.variant == "cross" ? "context" : "x";
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
    return has_heads(problem.spec.variant) ? head_projections(problem) : self_projections(problem);
}

std::string scores_of(const ResolvedProblem& problem) {
    const auto& id = problem.spec.variant;
    const auto& tensors = problem.tensors;
    const std::string keys = "key.swapaxes(-1, -2)";
    const auto perceptron = [](const std::string& of_query, const std::string& of_key, const std::string& bias,
                               const char* last) {
        return "hidden = np.tanh(" + sum_of_pairs(of_query, of_key, ", :") + bias + ")\nscores = hidden @ " + last +
               "\n";
    };
    if (id == "bilinear")
        return "scores = query @ bilinear_w @ " + keys + "\n";
    if (id == "additive")
        return perceptron("(query @ additive_w_q)", "(key @ additive_w_k)",
                          tensors.contains("additive_b") ? " + additive_b" : "", "additive_v");
    if (id == "concat") {
        const auto E = std::to_string(tensors.find("query")->second.dim(-1));
        if (tensors.contains("concat_v"))
            return perceptron("(query @ concat_w[:, :" + E + "].T)", "(key @ concat_w[:, " + E + ":].T)", "",
                              "concat_v");
        return "scores = " + sum_of_pairs("(query @ concat_w[:" + E + "])", "(key @ concat_w[" + E + ":])", "") + "\n";
    }
    if (id == "vector_sum")
        return "scores = " + sum_of_pairs("(query @ sum_w)", "(key @ sum_w)", "") + "\n";
    if (id == "gaussian_kernel")
        return "distance = (query[..., :, None, :] - key[..., None, :, :]) / " +
               float_text(problem.spec.parameters.real("sigma")) + "\nscores = -0.5 * (distance**2).sum(axis=-1)\n";
    if (problem.variant->attention_line != "attention") // another function of Q and K
        fail_without_code(id);
    return "scores = query @ " + keys + "\n";
}

std::string divisor_of_scores(const ResolvedProblem& problem, bool some_zero) {
    const auto& norm = problem.spec.scale.parameters.choice("norm");
    const std::string matrix = "axis=(-2, -1), keepdims=True)";
    const std::string made = norm == "row"   ? "norm = np.linalg.norm(scores, axis=-1, keepdims=True)\n"
                             : norm == "max" ? "norm = np.abs(scores).max(" + matrix + "\n"
                             : norm == "minmax"
                                 ? "low = scores.min(" + matrix + "\nnorm = scores.max(" + matrix + " - low\n"
                                 : "norm = np.linalg.norm(scores, " + matrix + "\n";
    return made + (some_zero ? "norm = norm + (norm == 0)  # scores of norm 0 become 0\n" : "");
}

std::string scaled_of(const ResolvedProblem& problem, const std::string& stage) {
    const auto& scale = problem.spec.scale;
    const auto& id = scale.id;
    if (id == "sqrt_dk")
        return stage + " / " + root;
    if (id == "dk")
        return stage + " / " + width;
    if (id == "cbrt_dk")
        return stage + " / " + width + " ** (1 / 3)";
    if (id == "temperature" || id == "pre_norm")
        return scale.parameters.real("t") == 1.0 ? stage : stage + " / " + real(problem, "t");
    if (id == "custom")
        return scale.parameters.real("c") == 1.0 ? stage : real(problem, "c") + " * " + stage;
    if (id == "score_norm")
        return (scale.parameters.choice("norm") == "minmax" ? "(" + stage + " - low)" : stage) + " / norm";
    if (id == "long_sequence")
        return stage + " / (" + width + " * " + key_count + ") ** 0.5";
    if (id == "log_n")
        return stage + " / " + root + " * np.log(" + key_count + ") / np.log(" + real(problem, "n0") + ")";
    if (id == "softcap")
        return real(problem, "c") + " * np.tanh(" + stage + " / " + root + " / " + real(problem, "c") + ")";
    if (id == "qk_norm") {
        const auto gain = scale.parameters.real("gain") == 1.0 ? "" : real(problem, "gain") + " * ";
        return gain + stage + " / " + root;
    }
    if (id != "none")
        fail_without_code(id);
    return stage;
}

} // namespace attnlab::code
