#include "tests/differential/coverage.h"

#include "core/tensor.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>

namespace attnlab::differential {
namespace {

struct Named {
    double size;
    const char* name;
};
constexpr Named named_sizes[] = {{65504.0, "min of float16"},
                                 {0x1.fep127, "min of bfloat16"},
                                 {static_cast<double>(FLT_MAX), "min of float32"},
                                 {DBL_MAX, "min of float64"},
                                 {0x1p127, "-2^127"}};

/// The kind of number of a fill or bias.
std::string kind_of(double shift) {
    if (std::isnan(shift))
        return "NaN";
    if (std::isinf(shift))
        return shift < 0.0 ? "-inf" : "inf";
    const double size = std::abs(shift);
    for (const auto& named : named_sizes)
        if (size == named.size)
            return std::string(named.name) + (shift > 0.0 ? ", negated" : "");
    return size == 0.0                           ? "0"
           : size < DBL_MIN                      ? "denormal of float64"
           : size < static_cast<double>(FLT_MIN) ? "denormal of float32"
           : size > static_cast<double>(FLT_MAX) ? "beyond float32"
           : size >= 1e9                         ? "of 1e9 or more"
           : size > 64.0                         ? "of 64 to 1e9"
                                                 : "up to 64";
}

void add_numbers(std::set<std::string>& found, const std::string& name, const Tensor& tensor) {
    for (const double value : tensor.values()) {
        const double size = std::abs(value);
        const char* kind = std::isnan(value)                     ? "NaN"
                           : std::isinf(value)                   ? "infinite"
                           : size == 0.0                         ? nullptr
                           : size < DBL_MIN                      ? "denormal in float64"
                           : size < static_cast<double>(FLT_MIN) ? "denormal in float32"
                           : size > static_cast<double>(FLT_MAX) ? "beyond float32"
                           : size >= 1e8                         ? "of 1e8 or more"
                                                                 : nullptr;
        if (kind)
            found.insert(name + " " + kind);
    }
    found.insert(name + " as " + std::string(name_of(tensor.dtype())));
}

void add_sizes(std::set<std::string>& found, const Sizes& s) {
    const auto add = [&](bool holds, const char* what) {
        if (holds)
            found.insert(std::string("sizes: ") + what);
    };
    add(s.B == 0, "B = 0");
    add(s.L == 0, "L = 0");
    add(s.S == 0, "S = 0");
    add(s.E == 0, "E = 0");
    add(s.Ev == 0, "Ev = 0");
    add(s.L == 1, "L = 1");
    add(s.S == 1, "S = 1");
    add(s.E == 1, "E = 1");
    add(s.L > 1 && s.L % 2 == 1, "L odd");
    add(s.S > 1 && s.S % 2 == 1, "S odd");
    add(s.E > 1 && s.E % 2 == 1, "E odd");
    add(s.E != s.Ev, "E is not Ev");
    add(s.L < s.S, "L < S");
    add(s.L > s.S, "L > S");
    add(s.L > 0 && s.L <= 8 && s.S >= 200, "few queries, many keys");
    add(s.B > 1, "several batches");
    add(s.H > 1, "several heads");
    add(s.H != s.Hkv && s.Hkv > 1, "heads in groups");
    add(s.H > 1 && s.Hkv == 1, "one key head");
}

} // namespace

std::set<std::string> features(const Case& made) {
    const auto& spec = made.problem.spec;
    std::set<std::string> found{"variant: " + spec.variant,
                                "scale: " + (spec.scale.id.empty() ? "default" : spec.scale.id)};
    add_sizes(found, made.sizes);
    if (spec.scale_after_softmax)
        found.insert("scale: after the softmax");
    if (!spec.position.id.empty())
        found.insert("position: " + spec.position.id);
    if (spec.statistics)
        found.insert("statistics");
    for (const auto& mask : spec.masks)
        found.insert("mask: " + mask.id);
    if (spec.query_offset)
        found.insert("query offset: one");
    if (made.problem.tensors.contains("query_offset"))
        found.insert("query offset: for each sequence");
    if (spec.masks.size() != 1)
        found.insert(spec.masks.empty() ? "mask: none" : "mask: several");
    const bool fills =
        std::any_of(spec.masks.begin(), spec.masks.end(), [](const Selection& mask) { return mask.id != "attn_bias"; });
    if (fills)
        found.insert((spec.mask_fill.mode == MaskFill::Mode::Add ? "added fill: " : "fill: ") +
                     kind_of(spec.mask_fill.value));
    for (const auto& [name, tensor] : made.problem.tensors) {
        if (name == "attn_bias")
            for (const double value : tensor.values())
                found.insert("bias: " + kind_of(value));
        const bool rows = name == "query" || name == "key" || name == "value" || name == "x" || name == "context";
        if (rows || name == "attn_bias")
            add_numbers(found, name, tensor);
    }
    return found;
}

const std::set<std::string>& Coverage::features_of(const Case& made) {
    if (made.number != number_ || made.seed != seed_) {
        latest_ = features(made);
        number_ = made.number;
        seed_ = made.seed;
    }
    return latest_;
}

void Coverage::take(const Case& made) {
    for (const auto& feature : features_of(made))
        ++counts_[feature].cases;
}

void Coverage::agreed(const Case& made, const std::string& engine) {
    const auto kind = engine.substr(0, engine.find(' '));
    engines_.insert(kind);
    for (const auto& feature : features_of(made))
        ++counts_[feature].agreed[kind];
}

void Coverage::print() const {
    std::printf("%-40s %9s   computed and agreed by\n%-40s %9s", "", "", "", "cases");
    for (const auto& engine : engines_)
        std::printf(" %9s", engine.c_str());
    std::printf("\n");
    for (const auto& [feature, counts] : counts_) {
        std::printf("%-40s %9lld", feature.c_str(), static_cast<long long>(counts.cases));
        for (const auto& engine : engines_) {
            const auto found = counts.agreed.find(engine);
            std::printf(" %9lld", static_cast<long long>(found == counts.agreed.end() ? 0 : found->second));
        }
        std::printf("\n");
    }
}

} // namespace attnlab::differential
