#include "core/parameter.h"

#include "core/lookup.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace attnlab {
namespace {

/// "[1, 8]", "(0, inf)": the same in every language.
std::string interval(const Parameter& parameter) {
    const bool from_below = parameter.minimum_excluded || !std::isfinite(parameter.minimum);
    return (from_below ? "(" : "[") + to_text(parameter.minimum) + ", " + to_text(parameter.maximum) +
           (std::isfinite(parameter.maximum) ? "]" : ")");
}

Error wrong(const Parameter& parameter, std::string_view text, std::string_view owner) {
    const std::string who(owner), name(parameter.name), value = "'" + std::string(text) + "'";
    switch (parameter.type) {
    case ParameterType::Boolean:
        return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected true or false"), {who, name, value}});
    case ParameterType::Choice:
        return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected one of %4"),
                      {who, name, value, listed(parameter.choices)}});
    case ParameterType::Integer:
        return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected an integer in %4"),
                      {who, name, value, interval(parameter)}});
    case ParameterType::IntegerList:
        return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected integers in %4, separated by commas"),
                      {who, name, value, interval(parameter)}});
    case ParameterType::Text:
        return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected a text"), {who, name, value}});
    case ParameterType::Real:
        break;
    }
    return Error({ATTNLAB_TEXT("%1: parameter %2 is %3, expected a finite number in %4"),
                  {who, name, value, interval(parameter)}});
}

bool in_range(const Parameter& parameter, double value) {
    return value <= parameter.maximum &&
           (parameter.minimum_excluded ? value > parameter.minimum : value >= parameter.minimum);
}

template <class Number>
bool read_whole(std::string_view text, Number& value) {
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size() && !text.empty();
}

/// "0,3", spaces around the numbers allowed; an empty text is the empty list.
bool read_list(const Parameter& parameter, std::string_view text, IntegerList& list) {
    const auto trimmed = [](std::string_view part) {
        const auto first = part.find_first_not_of(' ');
        return first == part.npos ? std::string_view{} : part.substr(first, part.find_last_not_of(' ') - first + 1);
    };
    if (trimmed(text).empty())
        return true;
    while (true) {
        const auto comma = text.find(',');
        std::int64_t value = 0;
        if (!read_whole(trimmed(text.substr(0, comma)), value) || !in_range(parameter, static_cast<double>(value)))
            return false;
        list.push_back(value);
        if (comma == text.npos)
            return true;
        text.remove_prefix(comma + 1);
    }
}

ParameterType type_of(const ParameterValue& value) {
    constexpr ParameterType types[] = {ParameterType::Boolean, ParameterType::Integer, ParameterType::Real,
                                       ParameterType::Choice, ParameterType::IntegerList};
    return types[value.index()];
}

/// A number in range as its declared type; nullopt for what needs its text to be checked or to be refused.
std::optional<ParameterValue> number_in_range(const Parameter& parameter, const ParameterValue& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (parameter.type == ParameterType::Integer && integer && in_range(parameter, static_cast<double>(*integer)))
        return *integer;
    if (parameter.type != ParameterType::Real || !(integer || real))
        return std::nullopt;
    const double number = real ? *real : static_cast<double>(*integer);
    return std::isfinite(number) && in_range(parameter, number) ? std::optional<ParameterValue>(number) : std::nullopt;
}

template <class T>
const T& get(const std::map<std::string, ParameterValue, std::less<>>& values, std::string_view name) {
    const auto found = values.find(name);
    const T* value = found == values.end() ? nullptr : std::get_if<T>(&found->second);
    if (!value)
        throw std::out_of_range("no parameter '" + std::string(name) + "' of this type");
    return *value;
}

} // namespace

std::string to_text(const ParameterValue& value) {
    struct {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return to_text(v); }
        std::string operator()(const std::string& v) const { return v; }
        std::string operator()(const IntegerList& list) const {
            std::string text;
            for (const auto v : list)
                text += (text.empty() ? "" : ",") + std::to_string(v);
            return text;
        }
    } writer;
    return std::visit(writer, value);
}

std::string range_text(const Parameter& parameter) {
    if (parameter.type == ParameterType::Boolean)
        return "true or false";
    if (parameter.type == ParameterType::Choice)
        return "one of " + listed(parameter.choices);
    if (parameter.type == ParameterType::Text)
        return "a text";
    std::string text = parameter.type == ParameterType::Integer       ? "an integer"
                       : parameter.type == ParameterType::IntegerList ? "integers, separated by commas,"
                                                                      : "a finite number";
    if (std::isfinite(parameter.minimum))
        text += (parameter.minimum_excluded ? " above " : " from ") + to_text(parameter.minimum);
    if (std::isfinite(parameter.maximum))
        text += " to " + to_text(parameter.maximum);
    return text;
}

