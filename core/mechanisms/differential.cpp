// a = softmax(z1) − λ softmax(z2): what both halves of a head read in common cancels.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace attnlab {
namespace {

constexpr std::string_view as_features = "pairs=features", as_heads = "pairs!=features";

constexpr Input lambda_input(std::string_view name, std::string_view with) {
    return {.name = name,
            .dims = "H? En | En",
            .fill = InputFill::Zeros,
            .required = false,
            .required_with = with,
            .help = ATTNLAB_TEXT("λ = exp(q1 · k1) − exp(q2 · k2) + λ_init, with the width of one half")};
}

const Input inputs[] = {
    {.name = "query",
     .dims = "B H L 2*En | B L 2*En | L 2*En",
     .remade_if_misfit = true,
     .starts_from = query_input.starts_from,
     .when = as_features,
     .help = ATTNLAB_TEXT("One row a query token: both queries of a head side by side")},
    {.name = "query",
     .dims = "B 2*H L En",
     .remade_if_misfit = true,
     .starts_from = query_input.starts_from,
     .when = as_heads,
     .help = ATTNLAB_TEXT("One row a query token, with two heads for each pair")},
    {.name = "key",
     .dims = "B Hkv S 2*En | B S 2*En | S 2*En",
     .remade_if_misfit = true,
     .starts_from = key_input.starts_from,
     .when = as_features,
     .help = ATTNLAB_TEXT("One row a key token: both keys of a head side by side")},
    {.name = "key",
     .dims = "B 2*Hkv S En",
     .remade_if_misfit = true,
     .starts_from = key_input.starts_from,
     .when = as_heads,
     .help = ATTNLAB_TEXT("One row a key token, with two heads for each pair")},
    value_input,
    lambda_input("lambda_q1", "lambda_k1"),
    lambda_input("lambda_k1", "lambda_q1"),
    lambda_input("lambda_q2", "lambda_q1"),
    lambda_input("lambda_k2", "lambda_q1"),
};

constexpr std::string_view pairings[] = {"features", "adjacent", "halves"}, norms[] = {"none", "rms"};

const Parameter parameters[] = {
    {.name = "lambda",
     .type = ParameterType::Real,
     .default_text = "0.8",
     .title = ATTNLAB_TEXT("factor λ"),
     .help = ATTNLAB_TEXT("How much of the second softmax is taken away; the arrays lambda_q1 … lambda_k2 replace it")},
    {.name = "pairs",
     .type = ParameterType::Choice,
     .default_text = "features",
     .title = ATTNLAB_TEXT("the two halves"),
     .help = ATTNLAB_TEXT("features: of each row of queries and keys; adjacent: heads 2h and 2h + 1; halves: heads h "
                          "and h + H"),
     .choices = pairings},
    {.name = "layer",
     .type = ParameterType::Integer,
     .default_text = "1",
     .title = ATTNLAB_TEXT("layer"),
     .help = ATTNLAB_TEXT("Counted from 1: λ_init = 0.8 − 0.6 exp(−0.3 (layer − 1))"),
     .minimum = 1,
     .maximum = 1e6,
     .aside = true},
    {.name = "norm",
     .type = ParameterType::Choice,
     .default_text = "none",
     .title = ATTNLAB_TEXT("norm of the output"),
     .help = ATTNLAB_TEXT("rms: each row of a head's output is divided by its root mean square, then multiplied by "
                          "1 − λ_init"),
     .choices = norms,
     .aside = true},
};

/// (B,H,n,E) -> half 0 or 1 of it, as `pairs` says: (B,H,n,E/2) or (B,H/2,n,E).
Tensor half_of(const Tensor& rows, const std::string& pairs, std::int64_t half) {
    const auto B = rows.dim(0), H = rows.dim(1), n = rows.dim(2), E = rows.dim(3);
    const bool features = pairs == "features";
    const auto heads = features ? H : H / 2, width = features ? E / 2 : E;
    Tensor part({B, heads, n, width});
    auto out = part.mutable_values().begin();
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < heads; ++h) {
            const auto head = features ? h : pairs == "adjacent" ? 2 * h + half : h + half * heads;
            for (std::int64_t i = 0; i < n; ++i)
                out =
                    std::copy_n(rows.data() + ((b * H + head) * n + i) * E + (features ? half * width : 0), width, out);
        }
    return part;
}

