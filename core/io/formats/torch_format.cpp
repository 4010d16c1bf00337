#include "core/io/file_formats.h"
#include "core/io/torch_container.h"
#include "core/io/torch_file.h"

#include <utility>

namespace attnlab::io {
namespace {

using Path = std::filesystem::path;

/// An archive of PyTorch, its older format, or a bare pickle, whose reader says which formats of PyTorch are read.
Match match_torch(const FileBeginning& beginning) {
    const auto [bytes, path, control] = beginning;
    if (bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6")) {
        const bool is_torch = path ? is_torch_file(*path, control) : bytes.find("/data.pkl") != bytes.npos;
        return is_torch ? Match::Certain : Match::No;
    }
    if (has_legacy_torch_signature(bytes))
        return Match::Certain;
    return has_pickle_signature(bytes) ? Match::Doubtful : Match::No;
}

/// The tensors, and the labels for the rows of a matrix.
TensorMap read_tensors_of_torch(const Path& path, const ReadLimits& limits, std::vector<std::string>* row_labels) {
    auto file = read_torch(path, limits);
    for (auto& [name, labels] : file.labels)
        if (row_labels && (name == "tokens" || name == "query_tokens"))
            *row_labels = std::move(labels);
    TensorMap tensors;
    for (auto& [name, tensor] : file.tensors)
        tensors.emplace(name, std::move(tensor));
    return tensors;
}

void hold_torch(FileContents& file) {
    auto torch = read_torch(file.path(), file.limits());
    for (auto& [name, tensor] : torch.tensors)
        file.hold(std::move(name), std::move(tensor));
    for (auto& [name, labels] : torch.labels)
        file.hold(std::move(name), std::move(labels));
    for (auto& [name, what] : torch.others)
        file.leave(std::move(name), std::move(what));
}

constexpr TensorFormat torch_suffixes[] = {{"pt"}, {"pth"}, {"bin"}, {"ckpt"}};

} // namespace

FileFormat torch_format() {
    return {.place = 40,
            .suffixes = torch_suffixes,
            .match = match_torch,
            .read = read_tensors_of_torch,
            .read_contents = hold_torch};
}

} // namespace attnlab::io
