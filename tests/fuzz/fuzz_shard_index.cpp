#include "core/model/weights/mapped_weights.h"
#include "tests/fuzz/fuzz.h"

#include <filesystem>

using namespace attnlab;

/// No shard lies outside of the folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const std::filesystem::path folder("/models/m");
        for (const auto& [file, tensors] : model::parse_shard_index(fuzz::text(data, size), "index")) {
            fuzz::require(!tensors.empty());
            fuzz::require((folder / file).lexically_normal().string().starts_with("/models/m/"));
        }
    });
}
