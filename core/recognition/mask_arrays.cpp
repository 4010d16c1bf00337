#include "core/recognition/mask_arrays.h"

#include "core/run_control.h"
#include "core/stages/query_offset.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace attnlab {

namespace {

/// The first number that is neither 0 nor 1, and where it is. Reads in pieces.
std::optional<std::pair<double, std::int64_t>> first_other_number(const Tensor& tensor, const RunControl* control) {
    if (tensor.dtype() == DType::Bool)
        return std::nullopt;
    constexpr std::int64_t piece = 1 << 16;
    std::vector<double> values;
    for (std::int64_t first = 0; first < tensor.size(); first += piece) {
        if (control)
            control->checkpoint();
        values.resize(static_cast<std::size_t>(std::min(piece, tensor.size() - first)));
        tensor.read(first, std::span(values));
        const auto other =
            std::find_if(values.begin(), values.end(), [](double value) { return value != 0.0 && value != 1.0; });
        if (other != values.end())
            return std::pair{*other, first + (other - values.begin())};
    }
    return std::nullopt;
}

Shape place_of(std::int64_t element, const Shape& shape) {
    Shape place(shape.size());
    for (auto axis = shape.size(); axis-- > 0; element /= shape[axis])
        place[axis] = element % shape[axis];
    return place;
}

bool is_floating(const Tensor& tensor) { return tensor.dtype() != DType::Bool && tensor.dtype() != DType::Int64; }

} // namespace

bool holds_only_zero_and_one(const Tensor& tensor, const RunControl* control) {
    return !first_other_number(tensor, control);
}

void require_mask_numbers(const Tensor& tensor, const std::string& name, const RunControl* control) {
    if (is_floating(tensor))
        return;
    if (const auto other = first_other_number(tensor, control))
        throw Error(
            {ATTNLAB_TEXT("%1: has the whole number %2 at %3, expected 0 and 1, True and False, or floating-point "
                          "numbers, which are added to the scores. Documents of packed sequences are read from "
                          "attention_mask or segment_ids"),
             {name, to_text(other->first), to_string(place_of(other->second, tensor.shape()))}});
}

namespace {

/// What some rows of an array have in common.
struct RowFigures {
    bool negative = false, above_one = false, sums_to_one = true, nothing = true;
};

/// Reads at most 64 rows spread over the tensor. `sums_to_one` is of magnitudes; rows of zeros count as such.
RowFigures figures_of_rows(const Tensor& tensor) {
    RowFigures figures;
    const auto columns = tensor.dim(-1), rows = tensor.size() / columns;
    constexpr std::int64_t most_rows = 64;
    const auto step = std::max<std::int64_t>(1, rows / most_rows);
    std::vector<double> row(static_cast<std::size_t>(columns));
    for (std::int64_t r = 0; r < rows; r += step) {
        tensor.read(r * columns, std::span(row));
        double sum = 0.0;
        for (const double value : row) {
            figures.negative = figures.negative || value < 0.0;
            figures.above_one = figures.above_one || !(std::abs(value) <= 1.01); // NaN, too
            sum += std::abs(value);
        }
        figures.sums_to_one = figures.sums_to_one && (sum == 0.0 || std::abs(sum - 1.0) <= 0.01);
        figures.nothing = figures.nothing && sum == 0.0;
    }
    return figures;
}

bool may_hold_weights(const Tensor& tensor) { return tensor.rank() >= 2 && tensor.size() > 0 && is_floating(tensor); }

} // namespace

bool looks_like_weights(const Tensor& tensor) {
    if (!may_hold_weights(tensor))
        return false;
    const auto figures = figures_of_rows(tensor);
    return !figures.negative && figures.sums_to_one && !figures.nothing;
}

bool looks_like_dropped_weights(const Tensor& tensor) {
    constexpr std::int64_t tile = 128;
    if (!may_hold_weights(tensor))
        return false;
    const auto figures = figures_of_rows(tensor);
    return figures.negative && !figures.above_one &&
           (figures.sums_to_one || (tensor.rank() == 4 && tensor.dim(-1) % tile == 0 && tensor.dim(-2) % tile == 0));
}

TokenCounts token_counts(const TensorMap& tensors) {
    TokenCounts counts;
    const auto find = [&](std::string_view name) -> const Shape* {
        const auto found = tensors.find(name);
        return found != tensors.end() && found->second.rank() > 1 ? &found->second.shape() : nullptr;
    };
    if (const auto* weights = find("weights")) { // (layers, B, H, L, S) or its last axes
        counts = {weights->size() > 3 ? weights->at(weights->size() - 4) : 1, weights->at(weights->size() - 2),
                  weights->back()};
    }
    const auto* x = find("x");
    if (const auto* queries = find("query") ? find("query") : x) {
        counts.B = queries->size() > 2 ? queries->front() : 1;
        counts.L = queries->at(queries->size() - 2);
    }
    if (const auto* keys = find("key") ? find("key") : find("context") ? find("context") : x)
        counts.S = keys->at(keys->size() - 2);
    return counts;
}

