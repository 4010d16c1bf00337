#include "core/lessons/load.h"
#include "core/lessons/text_limits.h"
#include "core/tokens/unicode.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

namespace {

/// Of an accepted step.
class Within {
public:
    explicit Within(const lessons::StepText& text) {
        add(text.body);
        add(text.question);
        add(text.answer);
        for (const auto* parts : {&text.options, &text.cards})
            for (const auto& [id, words] : *parts)
                add(words);
        fuzz::require(numbers_ <= lessons::most_step_numbers);
        fuzz::require(characters_ <= lessons::longest_step_text);
    }

private:
    void add(const lessons::LessonText& text) {
        for (const auto& piece : text.pieces) {
            numbers_ += piece.number.has_value();
            characters_ += static_cast<std::size_t>(tokens::count_characters(tokens::with_replacements(piece.words)));
        }
    }

    std::size_t numbers_ = 0;
    std::size_t characters_ = 0;
};

} // namespace

/// scene.json, en.md and zh_CN.md separated by NUL; without it both languages have the same text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto all = fuzz::text(data, size);
        const auto first = std::min(all.find('\0'), all.size());
        const auto second = std::min(all.find('\0', first + 1), all.size());
        const auto part = [&](std::size_t begin, std::size_t end) {
            return begin < end ? all.substr(begin, end - begin) : std::string();
        };
        const lessons::LessonFiles files{[&](const std::string& name) -> std::optional<std::string> {
                                             if (name == "scene.json")
                                                 return all.substr(0, first);
                                             return name == "zh_CN.md" && second < all.size()
                                                        ? part(second + 1, all.size())
                                                        : part(first + 1, second);
                                         },
                                         [](const std::string& name) -> std::optional<std::string> {
                                             return name.starts_with("formulas/") ? std::optional<std::string>("")
                                                                                  : std::nullopt;
                                         }};
        for (const auto& step : lessons::load_lesson("01-fuzz", files).steps)
            for (const auto& [language, text] : step.texts)
                Within{text};
    });
}
