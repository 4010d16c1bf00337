#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/saved/result_file.h"
#include "core/io/saved/workspace_file.h"

#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

/// True where there is a spec or a view; a plain archive of arrays has neither.
bool is_workspace(const AttentionProblem& problem, const std::string& view_json) {
    return problem.spec != AttentionSpec{} || problem.compared_with || problem.key_grid || view_json != "{}";
}

Match match_archive(const FileBeginning& beginning) {
    return beginning.bytes.starts_with("PK\3\4") || beginning.bytes.starts_with("PK\5\6") ? Match::Likely : Match::No;
}

TensorMap read_archive(const Path& path, const ReadLimits& limits, std::vector<std::string>*) {
    auto archive = read_npz(path, limits);
    if (archive.tensors.empty() && archive.others.empty() && !archive.unread.empty())
        throw Error({ATTNLAB_TEXT("%1: is a zip archive without arrays (.npy members); its first member is '%2'"),
                     {path.string(), archive.unread.front()}});
    return std::move(archive.tensors);
}

void hold_archive(FileContents& file) {
    const auto& limits = file.limits();
    auto archive = read_npz(file.path(), limits, Members::Workspace, OtherTypes::Name);
    std::string view_json = "{}";
    AttentionProblem problem;
    read_workspace_member(archive, file.name(), problem, &view_json, limits.control);
    for (auto& [name, tensor] : archive.tensors)
        file.hold(name, std::move(tensor));
    for (auto& [name, labels] : archive.labels)
        file.hold(name, std::move(labels));
    for (auto& [name, why] : archive.refused)
        file.leave(name, std::move(why));
    for (const auto& name : archive.unread) {
        limits.checkpoint();
        if (name == about_member) // explains the arrays to other programs
            continue;
        file.leave(name, {ATTNLAB_TEXT("is not an array (.npy)")});
    }
    if (is_workspace(problem, view_json))
        return file.hold_workspace(std::move(problem), std::move(view_json));
    file.hold("query_tokens", std::move(problem.query_tokens));
    file.hold("key_tokens", std::move(problem.key_tokens));
}

void write_archive(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    write_npz(path, {tensors, {}}, control);
}

constexpr TensorFormat npz_suffixes[] = {
    {"npz", TensorFormat::Holds::Tensors, ATTNLAB_TEXT("NPZ: NumPy arrays by name"), write_archive}};

} // namespace

FileFormat npz_format() {
    return {.place = 10,
            .suffixes = npz_suffixes,
            .match = match_archive,
            .read = read_archive,
            .read_contents = hold_archive,
            .read_problem = read_workspace,
            .read_view = read_workspace_view,
            .stores_workspaces = true};
}

} // namespace attnlab::io
