#include "core/recognition/mask_arrays.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab {

bool holds_only_zero_and_one(const Tensor& tensor) {
    if (tensor.dtype() == DType::Bool)
        return true;
    constexpr std::int64_t piece = 1 << 16;
    std::vector<double> values;
    for (std::int64_t first = 0; first < tensor.size(); first += piece) {
        values.resize(static_cast<std::size_t>(std::min(piece, tensor.size() - first)));
        tensor.read(first, std::span(values));
        if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0.0 && value != 1.0; }))
            return false;
    }
    return true;
}

bool looks_like_weights(const Tensor& tensor) {
    if (tensor.rank() < 2 || tensor.size() == 0 || tensor.dtype() == DType::Bool || tensor.dtype() == DType::Int64)
        return false;
    const auto columns = tensor.dim(-1), rows = tensor.size() / columns;
    constexpr std::int64_t most_rows = 64;
    const auto step = std::max<std::int64_t>(1, rows / most_rows);
    std::vector<double> row(static_cast<std::size_t>(columns));
    bool any = false;
    for (std::int64_t r = 0; r < rows; r += step) {
        tensor.read(r * columns, std::span(row));
        double sum = 0.0;
        for (const double value : row) {
            if (!(value >= 0.0))
                return false;
            sum += value;
        }
        if (sum != 0.0 && std::abs(sum - 1.0) > 0.01)
            return false;
        any = any || sum != 0.0;
    }
    return any;
}

ReadMask read_attention_mask(const Tensor& tensor) {
    if (!holds_only_zero_and_one(tensor))
        return {"attn_bias", tensor, false, {ATTNLAB_TEXT("added to the scores: it holds other numbers than 0 and 1")}};
    if (tensor.rank() != 1 && tensor.rank() != 2)
        return {"attn_mask", tensor, true, {ATTNLAB_TEXT("1 keeps a cell")}};
    std::vector<double> padded(static_cast<std::size_t>(tensor.size()));
    tensor.read(0, std::span(padded));
    for (double& value : padded)
        value = 1.0 - value;
    auto shape = tensor.shape();
    if (tensor.rank() == 1)
        shape.insert(shape.begin(), 1);
    return {"key_padding_mask",
            Tensor(std::move(shape), std::move(padded), DType::Bool),
            false,
            {ATTNLAB_TEXT("turned round: 1 keeps a key, and key_padding_mask marks those that are padding")}};
}

ReadMask read_attn_mask(const Tensor& tensor) {
    if (holds_only_zero_and_one(tensor))
        return {"attn_mask", tensor, false, {}};
    return {"attn_bias", tensor, false, {ATTNLAB_TEXT("added to the scores: it holds other numbers than 0 and 1")}};
}

} // namespace attnlab
