#include "core/io/npy.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// An array that was read is written and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto tensor = io::read_npy(fuzz::bytes(data, size), "array", fuzz::limits);
        const auto written = io::write_npy(tensor);
        const auto again = io::read_npy(std::as_bytes(std::span(written)), "array", fuzz::limits);
        fuzz::require(again.with_dtype(tensor.dtype()) == tensor);
    });
}
