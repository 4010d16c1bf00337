// Multi-head latent attention. Each token has one narrow latent row, which gives the keys and values of all heads, and
// one rotated key, which all heads share. The arrays have the names of self_attn in deepseek_v3 of Transformers;
// weights are stored as torch stores them, (out, in).
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/multi_head_family.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "x",
     .dims = "B L D | L D",
     .starts_from = "query",
     .help = ATTNLAB_TEXT("One row a token: its embedding")},
    {.name = "kv_a_layernorm.weight",
     .dims = "rank",
     .fill = InputFill::Ones,
     .help = ATTNLAB_TEXT("Multiplies each feature of the latent rows after their norm")},
    {.name = "kv_a_proj_with_mqa.weight",
     .dims = "rank+rope D",
     .fill = InputFill::Linear,
     .help = ATTNLAB_TEXT("Makes the latent row of a token, then the rope features of the key that all heads share")},
    {.name = "kv_a_proj_with_mqa.bias",
     .dims = "rank+rope",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of kv_a_proj_with_mqa.weight")},
    {.name = "q_a_proj.weight",
     .dims = "q_rank D",
     .fill = InputFill::Linear,
     .required = false,
     .required_with = "q_b_proj.weight",
     .help = ATTNLAB_TEXT("Makes a narrow row of which q_b_proj.weight makes the queries")},
    {.name = "q_a_proj.bias",
     .dims = "q_rank",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of q_a_proj.weight")},
    {.name = "q_a_layernorm.weight",
     .dims = "q_rank",
     .fill = InputFill::Ones,
     .required = false,
     .required_with = "q_a_proj.weight",
     .help = ATTNLAB_TEXT("Multiplies each feature of those rows after their norm")},
    {.name = "q_proj.weight",
     .dims = "num_heads*nope+rope D | num_heads*nope+rope q_rank",
     .fill = InputFill::Linear,
     .fallback = "q_b_proj.weight",
     .help =
         ATTNLAB_TEXT("Makes the queries of all heads from the tokens: nope features that meet the latent row, then "
                      "rope features that turn with the position")},
    {.name = "q_b_proj.weight",
     .dims = "num_heads*nope+rope q_rank",
     .fill = InputFill::Linear,
     .required = false,
     .required_with = "q_a_proj.weight",
     .help = ATTNLAB_TEXT("Instead of q_proj.weight: makes the queries from the rows of q_a_proj.weight")},
    {.name = "kv_b_proj.weight",
     .dims = "num_heads*nope+vd rank",
     .fill = InputFill::Linear,
     .help = ATTNLAB_TEXT("Makes keys and values from the latent row: for each head nope rows of keys, then vd of "
                          "values")},
    {.name = "o_proj.weight",
     .dims = "D num_heads*vd",
     .fill = InputFill::Linear,
     .required = false,
     .help = ATTNLAB_TEXT("Mixes the concatenated heads")},
    {.name = "o_proj.bias",
     .dims = "D",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("Bias of o_proj.weight")},
};

constexpr std::string_view forms[] = {"plain", "absorbed"};

const Parameter parameters[] = {
    heads_parameter("2"),
    {.name = "form",
     .type = ParameterType::Choice,
     .default_text = "plain",
     .title = ATTNLAB_TEXT("form"),
     .help = ATTNLAB_TEXT("plain: keys and values of every head are made; absorbed: queries meet the latent rows "
                          "themselves, as with a cache. Both give the same output"),
     .choices = forms},
    {.name = "rope_theta",
     .type = ParameterType::Real,
     .default_text = "10000",
     .title = ATTNLAB_TEXT("rope base"),
     .help = ATTNLAB_TEXT("Pair c of rope/2 turns by base^(-2c/rope) radians a token"),
     .minimum = 0.0,
     .minimum_excluded = true,
     .aside = true},
    {.name = "rope_interleave",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("neighbours turn"),
     .help = ATTNLAB_TEXT("True: features 2c and 2c + 1 turn together; false: c and c + rope/2"),
     .aside = true},
    {.name = "rms_norm_eps",
     .type = ParameterType::Real,
     .default_text = "1e-06",
     .title = ATTNLAB_TEXT("ε of the norm"),
     .help = ATTNLAB_TEXT("Added to the mean square of a row"),
     .minimum = 0.0,
     .aside = true},
    {.name = "first_position",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("first position"),
     .help = ATTNLAB_TEXT("Where token 0 stands"),
     .minimum = -1e9,
     .maximum = 1e9,
     .aside = true},
    similarity_parameter(),
    dropout_parameter(),
    dropout_seed_parameter(),
};

const std::vector<Axis> row_axes = {Axis::Batch, Axis::Key, Axis::Feature};

bool is_absorbed(const ParameterValues& values) { return values.choice("form") == "absorbed"; }

void check(const AttentionSpec& spec) {
    if (is_absorbed(spec.parameters) && scale_mode(spec.scale.id).row_norm != RowNorm::None)
        throw Error({ATTNLAB_TEXT("mla: form=absorbed never makes the keys, which scale %1 would normalise; expected "
                                  "form=plain"),
                     {spec.scale.id}});
}

void check_values(const ResolvedProblem& problem) {
    const auto& tensors = problem.tensors;
    const auto own = tensors.find("q_proj.weight");
    if (own != tensors.end() && tensors.contains("q_b_proj.weight"))
        throw Error({ATTNLAB_TEXT("%1: is given together with %2, expected one of the two"),
                     {"q_proj.weight", "q_b_proj.weight"}});
    if (const auto D = problem.sizes.at("D"); own != tensors.end() && own->second.dim(1) != D)
        throw Error({ATTNLAB_TEXT("q_proj.weight: has shape %1, expected %2 columns, one for each feature of x"),
                     {to_string(own->second.shape()), std::to_string(D)}});
    if (tensors.contains("q_a_proj.bias") && !tensors.contains("q_a_proj.weight"))
        throw Error({ATTNLAB_TEXT("%1: is given without %2"), {"q_a_proj.bias", "q_a_proj.weight"}});
    if (tensors.contains("o_proj.bias") && !tensors.contains("o_proj.weight"))
        throw Error({ATTNLAB_TEXT("%1: is given without %2"), {"o_proj.bias", "o_proj.weight"}});
    if (const auto rope = problem.sizes.at("rope"); rope % 2 != 0)
        throw Error({ATTNLAB_TEXT("kv_a_proj_with_mqa.weight: leaves %1 features for the rotated key, expected an even "
                                  "number: they turn in pairs"),
                     {std::to_string(rope)}});
}

/// Features [first, first + count) of each row.
Tensor columns(const Tensor& rows, std::int64_t first, std::int64_t count) {
    auto shape = rows.shape();
    const auto width = shape.back();
    shape.back() = count;
    Tensor part(shape);
    const auto out = part.mutable_values();
    for (std::int64_t row = 0; width > 0 && row < rows.size() / width; ++row)
        std::copy_n(rows.data() + row * width + first, count, out.begin() + row * count);
    return part;
}

/// gain x / sqrt(mean(x²) + ε), row by row.
Tensor rms_norm(Tensor rows, const Tensor& gain, double epsilon) {
    const auto width = static_cast<std::size_t>(rows.dim(-1));
    const auto values = rows.mutable_values();
    for (std::size_t first = 0; width > 0 && first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        const double root = root_mean_square(row, epsilon);
        for (std::size_t c = 0; c < width; ++c)
            row[c] *= gain.data()[c] / root;
    }
    return rows;
}

/// Rows (B,H,L,rope) turned by their position.
Tensor turned(const Tensor& rows, const ParameterValues& values) {
    Selection rope{"rope", {}};
    rope.parameters.set("base", values.real("rope_theta"));
    rope.parameters.set("style", std::string(values.boolean("rope_interleave") ? "interleaved" : "half"));
    return rotated_rows(rows, rope, QueryOffsets(values.integer("first_position")));
}

/// The rows of kv_b_proj.weight of one kind, for all heads: (H, count, rank).
Tensor rows_of_heads(const Tensor& weight, std::int64_t heads, std::int64_t first, std::int64_t count) {
    const auto each = weight.dim(0) / heads, rank = weight.dim(1);
    Tensor part({heads, count, rank});
    auto out = part.mutable_values().begin();
    for (std::int64_t h = 0; h < heads; ++h)
        out = std::copy_n(weight.data() + (h * each + first) * rank, count * rank, out);
    return part;
}

/// Rows (B,H or 1,L,a) of each head times its matrix of `weights` (H,a,b), or (H,b,a) `across`: (B,H,L,b).
Tensor by_head(const Tensor& rows, const Tensor& weights, bool across, const RunControl& control) {
    const auto B = rows.dim(0), H = weights.dim(0), L = rows.dim(2), a = rows.dim(3), b = weights.dim(across ? 1 : 2);
    control.require_memory("projection", {B, H, L, b}, 1.0);
    Tensor result({B, H, L, b});
    const auto out = result.mutable_values();
    for (std::int64_t batch = 0; batch < B; ++batch)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i) {
                control.checkpoint();
                const auto head = rows.dim(1) == 1 ? batch : batch * H + h;
                const double* row = rows.data() + (head * L + i) * a;
                double* into = out.data() + ((batch * H + h) * L + i) * b;
                const double* matrix = weights.data() + h * a * b;
                for (std::int64_t to = 0; to < b; ++to)
                    for (std::int64_t from = 0; from < a; ++from)
                        into[to] += row[from] * (across ? matrix[to * a + from] : matrix[from * b + to]);
            }
    return result;
}