double initial_lambda(std::int64_t layer) { return 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(layer - 1)); }

/// The first number of head h in an array (H or 1,E) or (E).
std::int64_t row_of(const Tensor& rows, std::int64_t h) {
    return rows.rank() == 2 && rows.dim(0) > 1 ? h * rows.dim(1) : 0;
}

/// λ of each head (H).
Tensor lambdas(const ResolvedProblem& problem, std::int64_t heads) {
    const auto& values = problem.spec.parameters;
    Tensor result({heads}, values.real("lambda"));
    if (!problem.tensors.contains("lambda_q1"))
        return result;
    const auto dot = [&](const char* query, const char* key, std::int64_t h) {
        const auto &q = problem.tensors.find(query)->second, &k = problem.tensors.find(key)->second;
        double sum = 0.0;
        for (std::int64_t c = 0; c < q.dim(-1); ++c)
            sum += q.data()[row_of(q, h) + c] * k.data()[row_of(k, h) + c];
        return sum;
    };
    const auto out = result.mutable_values();
    for (std::int64_t h = 0; h < heads; ++h)
        out[static_cast<std::size_t>(h)] = std::exp(dot("lambda_q1", "lambda_k1", h)) -
                                           std::exp(dot("lambda_q2", "lambda_k2", h)) +
                                           initial_lambda(values.integer("layer"));
    return result;
}

/// first − λ_h second.
Tensor difference(const Tensor& first, const Tensor& second, const Tensor& lambda) {
    Tensor result = first;
    const auto out = result.mutable_values();
    const auto cells = static_cast<std::size_t>(first.dim(2) * first.dim(3));
    const auto heads = static_cast<std::size_t>(first.dim(1));
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] -= lambda.values()[k / cells % heads] * second.values()[k];
    return result;
}

