#include "core/tokens/decoder.h"

#include "core/tokens/byte_letters.h"
#include "core/tokens/model.h"
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
    Texts decode(Texts tokens) const override { return decode_(std::move(tokens)); }

private:
    Decode decode_;
};

template <class Decode>
DecoderPointer decoding(Decode decode) {
    return std::make_unique<Decoding<Decode>>(std::move(decode));
}

void replace_all(std::string& text, std::string_view old, std::string_view by) {
    if (old.empty())
        return;
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
Texts joined_bytes(Texts tokens) {
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
    append(one, content);
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
    return decoding([steps = std::move(steps)](Texts tokens) {
        for (const auto& step : steps)
            tokens = step->decode(std::move(tokens));
        return tokens;
    });
}

DecoderPointer byte_level_decoder() {
    return decoding([](const Texts& tokens) {
        std::string bytes;
        for (const auto& token : tokens)
            bytes += bytes_of_letters(token).value_or(token);
        return Texts{with_replacements(bytes)};
    });
}

DecoderPointer byte_fallback_decoder() { return decoding(joined_bytes); }

DecoderPointer fuse_decoder() {
    return decoding([](const Texts& tokens) { return Texts{joined_texts(tokens)}; });
}

DecoderPointer replace_decoder(Pattern pattern, std::string content) {
    return decoding([pattern = std::move(pattern), content = std::move(content)](Texts tokens) {
        for (auto& token : tokens) {
            std::string result;
            for (const auto& [begin, end, matched] : pattern.find(token))
                result += matched ? content : token.substr(begin, end - begin);
            token = result;
        }
        return tokens;
    });
}

DecoderPointer strip_decoder(char32_t content, std::size_t start, std::size_t stop) {
    return decoding([=](Texts tokens) {
        for (auto& token : tokens)
            token = stripped(token, content, start, stop);
        return tokens;
    });
}

DecoderPointer metaspace_decoder(char32_t replacement, bool prepended) {
    std::string space;
    append(space, replacement);
    return decoding([=](Texts tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], space, i == 0 && prepended ? "" : " ");
        return tokens;
    });
}

DecoderPointer wordpiece_decoder(std::string prefix, bool cleanup) {
    return decoding([=, prefix = std::move(prefix)](Texts tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0)
                tokens[i] = tokens[i].starts_with(prefix) ? tokens[i].substr(prefix.size()) : " " + tokens[i];
            if (cleanup)
                clean_up(tokens[i]);
        }
        return tokens;
    });
}

DecoderPointer suffix_decoder(std::string suffix) {
    return decoding([suffix = std::move(suffix)](Texts tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
        return tokens;
    });
}

DecoderPointer ctc_decoder(std::string pad, std::string delimiter, bool cleanup) {
    return decoding([pad = std::move(pad), delimiter = std::move(delimiter), cleanup](Texts tokens) {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        for (auto& token : tokens) {
            replace_all(token, pad, "");
            if (cleanup) {
                clean_up(token);
                replace_all(token, delimiter, " ");
            }
        }
        std::erase(tokens, std::string());
        return tokens;
    });
}

} // namespace attnlab::tokens
