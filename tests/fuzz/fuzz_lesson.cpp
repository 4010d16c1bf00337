#include "core/lessons/lesson_files.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

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
        lessons::load_lesson("01-fuzz", files);
    });
}
