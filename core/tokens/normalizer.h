// What tokenizers do with a text before they split it.
#pragma once

#include "core/tokens/aligned_text.h"
#include "core/tokens/pattern.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokens {

/// Thread-safe.
class Normalizer {
public:
    virtual ~Normalizer() = default;
    /// Throws Error where the text would take more than `budget` allows, and Cancelled.
    virtual void apply(AlignedText& text, Budget& budget) const = 0;
};

using NormalizerPointer = std::unique_ptr<const Normalizer>;

enum class NormalizationForm { Canonical, CanonicalComposed, Compatible, CompatibleComposed };
/// NFD, NFC, NFKD and NFKC.
void normalize(AlignedText& text, NormalizationForm form, Budget& budget);
void make_lower(AlignedText& text, Budget& budget);
/// Every byte becomes the visible character that stands for it in byte-level vocabularies: "Ġ" is a space.
void spell_bytes(AlignedText& text, Budget& budget);

struct BertNormalization {
    bool clean_text = true;
    bool handle_chinese_chars = true;
    bool strip_accents = true;
    bool lowercase = true;
};

NormalizerPointer sequence_normalizer(std::vector<NormalizerPointer> steps);
/// Its errors begin with `name`.
NormalizerPointer named_normalizer(std::string name, NormalizerPointer normalizer);
/// Applies a function.
NormalizerPointer plain_normalizer(void (*apply)(AlignedText&, Budget&));
NormalizerPointer form_normalizer(NormalizationForm form);
NormalizerPointer strip_normalizer(bool left, bool right);
NormalizerPointer replace_normalizer(Pattern pattern, std::string content);
NormalizerPointer prepend_normalizer(std::string content);
NormalizerPointer bert_normalizer(const BertNormalization& options);
/// SentencePiece's table: a trie in the layout of Darts, and the texts that its values point to. Throws Error for one
/// that is damaged.
NormalizerPointer charsmap_normalizer(std::string_view table);

void strip_accents(AlignedText& text, Budget& budget);
/// SentencePiece's treatment of control characters and spaces before translation.
void clean_for_translation(AlignedText& text, Budget& budget);

} // namespace attnlab::tokens
