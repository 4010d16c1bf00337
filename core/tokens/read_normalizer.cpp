// Implements read_normalizer() of read_parts.h.
#include "core/io/base64.h"
#include "core/tokens/read_parts.h"

namespace attnlab::tokens {

namespace {

NormalizerPointer read_one_normalizer(const io::JsonNode& part, const std::string& type, const PartSettings& settings) {
    if (type == "NFC")
        return form_normalizer(NormalizationForm::CanonicalComposed);
    if (type == "NFD")
        return form_normalizer(NormalizationForm::Canonical);
    if (type == "NFKC")
        return form_normalizer(NormalizationForm::CompatibleComposed);
    if (type == "NFKD")
        return form_normalizer(NormalizationForm::Compatible);
    if (type == "Lowercase")
        return plain_normalizer(make_lower);
    if (type == "StripAccents")
        return plain_normalizer(strip_accents);
    if (type == "Nmt")
        return plain_normalizer(clean_for_translation);
    if (type == "ByteLevel")
        return plain_normalizer(spell_bytes);
    if (type == "Strip")
        return strip_normalizer(part.at("strip_left").boolean(), part.at("strip_right").boolean());
    if (type == "Prepend")
        return prepend_normalizer(part.at("prepend").text());
    if (type == "Replace")
        return replace_normalizer(read_pattern(part.at("pattern")), part.at("content").text());
    if (type == "Precompiled")
        return within(part,
                      [&] { return charsmap_normalizer(io::from_base64(part.at("precompiled_charsmap").text())); });
    if (type == "BertNormalizer") {
        BertNormalization options;
        options.clean_text = part.at("clean_text").boolean();
        options.handle_chinese_chars = part.at("handle_chinese_chars").boolean();
        options.lowercase = part.at("lowercase").boolean();
        options.strip_accents = flag(part, "strip_accents", options.lowercase);
        if (const auto& letters = settings.letters) {
            options.lowercase = letters->lowercase;
            options.strip_accents = letters->strip_accents;
            options.handle_chinese_chars = letters->handle_chinese_chars;
        }
        return bert_normalizer(options);
    }
    fail_unknown(part, type);
}

} // namespace

NormalizerPointer read_normalizer(const io::JsonNode& part, const RunControl& control, const PartSettings& settings) {
    control.checkpoint();
    const auto& type = part.at("type").text();
    if (type == "Sequence")
        return sequence_normalizer(read_all(part.at("normalizers"), [&](const io::JsonNode& step) {
            return read_normalizer(step, control, settings);
        }));
    return named_normalizer(name_of(part, type), read_one_normalizer(part, type, settings));
}

} // namespace attnlab::tokens
