#include "core/mechanisms/shared/carried_gradients.h"

#include "core/stages/gradients.h"
#include "core/stages/scale.h"

#include <cmath>
#include <span>
#include <utility>

namespace attnlab {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The gradient with respect to each array. Where heads share a key or value, its gradient is the sum over these heads.
struct ByArray {
    Tensor query, key, value;
    Tensor kept;    ///< by f (B,H,L,E), a number for each feature
    Tensor written; ///< by b (B,H,L)
};

/// A matrix (E,Ev) of the state or of its gradient.
struct StateMatrix {
    std::int64_t E, Ev;
    std::vector<double> values = std::vector<double>(at(E * Ev), 0.0);

    double& operator()(std::int64_t e, std::int64_t c) { return values[at(e * Ev + c)]; }
};

/// Goes over the tokens of one head, forward and back.
class Backward {
public:
    Backward(const Recurrence& r, const Tensor& by_output, std::int64_t head, ByArray& sums)
        : r_(r), head_(head), L_(r.L()), E_(r.query.dim(3)), Ev_(r.value.dim(3)), key_head_(key_head()),
          by_output_(matrix_at(by_output, head)), q_(matrix_at(r.query, head)), k_(matrix_at(r.key, key_head_)),
          v_(matrix_at(r.value, key_head_)), sums_(sums) {}

    void run(const RunControl& control) {
        std::vector<StateMatrix> states{{E_, Ev_}}; // before token t
        for (std::int64_t t = 0; t < L_; ++t) {
            control.checkpoint();
            auto next = faded(states.back(), t);
            if (!is_padded(t))
                write(next, t, replaced(next, t));
            states.push_back(std::move(next));
        }
        StateMatrix by_state{E_, Ev_};
        for (std::int64_t t = L_; t-- > 0;) {
            control.checkpoint();
            read_back(by_state, states[at(t + 1)], t);
            write_back(by_state, states[at(t)], t);
        }
    }

private:
    std::int64_t key_head() const {
        const auto own = r_.key.dim(1);
        return head_ / r_.H() * own + head_ % r_.H() / (r_.H() / own);
    }
    bool is_padded(std::int64_t t) const { return !r_.padded.empty() && r_.padded[at(head_ / r_.H() * L_ + t)]; }
    double written(std::int64_t t) const { return r_.written.size() == 0 ? 1.0 : r_.written.data()[head_ * L_ + t]; }
    double kept(std::int64_t t, std::int64_t e) const {
        if (r_.kept.size() == 0)
            return 1.0;
        return r_.kept.data()[r_.has_decay_of_heads() ? head_ * L_ + t : (head_ * L_ + t) * E_ + e];
    }
    std::span<double> row(Tensor& sums, std::int64_t head, std::int64_t t, std::int64_t width) const {
        return sums.mutable_values().subspan(at((head * L_ + t) * width), at(width));
    }

    StateMatrix faded(StateMatrix state, std::int64_t t) const {
        for (std::int64_t e = 0; e < E_; ++e)
            for (std::int64_t c = 0; c < Ev_; ++c)
                state(e, c) *= kept(t, e);
        return state;
    }
    /// u: v_t, or v_t - Rᵀ k_t.
    std::vector<double> replaced(StateMatrix& R, std::int64_t t) const {
        std::vector<double> u(v_.row(t).begin(), v_.row(t).end());
        for (std::int64_t e = 0; e < E_ && r_.erases; ++e)
            for (std::int64_t c = 0; c < Ev_; ++c)
                u[at(c)] -= R(e, c) * k_(t, e);
        return u;
    }
    void write(StateMatrix& state, std::int64_t t, const std::vector<double>& u) const {
        for (std::int64_t e = 0; e < E_; ++e)
            for (std::int64_t c = 0; c < Ev_; ++c)
                state(e, c) += written(t) * k_(t, e) * u[at(c)];
    }

    void read_back(StateMatrix& by_state, StateMatrix& state, std::int64_t t) {
        const auto by_query = row(sums_.query, head_, t, E_);
        for (std::int64_t e = 0; e < E_; ++e)
            for (std::int64_t c = 0; c < Ev_; ++c) {
                by_query[at(e)] += r_.factor * state(e, c) * by_output_(t, c);
                by_state(e, c) += r_.factor * q_(t, e) * by_output_(t, c);
            }
    }

