#include "core/tokens/tokenizer.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <vector>

using namespace attnlab;

/// A tokenizer.json, and after the first NUL a text. Places lie within the text, and ids are known.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto all = fuzz::text(data, size);
        const auto end = std::min(all.find('\0'), all.size());
        const auto text = end < all.size() ? all.substr(end + 1) : std::string("A b's\n12 <s>\u4f60");
        const auto tokenizer = tokens::parse_tokenizer(all.substr(0, end), "text");
        std::vector<std::int64_t> ids;
        for (const auto& token : tokenizer->encode(text, text)) {
            fuzz::require(token.begin >= 0 && token.begin <= std::ssize(text) && token.end <= std::ssize(text));
            ids.push_back(token.id);
        }
        tokenizer->decode(ids);
    });
}
