// Translates Oniguruma's expressions to PCRE2's language.
#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/message.h"
#include "core/tokens/pattern.h"
#include "core/tokens/unicode.h"
#include "core/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::tokens {

// Classes of characters in Oniguruma's expressions, as classes of PCRE2.

/// Reads an expression from its beginning on; what is read throws Error where it has no counterpart.
class OnigurumaClasses {
public:
    explicit OnigurumaClasses(std::string_view expression) : in_(expression) {}

protected:
    static constexpr int deepest = 200;
    /// Of \w outside of brackets, and of \b. Within brackets, and as a property, it is without numbers such as "²".
    static constexpr std::string_view word_members = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\xb2\xb3\xb9\xbc-\xbe)";
    static constexpr std::string_view word_in_brackets = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";

    /// After a backslash: what it stands for within brackets, as members of a class.
    std::string class_escape(bool& negated);
    /// After "[": one item of PCRE2 that matches one character.
    std::string char_class(int depth);

    [[noreturn]] void fail(std::string_view why) const {
        throw Error({ATTNLAB_TEXT("the pattern '%1' cannot be read near byte %2: %3"),
                     {io::excerpt(in_), std::to_string(at_), std::string(why)}});
    }
    bool ended() const { return at_ >= in_.size(); }
    bool at(std::string_view text) const { return in_.substr(at_).starts_with(text); }
    bool take(std::string_view text) {
        if (!at(text))
            return false;
        at_ += text.size();
        return true;
    }
    char next() { return ended() ? (fail("it ends too early"), '\0') : in_[at_++]; }

    /// Throws Error where case does not matter, and the character might fold to several.
    void require_simple_folding(std::string_view character) const;

    std::string_view in_;
    std::size_t at_ = 0;
    bool ignores_case_ = false;

private:
    /// Hexadecimal digits up to `end`, and the brace after them.
    std::string code(std::size_t end, bool brace);
    std::string property(bool negative, bool& negated);
    /// Throws Error where case does not matter, and members of a class may have other case outside of it.
    void require_closed(std::string_view members) const;
    /// At "[:".
    std::string posix(bool& negated);
};

namespace {

using Renamed = std::pair<std::string_view, std::string_view>;

/// Names of classes and of categories, in small letters without spaces, and what a class of PCRE2 has for them.
constexpr Renamed class_names[] = {
    {"alnum", R"(\p{Alphabetic}\p{Nd})"},
    {"alpha", R"(\p{Alphabetic})"},
    {"ascii", R"(\x00-\x7f)"},
    {"blank", R"(\p{Zs}\t)"},
    {"cntrl", R"(\p{Cc})"},
    {"digit", R"(\p{Nd})"},
    {"lower", R"(\p{Lowercase})"},
    {"punct", R"(\p{P}\p{S})"},
    {"space", R"(\p{White_Space})"},
    {"upper", R"(\p{Uppercase})"},
    {"word", R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})"},
    {"xdigit", R"(0-9A-Fa-f)"},
    {"any", R"(\x00-\x{10ffff})"},
    {"letter", R"(\p{L})"},
    {"casedletter", R"(\p{Lu}\p{Ll}\p{Lt})"},
    {"lc", R"(\p{Lu}\p{Ll}\p{Lt})"},
    {"uppercaseletter", R"(\p{Lu})"},
    {"lowercaseletter", R"(\p{Ll})"},
    {"titlecaseletter", R"(\p{Lt})"},
    {"modifierletter", R"(\p{Lm})"},
    {"otherletter", R"(\p{Lo})"},
    {"mark", R"(\p{M})"},
    {"combiningmark", R"(\p{M})"},
    {"nonspacingmark", R"(\p{Mn})"},
    {"spacingmark", R"(\p{Mc})"},
    {"enclosingmark", R"(\p{Me})"},
    {"number", R"(\p{N})"},
    {"decimalnumber", R"(\p{Nd})"},
    {"letternumber", R"(\p{Nl})"},
    {"othernumber", R"(\p{No})"},
    {"punctuation", R"(\p{P})"},
    {"connectorpunctuation", R"(\p{Pc})"},
    {"dashpunctuation", R"(\p{Pd})"},
    {"openpunctuation", R"(\p{Ps})"},
    {"closepunctuation", R"(\p{Pe})"},
    {"initialpunctuation", R"(\p{Pi})"},
    {"finalpunctuation", R"(\p{Pf})"},
    {"otherpunctuation", R"(\p{Po})"},
    {"symbol", R"(\p{S})"},
    {"mathsymbol", R"(\p{Sm})"},
    {"currencysymbol", R"(\p{Sc})"},
    {"modifiersymbol", R"(\p{Sk})"},
    {"othersymbol", R"(\p{So})"},
    {"separator", R"(\p{Z})"},
    {"spaceseparator", R"(\p{Zs})"},
    {"lineseparator", R"(\p{Zl})"},
    {"paragraphseparator", R"(\p{Zp})"},
    {"other", R"(\p{C})"},
    {"control", R"(\p{Cc})"},
    {"format", R"(\p{Cf})"},
    {"unassigned", R"(\p{Cn})"},
    {"privateuse", R"(\p{Co})"},
    {"surrogate", R"(\p{Cs})"},
    {"whitespace", R"(\p{White_Space})"},
};

} // namespace

