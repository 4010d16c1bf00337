// Unusual problems: every mechanism and mask, odd sizes, odd numbers, odd labels.
#pragma once

#include "core/attention.h"

#include <QString>

#include <cstdint>

namespace attnlab::soak {

/// Random numbers that depend only on the seed.
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

/// May be contradictory, like users' problems.
AttentionProblem randomProblem(Chance& chance);
/// Another variant, scale, position or set of masks.
AttentionSpec changedSpec(const AttentionSpec& spec, Chance& chance);
/// Possible input of a user in a cell.
QString randomNumber(Chance& chance);

/// Describes the first difference of two problems, compared to the bit.
QString differenceOf(const AttentionProblem& a, const AttentionProblem& b);

/// Equal for problems that are equal to the bit in a workspace.
QByteArray digestOf(const AttentionProblem& problem);

} // namespace attnlab::soak
