#include "core/model/hidden_words.h"

#include "core/model/image_tokens.h"
#include "core/model/model_results.h"
#include "core/utf8.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace attnlab::model {
namespace {

constexpr std::string_view white = " \t\n\r\f\v";

bool begins_with_white(std::string_view text) { return !text.empty() && white.find(text.front()) != white.npos; }

/// Without the white space around it.
std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(white);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(white) - first + 1);
}

bool is_punctuation(std::string_view text) {
    return std::ranges::all_of(text, [](char byte) {
        return (byte >= '!' && byte <= '/') || (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
               (byte >= '{' && byte <= '~');
    });
}

/// True for a token that is never joined with its neighbours: punctuation, or a character written without spaces.
bool stands_alone(std::string_view text) {
    const auto word = trimmed(text);
    if (word.empty())
        return false;
    const auto letter = valid_character_at(word, 0);
    return is_punctuation(word) || (letter && is_unspaced(letter->value));
}

/// Cuts a text into words, where decode() is the text that some ids stand for.
class WordFinder {
public:
    WordFinder(const Model& model, const RunControl& control) : tokenizer_(model.tokenizer()), control_(control) {
        if (!tokenizer_)
            return;
        for (const auto& token : tokenizer_->encode("", {}, control))
            if (token.special)
                added_.insert(token.id);
    }

    bool is_added(std::int64_t id) const { return added_.contains(id); }

    std::string text_of(std::span<const std::int64_t> ids) const {
        if (!tokenizer_)
            return std::to_string(ids.front());
        const auto text = tokenizer_->decode({ids.begin(), ids.end()}, control_);
        const auto word = trimmed(text);
        return word.empty() ? tokenizer_->text_of(ids.front()).value_or(std::to_string(ids.front()))
                            : std::string(word);
    }

    bool belong_together(std::int64_t a, std::int64_t b) const {
        if (!tokenizer_ || is_added(a) || is_added(b))
            return false;
        const auto first = tokenizer_->decode({a}, control_), second = tokenizer_->decode({b}, control_),
                   both = tokenizer_->decode({a, b}, control_);
        if (begins_with_white(second))
            return false;
        if (trimmed(first).empty()) // white space in front of a word
            return true;
        // Decoders leave out white space in front of the first token, but not between two.
        return !stands_alone(first) && !stands_alone(second) &&
               !(both.starts_with(first) && begins_with_white(std::string_view(both).substr(first.size())));
    }

private:
    std::shared_ptr<const tokens::Tokenizer> tokenizer_;
    const RunControl& control_;
    std::set<std::int64_t> added_;
};

std::vector<Word> images_in(const Model& model, const Input& input) {
    std::vector<Word> words;
    if (const auto& tokens = model.description().image_tokens)
        for (const auto& place : places_of_images(*tokens, input))
            words.push_back({.positions = {place.first, place.last},
                             .text = words.empty() ? "" : std::to_string(words.size() + 1),
                             .is_image = true});
    return words;
}

/// The position of Input::ids from which the answer is read; nullopt if it is read from the decoder, or from several.
std::optional<std::int64_t> position_of_answer(const Model& model, const Result& result, std::int64_t row) {
    const auto& description = model.description();
    if ((description.encoder && description.decoder) || finds_spans(model) ||
        (result.is_of_classes && description.head->pooling != Head::Pooling::Last))
        return std::nullopt;
    return result.logit_positions[static_cast<std::size_t>(row)];
}

/// Throws Error.
void check(const Result& result, std::int64_t row) {
    if (result.logits.rows == 0)
        throw Error(ATTNLAB_TEXT("The model gives no answer that a word could change"));
    if (row < 0 || row >= result.logits.rows)
        throw Error({ATTNLAB_TEXT("There is no row %1 of logits, expected a number from 0 to %2"),
                     {std::to_string(row), std::to_string(result.logits.rows - 1)}});
}

} // namespace

std::vector<Word> words_of(const Model& model, const Result& result, std::int64_t row, const RunControl& control) {
    check(result, row);
    const auto position = position_of_answer(model, result, row);
    const WordFinder finder(model, control);
    const auto images = images_in(model, result.input);
    const auto& ids = result.input.ids;
    const auto count = std::ssize(ids);
    std::vector<Word> words;
    auto image = images.begin();
    for (std::int64_t first = 0, last = 0; first < count; first = last) {
        control.checkpoint();
        if (image != images.end() && image->positions.first == first) {
            words.push_back(*image);
            last = image->positions.last;
            ++image;
            continue;
        }
        const auto id_at = [&ids](std::int64_t at) { return ids[static_cast<std::size_t>(at)]; };
        for (last = first + 1; last < count && !(image != images.end() && image->positions.first == last) &&
                               finder.belong_together(id_at(last - 1), id_at(last));
             ++last) {
        }
        if (!finder.is_added(id_at(first)) && !(position && first <= *position && *position < last))
            words.push_back({{first, last},
                             finder.text_of(std::span(ids).subspan(static_cast<std::size_t>(first),
                                                                   static_cast<std::size_t>(last - first)))});
    }
    return words;
}

Matrix logits_without(const Model& model, const Result& result, std::int64_t row, std::span<const Word> words,
                      const RunControl& control) {
    check(result, row);
    const bool is_one = result.is_of_classes || finds_spans(model);
    Options options{.ablations = result.ablations};
    if (!is_one) {
        options.logits = Options::Logits::Chosen;
        options.positions = {result.logit_positions[static_cast<std::size_t>(row)]};
    }
    const auto rows = std::ssize(words) + 1;
    Matrix logits(rows, result.logits.columns);
    for (std::int64_t word = 0; word < rows - 1; ++word) {
        const auto& positions = words[static_cast<std::size_t>(word)].positions;
        options.hidden.resize(static_cast<std::size_t>(positions.last - positions.first));
        std::iota(options.hidden.begin(), options.hidden.end(), positions.first);
        const auto run = model.run(result.input, options,
                                   control.part(static_cast<double>(word) / static_cast<double>(rows),
                                                static_cast<double>(word + 1) / static_cast<double>(rows)),
                                   &result);
        std::copy_n(run.logits.row(is_one ? row : 0), logits.columns, logits.row(word));
    }
    std::copy_n(result.logits.row(row), logits.columns, logits.row(rows - 1));
    control.report(1.0);
    return logits;
}

bool reads_without_attention(const Description& description) {
    for (const auto* stack : {&description.encoder, &description.decoder})
        if (*stack && std::ranges::any_of((*stack)->blocks, [](const Block& block) {
                return !block.has_attention() || block.self.beside.has_value();
            }))
            return true;
    return false;
}

} // namespace attnlab::model
