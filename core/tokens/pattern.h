// Regular expressions of tokenizers, by PCRE2. A search can be cancelled within one attempt to match, and is limited in
// steps, time and memory.
#pragma once

#include "core/tokens/aligned_text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokens {

/// Translates an expression of Oniguruma, as tokenizer.json has them, into PCRE2's language (see oniguruma.cpp). Throws
/// Error for what has no counterpart.
std::string from_oniguruma(std::string_view expression);

/// Thread-safe; copies share what is compiled.
class Pattern {
public:
    /// Throws Error with the reason and the place.
    static Pattern oniguruma(std::string_view expression);
    static Pattern pcre2(std::string_view expression);
    static Pattern literal(std::string_view text);
    /// Whether PCRE2 accepts it.
    static bool is_valid(std::string_view expression);

    /// The matches in UTF-8 `text` and what lies between, in order: together the whole text. Throws Error where an
    /// expression takes too many steps or too much memory, and Cancelled.
    std::vector<Match> find(std::string_view text, Budget& budget) const;

private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

    std::shared_ptr<const Compiled> compiled_;
};

} // namespace attnlab::tokens
