// Native sparse attention: three readings of one text, added by gates. Coarse: blocks of keys, each compressed to one.
// Chosen: the tokens of the blocks that the coarse reading finds important. Near: a window before the query.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/approximation.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace attnlab {
namespace {

constexpr Input block_weights(std::string_view name, const char* help) {
    return {.name = name, .dims = "block", .fill = InputFill::Ones, .required = false, .help = help};
}

const Input inputs[] = {
    query_input,
    {.name = "key",
     .dims = "B Hkv L E | B L E | L E",
     .remade_if_misfit = true,
     .starts_from = "context",
     .help = ATTNLAB_TEXT("One row a token: what it is found by")},
    {.name = "value",
     .dims = "B Hkv L Ev | B L Ev | L Ev",
     .remade_if_misfit = true,
     .starts_from = "value_context",
     .help = ATTNLAB_TEXT("One row a token: what it hands over")},
    block_weights("compress_w_k",
                  ATTNLAB_TEXT("How much each key of a block counts in its compressed key; without it all the same")),
    block_weights("compress_w_v", ATTNLAB_TEXT("The same for values")),
    {.name = "nsa_gates",
     .dims = "B H L 3",
     .fill = InputFill::Ones,
     .required = false,
     .help = ATTNLAB_TEXT("How much the compressed, the selected and the window reading count, for each query; without "
                          "it 1/3 each")},
};

constexpr Parameter count_parameter(std::string_view name, std::string_view default_text, const char* title,
                                    const char* help, double minimum) {
    return {.name = name,
            .type = ParameterType::Integer,
            .default_text = default_text,
            .title = title,
            .help = help,
            .minimum = minimum,
            .maximum = 65536};
}

const Parameter parameters[] = {
    count_parameter("block", "4", ATTNLAB_TEXT("compressed block"),
                    ATTNLAB_TEXT("How many tokens a compressed block covers"), 1),
    count_parameter(
        "stride", "2", ATTNLAB_TEXT("stride"),
        ATTNLAB_TEXT("From the first token of a compressed block to that of the next; divides both kinds of "
                     "blocks"),
        1),
    count_parameter("select_block", "4", ATTNLAB_TEXT("selected block"),
                    ATTNLAB_TEXT("How many tokens are selected together"), 1),
    count_parameter("select_count", "3", ATTNLAB_TEXT("blocks a row"),
                    ATTNLAB_TEXT("How many blocks a row selects, those that are always in included"), 0),
    count_parameter("init_blocks", "1", ATTNLAB_TEXT("first blocks"),
                    ATTNLAB_TEXT("How many blocks at the beginning are always in"), 0),
    count_parameter("local_blocks", "1", ATTNLAB_TEXT("last blocks"),
                    ATTNLAB_TEXT("How many blocks up to the query's own are always in"), 0),
    count_parameter("window", "4", ATTNLAB_TEXT("window"),
                    ATTNLAB_TEXT("How many keys the window has, the query's own included"), 1),
};

const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
const std::vector<Axis> block_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Tile};
constexpr double blocked = -std::numeric_limits<double>::infinity();

void check(const AttentionSpec& spec) {
    const auto stride = spec.parameters.integer("stride");
    for (const char* name : {"block", "select_block"})
        if (const auto size = spec.parameters.integer(name); size % stride != 0)
            throw Error({ATTNLAB_TEXT("nsa: parameter %1 has %2, expected a multiple of stride, which is %3"),
                         {name, std::to_string(size), std::to_string(stride)}});
}

/// The blocks of a sequence of `tokens`.
struct Blocks {
    std::int64_t tokens, block, stride, select_block;

    std::int64_t compressed() const { return tokens < block ? 0 : (tokens - block) / stride + 1; }
    std::int64_t selectable() const { return (tokens + select_block - 1) / select_block; }
    /// Whether the last token of compressed block m stands at or before token i.
    bool is_complete(std::int64_t m, std::int64_t i) const { return m * stride + block - 1 <= i; }
    /// The number of tokens that compressed block m and selection block n share.
    std::int64_t shared(std::int64_t m, std::int64_t n) const {
        const auto first = std::max(m * stride, n * select_block);
        return std::max<std::int64_t>(0, std::min(m * stride + block, (n + 1) * select_block) - first);
    }
};

