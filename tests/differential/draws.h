// Random choices, numbers of every magnitude and arrays of them.
#pragma once

#include "core/random.h"
#include "core/tensor.h"
#include "tests/tensor_numbers.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <string>

namespace attnlab::differential {

/// The same for the same seed on every machine.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : random_(seed) {}

    bool chance(double share) { return uniform() < share; }
    double uniform() { return random_.uniform(); }
    std::uint64_t bits() { return static_cast<std::uint64_t>(uniform() * 0x1p52); }
    std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(uniform() * static_cast<double>(count)); }
    template <class T>
    T one_of(std::initializer_list<T> list) {
        return list.begin()[below(std::ssize(list))];
    }

    /// Queries, keys, values, weights: of one dtype and magnitude.
    Tensor numbers(Shape shape, double factor = 1.0);
    Tensor booleans(Shape shape);
    /// Typical fills and biases: 0, denormals, the limits of each float type, infinity.
    double shift();
    Tensor bias(Shape shape);

    /// A description of the choices.
    std::string words() const { return words_.str(); }
    void say(const std::string& words) { words_ << (words_.str().empty() ? "" : ", ") << words; }

private:
    enum class Sized {
        Ordinary,
        Tiny,
        Denormal,
        DenormalDouble,
        Large,
        Huge,
        Enormous,
        Beyond,
        Zero,
        Ties,
        Spiked,
        SomeDenormal, ///< beside ordinary ones
        NearDenormal
    };
    double drawn(Sized sized);

    Random random_;
    std::ostringstream words_;
};

} // namespace attnlab::differential
