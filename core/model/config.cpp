#include "core/model/config.h"

#include <algorithm>
#include <cmath>

namespace attnlab::model {
namespace {

std::int64_t within(const Config& config, std::string_view key, std::int64_t value, std::int64_t least,
                    std::int64_t most) {
    if (value < least || value > most)
        config.fail(key, {ATTNLAB_TEXT("an integer from %1 to %2"), {std::to_string(least), std::to_string(most)}});
    return value;
}

bool is_null(const io::JsonNode& node) { return std::holds_alternative<std::nullptr_t>(node.held()); }

} // namespace

Config Config::with_aliases(Aliases aliases) const {
    Config same(*object_, record_);
    same.aliases_ = std::move(aliases);
    same.hidden_ = hidden_;
    return same;
}

Config Config::without(std::string_view key) const {
    member(key);
    Config same = *this;
    same.hidden_.push_back(key);
    return same;
}

const io::JsonNode* Config::member(std::string_view key) const {
    const auto* found = object_->find(key);
    if (found)
        record_->read.insert(found);
    if (std::ranges::find(hidden_, key) != hidden_.end())
        return nullptr;
    for (const auto& [alias, replaced] : aliases_)
        if (replaced == key)
            if (const auto* other = object_->find(alias); other && !is_null(*other)) {
                record_->read.insert(other);
                found = other;
            }
    return found;
}

const io::JsonNode& Config::at(std::string_view key) const {
    const auto* found = member(key);
    return found ? *found : object_->at(key);
}

const io::JsonNode* Config::find(std::string_view key) const {
    const auto* found = member(key);
    return found && !is_null(*found) ? found : nullptr;
}

std::optional<Config> Config::object(std::string_view key) const {
    const auto* found = find(key);
    if (!found)
        return {};
    found->members(); // throws for anything else
    record_->entered.insert(found);
    return Config(*found, record_);
}

std::int64_t Config::size(std::string_view key, std::optional<std::int64_t> absent) const {
    const auto* found = find(key);
    if (!found && absent)
        return *absent;
    return within(*this, key, (found ? *found : at(key)).integer(), 1, largest_size);
}

std::int64_t Config::layers(std::string_view key, std::optional<std::int64_t> absent) const {
    const auto* found = find(key);
    if (!found && absent)
        return *absent;
    return within(*this, key, (found ? *found : at(key)).integer(), 0, most_layers);
}

std::optional<std::int64_t> Config::integer(std::string_view key) const {
    const auto* found = find(key);
    return found ? std::optional(found->integer()) : std::nullopt;
}

std::optional<double> Config::number(std::string_view key) const {
    const auto* found = find(key);
    if (!found)
        return {};
    const double value = found->number();
    if (!std::isfinite(value))
        fail(key, "a finite number");
    return value;
}

double Config::epsilon(std::string_view key, double absent) const {
    const double value = number(key, absent);
    if (value < 0.0)
        fail(key, {ATTNLAB_TEXT("%1 or more"), {"0"}});
    return value;
}

bool Config::flag(std::string_view key, bool absent) const {
    const auto* found = find(key);
    return found ? found->boolean() : absent;
}

std::string Config::text(std::string_view key, std::string_view absent) const {
    const auto* found = find(key);
    return found ? found->text() : std::string(absent);
}

std::vector<double> Config::numbers(std::string_view key) const {
    std::vector<double> values;
    for (const auto& item : at(key).items())
        values.push_back(item.number());
    return values;
}

std::vector<std::string> Config::texts(std::string_view key) const {
    std::vector<std::string> values;
    for (const auto& item : at(key).items())
        values.push_back(item.text());
    return values;
}

void Config::fail(std::string_view key, const Message& expected) const { at(key).fail_expecting(expected); }

void Config::refuse(std::string_view key) const {
    if (flag(key, false))
        fail(key, ATTNLAB_TEXT("false: this is not supported"));
}

void Config::ignore(std::string_view key, const Message& why) const {
    if (const auto* found = object_->find(key))
        record_->ignored.emplace(found, why);
}

void Config::collect(const io::JsonNode& object, const std::string& prefix, std::vector<UnreadSetting>& found) const {
    for (const auto& [key, value] : object.members()) {
        if (const auto ignored = record_->ignored.find(&value); ignored != record_->ignored.end())
            found.push_back({prefix + key, &value, ignored->second});
        else if (!record_->read.contains(&value))
            found.push_back({prefix + key, &value});
        else if (record_->entered.contains(&value))
            collect(value, prefix + key + ".", found);
    }
}

std::vector<UnreadSetting> Config::unread() const {
    std::vector<UnreadSetting> found;
    collect(*object_, "", found);
    return found;
}

} // namespace attnlab::model
