#include "core/tokens/oniguruma_classes.h"

#include "core/tokens/pattern.h"
#include "core/tokens/unicode.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace attnlab::tokens {
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
            small += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
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
    const auto known = std::ranges::find(class_names, name, &Renamed::first);
    if (known == std::end(class_names) || known - class_names >= 12)
        fail("[:" + std::string(name) + ":] is unknown");
    return std::string(known->second);
}

} // namespace attnlab::tokens
