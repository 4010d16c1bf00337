#include "core/tokens/decoder.h"

#include "core/tokens/pipeline.h"
#include "core/tokens/token_model.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace attnlab::tokens {
namespace {

using Texts = std::vector<std::string>;

/// A decoder that calls a function object.
template <class Decode>
class Decoding : public Decoder {
public:
    explicit Decoding(Decode function) : decode_(std::move(function)) {}
    Texts decode(Texts tokens, Budget& budget) const override { return decode_(std::move(tokens), budget); }

private:
    Decode decode_;
};

template <class Decode>
DecoderPointer decoding(Decode decode) {
    return std::make_unique<Decoding<Decode>>(std::move(decode));
}

std::size_t total_bytes(const Texts& texts, Budget& budget) {
    std::size_t bytes = 0;
    for (const auto& text : texts) {
        budget.spend(1);
        bytes += text.size();
    }
    return bytes;
}

/// `old` is short, and `by` is not longer.
void replace_all(std::string& text, std::string_view old, std::string_view by) {
    std::string result;
    std::size_t at = 0;
    for (auto found = text.find(old); found != text.npos; found = text.find(old, at)) {
        result.append(text, at, found - at) += by;
        at = found + old.size();
    }
    text = result.append(text, at);
}

/// Takes out the spaces that English does not write.
void clean_up(std::string& text) {
    constexpr std::pair<std::string_view, std::string_view> written[] = {
        {" .", "."},     {" ?", "?"},   {" !", "!"},   {" ,", ","},     {" ' ", "'"},
        {" n't", "n't"}, {" 'm", "'m"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [apart, together] : written) {
        if (apart == " 's")
            replace_all(text, " do not", " don't");
        replace_all(text, apart, together);
    }
}

/// Replaces the matches in each text.
void replace_matches(Texts& texts, const Pattern& pattern, std::string_view by, Budget& budget) {
    auto bytes = total_bytes(texts, budget);
    for (auto& text : texts) {
        budget.spend(1 + text.size());
        bytes -= text.size();
        budget.set_beside(bytes, 0);
        const auto parts = pattern.find(text, budget);
        std::size_t size = 0;
        for (const auto& [begin, end, matched] : parts)
            budget.require_text(size += matched ? by.size() : end - begin);
        std::string result;
        result.reserve(size);
        for (const auto& [begin, end, matched] : parts) {
            budget.spend(1 + (matched ? by.size() : 0));
            result += matched ? by : std::string_view(text).substr(begin, end - begin);
        }
        text = std::move(result);
        bytes += text.size();
    }
    budget.set_beside(0, 0);
}

/// One that changes each text by itself, and makes it no longer than by a few bytes.
template <class Change>
DecoderPointer changing(Change change) {
    return decoding([change = std::move(change)](Texts tokens, Budget& budget) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            constexpr std::size_t passes = 12; // of clean_up()
            budget.spend(1 + passes * tokens[i].size());
            change(tokens, i);
        }
        budget.require_text(total_bytes(tokens, budget));
        return tokens;
    });
}

std::optional<char> byte_of(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>')
        return {};
    int byte = 0;
    for (const char digit : token.substr(3, 2)) {
        const int low = digit | 0x20;
        if (!(digit >= '0' && digit <= '9') && !(low >= 'a' && low <= 'f'))
            return {};
        byte = byte * 16 + (digit <= '9' ? digit - '0' : low - 'a' + 10);
    }
    return static_cast<char>(byte);
}

/// A run of bytes that is no UTF-8 becomes a U+FFFD for each.
Texts joined_bytes(Texts tokens, Budget& budget) {
    Texts result;
    std::string bytes;
    const auto flush = [&] {
        if (is_utf8(bytes) && !bytes.empty())
            result.push_back(bytes);
        else
            result.insert(result.end(), bytes.size(), "\ufffd");
        bytes.clear();
    };
    for (auto& token : tokens) {
        budget.spend(1);
        if (const auto byte = byte_of(token)) {
            bytes += *byte;
            continue;
        }
        flush();
        result.push_back(std::move(token));
    }
    flush();
    return result;
}

