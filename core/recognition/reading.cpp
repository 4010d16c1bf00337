#include "core/recognition/reading.h"

#include <algorithm>

namespace attnlab {

bool Reading::holds(std::string_view name) const {
    return std::any_of(contents.arrays.begin(), contents.arrays.end(),
                       [&](const HeldArray& array) { return array.name == name; });
}

void Reading::unused(const HeldArray& array, Message why) {
    result.unused.push_back({array.name, array.file, array.tensor.shape(), std::move(why)});
}

void Reading::used(const HeldArray& array, std::string role, Message how) {
    result.used.push_back(
        {array.name, array.file, array.tensor.shape(), array.tensor.dtype(), std::move(role), std::move(how)});
}

bool Reading::put(const HeldArray& array, const std::string& role, Tensor tensor, Message how) {
    if (const auto before = origins.find(role); before != origins.end()) {
        if (before->second->name == array.name || (before->second->name != role && array.name != role))
            refuse_twice(role, *before->second, array);
        if (before->second->name == role) { // an array under the input's own name has priority
            unused(array, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
            return false;
        }
        const auto entry = std::find_if(result.used.begin(), result.used.end(), [&](const UsedArray& use) {
            return use.name == before->second->name && use.role == role;
        });
        if (entry != result.used.end())
            result.used.erase(entry);
        unused(*before->second, {ATTNLAB_TEXT("%1 is given under its own name too"), {role}});
    }
    origins[role] = &array;
    result.problem.tensors.insert_or_assign(role, std::move(tensor));
    used(array, role, std::move(how));
    return true;
}

std::string label_of(const HeldArray& array) {
    return array.file.empty() ? array.name : array.file + ": " + array.name;
}

std::string listed(const std::vector<std::string>& words) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < words.size() && i < most; ++i)
        text += (text.empty() ? "" : ", ") + words[i];
    return words.size() > most ? text + ", … (" + std::to_string(words.size()) + ")" : text;
}

void refuse_twice(const std::string& role, const HeldArray& first, const HeldArray& second) {
    throw Error({ATTNLAB_TEXT("%1: is given twice, by %2 and by %3"), {role, label_of(first), label_of(second)}});
}

} // namespace attnlab
