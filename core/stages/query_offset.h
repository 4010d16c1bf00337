// Query offsets: the positions of queries among the keys. Query i of sequence b is at position p = i + its offset.
#pragma once

#include "core/attention.h"
#include "core/inputs.h"

#include <cstdint>
#include <optional>

namespace attnlab {

/// The largest magnitude of an offset, in keys.
inline constexpr double farthest_query_offset = 1e9;

/// An offset for each sequence of the batch. Optional: masks and positions that use offsets declare it.
inline constexpr Input query_offset_input{
    .name = "query_offset",
    .dims = "B",
    .fill = InputFill::Zeros,
    .dtype = DType::Int64,
    .required = false,
    .help = ATTNLAB_TEXT("The position of the first query among the keys, for each sequence of the batch. In a cache: "
                         "the number of keys before it")};

/// True for a mask whose parameter `alignment` lines the last query up with the last key: causal:bottom_right, which is
/// an offset of S - L for this mask alone. The parameters may be incomplete.
bool is_bottom_right(const Selection& mask);

/// The offsets of a batch: the array if there is one, else one number for all sequences.
class QueryOffsets {
public:
    QueryOffsets(std::int64_t all = 0, bool is_given = false) : all_(all), is_given_(is_given) {}
    /// `array` (B), of integers.
    explicit QueryOffsets(Tensor array) : is_given_(true), array_(std::move(array)) {}

    std::int64_t of(std::int64_t b) const { return array_ ? static_cast<std::int64_t>(array_->data()[b]) : all_; }
    /// The offset that all sequences share; nullopt where they differ.
    std::optional<std::int64_t> common() const;
    /// (B); null where one number was given for all.
    const Tensor* array() const { return array_ ? &*array_ : nullptr; }

    /// True if the spec or an array sets the offset; false for the default 0.
    bool is_given() const { return is_given_; }

private:
    std::int64_t all_ = 0;
    bool is_given_ = false;
    std::optional<Tensor> array_;
};

/// The offsets of `spec` and of the array query_offset; 0 if there is neither. Throws Error for an array of other
/// numbers than integers within the limit, for one that disagrees with the spec, and for causal:bottom_right beside
/// either, which is an offset itself.
QueryOffsets query_offsets(const AttentionSpec& spec, const TensorMap& tensors);

/// Throws Error for what is wrong regardless of the arrays: an offset beyond the limit, or one beside
/// causal:bottom_right.
void check_query_offset(const AttentionSpec& spec);

} // namespace attnlab
