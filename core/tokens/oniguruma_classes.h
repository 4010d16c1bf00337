// Classes of characters in Oniguruma's expressions, as classes of PCRE2.
#pragma once

#include "core/io/file_formats.h"
#include "core/message.h"

#include <string>
#include <string_view>

namespace attnlab::tokens {

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

} // namespace attnlab::tokens