/// What the two forms share.
struct Latent {
    Tensor query_plain, query_turned; ///< (B,H,L,nope), (B,H,L,rope)
    Tensor rows;                      ///< c (B,1,L,rank)
    Tensor key;                       ///< k_r (B,1,L,rope)
    Tensor make_key, make_value;      ///< W_UK (H,nope,rank), W_UV (H,vd,rank)
};

Latent latent_of(const ResolvedProblem& problem, const RunControl& control) {
    const auto& tensors = problem.tensors;
    const auto& values = problem.spec.parameters;
    const auto heads = values.integer("num_heads");
    const auto size = [&](const char* name) { return problem.sizes.find(name)->second; };
    const auto rank = size("rank"), rope = size("rope"), nope = size("nope"), vd = size("vd");
    const auto epsilon = values.real("rms_norm_eps");
    const auto x = batched(tensors.at("x"));
    const auto linear = [&](const Tensor& rows, const char* weight, const char* bias) {
        return project(rows, transposed(tensors.at(weight)), bias ? find_tensor(tensors, bias) : nullptr, control);
    };
    Tensor query;
    if (tensors.contains("q_b_proj.weight"))
        query =
            linear(rms_norm(linear(x, "q_a_proj.weight", "q_a_proj.bias"), tensors.at("q_a_layernorm.weight"), epsilon),
                   "q_b_proj.weight", nullptr);
    else
        query = linear(x, "q_proj.weight", nullptr);
    const auto split = split_heads(query, heads);
    const auto compressed = with_heads(linear(x, "kv_a_proj_with_mqa.weight", "kv_a_proj_with_mqa.bias"));
    const auto& both = tensors.at("kv_b_proj.weight");
    return {.query_plain = columns(split, 0, nope),
            .query_turned = turned(columns(split, nope, rope), values),
            .rows = rms_norm(columns(compressed, 0, rank), tensors.at("kv_a_layernorm.weight"), epsilon),
            .key = turned(columns(compressed, rank, rope), values),
            .make_key = rows_of_heads(both, heads, 0, nope),
            .make_value = rows_of_heads(both, heads, nope, vd)};
}