std::optional<Tensor> offsets_of_positions(const Tensor& positions, const TokenCounts& counts) {
    if (!counts.L || positions.shape() != Shape{*counts.L} || positions.size() == 0)
        return std::nullopt;
    std::vector<double> numbers(static_cast<std::size_t>(positions.size()));
    positions.read(0, std::span(numbers));
    const double first = numbers.front();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (!(std::abs(first) <= farthest_query_offset) || first != std::floor(first) ||
            numbers[i] != first + static_cast<double>(i))
            return std::nullopt;
    return Tensor({counts.B.value_or(1)}, first, DType::Int64);
}

namespace {

bool fits(const std::optional<std::int64_t>& count, std::int64_t size) { return !count || *count == size; }

ReadMask as_padding(const Tensor& tensor) {
    std::vector<double> padded(static_cast<std::size_t>(tensor.size()));
    tensor.read(0, std::span(padded));
    for (double& value : padded)
        value = 1.0 - value;
    auto shape = tensor.shape();
    if (tensor.rank() == 1)
        shape.insert(shape.begin(), 1);
    return {.role = "key_padding_mask",
            .tensor = Tensor(std::move(shape), std::move(padded), DType::Bool),
            .how = {ATTNLAB_TEXT("turned round: 1 keeps a key, and key_padding_mask marks those that are padding")}};
}

ReadMask as_kept_cells(const Tensor& tensor) {
    auto shape = tensor.shape();
    if (tensor.rank() == 3) // three axes are (B,L,S) in Transformers, (H,L,S) in PyTorch
        shape.insert(shape.begin() + 1, 1);
    return {.role = "attn_mask",
            .tensor = tensor.reshaped(std::move(shape)),
            .true_keeps = true,
            .settled = true,
            .how = {ATTNLAB_TEXT("1 keeps a cell")}};
}

ReadMask as_bias(const Tensor& tensor) {
    return {.role = "attn_bias",
            .tensor = tensor,
            .how = {ATTNLAB_TEXT("added to the scores: it holds other numbers than 0 and 1")}};
}

/// PyTorch adds a floating-point mask, so it becomes a bias.
ReadMask as_floating_bias(const Tensor& tensor, const std::string& name) {
    return {.role = "attn_bias",
            .tensor = tensor,
            .how = {ATTNLAB_TEXT("added to the scores, as PyTorch adds masks of floating-point numbers")},
            .doubt = {ATTNLAB_TEXT("%1 holds only 0 and 1, in floating point. They are added to the scores, as PyTorch "
                                   "does. %2 reads them as cells that are blocked or kept"),
                      {name, "--role " + name + "=attn_mask"}}};
}

} // namespace

ReadMask read_attention_mask(const Tensor& tensor, const std::string& name, const TokenCounts& counts,
                             std::string_view asked, const RunControl* control) {
    if (!holds_only_zero_and_one(tensor, control)) {
        auto mask = as_bias(tensor);
        const auto& shape = tensor.shape();
        if (shape.size() == 3)
            mask.tensor = tensor.reshaped({shape[0], 1, shape[1], shape[2]});
        else if (shape.size() == 2 && shape[0] > 1 && counts.B == shape[0] && counts.L && counts.L != shape[0])
            mask.tensor = tensor.reshaped({shape[0], 1, 1, shape[1]});
        return mask;
    }
    if (asked == "key_padding_mask")
        return as_padding(tensor);
    if (asked == "attn_mask")
        return as_kept_cells(tensor);
    if (tensor.rank() > 2 && is_floating(tensor))
        return as_floating_bias(tensor, name);
    if (tensor.rank() != 1 && tensor.rank() != 2)
        return as_kept_cells(tensor);
    const auto rows = tensor.rank() == 2 ? tensor.dim(0) : 1;
    const bool wide = fits(counts.S, tensor.dim(-1)), padding = rows == 1 || fits(counts.B, rows),
               cells = rows > 1 && wide && (counts.L ? *counts.L == rows : rows == tensor.dim(-1));
    if (cells && !padding) {
        auto mask = as_kept_cells(tensor);
        mask.how = {ATTNLAB_TEXT("1 keeps a cell: it has a row for each query")};
        return mask;
    }
    auto mask = as_padding(tensor);
    if (cells)
        mask.doubt = {ATTNLAB_TEXT("%1 %2 is read as (B, S), the padding of the keys of each sequence. %3 reads it as "
                                   "(L, S), a row for each query"),
                      {name, to_string(tensor.shape()), "--role " + name + "=attn_mask"}};
    return mask;
}

