// Names of passes, as models and captures have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnlab {

/// "decoder.3.self", or "decoder.3.self@1" where a pass has run again; "attention.3" is self-attention too.
struct PassNameParts {
    std::string_view stack; ///< "decoder"
    std::int64_t layer = 0;
    std::string_view kind; ///< "self" or "cross"
    std::int64_t run = 0;
};
/// nullopt for other names. The parts belong to `name`.
std::optional<PassNameParts> parts_of_pass_name(std::string_view name);

} // namespace attnlab
