#include "core/io/elements.h"
#include "core/io/file_bytes.h"
#include "core/io/file_formats.h"
#include "core/io/label_files.h"
#include "core/io/npy.h"

#include <ostream>
#include <span>
#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

Match match_array(const FileBeginning& beginning) {
    return beginning.bytes.starts_with("\x93NUMPY") ? Match::Certain : Match::No;
}

TensorMap read_array(const Path& path, const ReadLimits& limits, std::vector<std::string>*) {
    TensorMap tensors;
    tensors.emplace(path.stem().string(), read_npy(path, limits));
    return tensors;
}

void hold_array(FileContents& file) {
    try {
        file.hold(file.stem(), read_npy(file.path(), file.limits()));
    } catch (const UnreadableType& error) {
        if (!error.is_text())
            throw;
        const auto bytes = read_file(file.path(), largest_labels_file, file.limits().control);
        try {
            file.hold(file.stem(), read_npy_texts(std::as_bytes(std::span(bytes)), file.name(), file.limits()));
        } catch (const UnreadableType& of_texts) { // texts of several sequences
            file.leave(file.stem(), of_texts.message());
        }
    }
}

void write_array(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    const auto& tensor = only_tensor(path, tensors);
    write_file(
        path, [&](std::ostream& file) { write_npy(file, tensor, control); }, control);
}

constexpr TensorFormat npy_suffixes[] = {
    {"npy", TensorFormat::Holds::Tensor, ATTNLAB_TEXT("NPY: one NumPy array"), write_array}};

} // namespace

FileFormat npy_format() {
    return {
        .place = 20, .suffixes = npy_suffixes, .match = match_array, .read = read_array, .read_contents = hold_array};
}

} // namespace attnlab::io
