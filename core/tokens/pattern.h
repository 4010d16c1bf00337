// Regular expressions of tokenizers, by PCRE2, with bounds on time.
#pragma once

#include "core/tokens/aligned_text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokens {

/// Oniguruma's expression, as tokenizer.json has them, in PCRE2's language (see oniguruma.cpp). Throws Error for what
/// has no counterpart.
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
    /// expression takes too many steps.
    std::vector<Match> find(std::string_view text) const;

private:
    struct Compiled;
    Pattern(std::string_view expression, std::uint32_t options);

    std::shared_ptr<const Compiled> compiled_;
};

} // namespace attnlab::tokens
