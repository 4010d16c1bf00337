#include "core/io/saved/workspace_file.h"

#include "core/io/json.h"
#include "core/io/npz.h"
#include "core/io/saved/spec_json.h"

#include <nlohmann/json.hpp>

namespace attnlab::io {
namespace {

constexpr std::int64_t current_version = 1;
constexpr const char* format_name = "attnlab-workspace";

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
        read.spec = attention_spec_from(*spec);
    if (const auto* spec = root.find("compared_with"))
        read.compared_with = attention_spec_from(*spec);
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
