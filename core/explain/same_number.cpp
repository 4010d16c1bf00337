#include "core/explain/same_number.h"

#include <cmath>

namespace attnlab::explain {

double unit_roundoff(DType type) {
    switch (type) {
    case DType::Float64:
        return 0x1p-53;
    case DType::Float32:
        return 0x1p-24;
    case DType::Float16:
        return 0x1p-11;
    case DType::BFloat16:
        return 0x1p-8;
    case DType::Bool:
    case DType::Int64:
        break;
    }
    return 0.0;
}

Precision precision_of(std::initializer_list<DType> stored) {
    Precision precision;
    for (const DType type : stored)
        if (unit_roundoff(type) > unit_roundoff(precision.stored))
            precision = {DType::Float32, type};
    return precision;
}

bool same_number(double given, double computed_again, const Precision& precision, std::int64_t terms, double size) {
    if (given == computed_again || (std::isnan(given) && std::isnan(computed_again)))
        return true;
    const double largest_exponent = precision.computed == DType::Float64 ? 745.0 : 104.0;
    const double error = (static_cast<double>(terms) + largest_exponent) * unit_roundoff(precision.computed) +
                         unit_roundoff(precision.stored);
    return std::abs(given - computed_again) <= 2.0 * error * size; // false for what is not finite
}

} // namespace attnlab::explain
