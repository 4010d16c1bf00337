#include "core/backend.h"

#include "core/variants.h"

#include <chrono>

namespace attnlab {
namespace {

class Reference : public Backend {
public:
    std::string_view id() const override { return "reference"; }
    std::string title() const override { return "reference · float64"; }
    std::optional<Message> why_not(const AttentionProblem&) const override { return std::nullopt; }
    Trace run(const AttentionProblem& problem, const RunControl& control) const override {
        return variant(problem.spec.variant).run(problem, control);
    }
};

} // namespace

const Backend& reference_backend() {
    static const Reference reference;
    return reference;
}

Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id,
                 const RunControl& control) {
    const Backend* chosen = nullptr;
    std::optional<Message> reason;
    std::string known = "auto";
    for (const Backend* backend : backends) {
        known += ", " + std::string(backend->id());
        if (chosen || (backend_id != "auto" && backend_id != backend->id()))
            continue;
        if (const auto why = backend->why_not(problem); !why)
            chosen = backend;
        else if (!reason)
            reason = why;
    }
    if (!chosen && reason)
        throw Error(*reason);
    if (!chosen)
        throw Error({ATTNLAB_TEXT("backend: '%1' is not one of %2"), {std::string(backend_id), known}});
    const auto start = std::chrono::steady_clock::now();
    Computed result{chosen->run(problem, control), chosen->title(), 0.0};
    control.report(1.0);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace attnlab
