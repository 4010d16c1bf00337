#include "core/io/saved/workspace_file.h"

#include "core/io/json.h"
#include "core/io/npz.h"
#include "core/rounding.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace attnlab::io {
namespace {

constexpr std::int64_t current_version = 1;
constexpr const char* format_name = "attnlab-workspace";

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

Rounding rounding_from(const JsonNode& node) {
    try {
        return parse_rounding(node.text());
    } catch (const Error&) {
        node.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a text like \"bfloat16:scores\""));
    }
}

AttentionSpec spec_from(const JsonNode& node) {
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

KeyGrid key_grid_from(const JsonNode& node) {
    node.require_keys({"rows", "columns"});
    KeyGrid grid;
    if (const auto* rows = node.find("rows"))
        grid.rows = rows->integer();
    if (const auto* columns = node.find("columns"))
        grid.columns = columns->integer();
    if (grid.rows < 1 || grid.columns < 1)
        node.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected rows and columns from 1"));
    return grid;
}

std::vector<std::string> tokens_from(const JsonNode& node, const std::string& name) {
    std::vector<std::string> tokens;
    for (const auto& item : node.items())
        add_label(item.text(), tokens, name);
    return tokens;
}

void check_version(const JsonNode& root) {
    const auto& format = root.at("format");
    if (!format.is_text(format_name))
        format.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected \"attnlab-workspace\""));
    const auto& version = root.at("version");
    if (version.integer() > current_version)
        version.fail(ATTNLAB_TEXT("%1: 'version' is %2, written by a newer program; this one reads version %3"),
                     {std::to_string(version.integer()), std::to_string(current_version)});
    if (version.integer() != current_version)
        version.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected 1"));
}

/// In its stored form: an object of a few short strings.
nlohmann::json view_from(const JsonNode& node) {
    node.members();
    auto view = to_json(node);
    if (const auto size = std::ssize(dump(view)); size > largest_view)
        node.fail(ATTNLAB_TEXT("%1: 'view' takes %2 bytes; at most %3 may be read"),
                  {std::to_string(size), std::to_string(largest_view)});
    return view;
}

void read_json(const std::string& text, const std::string& name, AttentionProblem& problem, std::string* view_json,
               const RunControl* control = nullptr) {
    const auto json = parse_json(text, name, {.control = control});
    const auto& root = json.root();
    check_version(root);
    root.require_keys({"format", "version", "spec", "compared_with", "key_grid", "query_tokens", "key_tokens", "view"});

    AttentionProblem read; // keeps `problem` unchanged on errors
    if (const auto* spec = root.find("spec"))
        read.spec = spec_from(*spec);
    if (const auto* spec = root.find("compared_with"))
        read.compared_with = spec_from(*spec);
    if (const auto* grid = root.find("key_grid"))
        read.key_grid = key_grid_from(*grid);
    if (const auto* tokens = root.find("query_tokens"))
        read.query_tokens = tokens_from(*tokens, name);
    if (const auto* tokens = root.find("key_tokens"))
        read.key_tokens = tokens_from(*tokens, name);
    const auto* view = root.find("view");
    const auto view_text = view ? dump(view_from(*view)) : "{}";

    if (view_json)
        *view_json = view_text;
    problem.spec = std::move(read.spec);
    problem.compared_with = std::move(read.compared_with);
    problem.key_grid = read.key_grid;
    problem.query_tokens = std::move(read.query_tokens);
    problem.key_tokens = std::move(read.key_tokens);
}

AttentionProblem problem_of(Archive archive, const std::string& name, std::string* view_json,
                            const RunControl* control = nullptr) {
    AttentionProblem problem;
    problem.tensors = std::move(archive.tensors);
    read_workspace_member(archive, name, problem, view_json, control);
    return problem;
}

} // namespace

void read_workspace_member(const Archive& archive, const std::string& name, AttentionProblem& problem,
                           std::string* view_json, const RunControl* control) {
    if (const auto found = archive.others.find(workspace_member); found != archive.others.end())
        read_json(found->second, name + ": " + found->first, problem, view_json, control);
    else if (view_json)
        *view_json = "{}";
}

AttentionProblem read_workspace(const std::filesystem::path& path, std::string* view_json, const ReadLimits& limits) {
    return problem_of(read_npz(path, limits), path.string(), view_json, limits.control);
}

AttentionProblem read_workspace(std::span<const std::byte> bytes, const std::string& name, std::string* view_json) {
    return problem_of(read_npz(bytes, name), name, view_json);
}

AttentionProblem read_problem(const std::filesystem::path& path, std::string* view_json, const ReadLimits& limits) {
    if (const auto* format = format_of(path, limits.control); format && format->read_problem)
        return format->read_problem(path, view_json, limits);
    if (view_json)
        *view_json = "{}";
    AttentionProblem problem;
    problem.tensors = read_tensors(path, limits, &problem.query_tokens);
    return problem;
}

std::optional<std::string> read_view(const std::filesystem::path& path) {
    const auto* format = format_of(path);
    return format && format->read_view ? format->read_view(path) : std::nullopt;
}

std::optional<std::string> read_workspace_view(const std::filesystem::path& path) {
    const auto archive = read_npz(path, {}, Members::WorkspaceAlone);
    const auto found = archive.others.find(workspace_member);
    if (found == archive.others.end())
        return std::nullopt;
    AttentionProblem unused;
    std::string view;
    read_json(found->second, path.string() + ": " + found->first, unused, &view);
    return view;
}

void write_workspace(const std::filesystem::path& path, const AttentionProblem& problem, const std::string& view_json,
                     const RunControl& control) {
    write_npz(path, {problem.tensors, {{std::string(workspace_member), spec_to_json(problem, view_json)}}}, control);
}

std::string spec_to_json(const AttentionProblem& problem, const std::string& view_json) {
    nlohmann::json json{{"format", format_name},
                        {"version", current_version},
                        {"spec", to_json(problem.spec)},
                        {"query_tokens", problem.query_tokens},
                        {"key_tokens", problem.key_tokens},
                        {"view", view_from(parse_json(view_json, "view").root())}};
    if (problem.compared_with)
        json["compared_with"] = to_json(*problem.compared_with);
    if (problem.key_grid)
        json["key_grid"] = {{"rows", problem.key_grid->rows}, {"columns", problem.key_grid->columns}};
    auto text = dump(json, 1) + "\n";
    for (const auto* labels : {&problem.query_tokens, &problem.key_tokens})
        if (std::ssize(*labels) > most_labels)
            throw Error({ATTNLAB_TEXT("%1 labels cannot be saved; a workspace has room for %2 along an axis"),
                         {std::to_string(labels->size()), std::to_string(most_labels)}});
    if (std::ssize(text) > JsonLimits{}.max_bytes)
        throw Error({ATTNLAB_TEXT("labels of %1 bytes cannot be saved; a workspace has room for %2"),
                     {std::to_string(text.size()), std::to_string(JsonLimits{}.max_bytes)}});
    return text;
}

void spec_from_json(const std::string& text, AttentionProblem& problem, std::string* view_json) {
    read_json(text, std::string(workspace_member), problem, view_json);
}

} // namespace attnlab::io
