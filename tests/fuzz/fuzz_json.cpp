#include "core/io/json.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using namespace attnlab;

/// A value that was read is written and read again with equal result, and the path of every value can be queried.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        constexpr io::JsonLimits limits{.max_bytes = 1 << 20, .max_values = 1 << 12, .max_depth = 16};
        const auto json = io::parse_json(fuzz::text(data, size), "text", limits);
        for (const auto& [key, node] : json.root().members()) {
            fuzz::guarded([&, &value = node] { value.fail_expecting("nothing"); });
            fuzz::guarded([&, &value = node] { value.integer(); });
        }
        const auto written = io::dump(io::to_json(json.root()));
        try {
            fuzz::require(io::dump(io::to_json(io::parse_json(written, "again").root())) == written);
        } catch (const Error&) {
            std::abort();
        }
    });
}
