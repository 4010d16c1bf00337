// The rows of a table as the command line has them, with the defaults of their parameters and with other values, so
// that a new row is tried without a change of the tests.
#pragma once

#include "core/parameter.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::test {

/// Values other than the default; of a choice, all others.
inline std::vector<std::string> other_values(const Parameter& parameter) {
    if (parameter.type == ParameterType::Choice) {
        std::vector<std::string> others;
        for (const auto choice : parameter.choices)
            if (choice != parameter.default_text)
                others.emplace_back(choice);
        return others;
    }
    const auto usual = parse_value(parameter, parameter.default_text, parameter.name);
    if (const auto* whole = std::get_if<std::int64_t>(&usual))
        return {std::to_string(*whole + 1)};
    if (const auto* real = std::get_if<double>(&usual))
        return {to_text(*real == 0.0 ? 0.5 : *real * 0.7)};
    return {};
}

/// "temperature", "temperature:0.7": the id, and the id with other values of its first parameter.
template <class Row>
std::vector<std::string> texts_of(std::span<const Row> rows) {
    std::vector<std::string> texts;
    for (const auto& row : rows) {
        texts.emplace_back(row.id);
        if (!row.parameters.empty())
            for (const auto& value : other_values(row.parameters.front()))
                texts.push_back(std::string(row.id) + ":" + value);
    }
    return texts;
}

} // namespace attnlab::test
