#include "core/tokens/pattern.h"

#include "core/io/file_formats.h"
#include "core/message.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>

namespace attnlab::tokens {
namespace {

constexpr std::size_t longest_expression = std::size_t{1} << 16;

/// Characters where an attempt may begin, between two looks whether the search is cancelled.
constexpr std::size_t most_starts = 16;

// Where an expression takes more, the search ends with an Error.
constexpr std::chrono::seconds longest_search{20};
constexpr std::uint32_t most_steps = 20'000'000; ///< of one attempt
constexpr std::uint32_t most_kibibytes = 1U << 18;

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

// As Oniguruma: ^ and $ are those of lines. The callouts before each item let a search be cancelled.
constexpr std::uint32_t expression_options =
    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT | PCRE2_AUTO_CALLOUT;

Code compile(std::string_view expression, int& code, PCRE2_SIZE& at) {
    const CompileContext context(made(pcre2_compile_context_create(nullptr)));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    return Code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), expression_options,
                              &code, &at, context.get()));
}

void require_length(std::string_view expression) {
    if (expression.size() > longest_expression)
        throw Error({ATTNLAB_TEXT("the pattern '%1' takes %2 bytes, at most %3 are allowed"),
                     {io::excerpt(expression), std::to_string(expression.size()), std::to_string(longest_expression)}});
}

Code compiled(std::string_view expression) {
    int error = 0;
    PCRE2_SIZE at = 0;
    auto code = compile(expression, error, at);
    if (!code)
        throw Error({ATTNLAB_TEXT("the pattern '%1' cannot be read near byte %2: %3"),
                     {io::excerpt(expression), std::to_string(at), reason_of(error)}});
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE); // without it the interpreter runs
    return code;
}

} // namespace

struct Pattern::Compiled {
    std::string source;
    Code code; ///< null: `source` is the text itself that is looked for
};

namespace {

/// One search through a text.
class Search {
public:
    Search(std::string_view text, Budget& budget)
        : text_(text), budget_(budget), context_(made(pcre2_match_context_create(nullptr))),
          data_(made(pcre2_match_data_create(1, nullptr))) {
        pcre2_set_match_limit(context_.get(), most_steps);
        pcre2_set_heap_limit(context_.get(), most_kibibytes);
        pcre2_set_callout(
            context_.get(), [](pcre2_callout_block*, void* search) { return static_cast<Search*>(search)->callout(); },
            this);
    }

    /// The first match that begins at `first` to `last`, or an error code of PCRE2.
    int run(const pcre2_code* code, std::size_t first, std::size_t last) {
        budget_.spend(1 + last - first);
        pcre2_set_offset_limit(context_.get(), last);
        const auto match = [&](std::uint32_t options) {
            return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text_.data()), text_.size(), first,
                               PCRE2_NO_UTF_CHECK | options, data_.get(), context_.get());
        };
        int result = match(0);
        if (result == PCRE2_ERROR_JIT_STACKLIMIT)
            result = match(PCRE2_NO_JIT);
        if (stopped_by_)
            std::rethrow_exception(stopped_by_);
        return result;
    }
    std::size_t begin() const { return pcre2_get_ovector_pointer(data_.get())[0]; }
    std::size_t end() const { return pcre2_get_ovector_pointer(data_.get())[1]; }

private:
    /// Between two callouts one item is matched, which can read the whole text. Exceptions do not pass through C.
    int callout() {
        try {
            budget_.spend(16 + text_.size() / 256);
        } catch (...) {
            stopped_by_ = std::current_exception();
            return PCRE2_ERROR_CALLOUT;
        }
        constexpr std::uint32_t between_clocks = 64;
        if (++callouts_ % between_clocks == 0 && std::chrono::steady_clock::now() > deadline_)
            return PCRE2_ERROR_MATCHLIMIT;
        return 0;
    }

    std::string_view text_;
    Budget& budget_;
    MatchContext context_;
    MatchData data_;
    const std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + longest_search;
    std::uint32_t callouts_ = 0;
    std::exception_ptr stopped_by_;
};

std::vector<Match> find_text(std::string_view sought, std::string_view text, Budget& budget) {
    constexpr std::size_t at_once = 4096;
    Matches found(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto size = std::min(text.size() - at, at_once + sought.size());
        budget.spend(size);
        const auto place = text.substr(at, size).find(sought);
        if (place == text.npos) {
            at += size < sought.size() || at + size == text.size() ? size : size - sought.size() + 1;
            continue;
        }
        found.add(at + place, at + place + sought.size());
        at += place + sought.size();
    }
    return found.all();
}

} // namespace

Pattern Pattern::oniguruma(std::string_view expression) {
    require_length(expression);
    return pcre2(from_oniguruma(expression));
}
Pattern Pattern::pcre2(std::string_view expression) {
    return Pattern(std::make_shared<const Compiled>(Compiled{std::string(expression), compiled(expression)}));
}
Pattern Pattern::literal(std::string_view text) {
    require_length(text);
    return Pattern(std::make_shared<const Compiled>(Compiled{std::string(text), text.empty() ? compiled("") : Code()}));
}

bool Pattern::is_valid(std::string_view expression) {
    int error = 0;
    PCRE2_SIZE at = 0;
    return compile(expression, error, at) != nullptr;
}

std::vector<Match> Pattern::find(std::string_view text, Budget& budget) const {
    if (text.empty())
        return {};
    if (!compiled_->code)
        return find_text(compiled_->source, text, budget);
    Search search(text, budget);
    Matches found(text.size());
    std::size_t at = 0, covered = 0;
    const auto next_character = [&] { return at + (at < text.size() ? character_at(text, at).bytes : 1); };
    bool any = false;
    while (at <= text.size()) {
        const auto last_start = std::min(at + most_starts, text.size());
        const int code = search.run(compiled_->code.get(), at, last_start);
        if (code == PCRE2_ERROR_NOMATCH && last_start == text.size())
            break;
        if (code == PCRE2_ERROR_NOMATCH) {
            at = last_start + 1;
            while (at < text.size() && is_continuation(text[at]))
                ++at;
            continue;
        }
        if (code < 0)
            throw Error(
                {ATTNLAB_TEXT("the pattern '%1' takes too many steps on this text"), {io::excerpt(compiled_->source)}});
        const auto begin = std::max(search.begin(), covered), end = std::max(search.end(), begin);
        if (begin == end && any && covered == end) { // an empty match right after another does not count
            at = next_character();
            continue;
        }
        found.add(begin, end);
        at = covered = end;
        any = true;
    }
    return found.all();
}

} // namespace attnlab::tokens
