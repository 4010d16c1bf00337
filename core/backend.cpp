#include "core/backend.h"

#include "core/compare.h"
#include "core/mechanisms.h"
#include "core/stages/mask_notes.h"
#include "core/stages/position.h"
#include "core/stages/similarity.h"
#include "core/stages/view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

namespace attnlab {
namespace {

class Reference : public Backend {
public:
    std::string_view id() const override { return "reference"; }
    std::string title() const override { return "reference · float64"; }
    std::optional<Message> why_not(const ResolvedProblem&) const override { return std::nullopt; }
    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        auto trace = problem.mechanism->run(problem, control);
        if (wants_similarity(problem.spec.parameters))
            add_similarity(trace, control);
        add_view(trace, problem, control.silent());
        return trace;
    }
};

/// B H L S.
double cells_of(const ResolvedProblem& problem) {
    double cells = 1.0;
    for (const auto* symbol : {"B", "H", "L", "S"})
        cells *= static_cast<double>(problem.sizes.at(symbol));
    return cells;
}

/// The backends to try, in this order.
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

struct Choice {
    const Backend* backend = nullptr;
    std::optional<Message> refused; ///< why the previous one could not compute it
    double cells = 0.0;
    bool large = false;
};

Choice chosen_backend(const ResolvedProblem& problem, Backends backends, std::string_view id) {
    Choice choice;
    choice.cells = id == "auto" ? cells_of(problem) : 0.0;
    choice.large = choice.cells > static_cast<double>(most_shown_cells);
    for (const Backend* backend : candidates(backends, id, choice.large)) {
        const auto why = backend->why_not(problem);
        if (!why) {
            choice.backend = backend;
            return choice;
        }
        if (!choice.refused)
            choice.refused = why;
    }
    throw Error(*choice.refused);
}

/// Without labels of their own, as many keys as queries are the same tokens (see AttentionProblem), unless they are
/// made of another sequence.
void note_same_tokens(Trace& trace, const ResolvedProblem& problem) {
    const bool same = problem.key_tokens.empty() && !problem.tensors.contains("context") &&
                      problem.sizes.at("L") == problem.sizes.at("S");
    auto names = trace.layers;
    if (names.empty())
        names.emplace_back("weights");
    for (const auto& name : names)
        if (auto& known = trace.passes[std::string(prefix_of(name))].keys_are_queries; !known)
            known = same;
}

/// The trace, with a note when the size determined the backend, or could not.
Trace run_on(const Choice& choice, const ResolvedProblem& problem, const RunControl& control) {
    auto trace = choice.backend->run(problem, control);
    note_same_tokens(trace, problem);
    for (auto& on_masks : notes_on_masks(problem, trace, control))
        trace.notes.push_back(std::move(on_masks));
    if (auto on_position = note_on_position(problem))
        trace.notes.push_back(std::move(*on_position));
    const auto note = [&](Note::Severity severity, Message message) {
        trace.notes.push_back({severity, std::move(message)});
    };
    if (choice.large && !choice.backend->gives_every_stage())
        note(Note::Severity::Warning,
             {ATTNLAB_TEXT("The scores would have %1 million cells: the backend %2 computed output and lse without "
                           "them"),
              {to_text(std::round(choice.cells / 1e6)), std::string(choice.backend->id())}});
    else if (choice.large && choice.refused)
        note(Note::Severity::Info, {ATTNLAB_TEXT("The backend %1 computed every stage, although they are large. %2"),
                                    {std::string(choice.backend->id()), *choice.refused}});
    return trace;
}

/// The memory of a trace's numbers.
std::int64_t bytes_of(const Trace& trace) {
    std::int64_t bytes = 0;
    for (const auto& stage : trace.stages)
        bytes += stage.value.size() * static_cast<std::int64_t>(sizeof(double));
    return bytes;
}

/// Computes one setting.
Computed computed(const AttentionProblem& given, Backends backends, std::string_view id, const RunControl& control) {
    const auto problem = resolve(given);
    const auto choice = chosen_backend(problem, backends, id);
    const auto start = std::chrono::steady_clock::now();
    Computed result{run_on(choice, problem, control), choice.backend->title()};
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

ComparedTrace compared_trace(const AttentionProblem& problem, Backends backends, std::string_view id,
                             const RunControl& control) {
    try {
        return {computed(problem, backends, id, control).trace};
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

std::optional<Message> Backend::why_not(const AttentionProblem& problem) const {
    try {
        return why_not(resolve(problem));
    } catch (const Error& error) {
        return error.message();
    }
}

Trace Backend::run(const AttentionProblem& problem, const RunControl& control) const {
    return run(resolve(problem), control);
}

const Trace& compared_trace_of(const Computed& computed) {
    const ComparedTrace& compared = computed.compared.value();
    if (compared.error)
        throw Error({ATTNLAB_TEXT("Setting B cannot be computed: %1"), {*compared.error}});
    return compared.trace;
}

Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id,
                 const RunControl& control) {
    const bool compares = problem.compared_with.has_value();
    auto result = computed(problem, backends, backend_id, compares ? control.part(0.0, 0.5) : control);
    if (compares) {
        RunControl rest = control.part(0.5, 1.0);
        rest.memory_limit = std::max<std::int64_t>(0, rest.memory_limit - bytes_of(result.trace));
        result.compared = compared_trace(compared_problem(problem), backends, backend_id, rest);
    }
    control.report(1.0);
    return result;
}

} // namespace attnlab
