// Oniguruma's expressions in PCRE2's language. What is spelled the same but means something else there:
//   \s \w \d \h \b and [[:alpha:]] are classes of Unicode of its own choice, and \h is a hexadecimal digit
//   (?m) lets . match a line feed; an option alone holds for all that is left of its group, with alternatives
//   x{1,3}+ repeats, x{2}? is optional, and x{,3} begins at 0
//   classes hold classes, and && intersects them
// Without regard to case, Oniguruma folds characters to several ("ß" is "ss"), and folds the properties within
// brackets. PCRE2 does not: what could differ is refused.
#include "core/tokens/oniguruma_classes.h"
#include "core/tokens/pattern.h"
#include "core/tokens/unicode.h"

#include <cctype>
#include <utility>

namespace attnlab::tokens {
namespace {

class Translation : private OnigurumaClasses {
public:
    explicit Translation(std::string_view expression) : OnigurumaClasses(expression) {}

    std::string whole() {
        group(0);
        if (at_ < in_.size())
            fail("a parenthesis is closed that was not opened");
        return std::move(out_);
    }

private:
    /// Up to the closing parenthesis, or the end.
    void group(int depth) {
        if (depth > deepest)
            fail("it is nested too deep");
        const bool outer = ignores_case_;
        std::string closing;
        while (!ended() && !at(")")) {
            const auto begin = out_.size();
            if (take("(")) {
                if (take("?#")) {
                    while (next() != ')') {
                    }
                    continue;
                }
                const bool before = ignores_case_;
                if (open_group()) {
                    closing += ')';
                    continue;
                }
                group(depth + 1);
                ignores_case_ = before;
                if (!take(")"))
                    fail("a parenthesis is not closed");
                out_ += ')';
            } else if (take("[")) {
                out_ += char_class(depth);
            } else if (take("\\")) {
                escape();
            } else if (at("*") || at("+") || at("?")) {
                fail("nothing is repeated");
            } else {
                const auto character = in_.substr(at_, character_at(in_, at_).bytes);
                require_simple_folding(character);
                if (ignores_case_ && folds_with_next())
                    fail("without regard to case, these letters are also one");
                out_ += character;
                at_ += character.size();
                if (character == "|")
                    continue;
            }
            for (bool again = false; repeat(begin, again); again = true) {
            }
        }
        out_ += closing;
        ignores_case_ = outer;
    }

    /// Whether this letter and the next are what one folds to, as "ss" for "ß" and "fi" for its ligature.
    bool folds_with_next() const {
        if (in_.size() - at_ < 2)
            return false;
        const auto lower = [&](std::size_t i) { return static_cast<char>(in_[at_ + i] | 0x20); };
        const char first = lower(0), second = lower(1);
        return (first == 's' && (second == 's' || second == 't')) ||
               (first == 'f' && (second == 'f' || second == 'i' || second == 'l'));
    }

    /// After "(". True for an option alone, whose group ends with that around it.
    bool open_group() {
        out_ += '(';
        if (!take("?")) {
            if (at("*"))
                fail("(* is unknown");
            return false;
        }
        out_ += '?';
        for (const std::string_view same : {":", "=", "!", ">", "<=", "<!"})
            if (take(same)) {
                out_ += same;
                return false;
            }
        if (take("<") || at("'")) {
            out_ += in_[at_ - 1] == '<' ? "<" : "'";
            if (out_.back() == '\'')
                ++at_;
            return false;
        }
        std::string options;
        while (!ended() && !at(":") && !at(")")) {
            const char option = next();
            if (option != 'i' && option != 'm' && option != 'x' && option != '-')
                fail(std::string("(?") + option + " is unknown");
            if (option == 'i')
                ignores_case_ = options.find('-') == options.npos;
            options += option == 'm' ? 's' : option;
        }
        const bool alone = next() == ')';
        out_ += options + ':';
        return alone;
    }

    /// A quantifier of what begins at `begin` in the output; `again` where that has one already.
    bool repeat(std::size_t begin, bool again) {
        const auto wrap = [&] {
            if (again)
                out_.insert(begin, "(?:") += ')';
        };
        if (at("*") || at("+") || at("?")) {
            wrap();
            out_ += next();
            if (at("?") || at("+"))
                out_ += next();
            return true;
        }
        if (!at("{"))
            return false;
        auto end = at_ + 1;
        const auto digits = [&] {
            const auto from = end;
            while (end < in_.size() && std::isdigit(static_cast<unsigned char>(in_[end])))
                ++end;
            return std::string(in_.substr(from, end - from));
        };
        auto least = digits();
        const bool range = end < in_.size() && in_[end] == ',';
        if (range)
            ++end;
        const auto most = range ? digits() : std::string();
        if (end >= in_.size() || in_[end] != '}' || (least.empty() && most.empty()))
            return false; // the brace stands for itself
        at_ = end + 1;
        if (least.empty())
            least = "0";
        wrap();
        out_ += '{' + least + (range ? "," + most : "") + '}';
        if (range && take("?"))
            out_ += '?';
        return true;
    }

    void escape() {
        const char letter = next();
        const auto bound = [&](bool is) {
            const std::string in = "[" + std::string(word_members) + "]";
            return is ? "(?:(?<=" + in + ")(?!" + in + ")|(?<!" + in + ")(?=" + in + "))"
                      : "(?:(?<=" + in + ")(?=" + in + ")|(?<!" + in + ")(?!" + in + "))";
        };
        switch (letter) {
        case 'b':
            out_ += bound(true);
            return;
        case 'B':
            out_ += bound(false);
            return;
        case 'w':
        case 'W':
            ((out_ += letter == 'w' ? "[" : "[^") += word_members) += ']';
            return;
        case 'O':
            out_ += "(?s:.)";
            return;
        case 'R':
            out_ += R"((?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}]))";
            return;
        case 'A':
        case 'Z':
        case 'z':
        case 'G':
        case 'K':
        case 'N':
        case 'X':
        case 'k':
        case 'g':
            (out_ += '\\') += letter;
            return;
        case 'y':
        case 'Y':
            fail(std::string("\\") + letter + " is unknown");
        default:
            break;
        }
        if (letter >= '1' && letter <= '9') {
            (out_ += "\\g{") += letter;
            while (!ended() && std::isdigit(static_cast<unsigned char>(in_[at_])))
                out_ += next();
            out_ += '}';
            return;
        }
        --at_;
        bool negated = false;
        auto members = class_escape(negated);
        if (members == word_in_brackets) // \p{Word}
            members = word_members;
        const bool is_class = negated || members.size() > 2 || letter == 'p';
        const bool is_range = members.size() > 2 && members.find('-') != members.npos && !members.starts_with("\\p");
        if (is_range && ignores_case_) // which PCRE2 would fold
            out_ += "(?-i:[" + std::string(negated ? "^" : "") + members + "])";
        else
            out_ += is_class ? "[" + std::string(negated ? "^" : "") + members + "]" : members;
    }

    std::string out_;
};

} // namespace

std::string from_oniguruma(std::string_view expression) {
    if (!is_utf8(expression))
        throw Error(Message(ATTNLAB_TEXT("a pattern is not UTF-8")));
    return Translation(expression).whole();
}

} // namespace attnlab::tokens
