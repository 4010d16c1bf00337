// The part of core/recognition/recognition.h about labels of tokens.
#pragma once

#include "core/recognition/recognition.h"

namespace attnlab {

/// query_tokens or key_tokens.
bool is_tokens(std::string_view role);

/// The labels of the contents as those of the problem's queries or keys; of what is given twice the first counts.
void take_labels(const Contents& contents, const Choices& choices, Recognition& recognition);

/// Takes away the labels of which there are more or fewer than tokens, and names them as unused; those of as many
/// tokens as there are keys alone go to the keys. What a workspace says stays.
void fit_labels(const Contents& contents, Recognition& recognition);

} // namespace attnlab
