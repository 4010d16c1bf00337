#include "core/recognition/projections.h"

#include "core/mechanisms/shared/projection.h"
#include "core/message.h"
#include "core/recognition/layout.h"

#include <algorithm>

namespace attnlab {
namespace {

constexpr std::string_view parts[] = {"q", "k", "v"};

bool is_weight(const LayerArray& array) { return array.meaning.role.starts_with("w_"); }

void require_rank(const LayerArray& array) {
    const int rank = is_weight(array) ? 2 : 1;
    if (array.tensor.rank() != rank)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 axes, as a projection is saved"),
                     {array.name, to_string(array.tensor.shape()), std::to_string(rank)}});
}

/// Rows [first, first + count) of a matrix, or entries of a bias, of each group of `stride` rows.
Tensor rows(const Tensor& tensor, std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t groups) {
    const auto width = tensor.rank() == 2 ? tensor.dim(1) : 1;
    std::vector<double> values(static_cast<std::size_t>(groups * count * width));
    for (std::int64_t group = 0; group < groups; ++group)
        tensor.read((group * stride + first) * width,
                    std::span(values).subspan(static_cast<std::size_t>(group * count * width),
                                              static_cast<std::size_t>(count * width)));
    Shape shape{groups * count};
    if (tensor.rank() == 2)
        shape.push_back(width);
    return Tensor(std::move(shape), std::move(values), tensor.dtype());
}

/// Converts a Linear weight, (out, in), to (in, out); a bias is unchanged.
Tensor as_ours(const Tensor& part) { return part.rank() == 2 ? transposed(part) : part; }

std::map<std::string, Tensor> thirds(const LayerArray& array, const Tensor& linear) {
    const auto size = linear.dim(0);
    if (size % 3 != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected a size that 3 divides (query, key, value), or %3 where "
                                  "heads share keys"),
                     {array.name, to_string(array.tensor.shape()), "num_heads, num_kv_heads"}});
    std::map<std::string, Tensor> result;
    const auto kind = array.meaning.role.substr(0, 2);
    for (int part = 0; part < 3; ++part)
        result.emplace(kind + std::string(parts[part]), as_ours(rows(linear, part * size / 3, size / 3, size, 1)));
    return result;
}

bool is_in_out(const LayerArray& array) { return array.meaning.form == NameForm::FusedConv1D; }

/// The rows of queries, keys and values together.
std::int64_t rows_of(const LayerArray& array) {
    return array.tensor.dim(is_in_out(array) && array.tensor.rank() == 2 ? 1 : 0);
}

/// The number of key and value heads of a fused projection, if known.
std::optional<std::int64_t> shared_heads(const LayerArray& array, const FusedSizes& sizes) {
    if (sizes.num_kv_heads || !sizes.num_heads || !sizes.heads_width)
        return sizes.num_kv_heads;
    const auto keys = rows_of(array) - *sizes.heads_width, heads = *sizes.num_heads;
    if (heads < 1 || *sizes.heads_width < 1 || *sizes.heads_width % heads != 0 || keys < 1)
        return std::nullopt;
    const auto both = 2 * (*sizes.heads_width / heads);
    return keys % both == 0 && heads % (keys / both) == 0 ? std::optional(keys / both) : std::nullopt;
}

/// The numbers of query and key heads and their width.
struct Heads {
    std::int64_t queries, keys, width;
};

Heads heads_of(const LayerArray& array, const FusedSizes& sizes) {
    const auto size = rows_of(array);
    const auto heads = sizes.num_heads.value_or(0), kv = shared_heads(array, sizes).value_or(heads);
    if (heads < 1 || kv < 1 || heads > size || kv > size || heads % kv != 0 || size % (heads + 2 * kv) != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, which cannot be divided into query, key and value by num_heads = "
                                  "%3 and num_kv_heads = %4. Expected a size that num_heads + 2 num_kv_heads divides"),
                     {array.name, to_string(array.tensor.shape()), std::to_string(heads), std::to_string(kv)}});
    return {heads, kv, size / (heads + 2 * kv)};
}

