// Ranges of numbers, and those that the colours of stages keep while a setting changes.
#pragma once

#include "core/attention.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::ui {

/// Smallest and largest finite unblocked value over several matrices (heads on one scale).
struct ValueRange {
    double low = 0.0;
    double high = 0.0;
    double smallest_positive = 0.0; ///< 0 if there is none
    bool empty = true;
    void include(double value);
    void include(std::span<const double> values);
    void include(const ValueRange& other);
    bool operator==(const ValueRange&) const = default;
};

/// The range of one stage in one batch, and whether its colours have a sign.
struct HeldRange {
    ValueRange range;
    bool is_signed = false;
    bool operator==(const HeldRange&) const = default;
};

/// The ranges of the stages of one setting, from results before the present one. While scale, masks or positions
/// change, colours keep these ranges, so that the picture shows what the change does to the numbers.
struct HeldRanges {
    struct Stage {
        std::vector<HeldRange> batches;
        std::optional<AttentionSpec> from; ///< the setting whose numbers these are; nullopt: unknown, from a file
        bool operator==(const Stage&) const = default;
    };
    std::map<std::string, Stage, std::less<>> stages;
    AttentionSpec now; ///< the present setting

    /// Null where nothing is held: before the first change, or where all cells were blocked.
    const HeldRange* find(std::string_view stage, int batch) const;
    bool operator==(const HeldRanges&) const = default;
};

/// Both settings of a problem.
struct HeldColors {
    HeldRanges a, b;
    bool opened = false; ///< from a file: for its first result, whatever was shown before
    bool operator==(const HeldColors&) const = default;
};

} // namespace attnlab::ui
