#include "core/tokens/aligned_text.h"
#include "core/tokens/tokenizer.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <chrono>
#include <vector>

using namespace attnlab;

namespace {

/// Letters, spaces, marks, a ligature that decomposes, and what added tokens are looked for in; as long as a page.
std::string page() {
    std::string text;
    while (text.size() < 4000)
        text += "A b's\n12  <s>\u4f60\u00e9e\u0301\ufdfa hhhh aaaaaaaa ";
    return text;
}

} // namespace

/// A tokenizer.json that meets a page of text, and after the first NUL a text of its own: whatever it asks for, the
/// call keeps to the limits of aligned_text.h, and ends soon after it is cancelled.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto text = page();
    return fuzz::guarded([&] {
        const auto all = fuzz::text(data, size);
        const auto end = std::min(all.find('\0'), all.size());
        using Clock = std::chrono::steady_clock;
        const auto patience = Clock::now() + std::chrono::seconds(5);
        const RunControl control{.cancelled = [&] { return Clock::now() > patience; }};
        try {
            const auto tokenizer = tokens::parse_tokenizer(all.substr(0, end), "text", control);
            const auto own = end < all.size() ? all.substr(end + 1) : text;
            const auto tokens = tokenizer->encode(text, own, control);
            fuzz::require(tokens.size() <= tokens::most_tokens);
            std::vector<std::int64_t> ids;
            for (const auto& token : tokens)
                ids.push_back(token.id);
            fuzz::require(tokenizer->decode(ids, control).size() <= tokens::most_text_bytes + ids.size());
        } catch (const Cancelled&) {
        }
        // An idle machine needs milliseconds; sanitizers and other fuzzers take their share.
        fuzz::require(Clock::now() < patience + std::chrono::seconds(15));
    });
}
