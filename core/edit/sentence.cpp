#include "core/edit/sentence.h"

#include "core/edit/painted_mask.h"
#include "core/edit/resize.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/utf8.h"

#include <algorithm>
#include <map>

namespace attnlab {
namespace {

/// An array with one row for each word.
struct TokenArray {
    std::string name;
    Axis tokens;      ///< Query or Key
    std::size_t axis; ///< of the array
};

/// The axis of a tensor along which its tokens lie.
std::optional<std::pair<std::size_t, Axis>> tokens_of(const Input& input, const Tensor& tensor) {
    const auto dims = dims_at(input, tensor.rank());
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
        if (const auto tokens = tokens_along(dims[axis]))
            return std::pair(axis, *tokens);
    return std::nullopt;
}

/// The inputs of the mechanism itself, without those of masks and positions.
std::vector<Input> own_inputs(const AttentionSpec& spec) {
    try {
        const auto& chosen = mechanism_of(spec.variant);
        return inputs_of(chosen, with_defaults(chosen.parameters, spec.parameters, chosen.id));
    } catch (const Error&) {
        return {}; // the run says what is wrong
    }
}

std::vector<TokenArray> token_arrays(const AttentionProblem& problem) {
    std::vector<TokenArray> arrays;
    for (const auto& input : own_inputs(problem.spec))
        if (const auto found = problem.tensors.find(input.name);
            found != problem.tensors.end() && input.fill == InputFill::Normal)
            if (const auto tokens = tokens_of(input, found->second))
                arrays.push_back({found->first, tokens->second, tokens->first});
    return arrays;
}

/// An array that belongs to the places of the tokens, such as a projection over them; empty: none.
std::string array_of_places(const AttentionProblem& problem) {
    for (const auto& input : own_inputs(problem.spec))
        if (const auto found = problem.tensors.find(input.name);
            found != problem.tensors.end() && input.fill != InputFill::Normal && input.dtype != DType::Int64 &&
            tokens_of(input, found->second))
            return found->first;
    return {};
}

bool keys_follow_queries(const AttentionProblem& problem) {
    return keys_are_queries(problem, declared_inputs(problem.spec));
}

/// A word for each token, empty for one without a name.
std::vector<std::string> words_of(std::vector<std::string> tokens, std::int64_t count) {
    tokens.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
    return tokens;
}

bool has_names(const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [](const std::string& word) { return !word.empty(); });
}

std::uint64_t seed_of(std::string_view word, std::string_view array) {
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    const auto add = [&hash](std::string_view text) {
        for (const char letter : text)
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
        hash = (hash ^ 0xff) * 0x100000001b3; // no byte of UTF-8
    };
    add(word);
    add(array);
    return hash;
}

/// The rows of the words along one axis of `before`. Random rows are drawn with seeds of word and `seed_name`.
Tensor with_rows(const Tensor& before, std::size_t axis, const std::vector<std::string>& words,
                 const std::vector<std::int64_t>& rows, std::string_view seed_name, const RunControl& control) {
    auto shape = before.shape();
    const auto old = shape[axis];
    const auto count = static_cast<std::int64_t>(words.size());
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
    shape[axis] = count;
    const bool invents = std::ranges::find(rows, -1) != rows.end();
    const bool whole_numbers = before.dtype() == DType::Int64 || before.dtype() == DType::Bool;
    Tensor after(shape, 0.0, invents && whole_numbers ? DType::Float64 : before.dtype());
    const auto in = before.values();
    const auto out = after.mutable_values();
    for (std::size_t word = 0; word < words.size(); ++word) {
        Random random(seed_of(words[word], seed_name));
        for (std::int64_t block = 0; block < outer; ++block) {
            control.checkpoint();
            const auto to =
                out.subspan(static_cast<std::size_t>((block * count + static_cast<std::int64_t>(word)) * inner),
                            static_cast<std::size_t>(inner));
            if (rows[word] < 0)
                std::ranges::generate(to, [&random] { return random.normal(); });
            else
                std::ranges::copy(in.subspan(static_cast<std::size_t>((block * old + rows[word]) * inner), to.size()),
                                  to.begin());
        }
    }
    return after;
}

/// Whether the row of a word begins with the numbers that with_rows() draws, by the name of any of these arrays.
bool has_drawn_row(const Tensor& tensor, std::size_t axis, std::size_t row, std::string_view word,
                   const std::vector<TokenArray>& arrays) {
    if (!tensor.in_memory() || static_cast<std::int64_t>(row) >= tensor.shape()[axis])
        return false;
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < tensor.shape().size(); ++i)
        inner *= static_cast<std::size_t>(tensor.shape()[i]);
    if (tensor.size() == 0)
        return false;
    constexpr std::size_t most = 16;
    const auto numbers = tensor.values().subspan(row * inner, std::min(inner, most));
    return std::ranges::any_of(arrays, [&](const TokenArray& array) {
        Random random(seed_of(word, array.name));
        const auto same = std::ranges::count_if(
            numbers, [&](double value) { return static_cast<float>(value) == static_cast<float>(random.normal()); });
        return 2 * static_cast<std::size_t>(same) >= numbers.size();
    });
}

