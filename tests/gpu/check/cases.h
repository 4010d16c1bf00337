// Shapes and masks on which kernels are compared with float64, on a device and on the emulated one.
#pragma once

#include "tests/gpu/forward_support.h"

#include <cmath>
#include <string>
#include <vector>

namespace attnlab::gpu {

struct NamedCase {
    std::string name;
    ForwardCase forward;
};

/// Masks and scales, at the sizes of `some`.
inline std::vector<NamedCase> mask_cases_of(const ForwardCase& some) {
    std::vector<NamedCase> cases;
    const auto add = [&](const char* name, auto change) {
        auto changed = some;
        change(changed);
        cases.push_back({name, changed});
    };
    add("full", [](auto&) {});
    add("causal", [](auto& c) { c.band.after = 0; });
    add("causal from the end", [](auto& c) { c.band.after = c.S - c.L; });
    add("more queries than keys, causal from the end", [](auto& c) {
        c.S = c.L * 3 / 7;
        c.band.after = c.S - c.L;
    });
    add("window", [](auto& c) { c.band.before = c.band.after = 5; });
    add("prefix", [](auto& c) { c.band.after = 0, c.band.prefix = c.S / 2; });
    add("part of a larger problem", [](auto& c) {
        c.first_row = 100, c.first_key = 64;
        c.band.after = 0, c.band.before = 60;
    });
    add("lengths", [](auto& c) { c.B = 2, c.lengths = true; });
    add("lengths of each row", [](auto& c) { c.B = 2, c.lengths_by_row = true; });
    add("padding", [](auto& c) { c.B = 2, c.S += 109, c.padding = true; });
    add("boolean mask", [](auto& c) { c.kept = true; });
    add("bias", [](auto& c) { c.bias = true; });
    add("everything", [](auto& c) {
        c.B = 2, c.lengths = c.padding = c.kept = c.bias = true;
        c.band.before = 90, c.band.after = 40;
    });
    add("fill instead",
        [](auto& c) { c.band.after = 0, c.kept = true, c.blocked = Blocked::Replaced, c.fill = -3.0f; });
    add("fill added",
        [](auto& c) { c.band.after = 0, c.padding = c.bias = true, c.blocked = Blocked::Added, c.fill = -2.0f; });
    add("softcap", [](auto& c) { c.softcap = 2.0f, c.size = 3.0; });
    add("softcap, causal", [](auto& c) { c.softcap = 2.0f, c.size = 3.0, c.band.after = 0; });
    add("negative scale", [](auto& c) { c.scale = -0.3f; });
    add("scale near 0", [](auto& c) { c.scale = 1e-30f; });
    add("large scores", [](auto& c) { c.size = 4.0, c.band.after = 0; });
    add("output of the same precision", [](auto& c) { c.output_is_float32 = c.precision == Precision::Float32; });
    return cases;
}

/// The allowed deviations of outputs and lse from float64. Weights are rounded to the precision before they multiply
/// the values, which are about 1 and multiplied by 1.5. Scores of 16-bit numbers are summed by tensor cores, which
/// truncate: the error grows with the scores, whose deviation is 1 for numbers of size 1 at the usual scale.
inline ForwardData::Difference limits_of(const ForwardCase& c) {
    ForwardData::Difference limits{1e-5, 1e-5};
    if (c.precision == Precision::BFloat16)
        limits.output = 1.5e-2;
    if (c.precision == Precision::Float16)
        limits.output = 2e-3;
    if (!c.output_is_float32)
        limits.output *= 2.0;
    double deviation = c.size * c.size;
    if (c.precision != Precision::Float32 && c.scale != 0.0f)
        deviation *= std::abs(static_cast<double>(c.scale)) * std::sqrt(static_cast<double>(c.E));
    return {limits.output * std::max(1.0, c.size), limits.lse * std::max(1.0, deviation)};
}

} // namespace attnlab::gpu
