#include "core/resolved_problem.h"

#include "core/binder.h"
#include "core/variants.h"

namespace attnlab {

ResolvedProblem resolve(const AttentionProblem& problem) {
    ResolvedProblem resolved;
    resolved.variant = &variant(problem.spec.variant);
    resolved.spec = complete_spec(problem.spec);
    resolved.given = problem.spec.parameters;
    resolved.tensors = adopted_tensors(problem);
    resolved.query_tokens = problem.query_tokens;
    resolved.key_tokens = problem.key_tokens;

    Binder binder(resolved.spec.parameters);
    auto read = inputs_of(*resolved.variant, resolved.spec.parameters);
    binder.bind_all(read, resolved.tensors);
    binder.settle_rest(*resolved.variant, resolved.tensors);
    for (const auto inputs : further_inputs(resolved.spec)) {
        binder.bind_all(inputs, resolved.tensors);
        read.insert(read.end(), inputs.begin(), inputs.end());
    }
    resolved.sizes = binder.sizes();
    // A position without an offset of its own follows the array, which has one for each sequence.
    if (resolved.tensors.contains("query_offset") && !problem.spec.query_offset &&
        !problem.spec.position.parameters.find("query_offset"))
        resolved.spec.position.parameters.erase("query_offset");
    std::erase_if(resolved.tensors, [&](const auto& named) { return !find_input(read, named.first); });
    if (resolved.variant->check_values)
        resolved.variant->check_values(resolved);
    return resolved;
}

AttentionProblem as_problem(const ResolvedProblem& resolved) {
    AttentionProblem problem;
    problem.spec = resolved.spec;
    problem.tensors = resolved.tensors;
    problem.query_tokens = resolved.query_tokens;
    problem.key_tokens = resolved.key_tokens;
    return problem;
}

} // namespace attnlab
