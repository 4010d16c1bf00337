#include "core/map/row_problem.h"

#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <Eigen/Core>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <string_view>
#include <thread>

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

/// Where the rows of a head begin in a query, key or value; a group of query heads shares a key head.
std::int64_t first_number(const ResolvedProblem& plain, std::string_view name, std::int64_t batch, std::int64_t head) {
    const auto heads_of = [](const Tensor& tensor) { return tensor.rank() == 4 ? tensor.dim(1) : 1; };
    const Tensor& all = plain.tensors.find(name)->second;
    const auto own_heads = heads_of(all), query_heads = heads_of(plain.tensors.find("query")->second);
    const auto own_head = head / std::max<std::int64_t>(1, query_heads / own_heads);
    return (batch * own_heads + own_head) * all.dim(-2) * all.dim(-1);
}

/// (1,1,count,width) from a number on.
Tensor rows_of(const Tensor& all, std::int64_t first, std::int64_t count) {
    std::vector<double> values(static_cast<std::size_t>(count * all.dim(-1)));
    all.read(first, std::span(values));
    return Tensor({1, 1, count, all.dim(-1)}, std::move(values), all.dtype());
}

using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// The mean and the covariance of some rows.
struct RowMoments {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
};

/// `block` gives (1,1,n,E) rows from `first` up to `last`. Two passes, since the square of a mean may be far larger
/// than a variance.
template <class Block>
RowMoments moments_of_rows(std::int64_t count, std::int64_t width, const RunControl& control, Block block) {
    constexpr std::int64_t rows_at_a_time = 1024;
    const auto for_each_block = [&](auto take) {
        for (std::int64_t first = 0; first < count; first += rows_at_a_time) {
            control.checkpoint();
            const Tensor rows = block(first, std::min(count, first + rows_at_a_time));
            take(Rows(rows.data(), rows.dim(2), width));
        }
    };
    RowMoments result{Eigen::VectorXd::Zero(width), Eigen::MatrixXd::Zero(width, width)};
    for_each_block([&](const Rows& rows) { result.mean += rows.colwise().sum().transpose(); });
    result.mean /= static_cast<double>(count);
    for_each_block([&](const Rows& rows) {
        const Eigen::MatrixXd apart = rows.rowwise() - result.mean.transpose();
        result.covariance.noalias() += apart.transpose() * apart;
    });
    result.covariance /= static_cast<double>(count);
    return result;
}

/// Of the products of every query with every key: with q = m + a and k = n + b, the parts a n, m b and a b of a product
/// vary independently over all pairs.
Moments moments_of_products(const RowMoments& query, const RowMoments& key) {
    return {query.mean.dot(key.mean), key.mean.dot(query.covariance * key.mean) +
                                          query.mean.dot(key.covariance * query.mean) +
                                          query.covariance.cwiseProduct(key.covariance).sum()};
}

} // namespace

/// Projections are computed once, for the first row.
const ResolvedProblem& RowProblems::plain(const RunControl& control) {
    std::unique_lock lock(converting_, std::defer_lock);
    while (!lock.try_lock()) { // another thread converts
        control.checkpoint();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (!plain_) {
        const auto problem = resolve(problem_);
        plain_ = plain_problem(problem, flash::form_of(problem), true, control);
        problem_ = {};
    }
    return *plain_;
}

Tensor RowProblems::head_of(const char* name, std::int64_t batch, std::int64_t head) const {
    const Tensor& all = plain_->tensors.find(name)->second;
    return rows_of(all, first_number(*plain_, name, batch, head), all.dim(-2));
}

AttentionProblem RowProblems::row(const AttentionMap& map, std::int64_t batch, std::int64_t head, std::int64_t row,
                                  const RunControl& control) {
    const auto& problem = plain(control);
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
    result.spec.mask_combine.clear();
    result.spec.mask_true = MaskTrue::Blocks;
    result.key_tokens = problem.key_tokens.empty() && L == S ? problem.query_tokens : problem.key_tokens;
    const auto token = static_cast<std::size_t>(row);
    result.query_tokens = {token < problem.query_tokens.size() && !problem.query_tokens[token].empty()
                               ? problem.query_tokens[token]
                               : std::to_string(row)};
    result.tensors = {
        {"query", Tensor({1, 1, 1, E}, std::move(own_query), query.dtype())}, {"key", key_}, {"value", value_}};

    const auto blocked = map.blocked_keys(row);
    if (std::find(blocked.begin(), blocked.end(), true) != blocked.end()) {
        Tensor mask({1, S}, 0.0, DType::Bool);
        std::copy(blocked.begin(), blocked.end(), mask.mutable_values().begin());
        result.tensors.emplace("attn_mask", std::move(mask));
        result.spec.masks.push_back({"attn_mask", {}});
    }
    if (const auto* adding = find_mask(problem.spec.masks, &MaskKind::adds)) {
        const std::string name(array_of(mask_kind(adding->id)).name);
        const auto batches = query.rank() > 2 ? query.dim(0) : 1;
        result.tensors.emplace(name,
                               row_of(problem.tensors.find(name)->second, {batches, heads, L, S}, batch, head, row));
        result.spec.masks.push_back(*adding);
    }
    return result;
}

std::optional<RowProblems::ScoreMoments> RowProblems::score_moments(std::int64_t batch, std::int64_t head,
                                                                    const RunControl& control) {
    const auto& problem = plain(control);
    const auto& mode = scale_mode(problem.spec.scale.id);
    const bool turned = !problem.spec.position.id.empty() && position_term(problem.spec.position.id).rotate;
    if (!mode.factor || turned)
        return std::nullopt;
    const Tensor& query = problem.tensors.find("query")->second;
    const Tensor& key = problem.tensors.find("key")->second;
    const auto width = query.dim(-1);
    const auto moments_of = [&](const Tensor& all, bool queries) {
        const auto begin = first_number(problem, queries ? "query" : "key", batch, head);
        return moments_of_rows(all.dim(-2), width, control, [&](std::int64_t first, std::int64_t last) {
            const Tensor rows = rows_of(all, begin + first * width, last - first);
            const auto prepared = prepared_rows(mode, rows, rows, problem.tensors);
            return queries ? prepared.query : prepared.key;
        });
    };
    const Moments scores = moments_of_products(moments_of(query, true), moments_of(key, false));
    if (!std::isfinite(scores.mean) || !std::isfinite(scores.variance))
        return std::nullopt;
    const double factor =
        problem.spec.scale_after_softmax ? 1.0 : mode.factor({width, key.dim(-2)}, problem.spec.scale.parameters);
    return ScoreMoments{scores, {factor * scores.mean, factor * factor * scores.variance}};
}

} // namespace attnlab