std::string OnigurumaClasses::class_escape(bool& negated) {
    const char letter = next();
    negated = letter == 'S' || letter == 'W' || letter == 'D' || letter == 'H';
    switch (letter) {
    case 's':
    case 'S':
        return R"(\p{White_Space})";
    case 'w':
    case 'W':
        return std::string(word_in_brackets);
    case 'd':
    case 'D':
        return R"(\p{Nd})";
    case 'h':
    case 'H':
        return "0-9A-Fa-f";
    case 'n':
    case 'r':
    case 't':
    case 'f':
    case 'e':
    case 'a':
        return std::string("\\") + letter;
    case 'v':
        return R"(\x0b)";
    case 'b':
        return R"(\x08)";
    case 'x':
        return take("{") ? code(in_.find('}', at_), true) : code(at_ + 2, false);
    case 'u':
        return code(at_ + 4, false);
    case 'p':
    case 'P':
        if (at("{"))
            return property(letter == 'P', negated);
        return std::string(1, letter);
    default:
        break;
    }
    if (letter >= '0' && letter <= '7') {
        std::string octal(1, letter);
        while (octal.size() < 3 && !ended() && in_[at_] >= '0' && in_[at_] <= '7')
            octal += next();
        return "\\o{" + octal + "}";
    }
    if (std::isalnum(static_cast<unsigned char>(letter)))
        fail(std::string("\\") + letter + " is unknown");
    return static_cast<unsigned char>(letter) < 0x80 ? std::string("\\") + letter : std::string(1, letter);
}

std::string OnigurumaClasses::code(std::size_t end, bool brace) {
    if (end == in_.npos)
        fail("a brace is not closed");
    std::string digits;
    while (at_ < std::min(end, in_.size()) && std::isxdigit(static_cast<unsigned char>(in_[at_])))
        digits += next();
    if (digits.empty() || (brace && !take("}")))
        fail("this is no code point");
    if (ignores_case_ && (digits.size() > 2 || digits[0] >= '8'))
        fail("without regard to case, only characters of ASCII may be written as numbers");
    return "\\x{" + digits + "}";
}

void OnigurumaClasses::require_simple_folding(std::string_view character) const {
    if (!ignores_case_ || static_cast<unsigned char>(character[0]) < 0x80)
        return;
    const auto value = character_at(character, 0).value;
    if (!is_punctuation(value) && !is_numeric(value) && !is_whitespace(value))
        fail("without regard to case, only letters of ASCII are supported");
}

void OnigurumaClasses::require_closed(std::string_view members) const {
    if (!ignores_case_)
        return;
    for (const std::string_view closed : {R"(\p{White_Space})", R"(\p{Nd})", "0-9A-Fa-f", R"(\p{Zs}\t)", R"(\p{Cc})"})
        if (members == closed)
            return;
    for (const char kind : {'N', 'P', 'S', 'Z', 'C'}) // and their parts
        if (members.starts_with(std::string("\\p{") + kind) && members.size() <= 6)
            return;
    if (members.size() > 2 && members.starts_with("\\p"))
        fail("within brackets and without regard to case, this class of characters is not supported");
}

