#include "core/mechanisms.h"

#include "core/lookup.h"
#include "core/resolved_problem.h"
#include "core/stages/decay.h"
#include "core/stages/expression_mask.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/query_offset.h"
#include "core/stages/scale.h"
#include "core/stages/view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace attnlab {
namespace {

void refuse(const Mechanism& variant, const std::string& what, bool asked_for, const char* why) {
    if (asked_for && why)
        throw Error({ATTNLAB_TEXT("%1: %2 is not possible: %3"), {std::string(variant.id), what, why}});
}

/// The defaults, and for each condition of an input the parameters that satisfy it.
std::vector<ParameterValues> settings_of(const Mechanism& variant) {
    std::vector<ParameterValues> settings = {{}};
    for (const auto& input : variant.inputs) {
        if (holds(input.when, variant.parameters, {}))
            continue;
        const auto equals = input.when.find('=');
        auto& choice = settings.emplace_back();
        const auto name = input.when.substr(0, equals);
        for (const auto& parameter : variant.parameters)
            if (parameter.name == name)
                choice.set(name, parse_value(parameter, input.when.substr(equals + 1), variant.id));
    }
    return settings;
}

bool same_names(const TensorMap& a, const TensorMap& b) {
    return std::ranges::equal(a, b, {}, &TensorMap::value_type::first, &TensorMap::value_type::first);
}

bool holds_weights(const Input& input) {
    return input.fill == InputFill::Projection || input.fill == InputFill::Linear;
}

} // namespace

#define ATTNLAB_MECHANISM(id) Mechanism id##_mechanism();
#include "mechanism_list.inc"
#undef ATTNLAB_MECHANISM

std::span<const Mechanism> mechanisms() {
    static const auto table = [] {
        std::vector<Mechanism> rows = {
#define ATTNLAB_MECHANISM(id) id##_mechanism(),
#include "mechanism_list.inc"
#undef ATTNLAB_MECHANISM
        };
        std::ranges::sort(rows, {}, [](const Mechanism& row) { return std::pair(row.place, row.id); });
        std::map<std::string_view, int> first; // place of each family
        for (const auto& row : rows)
            first.try_emplace(row.family, row.place);
        std::ranges::stable_sort(rows, {}, [&](const Mechanism& row) { return first.at(row.family); });
        return rows;
    }();
    return table;
}

const Mechanism& mechanism_of(std::string_view id) {
    const auto table = mechanisms();
    if (const auto* found = lookup(table, id))
        return *found;
    throw Error({ATTNLAB_TEXT("variant: '%1' is not one of %2"), {std::string(id), listed(table, &Mechanism::id)}});
}

const char* refusal_of_mask(const Mechanism& variant, std::string_view mask_id) {
    const auto& possible = variant.refuses.but_masks;
    return std::find(possible.begin(), possible.end(), mask_id) == possible.end() ? variant.refuses.masks : nullptr;
}

TensorMap adopted_tensors(const AttentionProblem& problem) {
    TensorMap tensors = problem.tensors;
    if (const auto adopt = mechanism_of(problem.spec.variant).adopt)
        adopt(tensors);
    return tensors;
}

std::vector<Input> inputs_of(const Mechanism& variant, const ParameterValues& given) {
    std::vector<Input> inputs;
    for (const auto& input : variant.inputs)
        if (holds(input.when, variant.parameters, given))
            inputs.push_back(input);
    return inputs;
}

namespace {

/// A query and a value alone mean attention whose key is missing, although some mechanism needs no key.
bool inputs_identify_mechanism(const Mechanism& candidate, const std::vector<Input>& inputs, const TensorMap& tensors) {
    const auto& plain = mechanisms().front();
    return candidate.id == plain.id || std::ranges::any_of(inputs, [&](const Input& input) {
               return tensors.contains(input.name) && !find_input(plain.inputs, input.name);
           });
}

} // namespace

std::optional<AttentionSpec> spec_for(const TensorMap& tensors) {
    struct Fit {
        std::optional<AttentionSpec> spec;
        std::ptrdiff_t count = 0;
        void offer(const Mechanism& variant, const ParameterValues& choice, std::ptrdiff_t present) {
            if (present <= count)
                return;
            spec.emplace();
            spec->variant = variant.id;
            spec->parameters = choice;
            count = present;
        }
    };
    Fit complete, of_weights, misshapen;
    for (const auto& candidate : mechanisms()) {
        auto adopted = tensors;
        try {
            if (candidate.adopt)
                candidate.adopt(adopted);
        } catch (const Error&) {
            misshapen.offer(candidate, {}, 1);
            continue;
        }
        const bool state_dict = candidate.adopt && !same_names(adopted, tensors);
        for (const auto& choice : settings_of(candidate)) {
            const auto inputs = inputs_of(candidate, choice);
            const auto present = [&](const Input& input) { return adopted.contains(input.name); };
            const auto missing = [&](const Input& input) {
                return input.required && !tensor_for(inputs, input, adopted).second;
            };
            const auto count = std::ranges::count_if(inputs, present);
            if (std::ranges::none_of(inputs, missing) && inputs_identify_mechanism(candidate, inputs, adopted))
                complete.offer(candidate, choice, count);
            if (state_dict && std::ranges::none_of(
                                  inputs, [&](const Input& input) { return missing(input) && holds_weights(input); }))
                of_weights.offer(candidate, choice, count);
        }
    }
    return complete.spec ? complete.spec : of_weights.spec ? of_weights.spec : misshapen.spec;
}