std::string stripped(std::string_view token, char32_t content, std::size_t start, std::size_t stop) {
    std::string one;
    append_character(one, content);
    for (; start > 0 && token.starts_with(one); --start)
        token.remove_prefix(one.size());
    for (; stop > 0 && token.ends_with(one); --stop)
        token.remove_suffix(one.size());
    return std::string(token);
}

std::string joined_texts(const Texts& tokens) {
    std::string whole;
    for (const auto& token : tokens)
        whole += token;
    return whole;
}

} // namespace

DecoderPointer sequence_decoder(std::vector<DecoderPointer> steps) {
    return decoding([steps = std::move(steps)](Texts tokens, Budget& budget) {
        for (const auto& step : steps) {
            budget.spend(1);
            tokens = step->decode(std::move(tokens), budget);
        }
        return tokens;
    });
}

DecoderPointer named_decoder(std::string name, DecoderPointer decoder) {
    return decoding([name = std::move(name), decoder = std::move(decoder)](Texts tokens, Budget& budget) {
        return naming(name, [&] { return decoder->decode(std::move(tokens), budget); });
    });
}

DecoderPointer byte_level_decoder() {
    return decoding([](const Texts& tokens, Budget& budget) {
        std::string bytes;
        for (const auto& token : tokens) {
            budget.spend(1 + token.size());
            bytes += bytes_of_letters(token).value_or(token);
        }
        auto text = with_replacements(bytes);
        budget.require_text(text.size());
        return Texts{std::move(text)};
    });
}

DecoderPointer byte_fallback_decoder() { return decoding(joined_bytes); }

DecoderPointer fuse_decoder() {
    return decoding([](const Texts& tokens, Budget&) { return Texts{joined_texts(tokens)}; });
}

DecoderPointer replace_decoder(Pattern pattern, std::string content) {
    return decoding([pattern = std::move(pattern), content = std::move(content)](Texts tokens, Budget& budget) {
        replace_matches(tokens, pattern, content, budget);
        return tokens;
    });
}

DecoderPointer strip_decoder(char32_t content, std::size_t start, std::size_t stop) {
    return changing([=](Texts& tokens, std::size_t i) { tokens[i] = stripped(tokens[i], content, start, stop); });
}

DecoderPointer metaspace_decoder(char32_t replacement, bool prepended) {
    std::string space;
    append_character(space, replacement);
    return changing(
        [=](Texts& tokens, std::size_t i) { replace_all(tokens[i], space, i == 0 && prepended ? "" : " "); });
}

DecoderPointer wordpiece_decoder(std::string prefix, bool cleanup) {
    return changing([=, prefix = std::move(prefix)](Texts& tokens, std::size_t i) {
        if (i > 0)
            tokens[i] = tokens[i].starts_with(prefix) ? tokens[i].substr(prefix.size()) : " " + tokens[i];
        if (cleanup)
            clean_up(tokens[i]);
    });
}

DecoderPointer suffix_decoder(const std::string& suffix) {
    if (suffix.empty())
        return sequence_decoder({});
    return decoding([pattern = Pattern::literal(suffix)](Texts tokens, Budget& budget) {
        if (tokens.empty())
            return tokens;
        Texts last{std::move(tokens.back())};
        tokens.pop_back();
        replace_matches(tokens, pattern, " ", budget);
        replace_matches(last, pattern, "", budget);
        tokens.push_back(std::move(last.front()));
        return tokens;
    });
}

DecoderPointer ctc_decoder(const std::string& pad, const std::string& delimiter, bool cleanup) {
    std::vector<DecoderPointer> steps;
    steps.push_back(decoding([](Texts tokens, Budget& budget) {
        budget.spend(total_bytes(tokens, budget));
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        return tokens;
    }));
    if (!pad.empty())
        steps.push_back(replace_decoder(Pattern::literal(pad), ""));
    if (cleanup)
        steps.push_back(changing([](Texts& tokens, std::size_t i) { clean_up(tokens[i]); }));
    if (cleanup && !delimiter.empty())
        steps.push_back(replace_decoder(Pattern::literal(delimiter), " "));
    steps.push_back(decoding([](Texts tokens, Budget&) {
        std::erase(tokens, std::string());
        return tokens;
    }));
    return sequence_decoder(std::move(steps));
}

// Implements read_decoder() of pipeline.h.

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
