#include "core/model/weights/gguf.h"

#include "core/model/weights/gguf_header.h"
#include "core/model/weights/mapped_weights.h"

namespace attnlab::model {
namespace {

constexpr const char* parts_key = "split.count";

Message why_unread(const GgufTensor& tensor) {
    if (tensor.type->block == 1)
        return no_weights(tensor.full_name, tensor.type->name);
    return {ATTNLAB_TEXT("%1: is of type '%2', which is not read; convert it to Q8_0, or to Q4_K, Q5_K or Q6_K"),
            {tensor.full_name, std::string(tensor.type->name)}};
}

} // namespace

GgufFile open_gguf(const std::filesystem::path& path, const RunControl& control) {
    const auto file = std::make_shared<const io::MappedFile>(path);
    auto header = read_gguf_header(file->file(), path.string(), &control);
    if (header.metadata.has(parts_key) && header.metadata.integer(parts_key) > 1)
        throw Error({ATTNLAB_TEXT("%1: is one of %2 files of a model; join them with gguf-split of llama.cpp"),
                     {path.string(), std::to_string(header.metadata.integer(parts_key))}});
    auto weights = std::make_shared<MappedWeights>(path.string());
    weights->keep(file);
    for (const auto& tensor : header.tensors) {
        control.checkpoint();
        const auto bytes =
            file->bytes().subspan(static_cast<std::size_t>(tensor.begin), static_cast<std::size_t>(tensor.size));
        if (tensor.type->type)
            weights->add({tensor.name, tensor.full_name, tensor.shape, *tensor.type->type, bytes});
        else
            weights->refuse(tensor.name, why_unread(tensor));
    }
    return {std::move(header.metadata), weights};
}

} // namespace attnlab::model