    /// From the gradient of S_t to that of S_{t-1}.
    void write_back(StateMatrix& by_state, StateMatrix& before, std::int64_t t) {
        auto R = faded(before, t);
        if (!is_padded(t)) {
            const auto u = replaced(R, t);
            const auto by_key = row(sums_.key, key_head_, t, E_), by_value = row(sums_.value, key_head_, t, Ev_);
            std::vector<double> by_u(at(Ev_), 0.0);
            double by_written = 0.0;
            for (std::int64_t e = 0; e < E_; ++e) {
                double through_u = 0.0; // (G u)_e
                for (std::int64_t c = 0; c < Ev_; ++c) {
                    by_u[at(c)] += written(t) * by_state(e, c) * k_(t, e);
                    through_u += by_state(e, c) * u[at(c)];
                }
                by_key[at(e)] += written(t) * through_u;
                by_written += k_(t, e) * through_u;
            }
            sums_.written.mutable_values()[at(head_ * L_ + t)] += by_written;
            for (std::int64_t c = 0; c < Ev_; ++c)
                by_value[at(c)] += by_u[at(c)];
            for (std::int64_t e = 0; e < E_ && r_.erases; ++e)
                for (std::int64_t c = 0; c < Ev_; ++c) {
                    by_key[at(e)] -= R(e, c) * by_u[at(c)];
                    by_state(e, c) -= k_(t, e) * by_u[at(c)];
                }
        }
        const auto by_kept = row(sums_.kept, head_, t, E_);
        for (std::int64_t e = 0; e < E_; ++e)
            for (std::int64_t c = 0; c < Ev_; ++c) {
                by_kept[at(e)] += by_state(e, c) * before(e, c);
                by_state(e, c) *= kept(t, e);
            }
    }

    const Recurrence& r_;
    const std::int64_t head_, L_, E_, Ev_, key_head_;
    const MatrixView by_output_, q_, k_, v_;
    ByArray& sums_;
};

/// (B,H,L,E) to the shape of `kept`: a scalar gets the sum over features.
Tensor by_numbers_kept(const Tensor& by_features, const Tensor& kept) {
    if (kept.rank() == 4)
        return by_features;
    Tensor sums(kept.shape());
    const auto E = at(by_features.dim(3));
    for (std::size_t k = 0; k < by_features.values().size(); ++k)
        sums.mutable_values()[k / E] += by_features.values()[k];
    return sums;
}

} // namespace

void add_gradient(Trace& trace, const std::string& of, Tensor value, Message operation, std::string formula) {
    std::vector<Axis> axes = {Axis::Batch, Axis::Head, of == "key" || of == "value" ? Axis::Key : Axis::Query,
                              Axis::Feature};
    if (value.rank() == 1)
        axes = {Axis::Head};
    axes.resize(static_cast<std::size_t>(value.rank()));
    trace.stages.push_back(
        {"grad_" + of, std::move(value), axes, StageRole::Step, std::move(operation), std::move(formula)});
}

void add_carried_gradients(Trace& trace, const ResolvedProblem& problem, const Recurrence& r,
                           const RunControl& control) {
    const auto E = r.query.dim(3), Ev = r.value.dim(3);
    control.require_memory("grad_state", {r.L() + 1, E, Ev}, 1.0);
    control.require_memory("grad_query", {r.B(), r.H(), r.L(), E}, 5.0);
    const auto by_output = output_gradient(problem, trace.find("output")->value.shape());
    ByArray by{Tensor(r.query.shape()), Tensor(r.key.shape()), Tensor(r.value.shape()), Tensor(r.query.shape()),
               Tensor({r.B(), r.H(), r.L()})};
    for (std::int64_t head = 0; head < r.B() * r.H(); ++head)
        Backward(r, by_output, head, by).run(control);
    const auto& mode = scale_mode(problem.spec.scale.id);
    const auto back = [&](Tensor rows, const char* name, const char* gain) {
        return gradient_of_rows(std::move(rows), mode, trace.find(name)->value, gain, problem.tensors);
    };
    add_gradient(trace, "output", by_output, {ATTNLAB_TEXT("gradient of the output")}, "∂ℓ/∂o_i");
    add_gradient(trace, "value", by.value, {ATTNLAB_TEXT("gradient of the values")}, "∂ℓ/∂v_j = Σ_i a_ij ∂ℓ/∂o_i");
    add_gradient(trace, "query", back(std::move(by.query), "query", "query_gain"),
                 {ATTNLAB_TEXT("gradient of the queries")});
    add_gradient(trace, "key", back(std::move(by.key), "key", "key_gain"), {ATTNLAB_TEXT("gradient of the keys")});
    const auto kept = r.kept.size() > 0 ? by_numbers_kept(by.kept, r.kept) : Tensor();
    for (const char* name : {"gate", "log_gate"}) {
        if (!problem.tensors.contains(name))
            continue;
        auto by_gate = kept;
        const bool logits = std::string_view(name) == "gate";
        for (std::size_t k = 0; k < by_gate.values().size(); ++k) { // f' is f (1 - f), or f
            const double f = r.kept.values()[k];
            by_gate.mutable_values()[k] *= logits ? f * (1.0 - f) : f;
        }
        add_gradient(trace, name, std::move(by_gate), {ATTNLAB_TEXT("gradient of the gates")});
    }
    if (problem.tensors.contains("gamma")) {
        Tensor by_gamma({r.H()});
        for (std::int64_t k = 0; k < kept.size(); ++k)
            by_gamma.mutable_values()[at(k / r.L() % r.H())] += kept.data()[k];
        add_gradient(trace, "gamma", std::move(by_gamma), {ATTNLAB_TEXT("gradient of the decays")});
    }
    if (problem.tensors.contains("beta"))
        add_gradient(trace, "beta", std::move(by.written), {ATTNLAB_TEXT("gradient of beta")});
}

} // namespace attnlab