ParameterValue parse_value(const Parameter& parameter, std::string_view text, std::string_view owner) {
    switch (parameter.type) {
    case ParameterType::Boolean:
        if (text == "true" || text == "1")
            return true;
        if (text == "false" || text == "0")
            return false;
        break;
    case ParameterType::Integer:
        if (std::int64_t value = 0; read_whole(text, value) && in_range(parameter, static_cast<double>(value)))
            return value;
        break;
    case ParameterType::Real:
        if (double value = 0; read_whole(text, value) && std::isfinite(value) && in_range(parameter, value))
            return value;
        break;
    case ParameterType::Choice:
        if (std::find(parameter.choices.begin(), parameter.choices.end(), text) != parameter.choices.end())
            return std::string(text);
        break;
    case ParameterType::IntegerList:
        if (IntegerList list; read_list(parameter, text, list))
            return list;
        break;
    case ParameterType::Text: {
        std::string value(text);
        if (parameter.check)
            parameter.check(value);
        return value;
    }
    }
    throw wrong(parameter, text, owner);
}

bool ParameterValues::boolean(std::string_view name) const { return get<bool>(values_, name); }
std::int64_t ParameterValues::integer(std::string_view name) const { return get<std::int64_t>(values_, name); }
double ParameterValues::real(std::string_view name) const { return get<double>(values_, name); }
const std::string& ParameterValues::choice(std::string_view name) const { return get<std::string>(values_, name); }
const IntegerList& ParameterValues::integers(std::string_view name) const { return get<IntegerList>(values_, name); }

const ParameterValue* ParameterValues::find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

void ParameterValues::set(std::string_view name, ParameterValue value) {
    values_.insert_or_assign(std::string(name), std::move(value));
}

void ParameterValues::erase(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end())
        values_.erase(found);
}

ParameterValues with_defaults(std::span<const Parameter> declared, const ParameterValues& given,
                              std::string_view owner) {
    for (const auto& [name, value] : given.all()) {
        if (!lookup(declared, name, &Parameter::name)) {
            if (declared.empty())
                throw Error({ATTNLAB_TEXT("%1: has no parameters, got '%2'"), {std::string(owner), name}});
            throw Error({ATTNLAB_TEXT("%1: has no parameter '%2'; it has: %3"),
                         {std::string(owner), name, listed(declared, &Parameter::name)}});
        }
    }
    ParameterValues complete;
    for (const auto& parameter : declared) {
        const auto* value = given.find(parameter.name);
        const bool is_number = parameter.type == ParameterType::Integer || parameter.type == ParameterType::Real;
        if (!value && is_number && parameter.default_text.empty())
            continue;
        // A value of the right type is checked too: it may come from a form or a file.
        if (auto number = value ? number_in_range(parameter, *value) : std::nullopt) {
            complete.set(parameter.name, *std::move(number));
            continue;
        }
        const auto text = value ? to_text(*value) : std::string(parameter.default_text);
        if (value && type_of(*value) != parameter.type &&
            !(type_of(*value) == ParameterType::Integer && parameter.type == ParameterType::Real) &&
            !(type_of(*value) == ParameterType::Choice && parameter.type == ParameterType::Text))
            throw wrong(parameter, text, owner);
        complete.set(parameter.name, parse_value(parameter, text, owner));
    }
    return complete;
}

bool holds(std::string_view condition, std::span<const Parameter> declared, const ParameterValues& given) {
    if (condition.empty())
        return true;
    const auto equals = condition.find('=');
    const bool other = equals > 0 && condition[equals - 1] == '!';
    const auto name = condition.substr(0, other ? equals - 1 : equals), wanted = condition.substr(equals + 1);
    if (const auto* value = given.find(name))
        return (to_text(*value) == wanted) != other;
    return std::any_of(declared.begin(), declared.end(),
                       [&](const Parameter& p) { return p.name == name && (p.default_text == wanted) != other; });
}

IdAndArgument id_and_argument(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == text.npos)
        return {text, {}};
    if (colon + 1 == text.size())
        throw Error(
            {ATTNLAB_TEXT("'%1': has nothing behind the colon, expected a value, or no colon"), {std::string(text)}});
    return {text.substr(0, colon), text.substr(colon + 1)};
}

ParameterValues parse_argument(std::span<const Parameter> declared, std::string_view argument, std::string_view owner) {
    ParameterValues values;
    if (argument.empty())
        return values;
    if (declared.empty())
        throw Error({ATTNLAB_TEXT("%1: takes no value, got '%2'"), {std::string(owner), std::string(argument)}});
    values.set(declared.front().name, parse_value(declared.front(), argument, owner));
    return values;
}

} // namespace attnlab
