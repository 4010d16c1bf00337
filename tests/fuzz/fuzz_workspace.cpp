#include "core/io/saved/workspace_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// A problem that was read is written and read again with equal result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        AttentionProblem problem;
        std::string view;
        io::spec_from_json(fuzz::text(data, size), problem, &view);
        const auto written = io::spec_to_json(problem, view);
        AttentionProblem again;
        std::string view_again;
        try {
            io::spec_from_json(written, again, &view_again);
        } catch (const Error&) {
            std::abort();
        }
        fuzz::require(io::spec_to_json(again, view_again) == written);
    });
}
