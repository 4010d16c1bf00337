#include "core/message.h"

#include <charconv>
#include <cmath>

namespace attnlab {

Argument::Argument(Message words) : text_(words.english()), words_(std::make_shared<const Message>(std::move(words))) {}

std::string Message::filled(const std::string& translated) const {
    std::string result;
    for (std::size_t i = 0; i < translated.size(); ++i) {
        const bool hole =
            translated[i] == '%' && i + 1 < translated.size() && translated[i + 1] >= '1' && translated[i + 1] <= '9';
        if (!hole) {
            result += translated[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(translated[++i] - '1');
        if (index < arguments.size())
            result += arguments[index].text();
    }
    return result;
}

Message joined(const std::vector<Message>& messages, const char* pair) {
    Message all;
    for (const auto& message : messages)
        all = all.empty() ? message : Message(pair, {all, message});
    return all;
}

std::string to_text(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

} // namespace attnlab