void check_words(const std::vector<std::string>& words) {
    if (words.empty() || !has_names(words))
        throw Error(Message(ATTNLAB_TEXT("A sentence needs at least one word")));
    if (static_cast<std::int64_t>(words.size()) > longest_sentence)
        throw Error({ATTNLAB_TEXT("A sentence can have up to %1 words; this one has %2"),
                     {std::to_string(longest_sentence), std::to_string(words.size())}});
}

/// One edit; remembers the problem before it.
class SentenceEdit {
public:
    SentenceEdit(const AttentionProblem& before, const RunControl& control)
        : before_(before), control_(control), next_(before), arrays_(token_arrays(before)),
          declared_(declared_inputs(before.spec)) {}

    void set(Axis axis, const std::vector<std::string>& words, const std::vector<std::string>& tokens) {
        resize(axis, static_cast<std::int64_t>(words.size()));
        const auto rows = known_rows(words, tokens);
        for (const auto& array : arrays_)
            if (array.tokens == axis)
                next_.tensors.insert_or_assign(array.name, with_rows(before_.tensors.at(array.name), array.axis, words,
                                                                     rows, first_equal(array), control_));
    }

    AttentionProblem finished() {
        extend_numbers_of_tokens();
        painted_mask::follow_sizes(next_);
        if (const auto issues = issues_in(next_); !issues.empty()) {
            auto fitted = fitted_inputs(next_, control_);
            if (!fitted || !issues_in(before_).empty())
                throw Error(issues.front());
            next_ = std::move(fitted->problem);
        }
        return std::move(next_);
    }

    AttentionProblem& problem() { return next_; }

private:
    void resize(Axis axis, std::int64_t count) {
        for (const auto& array : arrays_) {
            auto shape = next_.tensors.at(array.name).shape();
            if (array.tokens != axis || shape[array.axis] == count)
                continue;
            shape[array.axis] = count;
            next_ = resized(next_, array.name, shape, control_);
        }
    }

    /// Arrays with the same numbers (Q = K = V) keep having the same: the name of the first of them.
    std::string first_equal(const TokenArray& array) const {
        const auto& own = before_.tensors.at(array.name);
        for (const auto& other : arrays_)
            if (other.axis == array.axis && before_.tensors.at(other.name) == own)
                return other.name;
        return array.name;
    }

    /// New tokens join the last token's group. If the key count was S, it remains S.
    void extend_numbers_of_tokens() {
        const auto old_keys = token_count(before_, declared_, Axis::Key);
        const auto keys = token_count(next_, declared_, Axis::Key);
        for (const auto& input : declared_) {
            const auto before = before_.tensors.find(input.name);
            if (before == before_.tensors.end() || input.dtype != DType::Int64 || before->second.size() == 0)
                continue;
            auto& tensor = next_.tensors.at(before->first);
            if (input.fill == InputFill::KeyCount) {
                for (double& length : tensor.mutable_values())
                    length = length == static_cast<double>(old_keys) ? static_cast<double>(keys)
                                                                     : std::min(length, static_cast<double>(keys));
            } else if (tensor.rank() == 1 && tokens_of(input, tensor)) {
                const auto known = std::min(before->second.size(), tensor.size());
                const auto values = tensor.mutable_values();
                std::ranges::fill(values.subspan(static_cast<std::size_t>(known)),
                                  values[static_cast<std::size_t>(known) - 1]);
            }
        }
    }

