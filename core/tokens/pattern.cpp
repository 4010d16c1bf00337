#include "core/tokens/pattern.h"

#include "core/io/file_formats.h"
#include "core/message.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <chrono>
#include <new>

namespace attnlab::tokens {
namespace {

/// Steps of one attempt, characters between two looks at the clock, and the time after which a search is given up: an
/// expression that backtracks without end may end in an Error and in nothing else.
constexpr std::uint32_t most_steps = 5'000'000;
constexpr std::size_t most_starts = 64;
constexpr std::chrono::seconds longest_search{20};

std::string reason_of(int code) {
    PCRE2_UCHAR text[256] = {};
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

template <class T>
T* made(T* object) {
    return object ? object : throw std::bad_alloc();
}

template <auto free_it>
struct Freed {
    void operator()(auto* object) const { free_it(object); }
};
using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;

Code compile(std::string_view expression, std::uint32_t options, int& code, PCRE2_SIZE& at) {
    const CompileContext context(made(pcre2_compile_context_create(nullptr)));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    return Code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                              options | PCRE2_UTF | PCRE2_USE_OFFSET_LIMIT, &code, &at, context.get()));
}

// As Oniguruma: ^ and $ are those of lines.
constexpr std::uint32_t expression_options = PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;

} // namespace

struct Pattern::Compiled {
    std::string expression;
    Code code;
};

Pattern::Pattern(std::string_view expression, std::uint32_t options) {
    int error = 0;
    PCRE2_SIZE at = 0;
    auto code = compile(expression, options, error, at);
    if (!code)
        throw Error({ATTNLAB_TEXT("the pattern '%1' cannot be read near byte %2: %3"),
                     {io::excerpt(expression), std::to_string(at), reason_of(error)}});
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE); // without it the interpreter runs
    compiled_ = std::make_shared<const Compiled>(Compiled{std::string(expression), std::move(code)});
}

Pattern Pattern::oniguruma(std::string_view expression) { return pcre2(from_oniguruma(expression)); }
Pattern Pattern::pcre2(std::string_view expression) { return {expression, expression_options}; }
Pattern Pattern::literal(std::string_view text) { return {text, PCRE2_LITERAL}; }

bool Pattern::is_valid(std::string_view expression) {
    int error = 0;
    PCRE2_SIZE at = 0;
    return compile(expression, expression_options, error, at) != nullptr;
}

std::vector<Match> Pattern::find(std::string_view text) const {
    if (text.empty())
        return {};
    const MatchContext context(made(pcre2_match_context_create(nullptr)));
    const MatchData data(made(pcre2_match_data_create(1, nullptr)));
    pcre2_set_match_limit(context.get(), most_steps);
    const auto deadline = std::chrono::steady_clock::now() + longest_search;
    std::vector<Match> found;
    std::size_t at = 0, covered = 0;
    const auto next_character = [&] { return at + (at < text.size() ? character_at(text, at).bytes : 1); };
    const auto run = [&](std::uint32_t options) {
        return pcre2_match(compiled_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at,
                           PCRE2_NO_UTF_CHECK | options, data.get(), context.get());
    };
    bool any = false;
    std::size_t last_end = 0;
    while (at <= text.size()) {
        const auto last_start = std::min(at + most_starts, text.size());
        pcre2_set_offset_limit(context.get(), last_start);
        int code = run(0);
        if (code == PCRE2_ERROR_JIT_STACKLIMIT)
            code = run(PCRE2_NO_JIT);
        if (code == PCRE2_ERROR_NOMATCH && last_start == text.size())
            break;
        if ((code < 0 && code != PCRE2_ERROR_NOMATCH) || std::chrono::steady_clock::now() > deadline)
            throw Error({ATTNLAB_TEXT("the pattern '%1' takes too many steps on this text"),
                         {io::excerpt(compiled_->expression)}});
        if (code == PCRE2_ERROR_NOMATCH) {
            at = last_start + 1;
            while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
                ++at;
            continue;
        }
        const auto* where = pcre2_get_ovector_pointer(data.get());
        const auto begin = std::max<std::size_t>(where[0], covered), end = std::max<std::size_t>(where[1], begin);
        if (begin == end && any && last_end == end) { // an empty match right after another does not count
            at = next_character();
            continue;
        }
        if (covered < begin)
            found.push_back({covered, begin, false});
        found.push_back({begin, end, true});
        at = covered = last_end = end;
        any = true;
    }
    if (covered < text.size())
        found.push_back({covered, text.size(), false});
    return found;
}

} // namespace attnlab::tokens