/// One run; each member function makes a part.
class Readings {
public:
    Readings(const ResolvedProblem& problem, const ExactInputs& given, const RunControl& control)
        : problem_(problem), values_(problem.spec.parameters), given_(given),
          control_(control), blocks_{given.query.dim(2), values_.integer("block"), values_.integer("stride"),
                                     values_.integer("select_block")},
          B_(given.query.dim(0)), H_(given.query.dim(1)), L_(given.query.dim(2)), Hkv_(given.key.dim(1)),
          group_(H_ / Hkv_) {}

    /// (B,Hkv,blocks,E): the weighted sum of the rows of each block.
    Tensor compressed(const Tensor& rows, const char* weights) const {
        const auto n = blocks_.compressed(), E = rows.dim(3);
        Tensor result({B_, Hkv_, n, E});
        const auto out = result.mutable_values();
        for (std::int64_t head = 0; head < B_ * Hkv_; ++head)
            for (std::int64_t m = 0; m < n; ++m)
                for (std::int64_t t = 0; t < blocks_.block; ++t)
                    for (std::int64_t c = 0; c < E; ++c)
                        out[static_cast<std::size_t>((head * n + m) * E + c)] +=
                            share(weights, t) * rows.data()[(head * L_ + m * blocks_.stride + t) * E + c];
        return result;
    }

    /// What token t of a block counts.
    double share(const char* weights, std::int64_t t) const {
        const auto found = problem_.tensors.find(weights);
        return found == problem_.tensors.end() ? 1.0 / static_cast<double>(blocks_.block) : found->second.data()[t];
    }

    /// The softmax of `scores` (B,H,L,n) where reads(b, h, i, j).
    template <class Reads>
    Tensor softmax_where(Tensor scores, Reads reads) const {
        const auto out = scores.mutable_values();
        const auto n = scores.dim(3);
        std::size_t cell = 0;
        for (std::int64_t b = 0; b < B_; ++b)
            for (std::int64_t h = 0; h < H_; ++h)
                for (std::int64_t i = 0; i < L_; ++i) {
                    control_.checkpoint();
                    for (std::int64_t j = 0; j < n; ++j, ++cell)
                        if (!reads(b, h, i, j))
                            out[cell] = blocked;
                }
        return softmax_rows(scores).weights;
    }

    Tensor scaled(const Tensor& key) const {
        return apply_scale(all_scores(dot_product(), given_.query, key, control_), problem_.spec.scale,
                           {given_.query.dim(3), L_});
    }

    /// (B,Hkv,L,selection blocks): the weights of compressed blocks by the tokens that they share, over a group's
    /// heads.
    Tensor importance(const Tensor& weights) const {
        const auto blocks = blocks_.selectable(), n = weights.dim(3);
        Tensor result({B_, Hkv_, L_, blocks});
        const auto out = result.mutable_values();
        for (std::int64_t b = 0; b < B_; ++b)
            for (std::int64_t h = 0; h < H_; ++h)
                for (std::int64_t i = 0; i < L_; ++i) {
                    control_.checkpoint();
                    const double* row = weights.data() + ((b * H_ + h) * L_ + i) * n;
                    double* into = out.data() + ((b * Hkv_ + h / group_) * L_ + i) * blocks;
                    for (std::int64_t m = 0; m < n; ++m)
                        for (auto s = m * blocks_.stride / blocks_.select_block; s < blocks; ++s) {
                            const auto shared = blocks_.shared(m, s);
                            if (shared == 0)
                                break;
                            into[s] += row[m] * static_cast<double>(shared) / static_cast<double>(blocks_.stride);
                        }
                }
        return result;
    }

    /// 1 where a row of a group selects a block.
    Tensor selected(const Tensor& importance) const {
        const auto blocks = importance.dim(3);
        const auto count = values_.integer("select_count"), first = values_.integer("init_blocks"),
                   last = values_.integer("local_blocks");
        Tensor result(importance.shape());
        const auto out = result.mutable_values();
        std::vector<std::int64_t> others;
        for (std::int64_t row = 0; row < B_ * Hkv_ * L_; ++row) {
            const auto own = row % L_ / blocks_.select_block;
            const double* ranks = importance.data() + row * blocks;
            double* into = out.data() + row * blocks;
            others.clear();
            std::int64_t chosen = 0;
            for (std::int64_t n = 0; n <= own; ++n)
                if (n < first || n > own - last) {
                    into[n] = 1.0;
                    ++chosen;
                } else {
                    others.push_back(n);
                }
            std::ranges::sort(others, LargerFirst{ranks});
            for (std::size_t n = 0; n < others.size() && chosen < count; ++n, ++chosen)
                into[others[n]] = 1.0;
        }
        return result;
    }

