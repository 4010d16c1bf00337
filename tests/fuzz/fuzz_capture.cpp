#include "core/io/saved/capture_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

namespace {

/// What the texts of the seeds describe.
TensorMap tensors() {
    return {{"p.query", Tensor({2, 4, 3, 2}, 0.5)},   {"p.key", Tensor({2, 2, 5, 2}, 0.25)},
            {"p.value", Tensor({2, 2, 5, 1}, 1.0)},   {"p.sinks", Tensor({4}, 0.0)},
            {"w.weights", Tensor({1, 1, 2, 2}, 0.5)}, {"mask.0", Tensor({2, 1, 1, 5}, 1.0, DType::Bool)},
            {"bias.0", Tensor({1, 4, 3, 5}, 0.0)}};
}

} // namespace

/// A capture that was read gives problems that can be computed, or says why not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto capture = io::read_capture({reinterpret_cast<const char*>(data), size}, "file", tensors()); // NOLINT
        for (const auto& pass : capture.passes)
            fuzz::require(issues_in(problem_of(capture, pass)).empty());
    });
}