    const AttentionProblem& before_;
    const RunControl& control_;
    AttentionProblem next_;
    std::vector<TokenArray> arrays_;
    std::vector<Input> declared_;
};

} // namespace

std::optional<Sentences> sentences_of(const AttentionProblem& problem) {
    const auto declared = declared_inputs(problem.spec);
    Sentences sentences{words_of(problem.query_tokens, token_count(problem, declared, Axis::Query)), std::nullopt};
    if (sentences.queries.empty())
        return std::nullopt;
    if (!keys_follow_queries(problem)) {
        auto keys = words_of(problem.key_tokens, token_count(problem, declared, Axis::Key));
        // Numbered keys beside named queries stay numbered.
        if (!keys.empty() && (has_names(keys) || !has_names(sentences.queries)))
            sentences.keys = std::move(keys);
    }
    return sentences;
}

Message refusal_of_sentences(const AttentionProblem& problem) {
    const auto sentences = sentences_of(problem);
    if (!sentences)
        return {ATTNLAB_TEXT("There are no tokens to name")};
    if (problem.key_grid)
        return {ATTNLAB_TEXT("The keys are patches of a picture, not words")};
    for (const auto* words : {&sentences->queries, sentences->keys ? &*sentences->keys : nullptr})
        if (words && static_cast<std::int64_t>(words->size()) > longest_sentence)
            return {ATTNLAB_TEXT("The sentence has more than %1 words"), {std::to_string(longest_sentence)}};
    const auto arrays = token_arrays(problem);
    const auto has_rows = [&arrays](Axis axis) { return lookup(arrays, axis, &TokenArray::tokens) != nullptr; };
    const bool own_keys = !problem.key_tokens.empty() && !keys_follow_queries(problem);
    if (!has_rows(Axis::Query) || (own_keys && !has_rows(Axis::Key)))
        return {ATTNLAB_TEXT("This mechanism reads its words from arrays without a row for each word")};
    if (const auto array = array_of_places(problem); !array.empty())
        return {ATTNLAB_TEXT("%1 has numbers for each place of this sentence, which no other would fit"), {array}};
    return {};
}

std::vector<std::int64_t> known_rows(const std::vector<std::string>& words, const std::vector<std::string>& tokens) {
    std::map<std::string_view, std::vector<std::int64_t>> places;
    for (std::size_t row = 0; row < tokens.size(); ++row)
        places[tokens[row]].push_back(static_cast<std::int64_t>(row));
    places.erase("");
    std::map<std::string_view, std::size_t> seen;
    std::vector<std::int64_t> rows;
    for (const auto& word : words) {
        const auto found = places.find(word);
        const auto occurrence = seen[word]++;
        const auto place = rows.size();
        const bool is_unnamed = place < tokens.size() && tokens[place].empty();
        rows.push_back(found == places.end()               ? (is_unnamed ? static_cast<std::int64_t>(place) : -1)
                       : occurrence < found->second.size() ? found->second[occurrence]
                                                           : found->second.front());
    }
    return rows;
}

namespace {

/// Calls take(word, array) for each row that with_sentences() has drawn.
template <class Take>
void for_each_drawn_row(const AttentionProblem& problem, Take take) {
    const auto sentences = sentences_of(problem);
    if (!sentences)
        return;
    const auto arrays = token_arrays(problem);
    for (const auto axis : {Axis::Query, Axis::Key}) {
        const auto& tokens = axis == Axis::Query || !sentences->keys ? sentences->queries : *sentences->keys;
        if (static_cast<std::int64_t>(tokens.size()) > longest_sentence)
            continue;
        for (std::size_t row = 0; row < tokens.size(); ++row)
            for (const auto& array : arrays)
                if (array.tokens == axis && !tokens[row].empty() &&
                    has_drawn_row(problem.tensors.at(array.name), array.axis, row, tokens[row], arrays))
                    take(tokens[row], array.name);
    }
}

void add_new(std::vector<std::string>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end())
        names.emplace_back(name);
}

} // namespace

