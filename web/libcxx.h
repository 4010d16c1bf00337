// What the engine uses and the libc++ 14 of Emscripten 3.1.6 lacks: algorithms of std::ranges, and <charconv> for
// floating point. The compiler includes this file before every source of the WebAssembly module (web/CMakeLists.txt).
// Additions to std are undefined behaviour by the standard, so no other build may use it.
#pragma once

#include <version>

#if !defined(__EMSCRIPTEN__)
#error "web/libcxx.h is for Emscripten alone"
#endif

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>

#if _LIBCPP_VERSION < 15000

namespace std::ranges {

// Searches. Each returns an iterator of the range, or an answer.

template <class Range, class Test, class Projection = identity>
constexpr auto find_if(Range&& range, Test test, Projection projection = {}) {
    auto at = std::begin(range);
    const auto last = std::end(range);
    while (at != last && !std::invoke(test, std::invoke(projection, *at)))
        ++at;
    return at;
}
template <class Range, class Test, class Projection = identity>
constexpr auto find_if_not(Range&& range, Test test, Projection projection = {}) {
    return ranges::find_if(
        range, [&](auto&& projected) { return !std::invoke(test, projected); }, projection);
}
template <class Range, class T, class Projection = identity>
constexpr auto find(Range&& range, const T& value, Projection projection = {}) {
    return ranges::find_if(
        range, [&](auto&& projected) { return projected == value; }, projection);
}
template <class Range, class Test, class Projection = identity>
constexpr bool any_of(Range&& range, Test test, Projection projection = {}) {
    return ranges::find_if(range, std::ref(test), std::ref(projection)) != std::end(range);
}
template <class Range, class Test, class Projection = identity>
constexpr bool all_of(Range&& range, Test test, Projection projection = {}) {
    return ranges::find_if_not(range, std::ref(test), std::ref(projection)) == std::end(range);
}
template <class Range, class Test, class Projection = identity>
constexpr bool none_of(Range&& range, Test test, Projection projection = {}) {
    return !ranges::any_of(range, std::ref(test), std::ref(projection));
}
template <class Range, class Test, class Projection = identity>
constexpr ptrdiff_t count_if(Range&& range, Test test, Projection projection = {}) {
    ptrdiff_t found = 0;
    for (auto&& item : range)
        found += std::invoke(test, std::invoke(projection, item)) ? 1 : 0;
    return found;
}
template <class Range, class T, class Projection = identity>
constexpr ptrdiff_t count(Range&& range, const T& value, Projection projection = {}) {
    return ranges::count_if(
        range, [&](auto&& projected) { return projected == value; }, projection);
}
template <class Range, class Same = std::equal_to<>, class Projection = identity>
constexpr auto adjacent_find(Range&& range, Same same = {}, Projection projection = {}) {
    return std::adjacent_find(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(same, std::invoke(projection, a), std::invoke(projection, b));
    });
}
template <class A, class B, class Same = std::equal_to<>, class OfA = identity, class OfB = identity>
constexpr bool equal(A&& a, B&& b, Same same = {}, OfA of_a = {}, OfB of_b = {}) {
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), [&](const auto& x, const auto& y) {
        return std::invoke(same, std::invoke(of_a, x), std::invoke(of_b, y));
    });
}

// Orders.

template <class Less, class Projection>
constexpr auto projected_order(Less& less, Projection& projection) {
    return [&](const auto& a, const auto& b) {
        return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
    };
}
template <class Range, class Less = std::less<>, class Projection = identity>
constexpr void sort(Range&& range, Less less = {}, Projection projection = {}) {
    std::sort(std::begin(range), std::end(range), projected_order(less, projection));
}
template <class Range, class Less = std::less<>, class Projection = identity>
void stable_sort(Range&& range, Less less = {}, Projection projection = {}) {
    std::stable_sort(std::begin(range), std::end(range), projected_order(less, projection));
}
template <class Range, class Iterator>
constexpr void nth_element(Range&& range, Iterator nth) {
    std::nth_element(std::begin(range), nth, std::end(range));
}
template <class Range, class T>
constexpr bool binary_search(Range&& range, const T& value) {
    return std::binary_search(std::begin(range), std::end(range), value);
}
template <class Range, class Less = std::less<>, class Projection = identity>
constexpr auto min_element(Range&& range, Less less = {}, Projection projection = {}) {
    return std::min_element(std::begin(range), std::end(range), projected_order(less, projection));
}
template <class Range, class Less = std::less<>, class Projection = identity>
constexpr auto max_element(Range&& range, Less less = {}, Projection projection = {}) {
    return std::max_element(std::begin(range), std::end(range), projected_order(less, projection));
}
template <class Range, class Less = std::less<>, class Projection = identity>
constexpr auto min(Range&& range, Less less = {}, Projection projection = {}) {
    return *ranges::min_element(range, less, projection);
}
template <class Range, class Less = std::less<>, class Projection = identity>
constexpr auto max(Range&& range, Less less = {}, Projection projection = {}) {
    return *ranges::max_element(range, less, projection);
}
template <class T>
struct min_max_result {
    T min, max;
};
template <class Range>
constexpr auto minmax(Range&& range) {
    const auto [low, high] = std::minmax_element(std::begin(range), std::end(range));
    return min_max_result<remove_cvref_t<decltype(*low)>>{*low, *high};
}

