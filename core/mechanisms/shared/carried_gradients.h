// The backward pass of attention without a softmax.
#pragma once

#include "core/mechanisms/shared/carried_state.h"

namespace attnlab {

/// Adds to the trace of carried_trace() the derivatives of a loss with respect to the output, which the problem gives
/// (grad_output), and to the arrays: grad_output, grad_value, grad_query, grad_key, and one for each of gate, log_gate,
/// gamma and beta that the problem has. The state goes back from the last token to the first. With G = ∂ℓ/∂S_t:
///   ∂ℓ/∂q_t = c S_t ∂ℓ/∂o_t,  G += c q_t (∂ℓ/∂o_t)ᵀ,
///   u = v_t - Rᵀ k_t (u = v_t for one that does not erase),  ∂ℓ/∂u = b_t Gᵀ k_t,
///   ∂ℓ/∂b_t = k_tᵀ G u,  ∂ℓ/∂k_t = b_t G u - R ∂ℓ/∂u,  ∂ℓ/∂R = G - k_t (∂ℓ/∂u)ᵀ,  ∂ℓ/∂f_t = the rows of ∂ℓ/∂R ∘
///   S_{t-1}.
/// Throws Error, Cancelled.
void add_carried_gradients(Trace& trace, const ResolvedProblem& problem, const Recurrence& recurrence,
                           const RunControl& control);

/// Adds one of these stages.
void add_gradient(Trace& trace, const std::string& of, Tensor value, Message operation, std::string formula = {});

} // namespace attnlab
