#include "core/recognition/projections.h"

#include "core/message.h"
#include "core/variants/projection.h"

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

/// Rows [first, first + count) of a matrix or entries of a bias, those of every group of `stride` rows in turn.
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

/// What a Linear or a bias gives: weights are turned to (in, out).
Tensor as_ours(const Tensor& part) { return part.rank() == 2 ? transposed(part) : part; }

std::int64_t heads_of(const LayerArray& array, const FusedSizes& sizes, std::int64_t width) {
    if (!sizes.num_heads)
        throw Error({ATTNLAB_TEXT("num_heads: is needed to part %1 %2 into query, key and value"),
                     {array.name, to_string(array.tensor.shape())}});
    if (*sizes.num_heads < 1 || width % *sizes.num_heads != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, which %3 heads do not divide"),
                     {array.name, to_string(array.tensor.shape()), std::to_string(*sizes.num_heads)}});
    return *sizes.num_heads;
}

std::map<std::string, Tensor> thirds(const LayerArray& array, const Tensor& linear) {
    const auto size = linear.dim(0);
    if (size % 3 != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected a size that 3 divides (query, key, value)"),
                     {array.name, to_string(array.tensor.shape())}});
    std::map<std::string, Tensor> result;
    const auto kind = array.meaning.role.substr(0, 2);
    for (int part = 0; part < 3; ++part)
        result.emplace(kind + std::string(parts[part]), as_ours(rows(linear, part * size / 3, size / 3, size, 1)));
    return result;
}

/// How many key and value heads a fused projection has, as far as that is known.
std::optional<std::int64_t> shared_heads(const LayerArray& array, const FusedSizes& sizes) {
    if (sizes.num_kv_heads || !sizes.num_heads || !sizes.heads_width)
        return sizes.num_kv_heads;
    const auto keys = array.tensor.dim(0) - *sizes.heads_width, heads = *sizes.num_heads;
    if (heads < 1 || *sizes.heads_width < 1 || *sizes.heads_width % heads != 0 || keys < 1)
        return std::nullopt;
    const auto both = 2 * (*sizes.heads_width / heads);
    return keys % both == 0 ? std::optional(keys / both) : std::nullopt;
}

/// num_heads*E rows of queries, then those of num_kv_heads for keys and for values.
std::map<std::string, Tensor> grouped(const LayerArray& array, const FusedSizes& sizes) {
    const auto size = array.tensor.dim(0);
    const auto kv = shared_heads(array, sizes).value_or(sizes.num_heads.value_or(0));
    const auto all = sizes.num_heads.value_or(0) + 2 * kv;
    if (!sizes.num_heads || kv < 1 || size % all != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2: parting it into query, key and value takes num_heads and "
                                  "num_kv_heads, of which num_heads + 2 num_kv_heads divides its first size"),
                     {array.name, to_string(array.tensor.shape())}});
    const auto width = size / all;
    const auto queries = *sizes.num_heads * width, keys = kv * width;
    const auto kind = array.meaning.role.substr(0, 2);
    return {{kind + "q", as_ours(rows(array.tensor, 0, queries, size, 1))},
            {kind + "k", as_ours(rows(array.tensor, queries, keys, size, 1))},
            {kind + "v", as_ours(rows(array.tensor, queries + keys, keys, size, 1))}};
}

/// (num_heads, 3, E) rows.
std::map<std::string, Tensor> by_head(const LayerArray& array, const FusedSizes& sizes) {
    const auto size = array.tensor.dim(0);
    const auto heads = heads_of(array, sizes, size % 3 == 0 ? size / 3 : 1);
    const auto width = size / 3 / heads;
    if (size % 3 != 0)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected a size that 3 divides (query, key, value)"),
                     {array.name, to_string(array.tensor.shape())}});
    std::map<std::string, Tensor> result;
    const auto kind = array.meaning.role.substr(0, 2);
    for (int part = 0; part < 3; ++part)
        result.emplace(kind + std::string(parts[part]),
                       as_ours(rows(array.tensor, part * width, width, 3 * width, heads)));
    return result;
}

bool shares_keys(const LayerArray& array) {
    return array.meaning.form == NameForm::FusedLinear && array.tensor.rank() == 2 &&
           array.tensor.dim(0) != 3 * array.tensor.dim(1);
}

} // namespace

bool needs_heads(const LayerArray& array) {
    return array.meaning.form == NameForm::FusedByHead || array.meaning.form == NameForm::FusedByHeadBias ||
           shares_keys(array);
}

bool guesses_thirds(const LayerArray& array, const FusedSizes& sizes) {
    return shares_keys(array) && !shared_heads(array, sizes);
}

std::map<std::string, Tensor> projections_of(const LayerArray& array, const FusedSizes& sizes) {
    require_rank(array);
    switch (array.meaning.form) {
    case NameForm::Linear:
    case NameForm::Bias:
        return {{array.meaning.role, as_ours(array.tensor)}};
    case NameForm::Conv1D:
        return {{array.meaning.role, array.tensor}};
    case NameForm::FusedConv1D:
        return thirds(array, transposed(array.tensor));
    case NameForm::FusedLinear:
        return shares_keys(array) && shared_heads(array, sizes) ? grouped(array, sizes) : thirds(array, array.tensor);
    case NameForm::FusedBias:
        return shared_heads(array, sizes) ? grouped(array, sizes) : thirds(array, array.tensor);
    case NameForm::FusedByHead:
    case NameForm::FusedByHeadBias:
        return by_head(array, sizes);
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
