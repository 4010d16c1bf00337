// Which inputs the numbers of a stage depend on.
#pragma once

#include "core/attention.h"

#include <string_view>

namespace attnlab {

/// False where other numbers in this input, with the same shape, leave the stage as it is: the weights do not depend on
/// the values, nor the query rows on the keys. True where it is not known.
bool may_reach(const AttentionSpec& spec, std::string_view input, std::string_view stage);

} // namespace attnlab