const char* refusal_of_rounding(const Mechanism& variant) {
    if (variant.refuses.rounding)
        return variant.refuses.rounding;
    return variant.exact_rows
               ? nullptr
               : ATTNLAB_TEXT("Only what takes the exact pass, score by score, can imitate the numbers of a "
                              "narrower type.");
}

const char* refusal_of_score_mod(const Mechanism& variant) {
    return variant.exact_rows
               ? nullptr
               : ATTNLAB_TEXT("Only what takes the exact pass, score by score, can replace its scores by an "
                              "expression.");
}

const char* refusal_of_normaliser(const Mechanism& variant) {
    return variant.refuses.normaliser ? variant.refuses.normaliser : refusal_of_decay(variant);
}

const char* refusal_of_decay(const Mechanism& variant) {
    return variant.exact_rows
               ? nullptr
               : ATTNLAB_TEXT("Only what takes the exact pass, score by score, can replace the softmax or let keys "
                              "fade.");
}

const char* refusal_of_combination(const Mechanism& variant) {
    return variant.refuses.but_masks.empty() ? nullptr : variant.refuses.masks;
}

AttentionSpec without_refused(AttentionSpec spec) {
    const auto table = mechanisms();
    const auto* chosen = lookup(table, spec.variant);
    if (!chosen)
        return spec;
    const auto& refuses = chosen->refuses;
    std::erase_if(spec.masks, [&](const Selection& mask) { return refusal_of_mask(*chosen, mask.id) != nullptr; });
    if (refusal_of_score_mod(*chosen))
        spec.score_mod.clear();
    if (refusal_of_normaliser(*chosen))
        spec.normaliser = {};
    if (refusal_of_decay(*chosen))
        spec.decay = {};
    fit_combination(spec);
    if (refusal_of_combination(*chosen))
        spec.mask_combine.clear();
    if (refuses.position)
        spec.position = {};
    if (refuses.statistics)
        spec.statistics = false;
    if (refuses.finite_fill)
        spec.mask_fill = {};
    if (refusal_of_rounding(*chosen))
        spec.rounding.reset();
    const auto* mode = lookup(scale_modes(), spec.scale.id);
    const bool many_factors = mode && !mode->factor;
    if ((refuses.scale_of_many_factors && many_factors) || (refuses.scale && spec.scale.id != chosen->default_scale))
        spec.scale = {};
    spec.scale_after_softmax =
        spec.scale_after_softmax && !refuses.scale_after_softmax && !(many_factors && !spec.scale.id.empty());
    return spec;
}

Selection effective_scale(const AttentionSpec& spec) {
    const auto id = spec.scale.id.empty() ? std::string(mechanism_of(spec.variant).default_scale) : spec.scale.id;
    const auto& mode = scale_mode(id);
    if (spec.scale_after_softmax && !mode.factor)
        throw Error(
            {ATTNLAB_TEXT("scale: %1 after the softmax is not possible, expected a scale that is one number"), {id}});
    return {id, with_defaults(mode.parameters, spec.scale.parameters, id)};
}

AttentionSpec complete_spec(const AttentionSpec& spec) {
    const auto& chosen = mechanism_of(spec.variant);
    auto complete = spec;
    complete.parameters = with_defaults(chosen.parameters, spec.parameters, chosen.id);
    complete.scale = effective_scale(spec);
    complete.position = effective_position(spec);
    complete.normaliser = effective_normaliser(spec);
    complete.decay = effective_decay(spec);
    for (const auto& mask : spec.masks)
        refuse(chosen, "mask " + mask.id, true, refusal_of_mask(chosen, mask.id));
    refuse(chosen, "position", !spec.position.id.empty(), chosen.refuses.position);
    refuse(chosen, "scale after the softmax", spec.scale_after_softmax, chosen.refuses.scale_after_softmax);
    refuse(chosen, "scale " + complete.scale.id, !scale_mode(complete.scale.id).factor,
           chosen.refuses.scale_of_many_factors);
    refuse(chosen, "scale " + complete.scale.id, complete.scale.id != chosen.default_scale, chosen.refuses.scale);
    refuse(chosen, "statistics", spec.statistics, chosen.refuses.statistics);
    refuse(chosen, "mask_fill " + to_text(spec.mask_fill.value),
           std::isfinite(spec.mask_fill.value) && !spec.masks.empty(), chosen.refuses.finite_fill);
    refuse(chosen, "rounding", spec.rounding.has_value(), refusal_of_rounding(chosen));
    if (spec.rounding && spec.rounding->format != DType::BFloat16 && spec.rounding->format != DType::Float16)
        throw Error({ATTNLAB_TEXT("rounding: has %1, expected bfloat16 or float16"),
                     {std::string(name_of(spec.rounding->format))}});
    check_gradients(complete);
    std::ranges::transform(spec.masks, complete.masks.begin(), complete_mask);
    complete.mask_combine = parse_combination(spec.mask_combine);
    check_combination(complete);
    refuse(chosen, "mask_combine " + complete.mask_combine, combines_otherwise(complete),
           refusal_of_combination(chosen));
    refuse(chosen, "score_mod", !spec.score_mod.empty(), refusal_of_score_mod(chosen));
    check_score_mod(complete);
    refuse(chosen, "normaliser " + complete.normaliser.id, !complete.normaliser.id.empty(),
           refusal_of_normaliser(chosen));
    refuse(chosen, "decay " + complete.decay.id, !complete.decay.id.empty(), refusal_of_decay(chosen));
    check_query_offset(complete);
    if (!complete.view.empty())
        complete.view = parse_view(complete.view);
    if (chosen.check)
        chosen.check(complete);
    return complete;
}

void check_spec(const AttentionSpec& spec) { complete_spec(spec); }

} // namespace attnlab
