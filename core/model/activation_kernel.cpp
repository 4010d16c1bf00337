// Implements activate() and add_and_activate() of activation.h for every instruction set.
#include "core/model/activation.h"

#include "core/flash/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/model/activation_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include <hwy/contrib/algo/transform-inl.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attnlab::model {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE V exponential(D d, V x) { // hn::Exp is defined up to 104
    return hn::Exp(d, hn::Min(x, hn::Set(d, 88.0F)));
}

template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
    const auto one = hn::Set(d, 1.0F);
    return hn::Div(one, hn::Add(one, exponential(d, hn::Neg(x))));
}

/// Abramowitz & Stegun 7.1.26; the error is below 1.5e-7.
template <class D, class V>
HWY_INLINE V error_function(D d, V x) {
    const auto one = hn::Set(d, 1.0F);
    const auto size = hn::Abs(x);
    const auto t = hn::Div(one, hn::MulAdd(hn::Set(d, 0.3275911F), size, one));
    auto sum = hn::Set(d, 1.061405429F);
    for (const float coefficient : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
        sum = hn::MulAdd(sum, t, hn::Set(d, coefficient));
    const auto tail = hn::Mul(hn::Mul(sum, t), hn::Exp(d, hn::Neg(hn::Mul(size, size))));
    return hn::CopySign(hn::Sub(one, tail), x);
}

template <class D, class V>
HWY_INLINE V gelu(D d, V x) {
    const auto one = hn::Set(d, 1.0F);
    const auto share = error_function(d, hn::Mul(x, hn::Set(d, 0.70710678118654752F)));
    return hn::Mul(hn::Mul(hn::Set(d, 0.5F), x), hn::Add(one, share));
}

/// (1 + tanh u) / 2 is the sigmoid of 2 u.
template <class D, class V>
HWY_INLINE V gelu_tanh(D d, V x) {
    const auto twice_sqrt_two_over_pi = hn::Set(d, 1.5957691216057308F);
    const auto cubic = hn::Mul(hn::Mul(hn::Set(d, 0.044715F), hn::Mul(x, x)), x);
    return hn::Mul(x, sigmoid(d, hn::Mul(twice_sqrt_two_over_pi, hn::Add(x, cubic))));
}

/// tanh(log(1 + y)) is (y^2 + 2 y) / (y^2 + 2 y + 2), which is 1 in float32 long before its square overflows.
template <class D, class V>
HWY_INLINE V mish(D d, V x) {
    const auto y = hn::Exp(d, hn::Min(x, hn::Set(d, 20.0F)));
    const auto two = hn::Set(d, 2.0F);
    const auto n = hn::Mul(y, hn::Add(y, two));
    return hn::Mul(x, hn::Div(n, hn::Add(n, two)));
}

template <class D, class V>
HWY_INLINE V relu(D d, V x) {
    return hn::Max(x, hn::Zero(d));
}

template <class D, class V>
HWY_INLINE V relu_squared(D d, V x) {
    const auto y = relu(d, x);
    return hn::Mul(y, y);
}

template <class D, class V>
HWY_INLINE V leaky_relu(D d, V x) {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, 0.01F)), x);
}

/// `added` may be null.
void activate_here(ActivationKind kind, const float* added, float* values, std::size_t count) {
    const hn::ScalableTag<float> f32;
    const auto apply = [&](auto function) HWY_ATTR {
        // NaN stays what it is, whatever the comparisons of a function make of it.
        const auto apply_to = [&](auto d, auto x) HWY_ATTR { return hn::IfThenElse(hn::IsNaN(x), x, function(d, x)); };
        if (added)
            hn::Transform1(f32, values, count, added,
                           [&](auto d, auto x, auto y) HWY_ATTR { return apply_to(d, hn::Add(x, y)); });
        else
            hn::Transform(f32, values, count, apply_to);
    };
    switch (kind) {
    case ActivationKind::Gelu:
        return apply([](auto d, auto x) HWY_ATTR { return gelu(d, x); });
    case ActivationKind::GeluTanh:
        return apply([](auto d, auto x) HWY_ATTR { return gelu_tanh(d, x); });
    case ActivationKind::QuickGelu:
        return apply([](auto d, auto x) HWY_ATTR { return hn::Mul(x, sigmoid(d, hn::Mul(x, hn::Set(d, 1.702F)))); });
    case ActivationKind::Relu:
        return apply([](auto d, auto x) HWY_ATTR { return relu(d, x); });
    case ActivationKind::ReluSquared:
        return apply([](auto d, auto x) HWY_ATTR { return relu_squared(d, x); });
    case ActivationKind::Relu6:
        return apply([](auto d, auto x) HWY_ATTR { return hn::Min(relu(d, x), hn::Set(d, 6.0F)); });
    case ActivationKind::LeakyRelu:
        return apply([](auto d, auto x) HWY_ATTR { return leaky_relu(d, x); });
    case ActivationKind::Silu:
        return apply([](auto d, auto x) HWY_ATTR { return hn::Mul(x, sigmoid(d, x)); });
    case ActivationKind::Mish:
        return apply([](auto d, auto x) HWY_ATTR { return mish(d, x); });
    case ActivationKind::Sigmoid:
        return apply([](auto d, auto x) HWY_ATTR { return sigmoid(d, x); });
    case ActivationKind::Tanh:
        return apply([](auto d, auto x) HWY_ATTR { return hn::Tanh(d, x); });
    case ActivationKind::Identity:
        if (added)
            apply([](auto, auto x) HWY_ATTR { return x; });
        return;
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::model
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::model {

HWY_EXPORT(activate_here);

void activate(const Activation& activation, std::span<float> values) {
    HWY_DYNAMIC_DISPATCH(activate_here)(activation.kind, nullptr, values.data(), values.size());
}

void add_and_activate(const float* added, const Activation* activation, std::span<float> values) {
    HWY_DYNAMIC_DISPATCH(activate_here)
    (activation ? activation->kind : ActivationKind::Identity, added, values.data(), values.size());
}

} // namespace attnlab::model
#endif
