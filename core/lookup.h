// Rows of a table: finding one by its id, and naming all of them in a message.
#pragma once

#include <functional>
#include <ranges>
#include <string>
#include <string_view>

namespace attnlab {

/// The first element of `table` whose `field` (a member or a function) equals `value`; nullptr if there is none.
template <std::ranges::borrowed_range Table, class Value, class Field>
auto lookup(Table&& table, const Value& value, Field field) -> decltype(&*std::ranges::begin(table)) {
    for (auto&& row : table)
        if (std::invoke(field, row) == value)
            return &row;
    return nullptr;
}

/// The first element of `table` with this id; nullptr if there is none.
template <std::ranges::borrowed_range Table>
auto lookup(Table&& table, std::string_view id) -> decltype(&*std::ranges::begin(table)) {
    constexpr auto id_of = [](const auto& row) -> const auto& { return row.id; };
    return lookup(table, id, id_of);
}

/// "a, b, c": `text` (a member or a function) of each element, or the elements themselves.
template <std::ranges::input_range Range, class Text = std::identity>
std::string listed(Range&& range, Text text = {}) {
    std::string list;
    for (auto&& element : range) {
        if (!list.empty())
            list += ", ";
        list += std::invoke(text, element);
    }
    return list;
}

} // namespace attnlab
