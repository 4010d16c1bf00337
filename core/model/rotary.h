// Rotary positions and their scalings for texts longer than those trained on.
#pragma once

#include "core/model/config.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// Pairs (i, i + n) of the first 2n numbers of a head are turned by position * frequencies[i]; Su et al. 2021.
struct Rotary {
    std::vector<float> frequencies = {};
    std::vector<float> long_frequencies = {}; ///< of inputs longer than `long_from`: longrope
    std::int64_t long_from = 0;
    double factor = 1.0; ///< of cosines and sines: yarn and longrope
    /// dynamic: the base grows with an input longer than `trained`; 0: none.
    std::int64_t trained = 0;
    double base = 10000.0, growth = 1.0;
    std::int64_t width = 0;
    bool interleaved = false; ///< pairs are (2i, 2i + 1)
    std::int64_t offset = 0;  ///< of the first token: PaliGemma counts from 1

    /// Positions of patches: half of the pairs turn by the row, half by the column. From -1 to 1, as in DINOv3, or
    /// counted from 0.
    struct Grid {
        std::int64_t rows = 0, columns = 0, leading = 0; ///< `leading` tokens before the patches are not turned
        bool counts = false;
        std::vector<float> across = {}; ///< frequencies of the columns; empty: those of the rows
        bool operator==(const Grid&) const = default;
    };
    std::optional<Grid> grid = {};

    /// Pairs that turn by the position of a token in time, by its row and by its column, one after the other or in
    /// turns; Wang et al. 2024, Qwen2-VL. Empty: all turn by its place in the text.
    std::vector<std::int64_t> sections = {};
    bool takes_turns = false; ///< of the first 3 * sections[1] pairs every third one, and so on; Qwen3-VL

    /// The frequencies for an input of `length` positions.
    std::vector<float> frequencies_for(std::int64_t length) const;
    /// Those of the base, without any scaling.
    std::vector<float> unscaled_frequencies() const;
    bool operator==(const Rotary&) const = default;
};

/// The defaults of a family of models, and where its configuration has settings under other names.
struct RotaryDefaults {
    std::int64_t head_width = 0;
    double base = 10000.0;
    bool partial = false;        ///< partial_rotary_factor counts without a scaling, too
    double partial_factor = 1.0; ///< where the key is absent
    const char* base_key = "rope_theta";
    const char* partial_key = "partial_rotary_factor";
    bool other_names = false;         ///< phi3: "su" and "yarn" are longrope
    bool is_axial = false;            ///< "axial" positions, by row and column of an image, are default
    bool sections_take_turns = false; ///< default of mrope_interleaved
    bool has_sections = false;        ///< "mrope" and its sections: positions by time, row and column, equal in text
    std::optional<std::int64_t> original_length = {}; ///< phi3: outside of the object, with a default
    std::optional<std::int64_t> longest = {};         ///< default of max_position_embeddings
};

/// From `rope_parameters`, or the older `rope_theta` and `rope_scaling`. Throws Error for a type that is not known.
Rotary read_rotary(const Config& config, const RotaryDefaults& defaults);
/// The same from an object that was found elsewhere.
Rotary read_rotary(const Config& config, const std::optional<Config>& settings, const RotaryDefaults& defaults);

struct RotaryByLayer {
    Rotary full = {}, sliding = {};
};
/// From `rope_parameters` with an object for each type of layer, or the older keys: `rope_theta` and `rope_scaling` are
/// of layers without a window, `sliding_base_key` of those with one. `sliding_base`: its default; else that of the
/// others.
RotaryByLayer read_rotary_by_layer(const Config& config, const RotaryDefaults& defaults, const char* sliding_base_key,
                                   std::optional<double> sliding_base = {});

/// Cosines and sines of the tokens first, first + 1, ... `rows` of them.
struct RotaryAngles {
    std::int64_t pairs = 0;
    bool interleaved = false;
    std::vector<float> cosines = {}, sines = {}; ///< (rows, pairs)
};
/// `places`: of each of these tokens in time, row and column, for `sections`; empty: its place in the text.
RotaryAngles rotary_angles(const Rotary& rotary, std::span<const float> frequencies, std::int64_t first,
                           std::int64_t rows, std::span<const std::array<std::int64_t, 3>> places = {});
/// Turns the rows of a head, `width` numbers each.
void rotate(const RotaryAngles& angles, std::int64_t width, std::span<float> values);

} // namespace attnlab::model
