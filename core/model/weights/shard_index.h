// model.safetensors.index.json: which file of the folder has which tensor.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {
struct RunControl;
}

namespace attnlab::model {

/// The tensors of each shard, which is a file in the folder of the index.
using ShardIndex = std::map<std::string, std::vector<std::string>>;

/// `name` is used in messages. Throws Error for text that is no index, and for shards outside its folder; Cancelled
/// where `control`, if not null, is.
ShardIndex parse_shard_index(std::string_view text, const std::string& name, const RunControl* control = nullptr);

} // namespace attnlab::model
