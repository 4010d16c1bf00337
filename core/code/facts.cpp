#include "core/code/facts.h"

#include "core/code/writers.h"
#include "core/infinity.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <span>

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
    const auto masks = masks_of(problem);
    const auto& n = problem.sizes;
    const auto offset = uses_positions(masks) ? query_offsets(problem.spec, problem.tensors).common() : 0;
    if (!offset)
        return false;
    const auto keeps_own_key = [&](const Selection& mask) { return mask_kind(mask.id).uses_positions; };
    const auto keeps_first_key = [&](const Selection& mask) {
        if (mask.id == "prefix")
            return *offset >= 0 || mask.parameters.integer("p") > 0;
        return mask.id == "causal" && mask.parameters.choice("alignment") == "top_left" && *offset >= 0;
    };
    return (*offset >= 0 && n.at("L") + *offset <= n.at("S") && std::ranges::all_of(masks, keeps_own_key)) ||
           std::ranges::all_of(masks, keeps_first_key);
}

Facts computed(const ResolvedProblem& problem) {
    const auto trace = problem.variant->run(problem, {});
    const auto& scale = problem.spec.scale;
    const auto zero = [](double value) { return value == 0.0; };
    const auto any = [](double) { return true; };
    const auto& scores = trace.find("scores")->value;
    const auto row = scores.dim(-1), head = row * scores.dim(-2);
    const auto zero_row = [&](const char* name) {
        const auto& rows = trace.find(name)->value;
        return any_run(rows, rows.dim(-1), zero);
    };
    Facts facts;
    facts.unread_rows = any_run(trace.find("masked")->value, row, [](double value) { return value == -infinity; });
    facts.zero_queries = zero_row("query");
    facts.zero_keys = zero_row("key");
    if (const auto* norm = scale.parameters.find("norm"))
        facts.zero_scores = to_text(*norm) == "row"      ? any_run(scores, row, zero)
                            : to_text(*norm) == "minmax" ? any_run(scores, head, any)
                                                         : any_run(scores, head, zero);
    return facts;
}

} // namespace

Facts facts_of(const ResolvedProblem& problem) {
    if (is_small(problem))
        return computed(problem);
    const bool bias = std::ranges::any_of(problem.spec.masks, [](const auto& mask) { return mask.id == "attn_bias"; });
    Facts facts;
    facts.unread_rows = bias || (problem.spec.mask_fill.value == -infinity && !surely_reads(problem));
    facts.zero_queries = facts.zero_keys = facts.zero_scores = true;
    return facts;
}

} // namespace attnlab::code