    Tensor selected_weights(const Tensor& scores, const Tensor& chosen) const {
        const auto blocks = chosen.dim(3);
        return softmax_where(scores, [&](auto b, auto h, auto i, auto j) {
            const auto block = ((b * Hkv_ + h / group_) * L_ + i) * blocks + j / blocks_.select_block;
            return j <= i && chosen.data()[block] != 0.0;
        });
    }
    Tensor window_weights(const Tensor& scores) const {
        const auto window = values_.integer("window");
        return softmax_where(scores, [window](auto, auto, auto i, auto j) { return j <= i && j > i - window; });
    }
    Tensor compressed_weights(const Tensor& key) const {
        return softmax_where(scaled(key), [&](auto, auto, auto i, auto m) { return blocks_.is_complete(m, i); });
    }

    /// The factor of a reading: 0 compressed, 1 selected, 2 window.
    double gate(std::int64_t row, int reading) const {
        const auto found = problem_.tensors.find("nsa_gates");
        return found == problem_.tensors.end() ? 1.0 / 3.0 : found->second.data()[row * 3 + reading];
    }

    /// (B,H,L,L): the three readings as one matrix; what a compressed block is read for goes to its values' tokens.
    Tensor together(const Tensor& coarse, const Tensor& chosen, const Tensor& near) const {
        Tensor result({B_, H_, L_, L_});
        const auto out = result.mutable_values();
        const auto n = coarse.dim(3);
        for (std::int64_t row = 0; row < B_ * H_ * L_; ++row) {
            control_.checkpoint();
            double* into = out.data() + row * L_;
            for (std::int64_t m = 0; m < n; ++m)
                for (std::int64_t t = 0; t < blocks_.block; ++t)
                    into[m * blocks_.stride + t] +=
                        gate(row, 0) * coarse.data()[row * n + m] * share("compress_w_v", t);
            for (std::int64_t j = 0; j < L_; ++j)
                into[j] += gate(row, 1) * chosen.data()[row * L_ + j] + gate(row, 2) * near.data()[row * L_ + j];
        }
        return result;
    }

    const Blocks& blocks() const { return blocks_; }

private:
    const ResolvedProblem& problem_;
    const ParameterValues& values_;
    const ExactInputs& given_;
    const RunControl& control_;
    const Blocks blocks_;
    const std::int64_t B_, H_, L_, Hkv_, group_;
};

/// Scores of compressed blocks, then of the tokens that are selected and of the window.
Cost own_cost(const ExactInputs& exact, const Tensor& coarse, const Tensor& chosen, const Tensor& near) {
    const auto count = [](const Tensor& weights) {
        const auto values = weights.values();
        return static_cast<double>(std::ranges::count_if(values, [](double weight) { return weight != 0.0; }));
    };
    const double cells = count(coarse) + count(chosen) + count(near);
    return {cells * static_cast<double>(2 * exact.query.dim(3) + 2 * exact.value.dim(3) + 3), 4.0 * cells};
}

