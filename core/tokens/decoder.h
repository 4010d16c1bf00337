// From tokens back to text.
#pragma once

#include "core/tokens/pattern.h"

#include <memory>
#include <string>
#include <vector>

namespace attnlab::tokens {

/// Thread-safe. The text is what is left of all tokens, one after another.
class Decoder {
public:
    virtual ~Decoder() = default;
    /// Throws Error where the text would take more than `budget` allows, and Cancelled.
    virtual std::vector<std::string> decode(std::vector<std::string> tokens, Budget& budget) const = 0;
};

using DecoderPointer = std::unique_ptr<const Decoder>;

DecoderPointer sequence_decoder(std::vector<DecoderPointer> steps);
/// Its errors begin with `name`.
DecoderPointer named_decoder(std::string name, DecoderPointer decoder);
DecoderPointer byte_level_decoder();
/// "<0xE2>" is a byte.
DecoderPointer byte_fallback_decoder();
DecoderPointer fuse_decoder();
DecoderPointer replace_decoder(Pattern pattern, std::string content);
/// Takes `content` from the beginning of each token, up to `start` times, and from its end.
DecoderPointer strip_decoder(char32_t content, std::size_t start, std::size_t stop);
DecoderPointer metaspace_decoder(char32_t replacement, bool prepended);
DecoderPointer wordpiece_decoder(std::string prefix, bool cleanup);
DecoderPointer suffix_decoder(const std::string& suffix);
/// Of speech models: repeated tokens count once.
DecoderPointer ctc_decoder(const std::string& pad, const std::string& delimiter, bool cleanup);

} // namespace attnlab::tokens
