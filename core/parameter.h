// Parameters as data: declared once by variants, scale modes and masks. The form in the window, `--set`, validation,
// saved files and `attnlab list` all read these declarations.
#pragma once

#include "core/message.h"

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attnlab {

enum class ParameterType { Integer, Real, Boolean, Choice, IntegerList, Text };

struct Parameter {
    std::string_view name; ///< the name on the command line and in files
    ParameterType type = ParameterType::Real;
    /// Read by parse_value; "0,3" for a list, which may be empty. Empty for a number: it stays open if it is not given.
    std::string_view default_text = {};
    const char* title = ""; ///< label in the form (translated)
    const char* help = "";  ///< one line (translated)
    /// For a list: of each member.
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool minimum_excluded = false; ///< value > minimum instead of >=
    std::span<const std::string_view> choices = {};
    std::string_view unit = ""; ///< "heads", "keys", ...; empty for a plain number
    std::string_view when = ""; ///< "mode=local", "dropout!=0": read only with that choice; empty: always
    void (*check)(const std::string&) = nullptr; ///< of a text: throws Error if it cannot be read
    bool aside = false; ///< seldom changed: the form shows it among those that take one more click
};

using IntegerList = std::vector<std::int64_t>;
using ParameterValue = std::variant<bool, std::int64_t, double, std::string, IntegerList>;

/// Text that parse_value reads back as the same value.
std::string to_text(const ParameterValue& value);

/// Reads and range-checks a value. Throws Error that names `owner`, the parameter, its value and its range.
ParameterValue parse_value(const Parameter& parameter, std::string_view text, std::string_view owner);

/// Named values, typed as declared. Getters throw std::out_of_range for a name that is not there: call them on
/// values that with_defaults has completed.
class ParameterValues {
public:
    bool boolean(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    /// Also of a text.
    const std::string& choice(std::string_view name) const;
    const IntegerList& integers(std::string_view name) const;

    const ParameterValue* find(std::string_view name) const;
    void set(std::string_view name, ParameterValue value);
    void erase(std::string_view name);
    const std::map<std::string, ParameterValue, std::less<>>& all() const { return values_; }

    bool operator==(const ParameterValues&) const = default;

private:
    std::map<std::string, ParameterValue, std::less<>> values_;
};

/// The declared parameters: the given values, defaults for the rest, if they have one. Throws Error for an undeclared
/// name, a wrong type or a value out of range; `owner` ("multi_head", "temperature") is the declaring row.
ParameterValues with_defaults(std::span<const Parameter> declared, const ParameterValues& given,
                              std::string_view owner);

/// Evaluates the condition of a declaration: true when it is empty or when the parameter that it names has the value
/// that it states, "mode=local", or another one, "dropout!=0". A parameter that is not given has its default.
bool holds(std::string_view condition, std::span<const Parameter> declared, const ParameterValues& given);

/// The parts of "temperature:0.7", or of "none", which has no argument.
struct IdAndArgument {
    std::string_view id, argument;
};
/// Throws Error for a colon with nothing behind it.
IdAndArgument id_and_argument(std::string_view text);
/// Reads the argument as the one declared parameter; an empty argument gives none.
ParameterValues parse_argument(std::span<const Parameter> declared, std::string_view argument, std::string_view owner);

/// "an integer from 1", "a number above 0", "one of top_left, bottom_right".
std::string range_text(const Parameter& parameter);

} // namespace attnlab
