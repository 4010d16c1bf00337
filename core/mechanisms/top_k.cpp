// Only the k best keys of each row stay: the best by their own scores, or by those of a cheap indexer.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/approximation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab {
namespace {

constexpr std::string_view by_indexer = "select=indexer";

const Input inputs[] = {
    query_input,
    key_input,
    value_input,
    {.name = "indexer_query",
     .dims = "B HI L EI | HI L EI",
     .when = by_indexer,
     .help = ATTNLAB_TEXT("The queries of the indexer, HI heads of width EI")},
    {.name = "indexer_key",
     .dims = "B S EI | S EI",
     .when = by_indexer,
     .help = ATTNLAB_TEXT("The keys of the indexer, which its heads share")},
    {.name = "indexer_weights",
     .dims = "B L HI | L HI",
     .when = by_indexer,
     .help = ATTNLAB_TEXT("How much each head of the indexer counts, one row a query")},
    output_gradient_input("B H L Ev | B L Ev | L Ev"),
};

constexpr std::string_view ways[] = {"scores", "indexer"};

const Parameter parameters[] = {
    {.name = "k",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("k"),
     .help = ATTNLAB_TEXT("How many keys of a row stay, among those that the masks keep"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "select",
     .type = ParameterType::Choice,
     .default_text = "scores",
     .title = ATTNLAB_TEXT("select by"),
     .help = ATTNLAB_TEXT("scores: by the row's own masked scores; indexer: by a small attention of its own, the same "
                          "keys for all heads"),
     .choices = ways},
    gradients_parameter(),
    similarity_parameter(),
    dropout_parameter(),
    dropout_seed_parameter(),
};

const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};

/// (B,1,L,S): Σ_h w_ih max(q_ih · k_j, 0).
Tensor indexer_scores(const ResolvedProblem& problem, const RunControl& control) {
    const auto& sizes = problem.sizes;
    const auto B = sizes.at("B"), L = sizes.at("L"), S = sizes.at("S"), heads = sizes.at("HI"), width = sizes.at("EI");
    const auto query = problem.tensors.at("indexer_query").reshaped({B, heads, L, width});
    const auto key = problem.tensors.at("indexer_key").reshaped({B, S, width});
    const auto weights = problem.tensors.at("indexer_weights").reshaped({B, L, heads});
    Tensor scores({B, 1, L, S});
    const auto out = scores.mutable_values();
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            for (std::int64_t j = 0; j < S; ++j) {
                double sum = 0.0;
                for (std::int64_t h = 0; h < heads; ++h) {
                    double dot = 0.0;
                    for (std::int64_t c = 0; c < width; ++c)
                        dot +=
                            query.data()[((b * heads + h) * L + i) * width + c] * key.data()[(b * S + j) * width + c];
                    sum += weights.data()[(b * L + i) * heads + h] * std::max(dot, 0.0);
                }
                out[static_cast<std::size_t>((b * L + i) * S + j)] = sum;
            }
        }
    return scores;
}

/// 1 where a row keeps a key: the k largest of `by` (B,H or 1,L,S) among the cells of `masked` (B,H,L,S) that are not
/// -inf, of equal ones the lower key first. Numbers that are NaN come last.
Tensor selected_cells(const Tensor& masked, const Tensor& by, std::int64_t k, const RunControl& control) {
    const auto H = masked.dim(1), L = masked.dim(2), S = masked.dim(3);
    Tensor selected(masked.shape());
    const auto out = selected.mutable_values();
    std::vector<std::int64_t> kept;
    for (std::int64_t row = 0; row < masked.dim(0) * H * L; ++row) {
        control.checkpoint();
        const auto head = row / L;
        const double* scores = masked.data() + row * S;
        const double* ranks = by.dim(1) == H ? by.data() + row * S : by.data() + (head / H * L + row % L) * S;
        kept.clear();
        for (std::int64_t j = 0; j < S; ++j)
            if (scores[j] != -std::numeric_limits<double>::infinity())
                kept.push_back(j);
        const auto count = std::min<std::int64_t>(k, std::ssize(kept));
        std::partial_sort(kept.begin(), kept.begin() + count, kept.end(), LargerFirst{ranks});
        for (std::int64_t n = 0; n < count; ++n)
            out[static_cast<std::size_t>(row * S + kept[static_cast<std::size_t>(n)])] = 1.0;
    }
    return selected;
}

