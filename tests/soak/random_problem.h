// Problems that nobody would write: every mechanism and mask, odd sizes, odd numbers, odd labels.
#pragma once

#include "core/attention.h"

#include <QString>

#include <cstdint>

namespace attnlab::soak {

/// Numbers that depend on the seed alone.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    /// 0 to count - 1.
    int below(int count) { return count <= 1 ? 0 : static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
    /// True once in `count` times.
    bool once_in(int count) { return below(count) == 0; }

private:
    std::uint64_t state_;
};

/// Not every one can be computed: some are contradictory, as those that users make are.
AttentionProblem randomProblem(Chance& chance);
/// Another variant, scale, position or set of masks.
AttentionSpec changedSpec(const AttentionSpec& spec, Chance& chance);
/// What a user may type into a cell.
QString randomNumber(Chance& chance);

/// The first thing in which two problems differ to the bit, in words.
QString differenceOf(const AttentionProblem& a, const AttentionProblem& b);

/// Equal for problems that are equal to the bit, as workspaces keep them.
QByteArray digestOf(const AttentionProblem& problem);

} // namespace attnlab::soak