/// (1 − λ_init) row / sqrt(mean(row²) + 1e-5).
void normalise(Tensor& output, double lambda) {
    constexpr double epsilon = 1e-5;
    const auto width = static_cast<std::size_t>(output.dim(3));
    const auto values = output.mutable_values();
    for (std::size_t first = 0; width > 0 && first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        const double factor = (1.0 - lambda) / root_mean_square(row, epsilon);
        for (double& value : row)
            value *= factor;
    }
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    const auto& pairs = values.choice("pairs");
    const auto given = given_inputs(problem);
    // Both passes, each with its masks, and the difference.
    control.require_memory("scores", {given.query.dim(0), given.query.dim(1), given.query.dim(2), given.key.dim(2)},
                           14.0);
    Trace trace;
    std::vector<Trace> parts;
    for (const std::int64_t half : {0, 1}) {
        ExactInputs part;
        part.query = half_of(given.query, pairs, half);
        part.key = half_of(given.key, pairs, half);
        part.value = given.value;
        const double from = 0.5 * static_cast<double>(half);
        parts.push_back(exact_attention(problem, part, dot_product(), control.part(from, from + 0.5)));
    }
    trace.query_tokens = parts[0].query_tokens;
    trace.key_tokens = parts[0].key_tokens;
    trace.notes = parts[0].notes;
    trace.stages.push_back(*parts[0].find("value"));
    for (std::size_t half = 0; half < 2; ++half)
        for (auto& stage : parts[half].stages) {
            // What is added to the scores and what is blocked is the same for both.
            const bool shared = stage.name == "blocked" || stage.name == "position_bias" || stage.name == "decay";
            if (stage.name == "value" || stage.name == "output" || stage.name == "weights_mean" || (shared && half > 0))
                continue;
            if (!shared)
                stage.name += half == 0 ? "_1" : "_2";
            trace.stages.push_back(std::move(stage));
        }
    const auto find = [&](const char* name) -> const Tensor& { return trace.find(name)->value; };
    const auto heads = find("weights_1").dim(1);
    const auto lambda = lambdas(problem, heads);
    trace.stages.push_back(
        {"lambda",
         lambda,
         {Axis::Head},
         StageRole::Summary,
         {"λ"},
         problem.tensors.contains("lambda_q1") ? "λ_h = exp(q1 · k1) − exp(q2 · k2) + λ_init" : "λ"});
    const auto weights = difference(find("weights_1"), find("weights_2"), lambda);
    trace.stages.push_back({"weights",
                            weights,
                            {Axis::Batch, Axis::Head, Axis::Query, Axis::Key},
                            StageRole::Step,
                            {ATTNLAB_TEXT("first − λ second")},
                            "a_ij = a1_ij − λ_h a2_ij"});
    if (heads > 1)
        trace.stages.push_back({"weights_mean",
                                mean_over_heads(weights),
                                {Axis::Batch, Axis::Query, Axis::Key},
                                StageRole::Summary,
                                {ATTNLAB_TEXT("mean over heads")},
                                "1/H Σ_h a^(h)"});
    const auto silent = control.silent();
    auto output = mix_values(weights, given.value, silent, &find("masked_1"));
    const bool normed = values.choice("norm") == "rms";
    if (normed)
        normalise(output, initial_lambda(values.integer("layer")));
    trace.stages.push_back(
        {"output",
         output,
         {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
         StageRole::Step,
         normed ? Message(ATTNLAB_TEXT("× V, then divided by its root mean square")) : Message("× V"),
         normed ? "o_i = (1 − λ_init) RMSNorm(Σ_j a_ij v_j)" : "o_i = Σ_j a_ij v_j"});
    trace.notes.push_back({Note::Severity::Info,
                           {ATTNLAB_TEXT("A row of weights sums to 1 − λ, and weights can be negative: a key that the "
                                         "second softmax reads more than the first is taken away from the output")}});
    if (problem.tensors.contains("lambda_q1") && problem.given.find("lambda"))
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("lambda_q1 and its companions are given: the parameter lambda is not "
                                             "used")}});
    return trace;
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto& values = problem.spec.parameters;
    const auto& pairs = values.choice("pairs");
    const auto heads = [&](const char* symbol) { return problem.sizes.find(symbol)->second; };
    auto code = ScoreCode{"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
    code.parts = 2;
    code.width = problem.sizes.at("En");
    const auto width = std::to_string(code.width);
    for (const auto& [name, letter, H] :
         {std::tuple("query", "q_i", heads("H")), std::tuple("key", "k_j", heads("Hkv"))}) {
        const auto half = pairs == "features" ? width : std::to_string(H);
        const std::string before = pairs == "features"   ? "[..., :" + half + "]"
                                   : pairs == "adjacent" ? "[:, 0::2]"
                                                         : "[:, :" + half + "]",
                          after = pairs == "features"   ? "[..., " + half + ":]"
                                  : pairs == "adjacent" ? "[:, 1::2]"
                                                        : "[:, " + half + ":]";
        const std::string rows = name;
        code.rows += rows + " = np.stack([" + rows + before + ", " + rows + after + "])\n";
        const auto part = [&, letter = letter, H = H](const char* n) {
            return std::string(letter) + "^{(" + (H > 1 ? "h,\\, " : "") + n + ")}";
        };
        if (pairs == "features")
            code.row_lines.push_back(
                {"\\left[ " + part("1") + " ;\\, " + part("2") + " \\right]",
                 std::string(letter) + (H > 1 ? "^{(h)}" : "") + " \\quad \\text{(halves of its features)}"});
        else
            code.row_lines.push_back(
                {part("n"), std::string(letter) +
                                (pairs == "adjacent" ? "^{(2h + n - 1)}" : "^{(h + (n - 1) " + half + ")}") +
                                ", \\quad n = 1, 2"});
    }
    const bool given = problem.tensors.contains("lambda_q1");
    const double initial = initial_lambda(values.integer("layer"));
    const std::string factor = given ? "factor[..., None, None]" : to_text(values.real("lambda"));
    if (given)
        code.output = "factor = np.exp((lambda_q1 * lambda_k1).sum(axis=-1)) - np.exp((lambda_q2 * "
                      "lambda_k2).sum(axis=-1)) + " +
                      to_text(initial) + "\n";
    code.output += "weights = weights[0] - " + (factor.starts_with('-') ? "(" + factor + ")" : factor) +
                   " * weights[1]\n" + "output = weights @ value\n";
    const std::string of_head = heads("H") > 1 ? "h,\\, " : "", lambda = heads("H") > 1 ? "\\lambda_h" : "\\lambda";
    code.output_lines = {
        {lambda, given ? "\\exp(\\lambda_{q1} \\cdot \\lambda_{k1}) - \\exp(\\lambda_{q2} \\cdot \\lambda_{k2}) + " +
                             to_text(initial)
                       : to_text(values.real("lambda"))},
        {"a_{ij}<h>", "a_{ij}^{(" + of_head + "1)} - " + lambda + " \\, a_{ij}^{(" + of_head + "2)}"},
        {"o_i<h>", "\\sum_j a_{ij}<h> \\, v_j<kv>"}};
    if (values.choice("norm") == "rms") {
        const auto factor_of_norm = to_text(1.0 - initial);
        code.output += "size = np.sqrt((output**2).mean(axis=-1, keepdims=True) + 1e-5)\noutput = " + factor_of_norm +
                       " * output / size\n";
        code.output_lines.push_back({"\\mathrm{output}_i<h>", factor_of_norm + " \\, \\frac{o_i<h>}{\\sqrt{\\frac{1}{" +
                                                                  std::to_string(problem.sizes.at("Ev")) +
                                                                  "} \\lVert o_i<h> \\rVert^2 + 10^{-5}}}"});
    }
    return code;
}

} // namespace

