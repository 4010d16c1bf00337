#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/label_files.h"

#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

TensorMap refuse_labels(const Path& path, const ReadLimits&, std::vector<std::string>*) {
    throw Error({ATTNLAB_TEXT("%1: may hold labels of tokens, expected arrays"), {path.string()}});
}

void hold_labels(FileContents& file) {
    const auto* control = file.limits().control;
    for (auto& [name, labels] :
         read_labels_json(read_file(file.path(), largest_labels_file, control), file.name(), file.stem(), control))
        file.hold(name, std::move(labels));
}

constexpr TensorFormat labels_suffixes[] = {{"json"}};

} // namespace

FileFormat labels_format() {
    return {.place = 60,
            .suffixes = labels_suffixes,
            .read = refuse_labels,
            .read_contents = hold_labels,
            .holds_arrays = false};
}

} // namespace attnlab::io
