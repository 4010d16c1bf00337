// Implements open_weights() of weight_files.h: finds and maps the files of a folder.
#include "core/io/file_bytes.h"
#include "core/model/weights/mapped_weights.h"
#include "core/model/weights/shard_index.h"

#include <set>

namespace attnlab::model {
namespace {

constexpr std::int64_t largest_index = std::int64_t{1} << 26;

struct FolderFormat {
    const char* file;
    const char* index;
    void (*add)(const std::filesystem::path& path, const WantedName& wanted, MappedWeights& weights,
                const RunControl& control);
};
/// The first that is there is taken, as in Transformers.
constexpr FolderFormat formats[] = {
    {"model.safetensors", "model.safetensors.index.json", add_safetensors},
    {"pytorch_model.bin", "pytorch_model.bin.index.json", add_torch},
};

void add_shards(const std::filesystem::path& index_path, const FolderFormat& format, MappedWeights& weights,
                const RunControl& control) {
    const auto name = index_path.string();
    const auto text = io::read_file(index_path, largest_index, &control);
    for (const auto& [file, tensors] : parse_shard_index(text, name, &control)) {
        control.checkpoint();
        const auto shard = index_path.parent_path() / file;
        std::error_code ignored;
        if (!std::filesystem::exists(shard, ignored))
            throw Error({ATTNLAB_TEXT("%1: names the file '%2', which is not there"), {name, file}});
        const std::set<std::string, std::less<>> listed(tensors.begin(), tensors.end());
        format.add(
            shard, [&](const std::string& tensor) { return listed.contains(tensor); }, weights, control);
        for (const auto& tensor : tensors)
            if (!weights.knows(tensor))
                throw Error({ATTNLAB_TEXT("%1: says that '%2' is in '%3', where it is not"), {name, tensor, file}});
    }
}

} // namespace

std::shared_ptr<const WeightFiles> open_weights(const std::filesystem::path& folder, const RunControl& control) {
    auto weights = std::make_shared<MappedWeights>(folder.string());
    for (const auto& format : formats) {
        std::error_code ignored;
        if (const auto file = folder / format.file; std::filesystem::exists(file, ignored)) {
            format.add(
                file, [](const std::string&) { return true; }, *weights, control);
            return weights;
        }
        if (const auto index = folder / format.index; std::filesystem::exists(index, ignored)) {
            add_shards(index, format, *weights, control);
            return weights;
        }
    }
    throw Error({ATTNLAB_TEXT("%1: has no weights, expected model.safetensors, pytorch_model.bin or an index of one of "
                              "them"),
                 {folder.string()}});
}

} // namespace attnlab::model