Mechanism differential_mechanism() {
    return {.id = "differential",
            .place = 14,
            .title = ATTNLAB_TEXT("Differential"),
            .family = ATTNLAB_TEXT("Several heads"),
            .formula = "(softmax(Q1 K1ᵀ / √d + M) − λ softmax(Q2 K2ᵀ / √d + M)) V",
            .help = ATTNLAB_TEXT(
                "Each head has two queries and two keys for a token, and so two rows of weights. The second is "
                "taken away from the first, as a differential amplifier does with two signals: what both read in "
                "common cancels, and what only the first reads stays."),
            .source = "Ye et al. 2024, Differential Transformer, equations 1 to 3",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .attention_line = "",
            .refuses = {.scale_after_softmax = ATTNLAB_TEXT("Its weights are a difference of two softmaxes."),
                        .statistics = ATTNLAB_TEXT("Its weights are a difference of two softmaxes and can be "
                                                   "negative."),
                        .normaliser = ATTNLAB_TEXT("Its weights are a difference of two softmaxes."),
                        .rounding = ATTNLAB_TEXT("Its weights are a difference of two softmaxes.")},
            .code = code,
            .exact_rows = true,
            .drawn = {R"(\mathrm{output} = \left( \mathrm{softmax}\left( {\color{accent} \mathrm{scale}}(Q_1)"
                      R"( K_1^{\mathsf{T}}) + M \right) - \lambda\, \mathrm{softmax}\left( {\color{accent})"
                      R"( \mathrm{scale}}(Q_2 K_2^{\mathsf{T}}) + M \right) \right) V)",
                      "output = (softmax(scale(Q1 K1ᵀ) + M) − λ softmax(scale(Q2 K2ᵀ) + M)) V"},
            .look_for = ATTNLAB_TEXT(
                "Move λ from 0 to 1. At 0 this is the first half alone; as λ grows, the flat background of a row "
                "fades, and negative weights show where the second half reads more than the first.")};
}

} // namespace attnlab
