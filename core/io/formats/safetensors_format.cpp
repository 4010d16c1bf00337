#include "core/io/file_formats.h"
#include "core/io/safetensors.h"
#include "core/io/saved/capture_file.h"

#include <map>
#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

Match match_safetensors(const FileBeginning& beginning) {
    return has_safetensors_signature(beginning.bytes) ? Match::Certain : Match::No;
}

TensorMap read_named(const Path& path, const ReadLimits& limits, std::vector<std::string>*) {
    return read_safetensors(path, limits);
}

void hold_named(FileContents& file) {
    std::map<std::string, Message> refused;
    std::map<std::string, std::string, std::less<>> metadata;
    auto tensors = read_safetensors(file.path(), file.limits(), &refused, &metadata);
    const auto capture = metadata.find(capture_metadata);
    for (auto& [name, tensor] : tensors)
        file.hold(name, capture == metadata.end() ? std::move(tensor) : tensor);
    if (capture != metadata.end())
        file.hold_capture(read_capture(capture->second, file.name(), std::move(tensors), file.limits().control));
    for (auto& [name, why] : refused)
        file.leave(name, std::move(why));
}

void write_named(const Path& path, const TensorMap& tensors, const MatrixLabels&, const RunControl& control) {
    write_safetensors(path, tensors, control);
}

constexpr TensorFormat safetensors_suffixes[] = {
    {"safetensors", TensorFormat::Holds::Tensors, ATTNLAB_TEXT("Safetensors: tensors by name"), write_named}};

} // namespace

FileFormat safetensors_format() {
    return {.place = 30,
            .suffixes = safetensors_suffixes,
            .match = match_safetensors,
            .read = read_named,
            .read_contents = hold_named};
}

} // namespace attnlab::io
