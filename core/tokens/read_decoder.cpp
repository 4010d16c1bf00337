// Implements read_decoder() of read_parts.h.
#include "core/tokens/read_parts.h"

namespace attnlab::tokens {

namespace {

DecoderPointer read_one_decoder(const io::JsonNode& part, const std::string& type) {
    if (type == "ByteLevel")
        return byte_level_decoder();
    if (type == "ByteFallback")
        return byte_fallback_decoder();
    if (type == "Fuse")
        return fuse_decoder();
    if (type == "Replace")
        return replace_decoder(read_pattern(part.at("pattern")), part.at("content").text());
    if (type == "Strip")
        return strip_decoder(one_character(part.at("content")), count_in(part.at("start")), count_in(part.at("stop")));
    if (type == "Metaspace")
        return metaspace_decoder(one_character(part.at("replacement")), read_prepend_scheme(part) != Prepend::Never);
    if (type == "WordPiece")
        return wordpiece_decoder(part.at("prefix").text(), part.at("cleanup").boolean());
    if (type == "BPEDecoder")
        return within(part, [&] { return suffix_decoder(part.at("suffix").text()); });
    if (type == "CTC")
        return within(part, [&] {
            return ctc_decoder(part.at("pad_token").text(), part.at("word_delimiter_token").text(),
                               part.at("cleanup").boolean());
        });
    fail_unknown(part, type);
}

} // namespace

DecoderPointer read_decoder(const io::JsonNode& part, const RunControl& control) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_decoder(
            read_all(part.at("decoders"), [&](const io::JsonNode& step) { return read_decoder(step, control); }));
    return named_decoder(name_of(part, type), read_one_decoder(part, type));
}

} // namespace attnlab::tokens
