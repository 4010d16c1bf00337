#include "core/backend.h"

#include "core/inputs.h"
#include "core/variants.h"

#include <algorithm>
#include <chrono>
#include <cmath>

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

namespace {

/// B H L S, or 0 for a problem that is wrong: whoever runs it says why.
double cells_of(const AttentionProblem& problem) {
    try {
        const auto sizes = bind(problem);
        double cells = 1.0;
        for (const auto* symbol : {"B", "H", "L", "S"})
            cells *= static_cast<double>(sizes.at(symbol));
        return cells;
    } catch (const Error&) {
        return 0.0;
    }
}

/// Who is asked, in this order.
std::vector<const Backend*> candidates(Backends backends, std::string_view backend_id, bool large) {
    std::vector<const Backend*> asked;
    std::string known = "auto";
    for (const Backend* backend : backends) {
        known += ", " + std::string(backend->id());
        if (backend_id == "auto" || backend_id == backend->id())
            asked.push_back(backend);
    }
    if (asked.empty())
        throw Error({ATTNLAB_TEXT("backend: '%1' is not one of %2"), {std::string(backend_id), known}});
    std::stable_partition(asked.begin(), asked.end(),
                          [&](const Backend* backend) { return backend->gives_every_stage() != large; });
    return asked;
}

} // namespace

Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id,
                 const RunControl& control) {
    const double cells = backend_id == "auto" ? cells_of(problem) : 0.0;
    const bool large = cells > static_cast<double>(most_shown_cells);
    const Backend* chosen = nullptr;
    std::optional<Message> reason;
    for (const Backend* backend : candidates(backends, backend_id, large)) {
        const auto why = backend->why_not(problem);
        if (!why) {
            chosen = backend;
            break;
        }
        if (!reason)
            reason = why;
    }
    if (!chosen)
        throw Error(*reason);
    const auto start = std::chrono::steady_clock::now();
    Computed result{chosen->run(problem, control), chosen->title(), 0.0};
    control.report(1.0);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto inform = [&](Message message) {
        result.trace.notes.push_back({Note::Severity::Info, std::move(message)});
    };
    if (large && !chosen->gives_every_stage())
        inform({ATTNLAB_TEXT("The scores would have %1 million cells: the backend %2 computed output and lse without "
                             "them"),
                {to_text(std::round(cells / 1e6)), std::string(chosen->id())}});
    else if (large && reason)
        inform({ATTNLAB_TEXT("The backend %1 computed every stage, although they are large. %2"),
                {std::string(chosen->id()), reason->english()}});
    return result;
}

} // namespace attnlab
