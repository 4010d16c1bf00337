#include "core/lessons/lesson_text.h"
#include "tests/fuzz/fuzz.h"

using namespace attnlab;

namespace {

/// Counts anew what the reader has accepted.
void check(const lessons::LessonText& text) {
    std::size_t lines = 1, word = 0, bytes = 0;
    for (const auto& piece : text.pieces) {
        bytes += piece.words.size();
        for (const char c : piece.words) {
            lines += c == '\n';
            const bool in_word = static_cast<unsigned char>(c) > ' ' && static_cast<unsigned char>(c) < 0x80;
            word = in_word ? word + 1 : 0;
            fuzz::require(word <= lessons::longest_word);
        }
        word = 0;
    }
    constexpr std::size_t longest_character = 4;
    fuzz::require(lines <= lessons::most_lines && bytes <= longest_character * lessons::longest_step_text);
}

} // namespace

/// The text of a lesson in one language: what is accepted is within the limits.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::guarded([&] {
        const auto file = lessons::parse_text(fuzz::text(data, size), "en.md");
        fuzz::require(lessons::characters_in(file.title) <= lessons::longest_title &&
                      lessons::characters_in(file.summary) <= lessons::longest_summary);
        for (const auto& [id, step] : file.steps) {
            fuzz::require(lessons::characters_in(step.title) <= lessons::longest_title);
            for (const auto* text : {&step.body, &step.question, &step.answer})
                check(*text);
            for (const auto* texts : {&step.options, &step.cards})
                for (const auto& [name, text] : *texts)
                    check(text);
        }
    });
}