/// Keys and values of every head, as the plain form makes them.
ExactInputs plain_inputs(const Latent& latent, const RunControl& control) {
    ExactInputs exact;
    exact.query = side_by_side(latent.query_plain, latent.query_turned, control);
    exact.key = side_by_side(by_head(latent.rows, latent.make_key, true, control), latent.key, control);
    exact.value = by_head(latent.rows, latent.make_value, true, control);
    exact.output_name = "head_output";
    return exact;
}

Trace run(const ResolvedProblem& given, const RunControl& control) {
    auto problem = given;
    problem.key_tokens.clear(); // the keys are the queries' tokens
    const auto& values = problem.spec.parameters;
    const auto latent = latent_of(problem, control);
    const auto nope = latent.query_plain.dim(3), rope = latent.key.dim(3), rank = latent.rows.dim(3);
    auto score = dot_product();
    ExactInputs exact;
    Tensor absorbed;
    if (is_absorbed(values)) {
        absorbed = by_head(latent.query_plain, latent.make_key, false, control);
        // Queries of the plain width, so that the scale divides by its root; the score reads them absorbed.
        exact.query = side_by_side(latent.query_plain, latent.query_turned, control);
        score.prepare_query = [ready = side_by_side(absorbed, latent.query_turned, control)](
                                  const Tensor&, const RunControl&) { return ready; };
        exact.key = side_by_side(latent.rows, latent.key, control);
        exact.value = latent.rows;
        exact.output_name = "latent_output";
        score.operation = {"[Q W_UK, R Q_r]·[C, K_r]ᵀ"};
        score.formula = "s_ij = (q_i W_UK) · c_j + q_r,i · k_r,j";
    } else {
        exact = plain_inputs(latent, control);
    }
    exact.always_mean = true;
    auto trace = exact_attention(problem, exact, score, control);
    const auto before = std::ranges::find(trace.stages, std::string("scores"), &Stage::name) - trace.stages.begin();
    std::vector<Stage> made = {{"c_kv",
                                latent.rows.reshaped({latent.rows.dim(0), latent.rows.dim(2), rank}),
                                row_axes,
                                StageRole::Input,
                                {ATTNLAB_TEXT("latent rows, in the cache")},
                                "c_j = RMSNorm(W_DKV x_j)"},
                               {"k_rope",
                                latent.key.reshaped({latent.key.dim(0), latent.key.dim(2), rope}),
                                row_axes,
                                StageRole::Input,
                                {ATTNLAB_TEXT("turned by its position")},
                                "k_r,j = R(j) W_KR x_j"}};
    if (is_absorbed(values))
        made.push_back({"query_absorbed",
                        absorbed,
                        {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                        StageRole::Input,
                        {ATTNLAB_TEXT("the key's matrix in the query")},
                        "q_i W_UK"});
    trace.stages.insert(trace.stages.begin() + before, std::make_move_iterator(made.begin()),
                        std::make_move_iterator(made.end()));
    auto heads = std::ranges::find(trace.stages, exact.output_name, &Stage::name);
    if (is_absorbed(values)) {
        const Stage out{"head_output", by_head(heads->value, latent.make_value, true, control),
                        heads->axes,   StageRole::Step,
                        {"· W_UV"},    "o_i = W_UV Σ_j a_ij c_j"};
        heads = trace.stages.insert(std::next(heads), out);
    }
    const Tensor* mix = find_tensor(problem.tensors, "o_proj.weight");
    const Tensor* bias = find_tensor(problem.tensors, "o_proj.bias");
    DotProductForm form{.spec = problem.spec, .query = {}, .key = {}, .value = {}};
    if (mix)
        form.output_weight = transposed(*mix);
    if (bias)
        form.output_bias = *bias;
    auto output = concatenated(form, heads->value, control);
    trace.stages.insert(std::next(heads), std::move(output));
    const auto H = values.integer("num_heads"), vd = latent.make_value.dim(1);
    trace.notes.push_back(cache_note(H, rank + rope, H * (nope + rope + vd)));
    return trace;
}

/// `source` times an array of weights, with its bias where there is one.
std::string linear_code(const ResolvedProblem& problem, const std::string& source, const std::string& name) {
    const auto bias = name + ".bias";
    return source + " @ " + name + "_weight.swapaxes(-1, -2)" +
           (problem.tensors.contains(bias) ? " + " + name + "_bias" : "");
}

/// "i", "i + 3": the position of a token in LaTeX.
std::string shifted_place(const std::string& token, std::int64_t first) {
    return first == 0 ? token : token + (first > 0 ? " + " : " - ") + std::to_string(std::abs(first));
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto& values = problem.spec.parameters;
    const auto size = [&](const char* name) { return problem.sizes.find(name)->second; };
    const auto heads = values.integer("num_heads");
    const auto H = std::to_string(heads), nope = std::to_string(size("nope")), rank = std::to_string(size("rank")),
               rope = std::to_string(size("rope"));
    const bool absorbed = is_absorbed(values);
    const bool narrow = problem.tensors.contains("q_b_proj.weight");
    const auto norm = [&](const std::string& rows, const std::string& gain) {
        return rows + " = " + rows + " / np.sqrt((" + rows + "**2).mean(axis=-1, keepdims=True) + " +
               to_text(values.real("rms_norm_eps")) + ") * " + gain + "\n";
    };
    auto code = ScoreCode{"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
    code.width = size("nope") + size("rope");
    const auto first = values.integer("first_position");
    const auto* pairs =
        values.boolean("rope_interleave") ? "rows[..., 0::2], rows[..., 1::2]" : "rows[..., :half], rows[..., half:]";
    const std::string turned = values.boolean("rope_interleave")
                                   ? "np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(rows.shape)"
                                   : "np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)";
    const std::string x = problem.tensors.at("x").rank() == 2 ? "x[None]" : "x";
    code.rows =
        "def turned(rows):\n    half = rows.shape[-1] // 2\n    positions = np.arange(rows.shape[-2])[:, None]" +
        (first == 0 ? "" : (first > 0 ? " + " : " - ") + std::to_string(std::abs(first))) +
        "\n    angles = positions * " + to_text(values.real("rope_theta")) +
        " ** (-np.arange(half) / half)\n    cos, sin = np.cos(angles), np.sin(angles)\n    a, b = " + pairs +
        "\n    return " + turned + "\n\n\ndef heads(rows):\n    return rows.reshape(rows.shape[0], rows.shape[1], " +
        H + ", -1).swapaxes(1, 2)\n\n\n";
    if (narrow)
        code.rows += "narrow = " + linear_code(problem, x, "q_a_proj") + "\n" + norm("narrow", "q_a_layernorm_weight") +
                     "query = heads(" + linear_code(problem, "narrow", "q_b_proj") + ")\n";
    else
        code.rows += "query = heads(" + linear_code(problem, x, "q_proj") + ")\n";
    code.rows += "query_rope = turned(query[..., " + nope +
                 ":])\nlatent = " + linear_code(problem, x, "kv_a_proj_with_mqa") + "\nc_kv = latent[..., :" + rank +
                 "]\n" + norm("c_kv", "kv_a_layernorm_weight") + "k_rope = turned(latent[..., " + rank + ":])\n" +
                 "of_heads = kv_b_proj_weight.reshape(" + H + ", -1, " + rank +
                 ")  # keys, then values of each head\n" + "w_uk, w_uv = of_heads[:, :" + nope + "], of_heads[:, " +
                 nope + ":]\n";
    if (absorbed) {
        code.rows += "query_absorbed = query[..., :" + nope +
                     "] @ w_uk\n"
                     "query = np.concatenate([query[..., :" +
                     nope +
                     "], query_rope], axis=-1)\n"
                     "key = np.concatenate([c_kv, k_rope], axis=-1)[:, None]\nvalue = c_kv[:, None]\n";
        code.python = "absorbed = np.concatenate([query_absorbed, query_rope], axis=-1)\n"
                      "scores = absorbed @ key.swapaxes(-1, -2)\n";
        code.output = "latent_output = weights @ value\nhead_output = latent_output @ w_uv.swapaxes(-1, -2)\n";
    } else {
        code.rows += "query = np.concatenate([query[..., :" + nope +
                     "], query_rope], axis=-1)\n"
                     "key = np.stack([k_rope] * " +
                     H +
                     ", axis=1)\n"
                     "key = np.concatenate([c_kv[:, None] @ w_uk.swapaxes(-1, -2), key], axis=-1)\n"
                     "value = c_kv[:, None] @ w_uv.swapaxes(-1, -2)\n";
        code.output = "head_output = weights @ value\n";
    }
    const bool mixes = problem.tensors.contains("o_proj.weight");
    const std::string joined = "head_output.swapaxes(1, 2).reshape(head_output.shape[0], head_output.shape[2], -1)";
    code.output += "output = " + (mixes ? linear_code(problem, joined, "o_proj") : joined) + "\n";

    const std::string h = heads > 1 ? "^{(h)}" : "";
    const auto biased = [&](const char* name, const char* letter) {
        return problem.tensors.contains(name) ? std::string(" + ") + letter : std::string();
    };
    const std::string source =
                          narrow ? "\\mathrm{RMSNorm}(W_{DQ} x_i" + biased("q_a_proj.bias", "b_{DQ}") + ")" : "x_i",
                      place_i = shifted_place("i", first), place_j = shifted_place("j", first);
    code.row_lines = {
        {"\\left[ q^n_i" + h + " ;\\, q^r_i" + h + " \\right]", "W_{UQ}" + h + " \\, " + source},
        {"\\left[ l_j ;\\, k^r_j \\right]", "W_{DKV} \\, x_j" + biased("kv_a_proj_with_mqa.bias", "b_{DKV}")},
        {"c_j", "\\mathrm{RMSNorm}(l_j)"},
        {"q_i" + h, "\\left[ q^n_i" + h + " ;\\, R_{" + place_i + "} \\, q^r_i" + h + " \\right]"}};
    if (absorbed) {
        code.latex = "(W_{UK}" + h + ")^{\\mathsf{T}} q^n_i" + h + " \\cdot c_j + R_{" + place_i + "} \\, q^r_i" + h +
                     " \\cdot R_{" + place_j + "} \\, k^r_j";
        code.output_lines = {{"o_i<h>", "W_{UV}<h> \\sum_j a_{ij}<h> \\, c_j"}};
    } else {
        code.row_lines.push_back(
            {"k_j" + h, "\\left[ W_{UK}" + h + " \\, c_j ;\\, R_{" + place_j + "} \\, k^r_j \\right]"});
        code.row_lines.push_back({"v_j" + h, "W_{UV}" + h + " \\, c_j"});
        code.output_lines = {{"o_i<h>", "\\sum_j a_{ij}<h> \\, v_j<kv>"}};
    }
    const std::string all =
        heads > 1 ? "\\left[ o_i^{(0)} ; \\ldots ; o_i^{(" + std::to_string(heads - 1) + ")} \\right]" : "o_i";
    code.output_lines.push_back({"\\mathrm{output}_i", mixes ? "W_o \\, " + all + biased("o_proj.bias", "b_o") : all});
    return code;
}

} // namespace

Mechanism mla_mechanism() {
    return {.id = "mla",
            .place = 13,
            .title = ATTNLAB_TEXT("Multi-head latent (MLA)"),
            .family = ATTNLAB_TEXT("Several heads"),
            .formula = "c = RMSNorm(X W_DKV), k_h = [c W_UK, RoPE(X W_KR)], v_h = c W_UV; Concat(heads) W_o",
            .help = ATTNLAB_TEXT(
                "A cache of keys and values grows with the number of heads. Here it holds one narrow latent row a "
                "token, of which each head makes its keys and values, and one rotated key that all heads share, since "
                "a rotation could not be moved to the query's side."),
            .source = "DeepSeek-AI 2024, DeepSeek-V2, section 2.1",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .check_values = check_values,
            .check = check,
            .refuses = {.position = ATTNLAB_TEXT("Its own features turn with the position.")},
            .code = code,
            .exact_rows = true,
            .drawn = {R"(\begin{aligned} c_j &= \mathrm{RMSNorm}\left( W_{DKV}\, x_j \right) \quad\; k^r_j =)"
                      R"( R(j)\, W_{KR}\, x_j \\)"
                      R"( k^{(h)}_j &= \left[ W^{(h)}_{UK}\, c_j ;\, k^r_j \right] \quad\; v^{(h)}_j = W^{(h)}_{UV}\,)"
                      R"( c_j \end{aligned})",
                      "c_j = RMSNorm(W_DKV x_j), k^r_j = R(j) W_KR x_j, k^(h)_j = [W_UK^(h) c_j; k^r_j], "
                      "v^(h)_j = W_UV^(h) c_j"},
            .look_for = ATTNLAB_TEXT(
                "Compare form=plain with form=absorbed: the weights are the same, but the absorbed form never makes "
                "the keys and values of the heads. The note says how many numbers a token leaves in the cache.")};
}

} // namespace attnlab
