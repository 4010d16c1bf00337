#include "core/model/unread.h"

#include "core/io/file_formats.h"
#include "core/io/json.h"
#include "core/model/known_entries.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attnlab::model {
namespace {

constexpr std::size_t most_named = 4;
constexpr std::size_t longest_value = 60;

/// The first few, and how many there are beside them.
Message listing(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
        list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() <= most_named)
        return {"%1", {list}};
    return {ATTNLAB_TEXT("%1 and %2 more"), {list, std::to_string(names.size() - most_named)}};
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

/// "model.layers.3.mlp.up_proj.weight": a name with a list of blocks and the number of one.
bool is_in_block(std::string_view name) {
    constexpr std::array<std::string_view, 6> lists{"layers", "layer", "h", "block", "blocks", "blk"};
    std::string_view before;
    while (!name.empty()) {
        const auto end = std::min(name.find('.'), name.size());
        const auto part = name.substr(0, end);
        if (is_number(part) && std::find(lists.begin(), lists.end(), before) != lists.end())
            return true;
        before = part;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return false;
}

} // namespace

std::vector<Message> Unread::notes() const {
    std::vector<Message> notes;
    for (const auto& entry : settings)
        if (entry.is_said)
            notes.push_back(entry.is_known()
                                ? Message{ATTNLAB_TEXT("%1: '%2': %3"), {entry.file, entry.name, entry.why}}
                                : Message{ATTNLAB_TEXT("%1: '%2' is %3, and nothing here reads it"),
                                          {entry.file, entry.name, entry.value}});
    std::vector<std::string> names;
    for (const auto& entry : tensors)
        if (entry.is_said)
            names.push_back(entry.name);
    if (!names.empty())
        notes.push_back(
            {ATTNLAB_TEXT("%1: tensors that nothing here reads: %2"), {tensors.front().file, listing(names)}});
    return notes;
}

void account_settings(std::string_view type, std::string_view prefix, const std::vector<UnreadEntry>& left,
                      Unread& unread) {
    std::vector<std::string> refused;
    for (const auto& setting : left) {
        const auto& [file, key, value, why, is_said] = setting;
        const auto name = std::string_view(key).substr(
            !prefix.empty() && key.starts_with(prefix) ? prefix.size() - 1 : 0); // ".rope.scaling.type"
        UnreadEntry entry{file, key, io::excerpt(value, longest_value), why, false};
        if (const auto* known = entry.is_known() ? nullptr : known_setting(type, name, value)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        } else if (!entry.is_known() && is_neutral(name, value)) {
            entry.why = ATTNLAB_TEXT("says that there is none of it");
        }
        if (!entry.is_known() && concerns_attention(name)) {
            refused.push_back("'" + key + "': " + entry.value);
            continue;
        }
        entry.is_said = entry.is_said || !entry.is_known();
        unread.settings.push_back(std::move(entry));
    }
    if (!refused.empty())
        throw Error(
            {ATTNLAB_TEXT("%1: has %2, which is not supported for models of type %3; without it attention would "
                          "be that of another model"),
             {left.front().file, listing(refused), std::string(type)}});
}

std::vector<UnreadEntry> unread_settings(const Config& config, const RunControl& control) {
    std::vector<UnreadEntry> left;
    for (const auto& setting : config.unread())
        left.push_back(
            {config.node().name_of_text(), setting.key, io::dump_for_message(*setting.value, control), setting.why});
    const bool slides_not = std::any_of(left.begin(), left.end(), [](const auto& one) {
        return one.name == "use_sliding_window" && one.value == "false";
    });
    for (auto& one : left)
        if (slides_not && (one.name == "sliding_window" || one.name == "max_window_layers"))
            one.why = ATTNLAB_TEXT("use_sliding_window is not true");
    return left;
}

std::shared_ptr<const tokens::Tokenizer> open_tokenizer(const std::filesystem::path& folder, Unread& unread,
                                                        const RunControl& control) {
    std::vector<UnreadEntry> left;
    auto tokenizer = tokens::find_tokenizer(folder, control, &left);
    for (const auto& [file, key, value, why, is_said] : left) {
        control.checkpoint();
        UnreadEntry entry{file, key, io::excerpt(value, longest_value), why, is_said};
        if (entry.is_known()) {
            // the tokenizer decided
        } else if (const auto* known = known_setting({}, "tokenizer_config." + key, value)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        } else if (is_neutral(key, value)) {
            entry.why = ATTNLAB_TEXT("says that there is none of it");
            entry.is_said = false;
        } else if (file == "tokenizer_config.json" && concerns_tokens(key)) {
            throw Error({ATTNLAB_TEXT("%1: '%2' is %3, which is not supported; without it the tokens would be others"),
                         {(folder / file).string(), key, entry.value}});
        }
        unread.settings.push_back(std::move(entry));
    }
    return tokenizer;
}

void account_tensors(const WeightFiles& files, std::string_view type, Unread& unread) {
    std::vector<std::string> refused;
    for (const auto& name : files.unread()) {
        UnreadEntry entry{files.where(), name};
        if (const auto* known = known_tensor(type, name)) {
            entry.why = known->why;
            entry.is_said = known->is_said;
        }
        if (!entry.is_known() && (is_in_block(name) || concerns_attention(name) || files.are_all_needed()))
            refused.push_back("'" + name + "'");
        else
            unread.tensors.push_back(std::move(entry));
    }
    if (!refused.empty())
        throw Error({ATTNLAB_TEXT("%1: has tensors that models of type %2 do not use: %3; without them this would be "
                                  "another model"),
                     {files.where(), std::string(type), listing(refused)}});
}

} // namespace attnlab::model
