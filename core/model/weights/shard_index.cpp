#include "core/model/weights/shard_index.h"

#include "core/io/json.h"
#include "core/run_control.h"

#include <algorithm>

namespace attnlab::model {
namespace {

/// Neither absolute nor with "..": a link in the folder may lead elsewhere, as in the cache of Hugging Face.
bool stays_in_folder(const std::string& file) {
    const std::filesystem::path path(file);
    return path.is_relative() && path.has_filename() && file.find('\0') == std::string::npos &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".." || part == "."; });
}

} // namespace

ShardIndex parse_shard_index(std::string_view text, const std::string& name, const RunControl* control) {
    const auto json = io::parse_json(text, name, {.control = control});
    ShardIndex index;
    for (const auto& [tensor, file] : json.root().at("weight_map").members()) {
        if (control)
            control->checkpoint();
        if (!stays_in_folder(file.text()))
            file.fail_as(ATTNLAB_TEXT("%1: '%2' is %3, expected a file in the same folder"));
        index[file.text()].push_back(tensor);
    }
    if (index.empty())
        throw Error({ATTNLAB_TEXT("%1: names no tensor, expected the file of each in 'weight_map'"), {name}});
    return index;
}

} // namespace attnlab::model
