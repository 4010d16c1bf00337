#include "core/map/row_problem.h"

#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"

#include <algorithm>

namespace attnlab {
namespace {

/// Row `row` of an array broadcast to the cells: (1, S), or (1, 1) where it has one value for all keys.
Tensor row_of(const Tensor& tensor, const MaskContext& context, std::int64_t batch, std::int64_t head,
              std::int64_t row) {
    const auto strides = *cell_strides(tensor.shape(), context);
    std::vector<double> values(static_cast<std::size_t>(strides.key == 0 ? 1 : context.S));
    tensor.read(batch * strides.batch + head * strides.head + row * strides.row, std::span(values));
    const auto columns = static_cast<std::int64_t>(values.size());
    return Tensor({1, columns}, std::move(values));
}

} // namespace

/// Projections are computed once, for the first row.
const ResolvedProblem& RowProblems::plain() {
    if (!plain_) {
        const auto problem = resolve(problem_);
        plain_ = plain_problem(problem, flash::form_of(problem), true, {});
        problem_ = {};
    }
    return *plain_;
}

/// (1,1,rows,width) of a query, key or value; a group of query heads shares a key head.
Tensor RowProblems::head_of(const char* name, std::int64_t batch, std::int64_t head) const {
    const Tensor& all = plain_->tensors.find(name)->second;
    const auto own_heads = all.rank() == 4 ? all.dim(1) : 1;
    const Tensor& query = plain_->tensors.find("query")->second;
    const auto query_heads = query.rank() == 4 ? query.dim(1) : 1;
    const auto own_head = head / std::max<std::int64_t>(1, query_heads / own_heads);
    const auto rows = all.dim(-2), width = all.dim(-1);
    std::vector<double> values(static_cast<std::size_t>(rows * width));
    all.read((batch * own_heads + own_head) * rows * width, std::span(values));
    return Tensor({1, 1, rows, width}, std::move(values), all.dtype());
}

AttentionProblem RowProblems::row(const AttentionMap& map, std::int64_t batch, std::int64_t head, std::int64_t row) {
    const auto& problem = plain();
    if (batch != batch_ || head != head_) {
        key_ = head_of("key", batch, head);
        value_ = head_of("value", batch, head);
        batch_ = batch;
        head_ = head;
    }
    const Tensor& query = problem.tensors.find("query")->second;
    const auto heads = query.rank() == 4 ? query.dim(1) : 1;
    const auto L = query.dim(-2), E = query.dim(-1), S = key_.dim(2);
    std::vector<double> own_query(static_cast<std::size_t>(E));
    query.read(((batch * heads + head) * L + row) * E, std::span(own_query));

    AttentionProblem result;
    result.spec = problem.spec;
    result.spec.masks.clear();
    result.spec.mask_true = MaskTrue::Blocks;
    result.key_tokens = problem.key_tokens.empty() && L == S ? problem.query_tokens : problem.key_tokens;
    const auto token = static_cast<std::size_t>(row);
    result.query_tokens = {token < problem.query_tokens.size() && !problem.query_tokens[token].empty()
                               ? problem.query_tokens[token]
                               : std::to_string(row)};
    result.tensors = {
        {"query", Tensor({1, 1, 1, E}, std::move(own_query), query.dtype())}, {"key", key_}, {"value", value_}};

    const auto bins = map.pool({{row, row + 1, 0, S}, 1, 1}, Pool::Max); // distinguishes masked cells from NaN
    if (std::find(bins.kept.begin(), bins.kept.end(), 0.0f) != bins.kept.end()) {
        Tensor blocked({1, S}, 0.0, DType::Bool);
        std::transform(bins.kept.begin(), bins.kept.end(), blocked.mutable_values().begin(),
                       [](float kept) { return kept == 0.0f ? 1.0 : 0.0; });
        result.tensors.emplace("attn_mask", std::move(blocked));
        result.spec.masks.push_back({"attn_mask", {}});
    }
    const bool biased = std::any_of(problem.spec.masks.begin(), problem.spec.masks.end(),
                                    [](const Selection& mask) { return mask.id == "attn_bias"; });
    if (biased) {
        const Tensor& bias = problem.tensors.find("attn_bias")->second;
        const auto batches = query.rank() > 2 ? query.dim(0) : 1;
        result.tensors.emplace("attn_bias", row_of(bias, {batches, heads, L, S}, batch, head, row));
        result.spec.masks.push_back({"attn_bias", {}});
    }
    return result;
}

} // namespace attnlab
