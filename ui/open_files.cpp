#include "ui/open_files.h"

#include "core/inputs.h"
#include "core/io/workspace.h"
#include "core/stages/mask.h"
#include "core/variants.h"
#include "ui/file_name.h"

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

/// Every array name that some variant or mask of the tables reads in this problem.
bool readsAll(const AttentionSpec& spec, const TensorMap& tensors) {
    const auto inputs = inputs_of(spec);
    return std::all_of(tensors.begin(), tensors.end(), [&](const auto& entry) {
        return std::any_of(inputs.begin(), inputs.end(), [&](const Input& i) { return i.name == entry.first; });
    });
}

std::string namesOf(const TensorMap& tensors) {
    QStringList names;
    for (const auto& [name, tensor] : tensors)
        names << QString::fromStdString(name);
    return someOf(names).toStdString();
}

std::string expectedNames(const AttentionSpec& spec) {
    std::string names;
    for (const auto& input : inputs_of(spec))
        names += (names.empty() ? "" : ", ") + std::string(input.name);
    return names;
}

/// q.npy is what many programs call the query that they write out.
void spellOut(TensorMap& tensors) {
    constexpr std::pair<const char*, const char*> names[] = {{"q", "query"}, {"k", "key"}, {"v", "value"},
                                                             {"Q", "query"}, {"K", "key"}, {"V", "value"}};
    for (const auto& [brief, full] : names) {
        if (tensors.contains(full))
            continue;
        if (auto entry = tensors.extract(brief)) {
            entry.key() = full;
            tensors.insert(std::move(entry));
        }
    }
}

OpenedFiles replacing(AttentionProblem problem, const QStringList& paths) {
    OpenedFiles opened;
    problem.tensors = adopted_tensors(problem);
    opened.problem = std::move(problem);
    opened.replaces = true;
    opened.title = shownFileName(paths.first());
    return opened;
}

/// Someone who saved a mask beside the arrays wants it applied; the mask panel shows that it is on.
void turnOnMasks(AttentionProblem& problem) {
    for (const auto& kind : mask_kinds())
        for (const auto& input : kind.inputs)
            if (problem.tensors.contains(input.name))
                problem.spec.masks.push_back({std::string(kind.id), {}});
}

/// Row labels of a table name the tokens that the tensor's rows stand for.
void label(AttentionProblem& problem, const std::string& tensor, const std::vector<std::string>& labels) {
    for (const auto& input : inputs_of(problem.spec))
        if (const auto axis = input.name == tensor ? row_tokens(input) : std::nullopt)
            (*axis == Axis::Query ? problem.query_tokens : problem.key_tokens) = labels;
}

} // namespace

OpenedFiles openFiles(const QStringList& paths, const AttentionProblem& present, const QString& shown_tensor) {
    AttentionProblem read;
    std::string view;
    bool workspace = false;
    const auto stamp = io::stamp_of(paths.first().toStdString());
    for (const auto& path : paths) {
        std::string file_view;
        auto file = io::read_problem(toPath(path), &file_view);
        workspace = workspace || file.spec != AttentionSpec{} || file_view != "{}";
        if (file.spec != AttentionSpec{})
            read.spec = std::move(file.spec);
        if (file.compared_with)
            read.compared_with = std::move(file.compared_with);
        if (file.key_grid)
            read.key_grid = file.key_grid;
        if (file_view != "{}")
            view = file_view;
        if (!file.query_tokens.empty())
            read.query_tokens = std::move(file.query_tokens);
        if (!file.key_tokens.empty())
            read.key_tokens = std::move(file.key_tokens);
        for (auto& [name, tensor] : file.tensors)
            if (!read.tensors.emplace(name, std::move(tensor)).second)
                throw Error({ATTNLAB_TEXT("%1: is given twice, the second time by %2"), {name, toPath(path).string()}});
    }
    if (read.tensors.empty())
        throw Error({ATTNLAB_TEXT("%1: holds no arrays"), {toPath(paths.first()).string()}});
    if (workspace) {
        auto opened = replacing(std::move(read), paths);
        if (paths.size() == 1) {
            opened.path = paths.first();
            opened.stamp = stamp;
        }
        opened.view_json = view;
        return opened;
    }
    spellOut(read.tensors);
    if (auto fitting = spec_for(read.tensors)) {
        read.spec = std::move(*fitting);
        turnOnMasks(read);
        return replacing(std::move(read), paths);
    }
    OpenedFiles opened;
    opened.problem = present;
    if (readsAll(present.spec, read.tensors)) {
        for (auto& [name, tensor] : read.tensors)
            opened.problem.tensors.insert_or_assign(name, tensor);
        opened.tensor = QString::fromStdString(read.tensors.begin()->first);
        return opened;
    }
    if (read.tensors.size() == 1 && !shown_tensor.isEmpty()) {
        opened.problem.tensors.insert_or_assign(shown_tensor.toStdString(), read.tensors.begin()->second);
        if (!read.query_tokens.empty())
            label(opened.problem, shown_tensor.toStdString(), read.query_tokens);
        opened.tensor = shown_tensor;
        return opened;
    }
    throw Error({ATTNLAB_TEXT("%1: holds the arrays %2, expected some of %3"),
                 {toPath(paths.first()).string(), namesOf(read.tensors), expectedNames(present.spec)}});
}

} // namespace attnlab::ui
