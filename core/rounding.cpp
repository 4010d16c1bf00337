#include "core/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnlab {
namespace {

using Where = Rounding::Where;

/// Bits of the mantissa without the leading one; the exponents of the smallest and largest normal numbers.
struct Format {
    int bits, least, most;
};

std::optional<Format> format_of(DType type) {
    switch (type) {
    case DType::BFloat16:
        return Format{7, -126, 127};
    case DType::Float16:
        return Format{10, -14, 15};
    case DType::Float32:
        return Format{23, -126, 127};
    case DType::Float64:
        return Format{52, -1022, 1023};
    default:
        return std::nullopt;
    }
}

/// The exponent of the last mantissa bit of a number of this size.
int last_place(double value, const Format& format) {
    const int exponent = value == 0.0 ? format.least : std::ilogb(value);
    return std::max(exponent, format.least) - format.bits;
}

constexpr std::pair<std::string_view, Where> places[] = {
    {"inputs", Where::Inputs}, {"scores", Where::Scores}, {"weights", Where::Weights}, {"all", Where::All}};
constexpr DType formats[] = {DType::BFloat16, DType::Float16};

} // namespace

double rounded(double value, DType type) {
    const auto format = format_of(type);
    if (!format || type == DType::Float64 || !std::isfinite(value))
        return value;
    const int place = last_place(value, *format);
    // Both are powers of two, so only nearbyint rounds: to nearest, ties to even.
    const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -place)), place);
    const double largest = std::ldexp(2.0 - std::ldexp(1.0, -format->bits), format->most);
    return std::abs(nearest) > largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : nearest;
}

Tensor rounded(const Tensor& tensor, DType type) {
    Tensor result = tensor;
    for (double& value : result.mutable_values())
        value = rounded(value, type);
    return result;
}

double ulp(double value, DType type) {
    const auto format = format_of(type);
    if (!format || !std::isfinite(value))
        return std::numeric_limits<double>::quiet_NaN();
    return std::ldexp(1.0, last_place(value, *format));
}

std::string_view name_of(Where where) {
    return std::ranges::find(places, where, [](const auto& place) { return place.second; })->first;
}

std::string to_text(const Rounding& rounding) {
    return std::string(name_of(rounding.format)) + ":" + std::string(name_of(rounding.where));
}

Rounding parse_rounding(std::string_view text) {
    const auto colon = text.find(':');
    const auto where = colon == text.npos ? std::string_view("all") : text.substr(colon + 1);
    const auto format = std::ranges::find(formats, text.substr(0, colon), [](DType type) { return name_of(type); });
    const auto place = std::ranges::find(places, where, [](const auto& known) { return known.first; });
    if (format == std::end(formats) || place == std::end(places))
        throw Error({ATTNLAB_TEXT("rounding: '%1' is not bfloat16 or float16, then nothing or one of :inputs, :scores, "
                                  ":weights, :all"),
                     {std::string(text)}});
    return {*format, place->second};
}

Note note_of(const Rounding& rounding) {
    return {Note::Severity::Info,
            {ATTNLAB_TEXT("Rounded to the nearest %1: %2. All else is in float64"),
             {std::string(name_of(rounding.format)), std::string(name_of(rounding.where))}}};
}

bool rounds(const std::optional<Rounding>& rounding, Where where) {
    return rounding && (rounding->where == Where::All || rounding->where == where);
}

} // namespace attnlab
