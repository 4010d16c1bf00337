#include "core/model/activation.h"

#include <algorithm>
#include <array>

namespace attnlab::model {
namespace {

constexpr std::array known{
    Activation{"gelu", ActivationKind::Gelu},
    Activation{"gelu_python", ActivationKind::Gelu},
    Activation{"gelu_new", ActivationKind::GeluTanh},
    Activation{"gelu_pytorch_tanh", ActivationKind::GeluTanh},
    Activation{"gelu_fast", ActivationKind::GeluTanh},
    Activation{"gelu_accurate", ActivationKind::GeluTanh},
    Activation{"quick_gelu", ActivationKind::QuickGelu},
    Activation{"relu", ActivationKind::Relu},
    Activation{"relu2", ActivationKind::ReluSquared},
    Activation{"relu6", ActivationKind::Relu6},
    Activation{"leaky_relu", ActivationKind::LeakyRelu},
    Activation{"silu", ActivationKind::Silu},
    Activation{"swish", ActivationKind::Silu},
    Activation{"mish", ActivationKind::Mish},
    Activation{"sigmoid", ActivationKind::Sigmoid},
    Activation{"tanh", ActivationKind::Tanh},
    Activation{"linear", ActivationKind::Identity},
};

} // namespace

const Activation* find_activation(std::string_view name) {
    const auto* found = std::find_if(known.begin(), known.end(), [&](const Activation& a) { return a.name == name; });
    return found == known.end() ? nullptr : found;
}

std::string known_activations() {
    std::string names;
    for (const auto& activation : known)
        names += (names.empty() ? "" : ", ") + std::string(activation.name);
    return names;
}

} // namespace attnlab::model
