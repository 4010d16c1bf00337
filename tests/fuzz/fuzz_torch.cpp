#include "core/io/torch_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// Arrays that stay where they are hold the numbers of those that are read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto bytes = fuzz::bytes(data, size);
        const auto file = io::read_torch(bytes, "file.pt", fuzz::limits);
        auto mapped_limits = fuzz::limits;
        mapped_limits.map_from = 1;
        const auto mapped = io::read_torch(bytes, "file.pt", mapped_limits);
        fuzz::require(mapped.tensors.size() == file.tensors.size());
        std::int64_t held = 0;
        for (std::size_t i = 0; i < file.tensors.size(); ++i) {
            const auto& [name, tensor] = file.tensors[i];
            fuzz::require(mapped.tensors[i].first == name);
            fuzz::require(tensor.in_memory());
            held += tensor.size();
            fuzz::require(mapped.tensors[i].second == tensor);
        }
        fuzz::require(held <= 64 * fuzz::limits.max_elements);
    });
}
