// A window of the nearest keys, and global tokens, which read all tokens and are read by all.
// combine=union: one softmax over the cells of both. combine=sum: Local(Q, K, V) + Global(Q, K, V), two softmaxes.
#include "core/mechanisms/shared/by_score.h"
#include "core/stages/approximation.h"
#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input};

constexpr std::string_view ways[] = {"union", "sum"};

const Parameter parameters[] = {
    {.name = "window",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("window"),
     .help = ATTNLAB_TEXT("The full width: w/2 keys on either side"),
     .minimum = 0,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "global_tokens",
     .type = ParameterType::IntegerList,
     .default_text = "0",
     .title = ATTNLAB_TEXT("global tokens"),
     .help = ATTNLAB_TEXT("Numbers of the tokens that read all and are read by all, counted from 0"),
     .minimum = 0,
     .maximum = 1e9},
    {.name = "combine",
     .type = ParameterType::Choice,
     .default_text = "union",
     .title = ATTNLAB_TEXT("combine"),
     .help = ATTNLAB_TEXT("union: one softmax over both kinds of keys; sum: a softmax for each, their outputs added"),
     .choices = ways},
    dropout_parameter(),
    dropout_seed_parameter(),
};

void check_values(const ResolvedProblem& problem) {
    const auto tokens = std::max(problem.sizes.at("L"), problem.sizes.at("S"));
    for (const auto token : problem.spec.parameters.integers("global_tokens"))
        if (tokens > 0 && token >= tokens)
            throw Error({ATTNLAB_TEXT("longformer: parameter global_tokens has %1, expected integers in [0, %2]: there "
                                      "are %3 tokens"),
                         {std::to_string(token), std::to_string(tokens - 1), std::to_string(tokens)}});
}

/// The cells that window and global tokens read, the same for every batch and head.
class Pattern {
public:
    Pattern(std::int64_t queries, std::int64_t keys, std::int64_t window, const IntegerList& tokens)
        : L_(queries), S_(keys), reach_(window / 2), global_(static_cast<std::size_t>(std::max(queries, keys))) {
        for (const auto token : tokens)
            if (token < std::max(queries, keys))
                global_[static_cast<std::size_t>(token)] = true;
    }

    bool local(std::int64_t i, std::int64_t j) const { return std::abs(i - j) <= reach_; }
    bool global(std::int64_t i, std::int64_t j) const {
        return global_[static_cast<std::size_t>(i)] || global_[static_cast<std::size_t>(j)];
    }
    bool either(std::int64_t i, std::int64_t j) const { return local(i, j) || global(i, j); }

    using Reads = bool (Pattern::*)(std::int64_t, std::int64_t) const;

    /// Bool (B,H,L,S), True where not read.
    Tensor unread(std::int64_t B, std::int64_t H, Reads reads) const {
        Tensor cells({B, H, L_, S_}, 0.0, DType::Bool);
        const auto out = cells.mutable_values();
        std::size_t next = 0;
        for (std::int64_t head = 0; head < B * H; ++head)
            for (std::int64_t i = 0; i < L_; ++i)
                for (std::int64_t j = 0; j < S_; ++j)
                    out[next++] = (this->*reads)(i, j) ? 0.0 : 1.0;
        return cells;
    }

    double count(Reads reads) const {
        double cells = 0.0;
        for (std::int64_t i = 0; i < L_; ++i)
            for (std::int64_t j = 0; j < S_; ++j)
                cells += (this->*reads)(i, j);
        return cells;
    }

private:
    std::int64_t L_, S_, reach_;
    std::vector<bool> global_; ///< by token
};

/// A softmax over the cells of the window and one over those of the global tokens, added.
Attended attend_twice(const Tensor& masked, const Pattern& pattern) {
    const auto softmax_where = [&](Pattern::Reads reads) {
        return softmax_rows(
            apply_masks(masked, Tensor(), pattern.unread(masked.dim(0), masked.dim(1), reads), MaskFill{}));
    };
    const auto local = softmax_where(&Pattern::local), global = softmax_where(&Pattern::global);
    Attended made{.weights = local.weights,
                  .operation = {ATTNLAB_TEXT("softmax over the window + softmax over the global tokens")},
                  .formula = "a_ij = local_ij + global_ij"};
    const auto weights = made.weights.mutable_values();
    for (std::size_t k = 0; k < weights.size(); ++k)
        weights[k] += global.weights.values()[k];
    const auto add = [&](const char* name, const Tensor& value, Message operation) {
        made.stages.push_back({name,
                               value,
                               {Axis::Batch, Axis::Head, Axis::Query, Axis::Key},
                               StageRole::Summary,
                               std::move(operation),
                               "exp(m_ij − lse_i)"});
    };
    add("local_weights", local.weights, {ATTNLAB_TEXT("softmax over the window")});
    add("global_weights", global.weights, {ATTNLAB_TEXT("softmax over the global tokens")});
    return made;
}