std::vector<std::string> drawn_words(const AttentionProblem& problem) {
    std::vector<std::string> words;
    for_each_drawn_row(problem, [&words](std::string_view word, std::string_view) { add_new(words, word); });
    return words;
}

std::vector<std::string> arrays_of_drawn_words(const AttentionProblem& problem) {
    std::vector<std::string> arrays;
    for_each_drawn_row(problem, [&arrays](std::string_view, std::string_view array) { add_new(arrays, array); });
    return arrays;
}

AttentionProblem with_sentences(const AttentionProblem& problem, const Sentences& words, const RunControl& control) {
    if (const auto refusal = refusal_of_sentences(problem); !refusal.empty())
        throw Error(refusal);
    const auto before = *sentences_of(problem);
    if (words == before)
        return problem;
    if (words.queries != before.queries)
        check_words(words.queries);
    if (words.keys && words.keys != before.keys)
        check_words(*words.keys);
    const bool keys_follow = keys_follow_queries(problem);
    const auto& keys = keys_follow ? words.queries : words.keys ? *words.keys : problem.key_tokens;
    SentenceEdit edit(problem, control);
    edit.set(Axis::Query, words.queries, before.queries);
    if (keys_follow || before.keys)
        edit.set(Axis::Key, keys, keys_follow ? before.queries : *before.keys);
    auto& next = edit.problem();
    next.query_tokens = words.queries;
    next.key_tokens = keys_follow ? std::vector<std::string>() : keys;
    if (!keys_follow && next.key_tokens.empty()) // without blanks as many keys as queries would get their words
        next.key_tokens.resize(static_cast<std::size_t>(token_count(next, declared_inputs(next.spec), Axis::Key)));
    return edit.finished();
}

// Parts a typed sentence into words.

namespace {

constexpr std::string_view no_break_space = "\u00a0";
constexpr std::string_view white = " \t\r\n\f\v";

bool within(char32_t letter, std::initializer_list<std::pair<char32_t, char32_t>> ranges) {
    return std::ranges::any_of(ranges,
                               [letter](const auto& range) { return letter >= range.first && letter <= range.second; });
}

/// Belongs to the character before it: a combining mark or a variation selector.
bool is_mark(char32_t letter) {
    return within(letter, {{0x300, 0x36f}, {0x3099, 0x309c}, {0xfe00, 0xfe0f}, {0xe0100, 0xe01ef}, {0x200d, 0x200d}});
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto first = text.find_first_not_of(white);
        if (first == text.npos)
            return parts;
        text.remove_prefix(first);
        const auto length = std::min(text.find_first_of(white), text.size());
        parts.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
}

/// Each Han character or kana by itself; what is between them (a Latin word, a number) stays together.
std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> words;
    bool joins = false;
    while (!text.empty()) {
        // A byte that is not UTF-8 is a character by itself.
        const auto [letter, bytes] = valid_character_at(text, 0).value_or(Character{0xfffd, 1});
        const bool alone = is_unspaced(letter);
        if (!words.empty() && (is_mark(letter) || (joins && !alone)))
            words.back() += text.substr(0, bytes);
        else
            words.emplace_back(text.substr(0, bytes));
        joins = is_mark(letter) ? joins : !alone;
        text.remove_prefix(bytes);
    }
    return words;
}

} // namespace

std::string typed_form(std::string_view token) {
    std::string typed;
    for (const char letter : token)
        typed += white.find(letter) == white.npos ? std::string_view(&letter, 1) : no_break_space;
    return typed;
}

std::string typed_sentence(const std::vector<std::string>& tokens) {
    std::string line;
    for (const auto& token : tokens)
        line += (line.empty() ? "" : " ") + typed_form(token);
    return line;
}

std::vector<std::string> words_in(std::string_view text, const std::vector<std::string>& known) {
    const auto parts = parts_of(text);
    std::map<std::string, std::string_view, std::less<>> tokens;
    for (const auto& token : known)
        tokens.emplace(typed_form(token), token);
    std::vector<std::string> words;
    for (const auto part : parts) {
        if (const auto token = tokens.find(part); token != tokens.end())
            words.emplace_back(token->second);
        else if (parts.size() == 1)
            words = characters_of(part);
        else
            words.emplace_back(part);
    }
    return words;
}

} // namespace attnlab
