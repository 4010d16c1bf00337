#include "core/model/activation.h"

#include "core/lookup.h"

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

const Activation* find_activation(std::string_view name) { return lookup(known, name, &Activation::name); }

std::string known_activations() { return listed(known, &Activation::name); }

} // namespace attnlab::model