/// Bool, True where `selected` is 0.
Tensor not_selected(const Tensor& selected) {
    Tensor unread(selected.shape(), 0.0, DType::Bool);
    const auto out = unread.mutable_values();
    for (std::size_t cell = 0; cell < out.size(); ++cell)
        out[cell] = selected.values()[cell] == 0.0 ? 1.0 : 0.0;
    return unread;
}

/// (B,H,L): the exact weight of the keys that are not selected.
Tensor mass_lost(const Tensor& exact, const Tensor& selected) {
    const auto S = static_cast<std::size_t>(exact.dim(3));
    Tensor lost({exact.dim(0), exact.dim(1), exact.dim(2)});
    const auto out = lost.mutable_values();
    for (std::size_t row = 0; row < out.size(); ++row)
        for (std::size_t j = row * S; j < (row + 1) * S; ++j)
            out[row] += selected.values()[j] == 0.0 ? exact.values()[j] : 0.0;
    return lost;
}

/// The scores of all cells, or those of the indexer, whose heads are few and narrow; then the chosen cells alone.
Cost own_cost(const ExactInputs& exact, const ResolvedProblem& problem, const Tensor& selected) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const auto cells = size(selected.size());
    const auto values = selected.values();
    const auto read = size(std::count(values.begin(), values.end(), 1.0));
    const double E = size(exact.query.dim(3)), Ev = size(exact.value.dim(3));
    if (problem.spec.parameters.choice("select") == "scores")
        return {cells * 2.0 * E + read * (2.0 * Ev + 3.0), 4.0 * (cells + read)};
    const auto ranked = size(problem.sizes.at("B") * problem.sizes.at("L") * problem.sizes.at("S"));
    return {ranked * size(problem.sizes.at("HI")) * (2.0 * size(problem.sizes.at("EI")) + 3.0) +
                read * (2.0 * E + 2.0 * Ev + 3.0),
            4.0 * (ranked + read)};
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    const auto plain = given_inputs(problem);
    // The dense pass, the pass over the selected cells, the selection, the cells that are not read and the difference.
    control.require_memory("scores", {plain.query.dim(0), plain.query.dim(1), plain.query.dim(2), plain.key.dim(2)},
                           16.0);
    auto dense = problem;
    dense.spec.statistics = false;
    dense.spec.parameters = without_dropout(values);
    dense.spec.parameters.set("gradients", false);
    const auto all = exact_attention(dense, plain, dot_product(), control.part(0.0, 0.3));
    const auto& masked = all.find("masked")->value;
    const bool indexed = values.choice("select") == "indexer";
    const auto ranks = indexed ? indexer_scores(problem, control) : masked;
    const auto selected = selected_cells(masked, ranks, values.integer("k"), control);
    auto sparse = plain;
    sparse.unread = not_selected(selected);
    auto trace = exact_attention(problem, sparse, dot_product(), control.part(0.3, 0.7));
    auto before = std::ranges::find(trace.stages, std::string("blocked"), &Stage::name);
    const Stage chosen{"selected",
                       selected,
                       cell_axes,
                       StageRole::Summary,
                       {ATTNLAB_TEXT("the keys that are read")},
                       indexed ? "1 for the k largest of selector_scores_i" : "1 for the k largest of m_i"};
    before = trace.stages.insert(before, chosen);
    if (indexed)
        trace.stages.insert(before, {"selector_scores",
                                     ranks,
                                     cell_axes,
                                     StageRole::Summary,
                                     {ATTNLAB_TEXT("scores of the indexer")},
                                     "Σ_h w_ih max(q_ih · k_j, 0)"});
    add_exact(trace, problem, plain, dot_product(), "weights", control.part(0.7, 1.0));
    trace.stages.push_back({"mass_lost",
                            mass_lost(trace.find("exact_weights")->value, selected),
                            {Axis::Batch, Axis::Head, Axis::Query},
                            StageRole::Exact,
                            {ATTNLAB_TEXT("exact weight of the keys that are not read")},
                            "Σ_j exact a_ij where j is not selected"});
    add_cost(trace, own_cost(plain, problem, selected), exact_cost(plain));
    return trace;
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto k = std::to_string(problem.spec.parameters.integer("k"));
    auto code = ScoreCode{"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
    const auto ranked = [&](const std::string& by) {
        return "order = np.argsort(-" + by +
               ", axis=-1, kind=\"stable\")\nrank = np.argsort(order, axis=-1)\nselected = (rank < " + k +
               ") & (<m> > -np.inf)\n";
    };
    code.selection_condition = "j \\in \\operatorname{top}_{" + k + "}(<m_i>)";
    if (problem.spec.parameters.choice("select") == "scores") {
        code.selection = ranked("<m>");
        return code;
    }
    const auto of_batch = [&](const char* name, std::size_t rank) {
        return name +
               std::string(problem.tensors.find(name)->second.rank() < static_cast<std::int64_t>(rank) ? "[None]" : "");
    };
    code.selection = "indexed = np.clip(" + of_batch("indexer_query", 4) + " @ " + of_batch("indexer_key", 3) +
                     "[:, None].swapaxes(-1, -2), 0.0, None)\nshares = " + of_batch("indexer_weights", 3) +
                     ".swapaxes(-1, -2)[..., None]  # of the indexer's heads\n"
                     "selector_scores = (shares * indexed).sum(axis=1, keepdims=True)\n" +
                     ranked("np.where(<m> > -np.inf, selector_scores, -np.inf)");
    code.selection_lines = {{"t_{ij}", "\\sum_h w_{ih} \\max \\left( q^I_{ih} \\cdot k^I_j,\\, 0 \\right)"}};
    code.selection_condition = "j \\in \\operatorname{top}_{" + k + "}(t_i) \\text{ among } <m_i> > -\\infty";
    return code;
}

} // namespace

