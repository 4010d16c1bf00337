#include "core/random.h"

#include <cmath>

namespace attnlab {

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

double Random::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    double u, v, s;
    do {
        u = 2.0 * uniform() - 1.0;
        v = 2.0 * uniform() - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s == 0.0);
    const double stretch = std::sqrt(-2.0 * std::log(s) / s);
    spare_ = v * stretch;
    has_spare_ = true;
    return u * stretch;
}

Tensor random_normal(Shape shape, std::uint64_t seed, double mean, double deviation) {
    Tensor result(std::move(shape));
    Random random(seed);
    for (auto& value : result.mutable_values())
        value = mean + deviation * random.normal();
    return result;
}

Tensor random_uniform(Shape shape, std::uint64_t seed, double low, double high) {
    Tensor result(std::move(shape));
    Random random(seed);
    for (auto& value : result.mutable_values())
        value = low + (high - low) * random.uniform();
    return result;
}

} // namespace attnlab
