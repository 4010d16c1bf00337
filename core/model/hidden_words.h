// The words of a text that a model reads, and its answer while one of them is hidden from all attention.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attnlab::model {

/// Consecutive tokens of Input::ids.
struct Word {
    Pass::Range positions = {};
    std::string text = {}; ///< as a reader sees it; without a tokenizer the id
    bool is_image = false; ///< the tokens of an image; `text` is the number of the second one and those behind
};

/// Returns the words that can be hidden, each with the white space in front of it. Tokens without white space between
/// them make one word. A punctuation token, and a token that begins with a Chinese or Japanese character, is a word of
/// its own. Special tokens that the tokenizer adds are left out, and so is the word from whose position the answer in
/// `row` of the logits is read. Throws as the tokenizer, and Error without such a row; Cancelled.
std::vector<Word> words_of(const Model& model, const Result& result, std::int64_t row, const RunControl& control = {});

/// The logits of one row while each word is hidden, one at a time (Options::hidden), and at last of `result` itself:
/// (words + 1, outcomes). Heads that are replaced in `result` stay replaced. Throws Error as Model::run, and for a
/// model without an answer; Cancelled.
Matrix logits_without(const Model& model, const Result& result, std::int64_t row, std::span<const Word> words,
                      const RunControl& control = {});

/// Something other than attention reads the tokens beside a position, too: convolutions, recurrences.
bool reads_without_attention(const Description& description);

} // namespace attnlab::model