std::string OnigurumaClasses::property(bool negative, bool& negated) {
    take("{");
    negated = negative != take("^");
    std::string name, small;
    for (char letter = next(); letter != '}'; letter = next())
        name += letter;
    for (const char letter : name)
        if (letter != ' ' && letter != '_' && letter != '-')
            small += lowered(letter);
    if (small == "punct") // without symbols, other than [[:punct:]]
        return R"(\p{P})";
    if (const auto known = std::ranges::find(class_names, small, &Renamed::first); known != std::end(class_names))
        return std::string(known->second);
    if (!std::ranges::all_of(small, [](unsigned char letter) { return std::isalnum(letter) != 0; }))
        fail("\\p{" + name + "} is unknown");
    for (const auto& spelled : {"\\p{sc:" + small + "}", "\\p{" + small + "}"})
        if (Pattern::is_valid(spelled))
            return spelled;
    fail("\\p{" + name + "} is unknown");
}

std::string OnigurumaClasses::char_class(int depth) {
    if (depth > deepest)
        fail("it is nested too deep");
    const bool negated = take("^");
    std::vector<std::string> parts; // of an intersection
    std::string members;
    std::vector<std::string> others; // beside `members`
    const auto finish = [&] {
        std::string part;
        if (!members.empty() || others.empty())
            part = members.empty() ? "(?!)" : "[" + members + "]";
        for (const auto& other : others)
            part += (part.empty() ? "" : "|") + other;
        parts.push_back(others.empty() ? part : "(?:" + part + ")");
        members.clear();
        others.clear();
    };
    for (bool first = true;; first = false) {
        if (ended())
            fail("a bracket is not closed");
        if (take("&&")) {
            finish();
        } else if (at("[:") && in_.find(":]", at_) != in_.npos) {
            bool other_negated = false;
            const auto name = posix(other_negated);
            require_closed(name);
            other_negated ? others.push_back("[^" + name + "]") : void(members += name);
        } else if (take("[")) {
            others.push_back(char_class(depth + 1));
        } else if (at("]") && !first) {
            break;
        } else if (take("\\")) {
            bool other_negated = false;
            const auto some = class_escape(other_negated);
            require_closed(some);
            other_negated ? others.push_back("[^" + some + "]") : void(members += some);
        } else {
            if (ignores_case_ && static_cast<unsigned char>(in_[at_]) >= 0x80)
                fail("within brackets and without regard to case, only characters of ASCII are supported");
            const char letter = next();
            if (letter == ']' || letter == '[' || letter == '^')
                members += '\\';
            members += letter;
        }
    }
    take("]");
    const bool simple = parts.empty() && others.empty() && !members.empty();
    if (simple)
        return (negated ? "[^" : "[") + members + "]";
    finish();
    std::string all = "(?:";
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        all += "(?=" + parts[i] + ")";
    all += parts.back() + ")";
    return negated ? "(?:(?!" + all + ")(?s:.))" : all;
}

std::string OnigurumaClasses::posix(bool& negated) {
    take("[:");
    negated = take("^");
    const auto end = in_.find(":]", at_);
    const auto name = in_.substr(at_, end - at_);
    at_ = end + 2;
    if (name == "graph" || name == "print")
        fail("[:" + std::string(name) + ":] is unknown");
    const auto* known = lookup(class_names, name, &Renamed::first);
    if (!known || known - class_names >= 12)
        fail("[:" + std::string(name) + ":] is unknown");
    return std::string(known->second);
}

// Oniguruma's expressions in PCRE2's language. What is spelled the same but means something else there:
//   \s \w \d \h \b and [[:alpha:]] are classes of Unicode of its own choice, and \h is a hexadecimal digit
//   (?m) lets . match a line feed; an option alone holds for all that is left of its group, with alternatives
//   x{1,3}+ repeats, x{2}? is optional, and x{,3} begins at 0
//   classes hold classes, and && intersects them
// Without regard to case, Oniguruma folds characters to several ("ß" is "ss"), and folds the properties within
// brackets. PCRE2 does not: what could differ is refused.

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