// Copies and changes.

template <class Out>
struct out_result {
    Out out;
};
template <class Range, class Out, class Function, class Projection = identity>
requires requires(Out at) { ++at; }
constexpr auto transform(Range&& range, Out out, Function function, Projection projection = {}) {
    for (auto&& item : range)
        *out++ = std::invoke(function, std::invoke(projection, item));
    return out_result<Out>{out};
}
template <class A, class B, class Out, class Function>
requires requires(B b) { b.begin(); }
constexpr auto transform(A&& a, B&& b, Out out, Function function) {
    return out_result<Out>{std::transform(std::begin(a), std::end(a), std::begin(b), out, function)};
}
template <class Range, class Out>
constexpr auto copy(Range&& range, Out out) {
    return out_result<Out>{std::copy(std::begin(range), std::end(range), out)};
}
template <class Range, class Out, class Test>
constexpr auto copy_if(Range&& range, Out out, Test test) {
    return out_result<Out>{std::copy_if(std::begin(range), std::end(range), out, test)};
}
template <class Range, class Out>
constexpr auto move(Range&& range, Out out) {
    return out_result<Out>{std::move(std::begin(range), std::end(range), out)};
}
template <class Range, class Function>
constexpr void for_each(Range&& range, Function function) {
    std::for_each(std::begin(range), std::end(range), function);
}
template <class Range, class T>
constexpr void fill(Range&& range, const T& value) {
    std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Function>
constexpr void generate(Range&& range, Function function) {
    std::generate(std::begin(range), std::end(range), function);
}
template <class Range, class T>
constexpr void replace(Range&& range, const T& from, const T& to) {
    std::replace(std::begin(range), std::end(range), from, to);
}

} // namespace std::ranges

#endif

#if _LIBCPP_VERSION < 20000

// musl's printf and strtod round correctly, and the module has no locale but C.

namespace std {

inline to_chars_result attnlab_put(char* first, char* last, const char* text, int size) {
    if (size < 0 || last - first < size)
        return {last, errc::value_too_large};
    memcpy(first, text, static_cast<size_t>(size));
    return {first + size, errc{}};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format format, int precision) {
    char text[512];
    const char* pattern = format == chars_format::fixed ? "%.*f" : format == chars_format::scientific ? "%.*e" : "%.*g";
    const int size = snprintf(text, sizeof text, pattern, precision, value);
    return attnlab_put(first, last, text, size < static_cast<int>(sizeof text) ? size : -1);
}

/// The fewest digits that read back as the same number, in the shorter of %f and %e; in %f if both are equally long.
inline to_chars_result to_chars(char* first, char* last, double value) {
    char text[64];
    if (!isfinite(value)) {
        const char* word = isnan(value) ? (signbit(value) ? "-nan" : "nan") : value > 0.0 ? "inf" : "-inf";
        return attnlab_put(first, last, word, static_cast<int>(strlen(word)));
    }
    int decimals = 0, size = 0;
    do
        size = snprintf(text, sizeof text, "%.*e", decimals, value);
    while (strtod(text, nullptr) != value && ++decimals < 17);
    const int exponent = atoi(strchr(text, 'e') + 1);
    if (exponent > -8 && exponent < 32) {
        char plain[64];
        const int length = snprintf(plain, sizeof plain, "%.*f", std::max(0, decimals - exponent), value);
        if (length <= size)
            return attnlab_put(first, last, plain, length);
    }
    return attnlab_put(first, last, text, size);
}

/// Reads what strtod reads, without a blank, a plus or a hexadecimal number at the beginning.
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format = chars_format::general) {
    const char* digits = first != last && *first == '-' ? first + 1 : first;
    const bool is_word = digits != last && strchr("iInN", *digits) && *digits;
    const bool is_digit = digits != last && (*digits == '.' || (*digits >= '0' && *digits <= '9'));
    if (!is_word && !is_digit)
        return {first, errc::invalid_argument};
    string text(first, last);
    if (const auto hexadecimal = text.find_first_of("xX"); hexadecimal != string::npos)
        text.resize(hexadecimal);
    char* end = nullptr;
    const double number = strtod(text.c_str(), &end);
    if (end == text.c_str())
        return {first, errc::invalid_argument};
    const char* stop = first + (end - text.c_str());
    text.resize(static_cast<size_t>(stop - first));
    const bool has_digits = text.find_first_of("123456789") < text.find_first_of("eE");
    if ((isinf(number) && !is_word) || (number == 0.0 && has_digits))
        return {stop, errc::result_out_of_range};
    value = number;
    return {stop, errc{}};
}

} // namespace std

#endif