/// The number of rows with weights in both softmaxes.
std::int64_t rows_of_two(const Trace& trace) {
    const auto &local = trace.find("local_weights")->value, &global = trace.find("global_weights")->value;
    const auto S = static_cast<std::size_t>(local.dim(3));
    const auto any = [S](const Tensor& weights, std::size_t first) {
        const auto row = weights.values().subspan(first, S);
        return std::any_of(row.begin(), row.end(), [](double weight) { return weight != 0.0; });
    };
    std::int64_t count = 0;
    for (std::size_t first = 0; S > 0 && first < local.values().size(); first += S)
        count += any(local, first) && any(global, first);
    return count;
}

void note_sums(Trace& trace) {
    const auto count = rows_of_two(trace);
    if (count == 0)
        return;
    const auto& weights = trace.find("weights")->value;
    trace.notes.push_back({Note::Severity::Info,
                           {ATTNLAB_TEXT("A row of weights is a sum of two distributions, over the window and over the "
                                         "global tokens. Rows that sum to 2, not to 1: %1 of %2"),
                            {std::to_string(count), std::to_string(weights.size() / weights.dim(3))}}});
}

/// The cost of the cells that are read, as in exact_cost; those in both softmaxes count twice.
Cost own_cost(const ExactInputs& exact, const Pattern& pattern, bool twice) {
    const auto each =
        twice ? pattern.count(&Pattern::local) + pattern.count(&Pattern::global) : pattern.count(&Pattern::either);
    const auto cells = each * static_cast<double>(exact.query.dim(0) * exact.query.dim(1));
    return {cells * static_cast<double>(2 * exact.query.dim(3) + 2 * exact.value.dim(3) + 3), 4.0 * cells};
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    const bool twice = values.choice("combine") == "sum";
    auto plain = given_inputs(problem);
    const auto B = plain.query.dim(0), H = plain.query.dim(1), L = plain.query.dim(2), S = plain.key.dim(2);
    // scores, scaled, masked, weights, their mean, the cells that are not read; the same of the exact pass, and the
    // difference; blocked and bias of each; each of the two softmaxes with its operands.
    control.require_memory("scores", {B, H, L, S},
                           12.0 + (problem.spec.masks.empty() ? 0.0 : 4.0) + (twice ? 4.0 : 0.0));
    const Pattern pattern(L, S, values.integer("window"), values.integers("global_tokens"));
    auto sparse = plain;
    sparse.unread = pattern.unread(B, H, &Pattern::either);
    if (twice)
        sparse.attend = [&](const Tensor& masked, const RunControl&) { return attend_twice(masked, pattern); };
    auto trace = exact_attention(problem, sparse, dot_product(), control.part(0.0, 0.5));
    if (twice)
        note_sums(trace);
    if (L < S)
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("The window puts query i at key i, but L = %1 and S = %2 differ. Queries "
                                             "that stand at later keys, as with a cache, are not supported here"),
                                {std::to_string(L), std::to_string(S)}}});
    add_exact(trace, problem, plain, dot_product(), "weights", control.part(0.5, 1.0));
    add_cost(trace, own_cost(plain, pattern, twice), exact_cost(plain));
    return trace;
}

} // namespace

Mechanism longformer_mechanism() {
    return {
        .id = "longformer",
        .place = 18,
        .title = ATTNLAB_TEXT("Longformer (window and global tokens)"),
        .family = ATTNLAB_TEXT("Approximations"),
        .formula = "softmax(Q Kᵀ / √d_k + M) V with M_ij = 0 where |i − j| ≤ w/2 or i or j is global, else −∞",
        .help = ATTNLAB_TEXT(
            "A token reads only its neighbours within a window, so the cost grows with the length and not with its "
            "square. A few global tokens read every token and are read by every token, and carry news from one "
            "end to the other."),
        .source = "Beltagy, Peters and Cohan 2020, Longformer: The Long-Document Transformer",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .check_values = check_values,
        .approximates = true,
        .own_mask = true,
        .drawn = {R"(\begin{aligned} M_{ij} &= 0 \;\iff\; |i - j| \leq \lfloor w/2 \rfloor \\ &\quad\; \lor\; i \in G)"
                  R"( \;\lor\; j \in G \quad\; \mathrm{(union)} \\)"
                  R"( \mathrm{output} &= \mathrm{Local}(Q, K, V) \\ &\quad + \mathrm{Global}(Q, K, V) \quad\;)"
                  R"( \mathrm{(sum)} \end{aligned})",
                  "union: M_ij = 0 where |i − j| ≤ ⌊w/2⌋ or i ∈ G or j ∈ G, −∞ elsewhere; sum: output = Local(Q, "
                  "K, V) + Global(Q, K, V)"},
        .look_for = ATTNLAB_TEXT(
            "Watch the difference from the exact weights: what lies outside the window is lost, and the keys "
            "inside get its share. Make a token global and see its row and its column fill. With combine=sum a row "
            "sums to 2: keys that are both near and global are counted twice.")};
}

} // namespace attnlab
