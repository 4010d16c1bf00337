#include "core/map/stage_outline.h"

#include "core/mechanisms.h"
#include "core/mechanisms/shared/dot_product_form.h"
#include "core/message.h"
#include "core/resolved_problem.h"
#include "core/stages/normaliser.h"
#include "core/stages/score.h"

#include <string>
#include <utility>

namespace attnlab {

ScaleContext scale_context_of(const AttentionProblem& problem) {
    ScaleContext context{};
    try {
        const ResolvedProblem resolved = resolve(problem);
        if (const auto keys = resolved.sizes.find("S"); keys != resolved.sizes.end())
            context.key_count = keys->second;
        if (!resolved.mechanism->dot_product_form)
            return context;
        const ProjectedRows query = resolved.mechanism->dot_product_form(resolved).query;
        context.head_width = query.weight ? query.weight->dim(-1) / query.heads : query.rows.dim(-1);
    } catch (const Error&) { // the map reports it
    }
    return context;
}

Trace stage_outline(const AttentionSpec& spec, const ScaleContext& context) {
    Message score("Q·Kᵀ"), scaling, weighing;
    std::string scale_formula, weights_formula;
    bool follows = false;
    try {
        const Selection scale = effective_scale(spec);
        const ScaleMode& mode = scale_mode(scale.id);
        const Normaliser& normaliser = normaliser_of(spec.normaliser);
        score = normalised_operation(mode.row_norm, score);
        scaling = spec.scale_after_softmax ? Message(ATTNLAB_TEXT("as is")) : mode.operation(context, scale.parameters);
        scale_formula = spec.scale_after_softmax ? std::string("s") : std::string(mode.formula);
        follows = !spec.scale_after_softmax && mode.operation_follows;
        weighing = normaliser.title;
        if (spec.scale_after_softmax)
            weighing = {ATTNLAB_TEXT("%1, then %2"), {weighing, mode.operation(context, scale.parameters)}};
        weights_formula = normaliser.formula;
    } catch (const Error&) { // the map reports it
    }
    Trace outline;
    const auto add = [&outline](const char* name, Message operation, std::string formula) {
        Stage stage;
        stage.name = name;
        stage.role = StageRole::Step;
        stage.operation = std::move(operation);
        stage.formula = std::move(formula);
        outline.stages.push_back(std::move(stage));
    };
    add("scores", std::move(score), "s_ij = q_i · k_j");
    add("scaled", std::move(scaling), std::move(scale_formula));
    outline.stages.back().operation_follows = follows;
    add("masked", ATTNLAB_TEXT("no mask"), {});
    add("weights", std::move(weighing), std::move(weights_formula));
    return outline;
}

} // namespace attnlab
