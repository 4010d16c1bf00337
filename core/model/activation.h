// The functions between the two layers of a feed-forward.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attnlab::model {

enum class ActivationKind {
    Gelu,        ///< x (1 + erf(x / sqrt 2)) / 2; Hendrycks & Gimpel 2016
    GeluTanh,    ///< its approximation by tanh, from the same paper
    QuickGelu,   ///< x sigmoid(1.702 x)
    Relu,        ///< max(x, 0)
    ReluSquared, ///< max(x, 0)^2
    Relu6,       ///< min(max(x, 0), 6)
    LeakyRelu,   ///< x, or x / 100 where it is negative
    Silu,        ///< x sigmoid(x)
    Mish,        ///< x tanh(log(1 + e^x)); Misra 2019
    Sigmoid,
    Tanh,
    Identity,
};

struct Activation {
    std::string_view name; ///< as in configurations of Transformers
    ActivationKind kind;
};

/// nullptr for an unknown name.
const Activation* find_activation(std::string_view name);
/// "gelu, relu, ...".
std::string known_activations();

/// In place, on the calling thread; errors are a few units in the last place of the largest number involved.
void activate(const Activation& activation, std::span<float> values);
/// Adds as many numbers first; without an activation only that.
void add_and_activate(const float* added, const Activation* activation, std::span<float> values);

} // namespace attnlab::model
