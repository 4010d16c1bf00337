#include "core/attention.h"

#include "core/inputs.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/view.h"

#include <algorithm>
#include <cmath>

namespace attnlab {

const char* title_of(Axis axis) {
    switch (axis) {
    case Axis::Batch:
        return ATTNLAB_TEXT("batch");
    case Axis::Head:
        return ATTNLAB_TEXT("head");
    case Axis::Query:
        return ATTNLAB_TEXT("query token");
    case Axis::Key:
        return ATTNLAB_TEXT("key token");
    case Axis::Feature:
        return ATTNLAB_TEXT("feature");
    case Axis::Tile:
        return ATTNLAB_TEXT("tile");
    case Axis::Hash:
        return ATTNLAB_TEXT("hash round");
    case Axis::Vocabulary:
        return ATTNLAB_TEXT("vocabulary");
    }
    return "";
}

const Tensor* find_tensor(const TensorMap& tensors, std::string_view name) {
    const auto found = tensors.find(name);
    return found == tensors.end() ? nullptr : &found->second;
}

const Stage* Trace::find(std::string_view name) const { return lookup(stages, name, &Stage::name); }

const Stage* Trace::beside(const Stage& stage, std::string_view name) const {
    return find(std::string(prefix_of(stage.name)) + std::string(name));
}

const Pass& Trace::pass(std::string_view prefix) const {
    static const Pass unknown;
    const auto found = passes.find(prefix);
    return found == passes.end() ? unknown : found->second;
}

std::string_view prefix_of(std::string_view stage_name) {
    const auto dot = stage_name.rfind('.');
    return dot == stage_name.npos ? std::string_view{} : stage_name.substr(0, dot + 1);
}

std::vector<Message> issues_in(const AttentionProblem& problem) {
    std::vector<Message> issues;
    const auto check = [&](auto&& test) {
        try {
            test();
        } catch (const Error& error) {
            if (std::find(issues.begin(), issues.end(), error.message()) == issues.end())
                issues.push_back(error.message());
        }
    };
    check([&] { check_spec(problem.spec); });
    check([&] {
        const auto& chosen = mechanism_of(problem.spec.variant);
        const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        attnlab::bind(inputs_of(chosen, parameters), adopted_tensors(problem),
                      parameters); // an unqualified call finds std::bind
    });
    if (!issues.empty())
        return issues;
    check([&] {
        const auto resolved = resolve(problem);
        const auto& sizes = resolved.sizes;
        const auto width = [&](const char* symbol) { return sizes.contains(symbol) ? sizes.find(symbol)->second : 0; };
        check_position(resolved, {sizes.at("B"), sizes.at("H"), sizes.at("L"), sizes.at("S"), width("E"), width("Ek")});
        check_masks(resolved);
        check_view(resolved);
        if (!resolved.spec.score_mod.empty())
            bound_score_mod(resolved);
    });
    return issues;
}

} // namespace attnlab
