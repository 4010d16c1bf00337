// What a run can take from the result of the run before it.
#pragma once

#include "core/model/image_tokens.h"
#include "core/model/model.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attnlab::model {

/// Where the images of an input lie; empty without.
std::vector<ImagePlace> image_places_of(const Description& description, const Input& input);

/// The positions of the first image: models that read several have no use for them.
Pass::Range positions_of(const std::vector<ImagePlace>& images);

/// The positions that read one another in both directions, of `positions` of which the model wrote the last `written`
/// itself.
Pass::Range both_ways_of(const Attention& form, const Pass::Range& image, std::int64_t positions, std::int64_t written);

/// Compares a run with the one before. All it is made of must outlive it.
class Reuse {
public:
    /// `previous` may be null: nothing can be taken then.
    Reuse(const Description& description, const Options& options, const Input& input, const Result* previous)
        : description_(description), options_(options), input_(input), previous_(previous) {}

    bool has_same_images() const;
    /// And the same hidden positions.
    bool has_same_input() const;
    /// The blocks before the first one whose heads are replaced in another way. Requires a previous run.
    std::size_t unchanged_blocks(const Stack& stack) const;
    /// How many positions of the decoder, from the first one on, have the results of the previous run. In a causal
    /// decoder these are the positions before the first of `ids` that differs; 0 if the rotary frequencies differ, as
    /// they may with the length.
    std::int64_t known_positions(const std::vector<std::int64_t>& ids, bool encoder_is_known) const;

private:
    bool has_same_ablations() const;
    std::int64_t known_before_both_ways(const Attention& form, std::int64_t common) const;

    const Description& description_;
    const Options& options_;
    const Input& input_;
    const Result* previous_;
};

} // namespace attnlab::model
