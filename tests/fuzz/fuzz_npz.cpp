#include "core/io/npz.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto archive = io::read_npz(fuzz::bytes(data, size), "archive", fuzz::limits);
        std::int64_t held = 0;
        for (const auto& [name, tensor] : archive.tensors)
            held += tensor.size();
        fuzz::require(held <= fuzz::limits.max_elements);
    });
}
