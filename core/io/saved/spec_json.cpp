#include "core/io/saved/spec_json.h"

#include "core/rounding.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace attnlab::io {
namespace {

nlohmann::json to_json(const ParameterValues& parameters) {
    auto json = nlohmann::json::object();
    for (const auto& [name, value] : parameters.all()) {
        if (const auto* real = std::get_if<double>(&value); real && !std::isfinite(*real))
            throw Error({ATTNLAB_TEXT("parameter '%1' is %2, expected a finite number"), {name, to_text(*real)}});
        std::visit([&json, &key = name](const auto& held) { json[key] = held; }, value);
    }
    return json;
}

IntegerList integers_from(const JsonNode& node) {
    IntegerList list;
    for (const auto& item : node.items())
        list.push_back(item.integer());
    return list;
}

ParameterValues parameters_from(const JsonNode& node) {
    ParameterValues parameters;
    for (const auto& [name, value] : node.members()) {
        if (value.is_boolean())
            parameters.set(name, value.boolean());
        else if (value.is_integer())
            parameters.set(name, value.integer());
        else if (value.is_number())
            parameters.set(name, value.number());
        else if (value.is_text())
            parameters.set(name, value.text());
        else if (value.is_list())
            parameters.set(name, integers_from(value));
        else
            value.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected true, false, a number, text or a list of integers"));
    }
    return parameters;
}

nlohmann::json to_json(const Selection& selection) {
    return {{"id", selection.id}, {"parameters", to_json(selection.parameters)}};
}

Selection selection_from(const JsonNode& node) {
    node.require_keys({"id", "parameters"});
    Selection selection;
    if (const auto* id = node.find("id"))
        selection.id = id->text();
    if (const auto* parameters = node.find("parameters"))
        selection.parameters = parameters_from(*parameters);
    return selection;
}

nlohmann::json to_json(const MaskFill& fill) {
    const char* mode = fill.mode == MaskFill::Mode::Add ? "add" : "replace";
    // JSON has no infinity.
    const auto value = std::isfinite(fill.value) ? nlohmann::json(fill.value) : nlohmann::json(to_text(fill.value));
    return {{"value", value}, {"mode", mode}};
}

double fill_value_from(const JsonNode& node) {
    if (node.is_number())
        return node.number();
    for (const double value : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
        if (node.is_text(to_text(value)))
            return value;
    node.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a number, \"-inf\", \"inf\" or \"nan\""));
}

MaskFill mask_fill_from(const JsonNode& node) {
    node.require_keys({"value", "mode"});
    MaskFill fill;
    if (const auto* value = node.find("value"))
        fill.value = fill_value_from(*value);
    if (const auto* mode = node.find("mode")) {
        if (!mode->is_text("replace") && !mode->is_text("add"))
            mode->fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected \"replace\" or \"add\""));
        fill.mode = mode->is_text("add") ? MaskFill::Mode::Add : MaskFill::Mode::Replace;
    }
    return fill;
}

MaskTrue mask_true_from(const JsonNode& node) {
    if (!node.is_text("blocks") && !node.is_text("keeps"))
        node.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected \"blocks\" or \"keeps\""));
    return node.is_text("keeps") ? MaskTrue::Keeps : MaskTrue::Blocks;
}

Rounding rounding_from(const JsonNode& node) {
    try {
        return parse_rounding(node.text());
    } catch (const Error&) {
        node.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a text like \"bfloat16:scores\""));
    }
}

} // namespace

nlohmann::json to_json(const AttentionSpec& spec) {
    auto masks = nlohmann::json::array();
    for (const auto& mask : spec.masks)
        masks.push_back(to_json(mask));
    nlohmann::json json{{"variant", spec.variant},
                        {"parameters", to_json(spec.parameters)},
                        {"scale", to_json(spec.scale)},
                        {"scale_after_softmax", spec.scale_after_softmax},
                        {"position", to_json(spec.position)},
                        {"masks", masks},
                        {"mask_fill", to_json(spec.mask_fill)},
                        {"mask_true", spec.mask_true == MaskTrue::Keeps ? "keeps" : "blocks"},
                        {"statistics", spec.statistics}};
    if (!spec.mask_combine.empty()) // omitted by default, as in older files
        json["mask_combine"] = spec.mask_combine;
    if (!spec.score_mod.empty())
        json["score_mod"] = spec.score_mod;
    if (!spec.normaliser.id.empty())
        json["normaliser"] = to_json(spec.normaliser);
    if (!spec.decay.id.empty())
        json["decay"] = to_json(spec.decay);
    if (!spec.view.empty())
        json["view"] = spec.view;
    if (spec.query_offset)
        json["query_offset"] = *spec.query_offset;
    if (spec.rounding) // omitted without rounding, as in older files
        json["rounding"] = to_text(*spec.rounding);
    return json;
}

AttentionSpec attention_spec_from(const JsonNode& node) {
    node.require_keys({"variant", "parameters", "scale", "scale_after_softmax", "position", "masks", "mask_fill",
                       "mask_true", "statistics", "rounding", "query_offset", "mask_combine", "score_mod", "normaliser",
                       "decay", "view"});
    AttentionSpec spec;
    if (const auto* variant = node.find("variant"))
        spec.variant = variant->text();
    if (const auto* parameters = node.find("parameters"))
        spec.parameters = parameters_from(*parameters);
    if (const auto* scale = node.find("scale"))
        spec.scale = selection_from(*scale);
    if (const auto* after = node.find("scale_after_softmax"))
        spec.scale_after_softmax = after->boolean();
    if (const auto* position = node.find("position"))
        spec.position = selection_from(*position);
    if (const auto* masks = node.find("masks"))
        for (const auto& mask : masks->items())
            spec.masks.push_back(selection_from(mask));
    if (const auto* combination = node.find("mask_combine"))
        spec.mask_combine = combination->text();
    if (const auto* modifier = node.find("score_mod"))
        spec.score_mod = modifier->text();
    if (const auto* normaliser = node.find("normaliser"))
        spec.normaliser = selection_from(*normaliser);
    if (const auto* decay = node.find("decay"))
        spec.decay = selection_from(*decay);
    if (const auto* view = node.find("view"))
        spec.view = view->text();
    if (const auto* offset = node.find("query_offset"))
        spec.query_offset = offset->integer();
    if (const auto* fill = node.find("mask_fill"))
        spec.mask_fill = mask_fill_from(*fill);
    if (const auto* meaning = node.find("mask_true"))
        spec.mask_true = mask_true_from(*meaning);
    if (const auto* statistics = node.find("statistics"))
        spec.statistics = statistics->boolean();
    if (const auto* rounding = node.find("rounding"))
        spec.rounding = rounding_from(*rounding);
    return spec;
}

} // namespace attnlab::io
