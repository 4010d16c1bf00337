// A tokenizer made of its parts, and the readers of those parts.
#pragma once

#include "core/io/json.h"
#include "core/tokens/added_tokens.h"
#include "core/tokens/decoder.h"
#include "core/tokens/post_processor.h"
#include "core/tokens/pre_tokenizer.h"
#include "core/tokens/token_model.h"

#include <optional>
#include <string>

namespace attnlab::tokens {

/// All but `model` may be null.
struct Pipeline {
    NormalizerPointer normalizer;
    PreTokenizerPointer pre_tokenizer;
    ModelPointer model;
    PostProcessorPointer post_processor;
    DecoderPointer decoder;
    std::vector<AddedToken> added;
    bool split_special = false; ///< special tokens that a text spells are text
};

/// Throws as AddedTokens.
std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline parts, const RunControl& control);

// The parts of tokenizer.json. All throw Error that names the file and the part; those with a control throw Cancelled.

/// What the files beside tokenizer.json decide instead of it.
struct PartSettings {
    struct Case {
        bool lowercase = true, strip_accents = true, handle_chinese_chars = true;
    };
    std::optional<Case> letters = {};      ///< of every "BertNormalizer"
    std::optional<bool> prefix_space = {}; ///< of every "ByteLevel" before the model
    std::optional<Prepend> prepend = {}; ///< SentencePiece's sign for a space, instead of normalizer and pre_tokenizer
    bool adds_no_special = false;        ///< instead of post_processor
    bool split_special = false;          ///< special tokens that a text spells are text
    std::vector<AddedToken> added = {};  ///< beside added_tokens; replaces those of the same content
};

NormalizerPointer read_normalizer(const io::JsonNode& part, const RunControl& control,
                                  const PartSettings& settings = {});
PreTokenizerPointer read_pre_tokenizer(const io::JsonNode& part, const RunControl& control,
                                       const PartSettings& settings = {});
ModelPointer read_model(const io::JsonNode& part, const RunControl& control);
PostProcessorPointer read_post_processor(const io::JsonNode& part, const RunControl& control);
DecoderPointer read_decoder(const io::JsonNode& part, const RunControl& control);
/// Older files have no type, and show it by their members.
std::string model_type_of(const io::JsonNode& part);
/// The prepend_scheme of "Metaspace", which is a pre-tokenizer and a decoder.
Prepend read_prepend_scheme(const io::JsonNode& part);

/// tokenizer.json as it stands, and the tokenizer that it describes.
io::Json parse_tokenizer_json(std::string_view text, const std::string& name, const RunControl& control);
std::shared_ptr<const Tokenizer> build_tokenizer(const io::JsonNode& root, const RunControl& control,
                                                 const PartSettings& settings = {});

bool is_null(const io::JsonNode& node);
/// Null where the member is missing or null.
const io::JsonNode* member(const io::JsonNode& part, std::string_view key);
bool flag(const io::JsonNode& part, std::string_view key, bool otherwise);
std::optional<std::string> optional_text(const io::JsonNode& part, std::string_view key);
std::size_t count_in(const io::JsonNode& node);
char32_t one_character(const io::JsonNode& node);
/// {"String": text} or {"Regex": expression}.
Pattern read_pattern(const io::JsonNode& node);
/// "normalizer.normalizers[1] (Replace)".
std::string name_of(const io::JsonNode& part, const std::string& type);
[[noreturn]] void fail_unknown(const io::JsonNode& part, const std::string& type);

/// What `make` returns; its Error gets the name of the file and of the part.
template <class Make>
auto within(const io::JsonNode& part, Make make) {
    try {
        return make();
    } catch (const Error& error) {
        part.fail(ATTNLAB_TEXT("%1: %2: %3"), {part.path(), error.what()});
    }
}

/// The parts of a sequence.
template <class Read>
auto read_all(const io::JsonNode& list, Read read) {
    std::vector<decltype(read(list))> parts;
    for (const auto& part : list.items())
        parts.push_back(read(part));
    return parts;
}

} // namespace attnlab::tokens
