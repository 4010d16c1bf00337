#include "core/variants.h"

#include "core/stages/scale.h"
#include "core/variants/all.h"

#include <algorithm>
#include <array>

namespace attnlab {
namespace {

void refuse(const Variant& variant, const std::string& what, bool asked_for, const char* why) {
    if (asked_for && why)
        throw Error({ATTNLAB_TEXT("%1: %2 is not possible: %3"), {std::string(variant.id), what, why}});
}

/// The defaults, and for each condition of an input the choice that meets it.
std::vector<ParameterValues> settings_of(const Variant& variant) {
    std::vector<ParameterValues> settings = {{}};
    for (const auto& input : variant.inputs) {
        if (holds(input.when, variant.parameters, {}))
            continue;
        const auto equals = input.when.find('=');
        auto& choice = settings.emplace_back();
        choice.set(input.when.substr(0, equals), std::string(input.when.substr(equals + 1)));
    }
    return settings;
}

} // namespace

std::span<const Variant> variants() {
    // In the order in which pickers show them.
    static const std::array table = {
        scaled_dot_product_variant(),
        bilinear_variant(),
        additive_variant(),
        concat_variant(),
        vector_sum_variant(),
        gaussian_kernel_variant(),
        self_variant(),
        causal_variant(),
        cross_variant(),
        multi_head_variant(),
        multi_query_variant(),
        grouped_query_variant(),
        flash_variant(),
        paged_variant(),
        longformer_variant(),
        linformer_variant(),
        performer_variant(),
        reformer_variant(),
    };
    return table;
}

const Variant& variant(std::string_view id) {
    const auto table = variants();
    const auto found = std::find_if(table.begin(), table.end(), [&](const Variant& v) { return v.id == id; });
    if (found != table.end())
        return *found;
    std::string known;
    for (const auto& v : table)
        known += (known.empty() ? "" : ", ") + std::string(v.id);
    throw Error({ATTNLAB_TEXT("variant: '%1' is not one of %2"), {std::string(id), known}});
}

const char* refusal_of_mask(const Variant& variant, std::string_view mask_id) {
    const auto& possible = variant.refuses.but_masks;
    return std::find(possible.begin(), possible.end(), mask_id) == possible.end() ? variant.refuses.masks : nullptr;
}

TensorMap adopted_tensors(const AttentionProblem& problem) {
    TensorMap tensors = problem.tensors;
    if (const auto adopt = variant(problem.spec.variant).adopt)
        adopt(tensors);
    return tensors;
}

std::vector<Input> inputs_of(const Variant& variant, const ParameterValues& given) {
    std::vector<Input> inputs;
    for (const auto& input : variant.inputs)
        if (holds(input.when, variant.parameters, given))
            inputs.push_back(input);
    return inputs;
}

std::optional<AttentionSpec> spec_for(const TensorMap& tensors) {
    std::optional<AttentionSpec> best;
    std::ptrdiff_t most = 0;
    for (const auto& candidate : variants()) {
        auto adopted = tensors;
        try {
            if (candidate.adopt)
                candidate.adopt(adopted);
        } catch (const Error&) {
            continue; // the names are a state_dict's, the shapes are not
        }
        for (const auto& choice : settings_of(candidate)) {
            const auto inputs = inputs_of(candidate, choice);
            const auto present = [&](const Input& input) { return adopted.contains(input.name); };
            const bool complete = std::all_of(inputs.begin(), inputs.end(),
                                              [&](const Input& input) { return !input.required || present(input); });
            const auto count = std::count_if(inputs.begin(), inputs.end(), present);
            if (complete && count > most) {
                best.emplace();
                best->variant = candidate.id;
                best->parameters = choice;
                most = count;
            }
        }
    }
    return best;
}

Selection effective_scale(const AttentionSpec& spec) {
    const auto id = spec.scale.id.empty() ? std::string(variant(spec.variant).default_scale) : spec.scale.id;
    const auto& mode = scale_mode(id);
    if (spec.scale_after_softmax && !mode.factor)
        throw Error(
            {ATTNLAB_TEXT("scale: %1 after the softmax is not possible, expected a scale that is one number"), {id}});
    return {id, with_defaults(mode.parameters, spec.scale.parameters, id)};
}

Bindings checked_sizes(const AttentionProblem& problem) {
    auto sizes = bind(problem);
    const auto& chosen = variant(problem.spec.variant);
    if (chosen.check_values) {
        auto complete = problem;
        complete.tensors = adopted_tensors(problem);
        complete.spec.parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        chosen.check_values(complete, sizes);
    }
    return sizes;
}

void check_spec(const AttentionSpec& spec) {
    const auto& chosen = variant(spec.variant);
    auto complete = spec;
    complete.parameters = with_defaults(chosen.parameters, spec.parameters, chosen.id);
    complete.scale = effective_scale(spec);
    for (const auto& mask : spec.masks)
        refuse(chosen, "mask " + mask.id, true, refusal_of_mask(chosen, mask.id));
    refuse(chosen, "position", !spec.position.id.empty(), chosen.refuses.position);
    refuse(chosen, "scale after the softmax", spec.scale_after_softmax, chosen.refuses.scale_after_softmax);
    refuse(chosen, "scale " + complete.scale.id, !scale_mode(complete.scale.id).factor,
           chosen.refuses.scale_of_many_factors);
    refuse(chosen, "statistics", spec.statistics, chosen.refuses.statistics);
    if (chosen.check)
        chosen.check(complete);
}

} // namespace attnlab