Trace run(const ResolvedProblem& given, const RunControl& control) {
    auto problem = given;
    problem.key_tokens.clear(); // the keys are the queries' tokens
    auto plain = given_inputs(problem);
    const auto B = plain.query.dim(0), H = plain.query.dim(1), L = plain.query.dim(2);
    // Scores, scaled, the three readings with their operands, the weights; the exact pass and the difference.
    control.require_memory("scores", {B, H, L, L}, 16.0);
    const auto silent = control.silent();
    const auto own = control.part(0.0, 0.5); // reports the scores and the output
    const Readings readings(problem, plain, silent);
    const auto compressed_key = readings.compressed(plain.key, "compress_w_k"),
               compressed_value = readings.compressed(plain.value, "compress_w_v");
    const auto coarse = readings.compressed_weights(compressed_key);
    const auto importance = readings.importance(coarse);
    const auto blocks = readings.selected(importance);
    const auto scores = all_scores(dot_product(), plain.query, plain.key, own);
    const auto scaled = apply_scale(scores, problem.spec.scale, {plain.query.dim(3), L});
    const auto chosen = readings.selected_weights(scaled, blocks), near = readings.window_weights(scaled);
    const auto weights = readings.together(coarse, chosen, near);

    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, L, L);
    const auto add = [&](const char* name, const Tensor& value, std::vector<Axis> axes, StageRole role,
                         Message operation, std::string formula) {
        control.checkpoint();
        trace.stages.push_back({name, value, std::move(axes), role, std::move(operation), std::move(formula)});
    };
    const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                            key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature},
                            tile_axes = {Axis::Batch, Axis::Head, Axis::Tile, Axis::Feature};
    add("query", plain.query, query_axes, StageRole::Input, {}, "Q");
    add("key", plain.key, key_axes, StageRole::Input, {}, "K");
    add("value", plain.value, key_axes, StageRole::Input, {}, "V");
    add("compressed_key", compressed_key, tile_axes, StageRole::Input, {ATTNLAB_TEXT("one key a block")},
        "Σ_t w_t k_t");
    add("compressed_value", compressed_value, tile_axes, StageRole::Input, {ATTNLAB_TEXT("one value a block")},
        "Σ_t w_t v_t");
    add("compressed_weights", coarse, block_axes, StageRole::Summary,
        {ATTNLAB_TEXT("softmax over the compressed blocks")},
        "softmax(scale(q_i · k̃_m)) over blocks that end at or before i");
    add("block_importance", importance, block_axes, StageRole::Summary, {ATTNLAB_TEXT("importance of the blocks")},
        "Σ_h Σ_m p_im · shared tokens / stride");
    add("selected_blocks", blocks, block_axes, StageRole::Summary, {ATTNLAB_TEXT("the blocks that are read")},
        "1 for the first, the last and the most important ones");
    add("scores", scores, cell_axes, StageRole::Step, dot_product().operation, dot_product().formula);
    const auto& mode = scale_mode(problem.spec.scale.id);
    add("scaled", scaled, cell_axes, StageRole::Step,
        mode.operation({plain.query.dim(3), L}, problem.spec.scale.parameters), std::string(mode.formula));
    trace.stages.back().operation_follows = mode.operation_follows;
    add("selected_weights", chosen, cell_axes, StageRole::Summary, {ATTNLAB_TEXT("softmax over the selected blocks")},
        "softmax over the tokens j ≤ i of the selected blocks");
    add("window_weights", near, cell_axes, StageRole::Summary, {ATTNLAB_TEXT("softmax over the window")},
        "softmax over i − window < j ≤ i");
    add("weights", weights, cell_axes, StageRole::Step, {ATTNLAB_TEXT("three readings, added by gates")},
        "a_ij = g1 compressed + g2 selected + g3 window");
    if (H > 1)
        add("weights_mean", mean_over_heads(weights), {Axis::Batch, Axis::Query, Axis::Key}, StageRole::Summary,
            {ATTNLAB_TEXT("mean over heads")}, "1/H Σ_h a^(h)");
    add("output", mix_values(weights, plain.value, own), query_axes, StageRole::Step, {"× V"}, "o_i = Σ_j a_ij v_j");
    trace.passes[""].dot_product_scores = true;
    trace.notes.push_back({Note::Severity::Info,
                           {ATTNLAB_TEXT("A row of weights sums to its gates, and to less while no compressed block is "
                                         "complete")}});
    auto causal = plain;
    causal.unread = Tensor({B, H, L, L}, 0.0, DType::Bool);
    const auto unread = causal.unread.mutable_values();
    for (std::size_t cell = 0; cell < unread.size(); ++cell) {
        const auto j = static_cast<std::int64_t>(cell) % L, i = static_cast<std::int64_t>(cell) / L % L;
        unread[cell] = j > i ? 1.0 : 0.0;
    }
    add_exact(trace, problem, causal, dot_product(), "weights", control.part(0.5, 1.0));
    add_cost(trace, own_cost(plain, coarse, chosen, near), exact_cost(plain));
    return trace;
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto& values = problem.spec.parameters;
    const auto L = problem.sizes.at("L"), H = problem.sizes.at("H"), Hkv = problem.sizes.at("Hkv");
    const Blocks blocks{L, values.integer("block"), values.integer("stride"), values.integer("select_block")};
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    const auto block = text(blocks.block), stride = text(blocks.stride), select = text(blocks.select_block),
               n = text(blocks.compressed()), all = text(blocks.selectable());
    const auto has = [&](const char* name) { return problem.tensors.contains(name); };
    auto code = ScoreCode{"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
    const bool coarse = blocks.compressed() > 0;
    code.own_weights = "def softmax_where(scores, reads):\n"
                       "    scores = np.where(reads, scores, -np.inf)\n"
                       "    largest = scores.max(axis=-1, keepdims=True)\n"
                       "    weights = np.exp(scores - np.where(largest > -np.inf, largest, 0.0))\n"
                       "    total = weights.sum(axis=-1, keepdims=True)\n"
                       "    return weights / (total + (total == 0))  # a row that reads nothing has weights 0\n\n\n"
                       "i = np.arange(" +
                       text(L) + ")[:, None]\nj = np.arange(" + text(L) + ")\n";
    if (coarse) {
        code.own_weights +=
            "first = np.arange(" + n + ") * " + stride +
            "  # the first token of each compressed block\ntokens = first[:, None] + np.arange(" + block + ")\n" +
            (has("compress_w_k") ? "compressed_key = (key[:, :, tokens] * compress_w_k[:, None]).sum(axis=-2)\n"
                                 : "compressed_key = key[:, :, tokens].mean(axis=-2)\n") +
            "compressed_scores = query @ compressed_key.swapaxes(-1, -2)\n"
            "compressed_weights = softmax_where(<compressed_scores>, first + " +
            text(blocks.block - 1) + " <= i)\n";
        code.own_weights += "begin = np.arange(" + all + ") * " + select +
                            "  # the first token of each selection block\n"
                            "shared = np.minimum(first[:, None] + " +
                            block + ", begin + " + select +
                            ") - np.maximum(first[:, None], begin)\n"
                            "importance = (compressed_weights[..., None] * np.clip(shared, 0, None)).sum(axis=-2) / " +
                            stride + "\n";
        if (H != Hkv)
            code.own_weights += "group = np.arange(" + text(H) + ") // " + text(H / Hkv) +
                                "\nsame = group[:, None] == group\n"
                                "importance = (importance[:, None] * same[..., None, None]).sum(axis=2)"
                                "  # over the heads of a group\n";
    } else {
        code.own_weights += "importance = np.zeros((1, 1, " + text(L) + ", " + all + "))  # no block is complete\n";
    }
    const auto of_values =
        has("compress_w_v") ? "np.where(inside, compress_w_v[np.clip(place, 0, " + text(blocks.block - 1) + ")], 0.0)"
                            : std::string("inside");
    code.own_weights += "n = np.arange(" + all + ")\ncandidate = n <= i // " + select +
                        "\nforced = candidate & ((n < " + text(values.integer("init_blocks")) + ") | (n > i // " +
                        select + " - " + text(values.integer("local_blocks")) +
                        "))\nby = np.where(forced, np.inf, np.where(candidate, importance, -np.inf))\n"
                        "order = np.argsort(-by, axis=-1, kind=\"stable\")\nrank = np.argsort(order, axis=-1)\n"
                        "selected_blocks = forced | (candidate & (rank < " +
                        text(values.integer("select_count")) +
                        "))\n"
                        "selected_weights = softmax_where(<scores>, selected_blocks[..., j // " +
                        select + "] & (j <= i))\nwindow_weights = softmax_where(<scores>, (j <= i) & (j > i - " +
                        text(values.integer("window")) + "))\n";
    if (coarse)
        code.own_weights += "place = j - first[:, None]  # in a block\ninside = (place >= 0) & (place < " + block +
                            ")\nspread = (compressed_weights[..., None] * " + of_values + ").sum(axis=-2)" +
                            (has("compress_w_v") ? "" : " / " + block) + "\n";
    if (has("nsa_gates"))
        code.own_weights += "weights = " + std::string(coarse ? "nsa_gates[..., :1] * spread + " : "") +
                            "nsa_gates[..., 1:2] * selected_weights + nsa_gates[..., 2:] * window_weights\n";
    else
        code.own_weights +=
            "weights = (" + std::string(coarse ? "spread + " : "") + "selected_weights + window_weights) / 3\n";
    code.own_weights += "output = weights @ value\n";

    const std::string w_k = has("compress_w_k") ? "w^k_t \\, " : "\\tfrac{1}{" + block + "} \\, ",
                      w_v = has("compress_w_v") ? "w^v_{j - " + stride + " m}" : "\\tfrac{1}{" + block + "}";
    const std::string first_token = blocks.stride == 1 ? "m" : stride + " m";
    const auto softmax = [](const std::string& score, const std::string& index) {
        return "\\frac{\\exp(" + score + ")}{\\sum_{" + index + "} \\exp(\\ldots)}";
    };
    const std::string of_group = H == Hkv ? "" : "\\sum_{h \\in \\text{group}} ";
    code.own_lines = {
        {"\\tilde{k}_m<kv>", "\\sum_{t=0}^{" + text(blocks.block - 1) + "} " + w_k + "k_{" + first_token + " + t}<kv>"},
        {"p_{im}<h>", softmax("<c><q> \\cdot \\tilde{k}_m<kv>", "m"),
         first_token + " + " + text(blocks.block - 1) + " \\le i"},
        {"I_{in}<kv>", of_group + "\\sum_m p_{im}<h> \\, \\frac{\\text{tokens in block } m \\text{ and in block } n}{" +
                           stride + "}"},
        {"b_i<kv>", "\\text{the first " + text(values.integer("init_blocks")) + ", the last " +
                        text(values.integer("local_blocks")) + ", and by } I_i<kv> \\text{ up to " +
                        text(values.integer("select_count")) + " blocks of " + select + " tokens at or before } i"},
        {"r_{ij}<h>", softmax("<c><q> \\cdot <k>", "j"),
         "j \\le i \\text{ and } \\lfloor j / " + select + " \\rfloor \\in b_i<kv>"},
        {"u_{ij}<h>", softmax("<c><q> \\cdot <k>", "j"), "i - " + text(values.integer("window")) + " < j \\le i"},
        {"a_{ij}<h>", std::string(has("nsa_gates") ? "g^1_i<h> " : "\\tfrac{1}{3} ") + "\\sum_m p_{im}<h> \\, " + w_v +
                          " + " +
                          (has("nsa_gates") ? "g^2_i<h> \\, r_{ij}<h> + g^3_i<h> \\, u_{ij}<h>"
                                            : "\\tfrac{1}{3} \\, r_{ij}<h> + \\tfrac{1}{3} \\, u_{ij}<h>")}};
    return code;
}

} // namespace

