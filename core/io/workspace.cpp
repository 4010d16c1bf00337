#include "core/io/workspace.h"

#include "core/io/json.h"
#include "core/io/npz.h"

#include <cmath>
#include <limits>

namespace attnlab::io {
namespace {

constexpr std::int64_t current_version = 1;
constexpr const char* format_name = "attnlab-workspace";
constexpr const char* member_name = "workspace.json";

nlohmann::json to_json(const ParameterValues& parameters) {
    auto json = nlohmann::json::object();
    for (const auto& [name, value] : parameters.all()) {
        if (const auto* real = std::get_if<double>(&value); real && !std::isfinite(*real))
            throw Error({ATTNLAB_TEXT("parameter '%1' is %2, expected a finite number"), {name, to_text(*real)}});
        std::visit([&json, &key = name](const auto& held) { json[key] = held; }, value);
    }
    return json;
}

IntegerList integers_from(const JsonPlace& place) {
    IntegerList list;
    for (std::size_t i = 0; i < place.value().size(); ++i)
        list.push_back(place.at(i).integer());
    return list;
}

ParameterValues parameters_from(const JsonPlace& place) {
    place.require_object();
    ParameterValues parameters;
    for (const auto& [name, value] : place.value().items()) {
        if (value.is_boolean())
            parameters.set(name, value.get<bool>());
        else if (value.is_number_integer())
            parameters.set(name, place.at(name).integer());
        else if (value.is_number_float())
            parameters.set(name, value.get<double>());
        else if (value.is_string())
            parameters.set(name, value.get<std::string>());
        else if (value.is_array())
            parameters.set(name, integers_from(place.at(name)));
        else
            place.at(name).fail(
                ATTNLAB_TEXT("%1: '%2' is %3, expected true, false, a number, text or a list of integers"));
    }
    return parameters;
}

nlohmann::json to_json(const Selection& selection) {
    return {{"id", selection.id}, {"parameters", to_json(selection.parameters)}};
}

Selection selection_from(const JsonPlace& place) {
    place.require_keys({"id", "parameters"});
    Selection selection;
    if (place.has("id"))
        selection.id = place.at("id").text();
    if (place.has("parameters"))
        selection.parameters = parameters_from(place.at("parameters"));
    return selection;
}

nlohmann::json to_json(const MaskFill& fill) {
    const char* mode = fill.mode == MaskFill::Mode::Add ? "add" : "replace";
    // JSON has no infinity.
    const auto value = std::isfinite(fill.value) ? nlohmann::json(fill.value) : nlohmann::json(to_text(fill.value));
    return {{"value", value}, {"mode", mode}};
}

double fill_value_from(const JsonPlace& place) {
    if (place.value().is_number())
        return place.value().get<double>();
    for (const double value : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
        if (place.value() == to_text(value))
            return value;
    place.fail(ATTNLAB_TEXT("%1: '%2' is %3, expected a number, \"-inf\", \"inf\" or \"nan\""));
}

MaskFill mask_fill_from(const JsonPlace& place) {
    place.require_keys({"value", "mode"});
    MaskFill fill;
    if (place.has("value"))
        fill.value = fill_value_from(place.at("value"));
    if (place.has("mode")) {
        const auto mode = place.at("mode");
        if (mode.value() != "replace" && mode.value() != "add")
            mode.fail(ATTNLAB_TEXT("%1: '%2' is %3, expected \"replace\" or \"add\""));
        fill.mode = mode.value() == "add" ? MaskFill::Mode::Add : MaskFill::Mode::Replace;
    }
    return fill;
}

MaskTrue mask_true_from(const JsonPlace& place) {
    if (place.value() != "blocks" && place.value() != "keeps")
        place.fail(ATTNLAB_TEXT("%1: '%2' is %3, expected \"blocks\" or \"keeps\""));
    return place.value() == "keeps" ? MaskTrue::Keeps : MaskTrue::Blocks;
}

nlohmann::json to_json(const AttentionSpec& spec) {
    auto masks = nlohmann::json::array();
    for (const auto& mask : spec.masks)
        masks.push_back(to_json(mask));
    return {{"variant", spec.variant},
            {"parameters", to_json(spec.parameters)},
            {"scale", to_json(spec.scale)},
            {"scale_after_softmax", spec.scale_after_softmax},
            {"position", to_json(spec.position)},
            {"masks", masks},
            {"mask_fill", to_json(spec.mask_fill)},
            {"mask_true", spec.mask_true == MaskTrue::Keeps ? "keeps" : "blocks"},
            {"statistics", spec.statistics}};
}

AttentionSpec spec_from(const JsonPlace& place) {
    place.require_keys({"variant", "parameters", "scale", "scale_after_softmax", "position", "masks", "mask_fill",
                        "mask_true", "statistics"});
    AttentionSpec spec;
    if (place.has("variant"))
        spec.variant = place.at("variant").text();
    if (place.has("parameters"))
        spec.parameters = parameters_from(place.at("parameters"));
    if (place.has("scale"))
        spec.scale = selection_from(place.at("scale"));
    if (place.has("scale_after_softmax"))
        spec.scale_after_softmax = place.at("scale_after_softmax").boolean();
    if (place.has("position"))
        spec.position = selection_from(place.at("position"));
    if (place.has("masks")) {
        const auto masks = place.at("masks");
        masks.require_array();
        for (std::size_t i = 0; i < masks.value().size(); ++i)
            spec.masks.push_back(selection_from(masks.at(i)));
    }
    if (place.has("mask_fill"))
        spec.mask_fill = mask_fill_from(place.at("mask_fill"));
    if (place.has("mask_true"))
        spec.mask_true = mask_true_from(place.at("mask_true"));
    if (place.has("statistics"))
        spec.statistics = place.at("statistics").boolean();
    return spec;
}

KeyGrid key_grid_from(const JsonPlace& place) {
    place.require_keys({"rows", "columns"});
    KeyGrid grid;
    if (place.has("rows"))
        grid.rows = place.at("rows").integer();
    if (place.has("columns"))
        grid.columns = place.at("columns").integer();
    if (grid.rows < 1 || grid.columns < 1)
        place.fail(ATTNLAB_TEXT("%1: '%2' is %3, expected rows and columns from 1"));
    return grid;
}

std::vector<std::string> tokens_from(const JsonPlace& place) {
    place.require_array();
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < place.value().size(); ++i)
        tokens.push_back(place.at(i).text());
    return tokens;
}

void check_version(const JsonPlace& root, const std::string& name) {
    for (const char* key : {"format", "version"})
        if (!root.has(key))
            throw Error({ATTNLAB_TEXT("%1: '%2' is missing"), {name, key}});
    if (root.at("format").value() != format_name)
        root.at("format").fail(ATTNLAB_TEXT("%1: '%2' is %3, expected \"attnlab-workspace\""));
    const auto version = root.at("version").integer();
    if (version > current_version)
        throw Error({ATTNLAB_TEXT("%1: 'version' is %2, written by a newer program; this one reads version %3"),
                     {name, std::to_string(version), std::to_string(current_version)}});
    if (version != current_version)
        root.at("version").fail(ATTNLAB_TEXT("%1: '%2' is %3, expected 1"));
}

void read_json(const std::string& text, const std::string& name, AttentionProblem& problem, std::string* view_json) {
    const auto json = parse_object(text, name);
    const JsonPlace root(json, "", name);
    check_version(root, name);
    root.require_keys({"format", "version", "spec", "compared_with", "key_grid", "query_tokens", "key_tokens", "view"});

    AttentionProblem read; // problem stays as it is when something is wrong
    if (root.has("spec"))
        read.spec = spec_from(root.at("spec"));
    if (root.has("compared_with"))
        read.compared_with = spec_from(root.at("compared_with"));
    if (root.has("key_grid"))
        read.key_grid = key_grid_from(root.at("key_grid"));
    if (root.has("query_tokens"))
        read.query_tokens = tokens_from(root.at("query_tokens"));
    if (root.has("key_tokens"))
        read.key_tokens = tokens_from(root.at("key_tokens"));
    if (root.has("view"))
        root.at("view").require_object();

    if (view_json)
        *view_json = root.has("view") ? dump(json.at("view")) : "{}";
    problem.spec = std::move(read.spec);
    problem.compared_with = std::move(read.compared_with);
    problem.key_grid = read.key_grid;
    problem.query_tokens = std::move(read.query_tokens);
    problem.key_tokens = std::move(read.key_tokens);
}

AttentionProblem problem_of(Archive archive, const std::string& name, std::string* view_json) {
    AttentionProblem problem;
    problem.tensors = std::move(archive.tensors);
    if (const auto found = archive.others.find(member_name); found != archive.others.end())
        read_json(found->second, name + ": " + member_name, problem, view_json);
    else if (view_json)
        *view_json = "{}";
    return problem;
}

} // namespace

AttentionProblem read_workspace(const std::filesystem::path& path, std::string* view_json, const ReadLimits& limits) {
    return problem_of(read_npz(path, limits), path.string(), view_json);
}

AttentionProblem read_workspace(std::span<const std::byte> bytes, const std::string& name, std::string* view_json) {
    return problem_of(read_npz(bytes, name), name, view_json);
}

AttentionProblem read_problem(const std::filesystem::path& path, std::string* view_json, const ReadLimits& limits) {
    if (is_archive(path))
        return read_workspace(path, view_json, limits);
    if (view_json)
        *view_json = "{}";
    AttentionProblem problem;
    problem.tensors = read_tensors(path, limits, &problem.query_tokens);
    return problem;
}

void write_workspace(const std::filesystem::path& path, const AttentionProblem& problem, const std::string& view_json,
                     const RunControl& control) {
    write_npz(path, {problem.tensors, {{member_name, spec_to_json(problem, view_json)}}}, control);
}

std::string spec_to_json(const AttentionProblem& problem, const std::string& view_json) {
    nlohmann::json json{{"format", format_name},
                        {"version", current_version},
                        {"spec", to_json(problem.spec)},
                        {"query_tokens", problem.query_tokens},
                        {"key_tokens", problem.key_tokens},
                        {"view", parse_object(view_json, "view")}};
    if (problem.compared_with)
        json["compared_with"] = to_json(*problem.compared_with);
    if (problem.key_grid)
        json["key_grid"] = {{"rows", problem.key_grid->rows}, {"columns", problem.key_grid->columns}};
    return dump(json, 1) + "\n";
}

void spec_from_json(const std::string& text, AttentionProblem& problem, std::string* view_json) {
    read_json(text, member_name, problem, view_json);
}

} // namespace attnlab::io
