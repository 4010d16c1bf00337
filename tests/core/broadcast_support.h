// Every shape that an array of cells may have, and the same array broadcast.
#pragma once

#include "flash_support.h"

namespace attnlab::test {

inline constexpr Sizes broadcast_sizes{2, 4, 2, 37, 75, 9, 5};

inline const Shape broadcast_shapes[] = {{2, 4, 37, 75}, {2, 4, 1, 75},
                                         {2, 4, 37, 1},  {2, 4, 1, 1},
                                         {2, 1, 37, 75}, {2, 1, 1, 75},
                                         {2, 1, 37, 1},  {2, 1, 1, 1},
                                         {1, 4, 37, 75}, {1, 4, 1, 75},
                                         {1, 4, 37, 1},  {1, 4, 1, 1},
                                         {1, 1, 37, 75}, {1, 1, 1, 75},
                                         {1, 1, 37, 1},  {1, 1, 1, 1},
                                         {8, 37, 75},    {8, 1, 75},
                                         {8, 37, 1},     {8, 1, 1},
                                         {4, 37, 75},    {4, 1, 75},
                                         {4, 37, 1},     {4, 1, 1},
                                         {1, 37, 75},    {1, 1, 75},
                                         {1, 37, 1},     {1, 1, 1},
                                         {37, 75},       {1, 75},
                                         {37, 1},        {1, 1},
                                         {75},           {1}};

/// The array broadcast to (B,H,L,S) by PyTorch's rules and the index of each cell.
inline Tensor written_out(const Tensor& array, const Sizes& s) {
    auto shape = array.shape();
    if (shape.size() == 3 && shape[0] == s.B * s.H)
        shape.insert(shape.begin(), {s.B, s.H}), shape.erase(shape.begin() + 2);
    shape.insert(shape.begin(), 4 - shape.size(), 1);
    const auto four = array.reshaped(shape);
    Tensor all({s.B, s.H, s.L, s.S}, 0.0, array.dtype());
    for (std::int64_t b = 0; b < s.B; ++b)
        for (std::int64_t h = 0; h < s.H; ++h)
            for (std::int64_t i = 0; i < s.L; ++i)
                for (std::int64_t j = 0; j < s.S; ++j)
                    all.set({b, h, i, j}, four.at({shape[0] == 1 ? 0 : b, shape[1] == 1 ? 0 : h, shape[2] == 1 ? 0 : i,
                                                   shape[3] == 1 ? 0 : j}));
    return all;
}

/// A problem whose mask `kind` has an array of that shape.
inline AttentionProblem broadcast_problem(const char* kind, const Shape& shape) {
    const auto& s = broadcast_sizes;
    auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
    add_mask(problem, kind);
    const std::string name(mask_kind(kind).inputs.front().name);
    if (name == "attn_bias") {
        auto bias = rounded(random_normal(shape, 3));
        auto values = bias.mutable_values();
        for (std::size_t k = 1; k < values.size(); k += 3)
            values[k] = -infinity;
        problem.tensors[name] = std::move(bias);
    } else {
        problem.tensors[name] = booleans(shape, 0.4, 4);
    }
    return problem;
}

inline AttentionProblem with_array_written_out(AttentionProblem problem) {
    const auto name = std::string(mask_kind(problem.spec.masks.front().id).inputs.front().name);
    problem.tensors[name] = written_out(problem.tensors[name], broadcast_sizes);
    return problem;
}

} // namespace attnlab::test
