// Random numbers that are the same on every machine for the same seed.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <random>

namespace attnlab {

/// std::mt19937_64 is specified bit for bit; the distributions of the standard library are not, hence these.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    /// N(0, 1) by Marsaglia's polar method.
    double normal();

private:
    std::mt19937_64 engine_;
    double spare_ = 0.0;
    bool has_spare_ = false;
};

/// Entries N(mean, deviation^2), drawn in row-major order.
Tensor random_normal(Shape shape, std::uint64_t seed, double mean = 0.0, double deviation = 1.0);
/// Entries uniform in [low, high).
Tensor random_uniform(Shape shape, std::uint64_t seed, double low, double high);

} // namespace attnlab
