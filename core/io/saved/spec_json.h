// A spec as JSON, as workspaces, results and pages that compute hold it.
#pragma once

#include "core/attention.h"
#include "core/io/json.h"

#include <nlohmann/json_fwd.hpp>

namespace attnlab::io {

/// Throws Error for a parameter that is not finite.
nlohmann::json to_json(const AttentionSpec& spec);
/// Unknown keys and other types are an Error that names them. Ids and values of parameters are checked by check_spec().
AttentionSpec attention_spec_from(const JsonNode& node);

} // namespace attnlab::io