/// num_heads*E rows of queries, then num_kv_heads*E for keys and for values.
std::map<std::string, Tensor> grouped(const LayerArray& array, const Tensor& linear, const FusedSizes& sizes) {
    const auto heads = heads_of(array, sizes);
    const auto size = linear.dim(0), queries = heads.queries * heads.width, keys = heads.keys * heads.width;
    const auto kind = array.meaning.role.substr(0, 2);
    return {{kind + "q", as_ours(rows(linear, 0, queries, size, 1))},
            {kind + "k", as_ours(rows(linear, queries, keys, size, 1))},
            {kind + "v", as_ours(rows(linear, queries + keys, keys, size, 1))}};
}

/// (num_kv_heads, num_heads/num_kv_heads + 2, E) rows: GPT-NeoX's and BLOOM's where every head has its own keys,
/// Falcon's where groups share them.
std::map<std::string, Tensor> by_group(const LayerArray& array, const FusedSizes& sizes) {
    const auto heads = heads_of(array, sizes);
    const auto queries = heads.queries / heads.keys * heads.width, all = queries + 2 * heads.width;
    const auto kind = array.meaning.role.substr(0, 2);
    return {{kind + "q", as_ours(rows(array.tensor, 0, queries, all, heads.keys))},
            {kind + "k", as_ours(rows(array.tensor, queries, heads.width, all, heads.keys))},
            {kind + "v", as_ours(rows(array.tensor, queries + heads.width, heads.width, all, heads.keys))}};
}

bool is_by_group(const LayerArray& array) {
    return array.meaning.form == NameForm::FusedByHead || array.meaning.form == NameForm::FusedByHeadBias;
}

bool shares_keys(const LayerArray& array) {
    const bool fused =
        array.meaning.form == NameForm::FusedLinear || array.meaning.form == NameForm::FusedByHead || is_in_out(array);
    return fused && array.tensor.rank() == 2 && rows_of(array) != 3 * array.tensor.dim(is_in_out(array) ? 0 : 1);
}

/// (num_heads, D, E) as (D, num_heads*E), or the output's (num_heads, E, D) as (num_heads*E, D); (num_heads, E) of a
/// bias as (num_heads*E).
Tensor heads_joined(const LayerArray& array) {
    const auto& tensor = array.tensor;
    const auto& shape = tensor.shape();
    const auto rank = shape.size();
    if (is_weight(array) ? rank != 2 && rank != 3 : rank != 1 && rank != 2)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected a matrix for each head, or one for all"),
                     {array.name, to_string(shape)}});
    if (!is_weight(array))
        return tensor.reshaped({tensor.size()});
    if (rank == 2)
        return tensor;
    if (array.meaning.role == "w_o")
        return tensor.reshaped({shape[0] * shape[1], shape[2]});
    constexpr int by_token[] = {1, 0, 2};
    return permuted(tensor, by_token).reshaped({shape[1], shape[0] * shape[2]});
}

} // namespace

bool needs_heads(const LayerArray& array) { return is_by_group(array) || shares_keys(array); }

bool guesses_thirds(const LayerArray& array, const FusedSizes& sizes) {
    return shares_keys(array) && !shared_heads(array, sizes);
}

std::map<std::string, Tensor> projections_of(const LayerArray& array, const FusedSizes& sizes) {
    if (array.meaning.form == NameForm::ByHead)
        return {{array.meaning.role, heads_joined(array)}};
    require_rank(array);
    const bool parted = sizes.num_heads && shared_heads(array, sizes);
    switch (array.meaning.form) {
    case NameForm::Linear:
    case NameForm::Bias:
        return {{array.meaning.role, as_ours(array.tensor)}};
    case NameForm::Conv1D:
        return {{array.meaning.role, array.tensor}};
    case NameForm::FusedConv1D:
    case NameForm::FusedLinear:
    case NameForm::FusedBias: {
        const auto linear = is_in_out(array) ? transposed(array.tensor) : array.tensor;
        return parted ? grouped(array, linear, sizes) : thirds(array, linear);
    }
    case NameForm::FusedByHead:
    case NameForm::FusedByHeadBias:
        return by_group(array, sizes);
    default:
        return {};
    }
}

std::vector<std::int64_t> divisors(std::int64_t width) {
    std::vector<std::int64_t> low, high;
    for (std::int64_t n = 1; n * n <= width; ++n)
        if (width % n == 0) {
            low.push_back(n);
            if (n * n != width)
                high.push_back(width / n);
        }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

} // namespace attnlab
