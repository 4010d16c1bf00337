#include "core/io/pickle.h"
#include "core/io/torch_file.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

/// A valid value has a flat list of names, or too many of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const io::PickleDocument document(fuzz::text(data, size), "pickle", 1 << 24);
        const auto leaves = io::leaves_of(document.root(), "alone", "file");
        for (const auto& [name, what] : leaves.others)
            fuzz::require(!what.english().empty());
        for (const auto& [name, labels] : leaves.labels)
            fuzz::require(!labels.empty());
    });
}
