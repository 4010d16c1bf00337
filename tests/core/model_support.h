// Models of tests/data/models, with what Transformers computes from them.
#pragma once

#include "core/io/npz.h"
#include "core/model/model.h"
#include "tests/places.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace attnlab::test {

inline std::filesystem::path model_folder(const std::string& name) {
    return std::filesystem::path(ATTNLAB_TEST_DATA_DIR) / "models" / name;
}

inline TensorMap expected_arrays(const std::string& name) {
    return io::read_npz(model_folder(name) / "expected.npz", {}, io::Members::All).tensors;
}

inline std::vector<std::int64_t> ids_in(const TensorMap& arrays, const char* name) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        return {};
    return {found->second.values().begin(), found->second.values().end()};
}

/// The ids or the image of the case; bert_pair has two texts.
inline model::Input input_of(const std::string& name, const TensorMap& expected) {
    constexpr std::size_t first_of_pair = 17; ///< length of the first text
    model::Input input{.ids = ids_in(expected, "input_ids"), .decoder_ids = ids_in(expected, "decoder_input_ids")};
    if (const auto pixels = expected.find("pixel_values"); pixels != expected.end()) {
        const auto& image = pixels->second;
        input.image = {image.dim(-3), image.dim(-2), image.dim(-1), {image.values().begin(), image.values().end()}};
        if (const auto grid = ids_in(expected, "tile_grid"); !grid.empty()) {
            const auto size = ids_in(expected, "image_sizes");
            input.image->tile_rows = grid[0];
            input.image->tile_columns = grid[1];
            input.image->picture_height = size[0];
            input.image->picture_width = size[1];
        }
    }
    for (const char* array : {"input_features", "input_values"})
        if (const auto found = expected.find(array); found != expected.end()) {
            const auto& sound = found->second;
            input.sound = {
                sound.rank() == 1 ? 1 : sound.dim(-2), sound.dim(-1), {sound.values().begin(), sound.values().end()}};
        }
    if (name == "bert_pair")
        for (std::size_t i = 0; i < input.ids.size(); ++i)
            input.types.push_back(i < first_of_pair ? 0 : 1);
    return input;
}

/// The largest difference, as a part of the largest number of `expected` where `relative`; infinite for other sizes.
inline double difference(std::span<const float> values, std::span<const double> expected, bool relative) {
    if (values.size() != expected.size())
        return INFINITY;
    double worst = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = std::abs(values[i] - expected[i]);
        worst = off <= worst ? worst : off; // NaN stays
        largest = std::max(largest, std::abs(expected[i]));
    }
    return relative && largest > 0.0 ? worst / largest : worst;
}

inline double difference(std::span<const float> values, std::span<const float> expected, bool relative) {
    const std::vector<double> wide(expected.begin(), expected.end());
    return difference(values, std::span<const double>(wide), relative);
}

} // namespace attnlab::test
