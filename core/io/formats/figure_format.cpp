#include "core/io/file_formats.h"
#include "core/io/saved/figure_file.h"

#include <optional>
#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

Match match_figure(const FileBeginning& beginning) {
    return begins_figure(beginning.bytes) ? Match::Certain : Match::No;
}

TensorMap read_arrays_of_figure(const Path& path, const ReadLimits& limits, std::vector<std::string>*) {
    return read_figure(path, limits.control).problem.tensors;
}

void hold_figure(FileContents& file) {
    auto figure = read_figure(file.path(), file.limits().control);
    for (auto& [name, tensor] : figure.problem.tensors)
        file.hold(name, std::move(tensor));
    figure.problem.tensors.clear();
    for (auto& array : figure.left_out)
        file.leave(array.name, {ATTNLAB_TEXT("the figure has no room for it, %1 %2; expected its file beside the "
                                             "figure"),
                                {array.type, to_string(array.shape)}});
    file.hold_workspace(std::move(figure.problem), std::move(figure.view_json));
}

AttentionProblem problem_of_figure(const Path& path, std::string* view_json, const ReadLimits& limits) {
    auto figure = read_figure(path, limits.control);
    if (view_json)
        *view_json = std::move(figure.view_json);
    return std::move(figure.problem);
}

std::optional<std::string> view_of_figure(const Path& path) { return read_figure(path).view_json; }

constexpr TensorFormat figure_suffixes[] = {{.suffix = "png", .is_picture = true},
                                            {.suffix = "svg", .is_picture = true},
                                            {.suffix = "pdf", .is_picture = true}};

} // namespace

FileFormat figure_format() {
    return {.place = 70,
            .suffixes = figure_suffixes,
            .match = match_figure,
            .read = read_arrays_of_figure,
            .read_contents = hold_figure,
            .read_problem = problem_of_figure,
            .read_view = view_of_figure};
}

} // namespace attnlab::io
