#include "core/io/safetensors.h"
#include "tests/fuzz/fuzz.h"

#include <sstream>

using namespace attnlab;

/// A file that was read is written and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto tensors = io::read_safetensors(fuzz::bytes(data, size), "file", fuzz::limits);
        std::int64_t held = 0;
        for (const auto& [name, tensor] : tensors)
            held += tensor.size();
        fuzz::require(held <= fuzz::limits.max_elements);
        try {
            std::ostringstream stream;
            io::write_safetensors(stream, tensors, "again");
            const auto written = stream.str();
            fuzz::require(io::read_safetensors(std::as_bytes(std::span(written)), "again") == tensors);
        } catch (const Error&) {
            std::abort();
        }
    });
}