std::optional<ReadMask> read_packed_documents(const Tensor& tensor, const RunControl* control) {
    if (is_floating(tensor) || tensor.rank() < 1 || tensor.rank() > 2 || holds_only_zero_and_one(tensor, control))
        return std::nullopt;
    std::vector<double> ids(static_cast<std::size_t>(tensor.size()));
    tensor.read(0, std::span(ids));
    if (std::ranges::any_of(ids, [](double id) { return id < 0.0; }))
        return std::nullopt;
    for (double& id : ids)
        id -= 1.0;
    const auto columns = tensor.dim(-1);
    return ReadMask{.role = "segment_ids",
                    .tensor = Tensor({tensor.rank() == 1 ? 1 : tensor.dim(0), columns}, std::move(ids), DType::Int64),
                    .how = {ATTNLAB_TEXT("read as segment_ids, the documents of packed sequences: 1, 2, ... became 0, "
                                         "1, ..., and 0, which is padding, became -1")}};
}

ReadMask read_attn_mask(const Tensor& tensor, const std::string& name, bool asked, const RunControl* control) {
    if (!holds_only_zero_and_one(tensor, control))
        return as_bias(tensor);
    if (is_floating(tensor) && !asked)
        return as_floating_bias(tensor, name);
    return {.role = "attn_mask", .tensor = tensor};
}

namespace {

bool holds_a_one(const Tensor& mask) {
    std::vector<double> numbers(static_cast<std::size_t>(mask.size()));
    mask.read(0, std::span(numbers));
    return std::ranges::find(numbers, 1.0) != numbers.end();
}

} // namespace

ReadMask read_key_padding_mask(const Tensor& tensor, const std::string& name, const std::string& label,
                               const TokenCounts& counts, bool certain, const RunControl* control) {
    constexpr double blocking = -1e4; // the least negative fill in use; the weight of such a key is 0
    auto shape = tensor.shape();
    if (shape.size() == 1 && fits(counts.B, 1))
        shape.insert(shape.begin(), 1);
    if (holds_only_zero_and_one(tensor, control)) {
        ReadMask mask{.role = "key_padding_mask", .tensor = tensor.reshaped(std::move(shape))};
        if (!certain && is_floating(tensor) && holds_a_one(mask.tensor))
            mask.doubt = {ATTNLAB_TEXT("%1 holds 0 and 1, in floating point: 1 is read as padding. PyTorch adds such "
                                       "numbers to the scores; %2 reads them so"),
                          {name, "--role " + name + "=attn_bias"}};
        return mask;
    }
    std::vector<double> padded(static_cast<std::size_t>(tensor.size()));
    tensor.read(0, std::span(padded));
    for (std::size_t k = 0; k < padded.size(); ++k) {
        const double value = padded[k];
        if (!(value == 0.0 || (is_floating(tensor) ? value <= blocking : value == 1.0)))
            throw Error(
                {ATTNLAB_TEXT(
                     "%1: has %2 at %3, expected True and False, 0 and 1, or in floating point 0 and -inf. Numbers of "
                     "%4 and less also block the key to which they are added. %5 adds other numbers to the scores"),
                 {label, to_text(value), to_string(place_of(static_cast<std::int64_t>(k), tensor.shape())),
                  to_text(blocking), "--role " + name + "=attn_bias"}});
        padded[k] = value == 0.0 ? 0.0 : 1.0;
    }
    return {.role = "key_padding_mask",
            .tensor = Tensor(std::move(shape), std::move(padded), DType::Bool),
            .how = {ATTNLAB_TEXT("0 keeps a key; -inf and numbers as low as %1 block it, as where PyTorch adds them"),
                    {to_text(blocking)}}};
}

ReadMask read_causal_mask(const Tensor& tensor, const std::string& name, const RunControl* control) {
    if (!holds_only_zero_and_one(tensor, control))
        return as_bias(tensor);
    if (tensor.rank() < 2 || tensor.dim(-1) < 2 || tensor.dim(-2) < 2)
        return read_attn_mask(tensor, name, false, control);
    double future = 0.0, past = 0.0; // the corners of the first matrix
    tensor.read(tensor.dim(-1) - 1, std::span(&future, 1));
    tensor.read((tensor.dim(-2) - 1) * tensor.dim(-1), std::span(&past, 1));
    if (future == past)
        return read_attn_mask(tensor, name, false, control);
    ReadMask mask{.role = "attn_mask", .tensor = tensor, .true_keeps = past == 1.0, .settled = true};
    mask.how = mask.true_keeps ? Message{ATTNLAB_TEXT("1 keeps a cell: those above the diagonal hold 0")}
                               : Message{ATTNLAB_TEXT("1 blocks a cell: those above the diagonal hold 1")};
    return mask;
}

} // namespace attnlab
