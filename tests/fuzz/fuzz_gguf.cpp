#include "core/model/weights/gguf_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// The data of every tensor lie within the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto header = model::read_gguf_header(io::MemoryBytes(fuzz::bytes(data, size)), "file");
        for (const auto& tensor : header.tensors) {
            fuzz::require(tensor.size >= 0 && tensor.begin >= 0);
            fuzz::require(tensor.size == 0 || tensor.begin + tensor.size <= static_cast<std::int64_t>(size));
            fuzz::require(element_count(tensor.shape) / tensor.type->block * tensor.type->bytes == tensor.size);
        }
    });
}
