#include "core/backend.h"

#include "core/compare.h"
#include "core/variants.h"

#include <algorithm>
#include <chrono>
#include <new>

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

const Backend& chosen_backend(const AttentionProblem& problem, Backends backends, std::string_view id) {
    std::optional<Message> reason;
    std::string known = "auto";
    for (const Backend* backend : backends) {
        known += ", " + std::string(backend->id());
        if (id != "auto" && id != backend->id())
            continue;
        const auto why = backend->why_not(problem);
        if (!why)
            return *backend;
        if (!reason)
            reason = why;
    }
    if (reason)
        throw Error(*reason);
    throw Error({ATTNLAB_TEXT("backend: '%1' is not one of %2"), {std::string(id), known}});
}

/// Two runs share one progress bar, half of it each.
RunControl half_of(const RunControl& control, double start) {
    RunControl half = control;
    if (control.progress)
        half.progress = [progress = control.progress, start](double done) { progress(start + done / 2.0); };
    return half;
}

/// What the numbers of a trace take.
std::int64_t bytes_of(const Trace& trace) {
    std::int64_t bytes = 0;
    for (const auto& stage : trace.stages)
        bytes += stage.value.size() * static_cast<std::int64_t>(sizeof(double));
    return bytes;
}

ComparedTrace compared_trace(const AttentionProblem& problem, Backends backends, std::string_view id,
                             const RunControl& control) {
    try {
        return {chosen_backend(problem, backends, id).run(problem, control)};
    } catch (const Error& error) {
        return {{}, error.message()};
    } catch (const std::bad_alloc&) {
        return {{}, Message(ATTNLAB_TEXT("There is not enough memory for this computation"))};
    }
}

} // namespace

const Backend& reference_backend() {
    static const Reference reference;
    return reference;
}

const Trace& compared_trace_of(const Computed& computed) {
    const ComparedTrace& compared = computed.compared.value();
    if (compared.error)
        throw Error({ATTNLAB_TEXT("Setting B cannot be computed: %1"), {compared.error->english()}});
    return compared.trace;
}

Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id,
                 const RunControl& control) {
    const Backend& chosen = chosen_backend(problem, backends, backend_id);
    const bool compares = problem.compared_with.has_value();
    const auto start = std::chrono::steady_clock::now();
    Computed result{chosen.run(problem, compares ? half_of(control, 0.0) : control), chosen.title()};
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (compares) {
        RunControl rest = half_of(control, 0.5);
        rest.memory_limit = std::max<std::int64_t>(0, rest.memory_limit - bytes_of(result.trace));
        result.compared = compared_trace(compared_problem(problem), backends, backend_id, rest);
    }
    control.report(1.0);
    return result;
}

} // namespace attnlab