Mechanism top_k_mechanism() {
    return {.id = "top_k",
            .place = 20,
            .title = ATTNLAB_TEXT("Top-k selection"),
            .family = ATTNLAB_TEXT("Approximations"),
            .formula = "softmax(Q Kᵀ / √d_k + M) V with M_ij = 0 for the k best keys j of row i, else −∞",
            .help = ATTNLAB_TEXT(
                "Each query reads only its k best keys. They are chosen by the scores themselves, or by an indexer, a "
                "small attention that is cheaper to compute and picks the same keys for all heads. The weight of the "
                "keys left out goes to those that stay."),
            .source = "DeepSeek-AI 2025, DeepSeek-V3.2-Exp, equations 1 and 2",
            .default_scale = "sqrt_dk",
            .inputs = inputs,
            .parameters = parameters,
            .run = run,
            .check_values = check_output_gradient,
            .refuses = {.finite_fill = ATTNLAB_TEXT("A blocked key cannot be selected.")},
            .code = code,
            .exact_rows = true,
            .approximates = true,
            .own_mask = true,
            .drawn = {R"(\begin{aligned} M_{ij} &= 0 \;\iff\; j \in \mathrm{top}_k(I_i) \quad\; I_{ij} = s_{ij})"
                      R"( \quad\; \mathrm{(scores)} \\)"
                      R"( I_{ij} &= \sum_h w_{ih} \max\left( q^I_{ih} \cdot k^I_j,\, 0 \right))"
                      R"( \quad\; \mathrm{(indexer)} \end{aligned})",
                      "M_ij = 0 where j is among the k largest of I_i, −∞ elsewhere; scores: I_ij = s_ij; indexer: "
                      "I_ij = Σ_h w_ih max(q^I_ih · k^I_j, 0)"},
            .look_for = ATTNLAB_TEXT(
                "Lower k and watch the mass that is lost: rows with one large weight lose next to nothing, flat rows "
                "lose most of theirs. Then select by the indexer: where its choice differs from the scores' own, the "
                "difference shows weights that were lost although they were large.")};
}

} // namespace attnlab
