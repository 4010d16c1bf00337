#include "tests/differential/draws.h"

#include "gpu/numbers.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace attnlab::differential {
namespace {

double rounded(double value, DType dtype) {
    switch (dtype) {
    case DType::Float32:
        return static_cast<double>(static_cast<float>(value));
    case DType::BFloat16:
        return static_cast<double>(gpu::from_bfloat16(gpu::to_bfloat16(static_cast<float>(value))));
    case DType::Float16:
        return static_cast<double>(gpu::from_float16(gpu::to_float16(static_cast<float>(value))));
    case DType::Int64:
        return std::abs(value) < 1e15 ? std::round(value) : 0.0;
    default:
        return value;
    }
}

} // namespace

double Draws::drawn(Sized sized) {
    const double normal = random_.normal();
    switch (sized) {
    case Sized::Ordinary:
        return normal;
    case Sized::Tiny:
        return 1e-20 * normal;
    case Sized::Denormal:
        return 1e-40 * normal;
    case Sized::DenormalDouble:
        return 1e-310 * normal;
    case Sized::Large:
        return 30.0 * normal;
    case Sized::Huge:
        return 1e9 * normal;
    case Sized::Enormous:
        return 1e17 * normal;
    case Sized::Beyond:
        return 1e200 * normal;
    case Sized::Zero:
        return 0.0;
    case Sized::Ties:
        return std::round(normal);
    case Sized::SomeDenormal:
        return chance(0.5) ? normal : one_of({1e-40, 1e-37, 1e-30, 1e-310, 0.0}) * normal;
    case Sized::NearDenormal:
        return 1e-36 * normal;
    case Sized::Spiked:
        return chance(0.02) ? 500.0 * normal : normal;
    }
    return normal;
}

Tensor Draws::numbers(Shape shape, double factor) {
    const auto dtype = one_of({DType::Float32, DType::Float32, DType::Float32, DType::Float64, DType::Float64,
                               DType::Float16, DType::BFloat16, DType::Int64});
    const auto sized = chance(0.6) ? Sized::Ordinary
                                   : one_of({Sized::Tiny, Sized::Denormal, Sized::DenormalDouble, Sized::Large,
                                             Sized::Large, Sized::Huge, Sized::Enormous, Sized::Beyond, Sized::Zero,
                                             Sized::Ties, Sized::Spiked, Sized::SomeDenormal, Sized::NearDenormal});
    say(std::string(name_of(dtype)) +
        (sized == Sized::Ordinary ? "" : " of kind " + std::to_string(static_cast<int>(sized))));
    Tensor tensor(std::move(shape), 0.0, dtype);
    for (double& value : tensor.mutable_values())
        value = rounded(factor * drawn(sized), dtype);
    return tensor;
}

Tensor Draws::booleans(Shape shape) {
    Tensor tensor(std::move(shape), 0.0, DType::Bool);
    const double share = one_of({0.0, 0.1, 0.5, 0.9, 1.0});
    // Sometimes whole rows are equal.
    const auto width = std::max<std::int64_t>(1, tensor.dim(-1));
    const bool by_row = chance(0.3);
    double row = 0.0;
    std::int64_t at = 0;
    for (double& value : tensor.mutable_values()) {
        if (at++ % width == 0)
            row = chance(share) ? 1.0 : 0.0;
        value = by_row ? row : chance(share) ? 1.0 : 0.0;
    }
    return tensor;
}

double Draws::shift() {
    if (chance(0.25))
        return -infinity;
    const double far = one_of({65504.0,
                               0x1.fep127,
                               static_cast<double>(FLT_MAX),
                               0x1p127,
                               DBL_MAX,
                               1e300,
                               1e9,
                               1e4,
                               1e12,
                               1e15,
                               1e16,
                               1e20,
                               1e30,
                               1e37,
                               1e38,
                               2.4e38,
                               100.0,
                               64.0,
                               5.0,
                               0.0,
                               1e-40,
                               DBL_TRUE_MIN,
                               static_cast<double>(FLT_MIN)});
    return chance(0.85) ? -far : far;
}

Tensor Draws::bias(Shape shape) {
    const auto dtype = one_of({DType::Float64, DType::Float64, DType::Float32, DType::Float16, DType::BFloat16});
    Tensor tensor(std::move(shape), 0.0, dtype);
    const double far = shift(), other = chance(0.5) ? 0.0 : shift();
    const double share = one_of({0.02, 0.3, 0.9, 1.0});
    const bool normal = chance(0.5), by_row = chance(0.4);
    const auto width = std::max<std::int64_t>(1, tensor.dim(-1));
    bool row = false;
    std::int64_t at = 0;
    for (double& value : tensor.mutable_values()) {
        if (at++ % width == 0)
            row = chance(0.5);
        const bool moved = by_row ? row : chance(share);
        const double drawn_value = moved                         ? far
                                   : other == 0.0 || chance(0.5) ? (normal ? random_.normal() : 0.0)
                                                                 : other;
        value = rounded(drawn_value, dtype);
    }
    std::ostringstream words;
    words << name_of(dtype) << " bias of " << far << " and " << other;
    say(words.str());
    return tensor;
}

} // namespace attnlab::differential
