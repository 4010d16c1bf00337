// The part of core/recognition/recognition.h about labels of tokens.
#pragma once

#include "core/recognition/recognition.h"

namespace attnlab {

/// query_tokens or key_tokens.
bool is_tokens(std::string_view role);

/// Takes labels of the contents for the problem's queries or keys; of duplicates the first counts.
void take_labels(const Contents& contents, const Choices& choices, Recognition& recognition);

/// Removes labels whose number differs from that of the tokens, and reports them as unused; labels that fit only the
/// keys are moved to them. Labels of a workspace stay.
void fit_labels(const Contents& contents, Recognition& recognition);

} // namespace attnlab