Mechanism nsa_mechanism() {
    constexpr const char* three = ATTNLAB_TEXT("A row of weights adds three distributions.");
    return {
        .id = "nsa",
        .place = 21,
        .title = ATTNLAB_TEXT("Native sparse (NSA)"),
        .family = ATTNLAB_TEXT("Approximations"),
        .formula = "g1 Attention(Q, K̃, Ṽ) + g2 Attention(Q, K_selected, V_selected) + g3 Attention(Q, K_window, "
                   "V_window)",
        .help = ATTNLAB_TEXT(
            "A query reads the text before it three times: all of it in compressed blocks, the tokens of the "
            "blocks that this coarse reading finds important, and the keys just before it. Gates say how much each "
            "reading counts."),
        .source = "Yuan et al. 2025, Native Sparse Attention, equations 5 and 7 to 12",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .check = check,
        .attention_line = "",
        .refuses = {.masks = ATTNLAB_TEXT("Its three readings have masks of their own: no query reads a later key."),
                    .position = ATTNLAB_TEXT("Blocks are compressed from the keys as they are given."),
                    .scale_after_softmax = three,
                    .scale_of_many_factors = ATTNLAB_TEXT("Compressed keys are not scored like the keys that such a "
                                                          "scale is made for."),
                    .statistics = three},
        .code = code,
        .approximates = true,
        .own_mask = true,
        .drawn = {R"(\begin{aligned} o_i &= g^{1}_i\, \mathrm{Attention}(q_i, \tilde{K}, \tilde{V}) \\ &\quad +)"
                  R"( g^{2}_i\, \mathrm{Attention}(q_i, K_{\mathrm{selected}}, V_{\mathrm{selected}}) \\ &\quad +)"
                  R"( g^{3}_i\, \mathrm{Attention}(q_i, K_{\mathrm{window}}, V_{\mathrm{window}}) \end{aligned})",
                  "o_i = g1_i Attention(q_i, compressed) + g2_i Attention(q_i, selected) + g3_i Attention(q_i, "
                  "window)"},
        .look_for = ATTNLAB_TEXT(
            "Compare the three readings: the compressed weights cover everything before the query in wide steps, "
            "the selected ones fill a few blocks, the window the last keys. Raise the number of selected blocks "
            "and watch the difference from exact attention.")};
}

} // namespace attnlab
