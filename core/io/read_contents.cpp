#include "core/io/read_contents.h"

#include "core/io/file_numbers.h"

#include <algorithm>
#include <span>
#include <utility>

namespace attnlab::io {
namespace {

/// Reads the numbers that are deferred.
void load_all(Contents& contents, const RunControl* control) {
    std::vector<Tensor*> arrays;
    for (auto& array : contents.arrays)
        arrays.push_back(&array.tensor);
    if (contents.capture) // the same arrays
        for (auto& [name, tensor] : contents.capture->tensors)
            arrays.push_back(&tensor);
    load(arrays, control);
}

/// Bytes of labels, each with its string.
std::int64_t size_of(std::span<const HeldLabels> labels) {
    std::size_t size = 0;
    for (const auto& list : labels)
        for (const auto& label : list.labels)
            size += sizeof(std::string) + label.size();
    return static_cast<std::int64_t>(size);
}

} // namespace

void FileContents::hold(std::string name, Tensor tensor) {
    limits_.checkpoint();
    contents_.arrays.push_back({std::move(name), std::move(tensor), name_, has_types_});
}

void FileContents::hold(std::string name, std::vector<std::string> labels) {
    if (!labels.empty())
        contents_.labels.push_back({std::move(name), std::move(labels), name_});
}

void FileContents::leave(std::string name, Message what) {
    limits_.checkpoint();
    contents_.others.push_back({std::move(name), std::move(what), name_});
}

void FileContents::hold_workspace(AttentionProblem problem, std::string view_json) {
    if (contents_.workspace)
        throw Error({ATTNLAB_TEXT("%1: is a workspace, as another of the files is; expected one"), {name_}});
    contents_.workspace = std::move(problem);
    contents_.view_json = std::move(view_json);
}

void FileContents::hold_capture(Capture capture) {
    if (contents_.capture)
        throw Error({ATTNLAB_TEXT("%1: is a capture, as another of the files is; expected one"), {name_}});
    contents_.capture = std::move(capture);
}

Contents read_contents(std::span<const std::filesystem::path> paths, const ReadLimits& limits) {
    Contents contents;
    auto left = limits;
    left.defer = true;
    for (const auto& path : paths) {
        const auto arrays_before = contents.arrays.size(), labels_before = contents.labels.size();
        const auto* format = format_of(path, left.control);
        if (!format)
            fail_by_format(path);
        FileContents file(contents, path, left, !format->is_text);
        format->read_contents(file);
        if (limits.defer)
            continue;
        std::vector<Tensor*> arrays;
        for (auto& array : std::span(contents.arrays).subspan(arrays_before))
            arrays.push_back(&array.tensor);
        const ArraysInMemory needed(arrays);
        needed.require(left, path.string());
        const auto labels = size_of(std::span<const HeldLabels>(contents.labels).subspan(labels_before));
        left.max_bytes = std::max<std::int64_t>(0, most_in_memory(left) - needed.bytes - labels);
    }
    if (!limits.defer)
        load_all(contents, limits.control);
    return contents;
}

} // namespace attnlab::io
