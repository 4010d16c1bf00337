// A model on disk (a folder or a .gguf file), and its results for an input: every head of every layer.
#pragma once

#include "core/model/description.h"
#include "core/model/pass.h"
#include "core/model/weight_products.h"
#include "core/tokens/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// An image as the model takes it: (channels, height, width), normalized; or several tiles of this shape.
struct Pixels {
    std::int64_t channels = 0, height = 0, width = 0;
    std::vector<float> values = {}; ///< of each tile, and of the whole in front of them (ImageTiles: Canvas) or behind
    std::int64_t tile_rows = 0, tile_columns = 0;       ///< tiles beside the whole; 0: there is the whole alone
    std::int64_t picture_height = 0, picture_width = 0; ///< of the picture that was cut into tiles

    bool operator==(const Pixels&) const = default;
};

/// A sound as the model takes it: (channels, count), its samples or a spectrogram.
struct Sound {
    std::int64_t channels = 0, count = 0;
    std::vector<float> values = {};

    bool operator==(const Sound&) const = default;
};

struct Input {
    std::vector<std::int64_t> ids = {};
    std::vector<std::int64_t> types = {};       ///< token types; empty: all 0
    std::vector<std::int64_t> decoder_ids = {}; ///< of a model with an encoder and a decoder
    std::optional<Pixels> image = {};        ///< instead of ids; beside them where Description::image_tokens is there
    std::vector<Pixels> further_images = {}; ///< behind the first one in a text
    std::optional<Sound> sound = {};         ///< instead of ids
    std::int64_t written = 0;                ///< last ids that the model wrote itself
};

/// A head whose output is replaced before it is projected.
struct Ablation {
    enum class By { Zero, Mean, Other }; ///< Mean: over positions; Other: what it gives for another text
    std::string pass = {};
    std::int64_t head = 0;
    By by = By::Zero;
    std::shared_ptr<const Pass> other = {}; ///< for By::Other: the same pass of a run with as many positions

    bool operator==(const Ablation&) const = default;
};

struct Options {
    enum class Logits { None, Last, All, Chosen };
    Logits logits = Logits::Last;
    std::vector<std::int64_t> positions = {}; ///< positions whose logits are computed; for Logits::Chosen only
    std::vector<Ablation> ablations = {};
    /// Positions of Input::ids, in ascending order, that no attention reads, as where attention_mask is 0; a mean over
    /// positions leaves them out. Of a model with an encoder, this is what its encoder reads.
    std::vector<std::int64_t> hidden = {};
};

struct Result {
    Input input = {};
    std::vector<Ablation> ablations = {};
    std::vector<std::int64_t> hidden = {};                ///< Options::hidden
    std::vector<std::shared_ptr<const Pass>> passes = {}; ///< in the order in which they are computed
    /// What enters each block, and what leaves the last as the model shows it: (positions, width).
    std::vector<std::shared_ptr<const Matrix>> encoder_hidden = {}, decoder_hidden = {};
    /// What the last norm of the stack with the head reads: (positions, width).
    std::shared_ptr<const Matrix> before_norm = {};
    /// That take the place of image tokens, then those that are added behind each of the first blocks: (count, width).
    std::shared_ptr<const std::vector<Matrix>> image_rows = {};
    Matrix logits = {}; ///< a row for each of logit_positions
    std::vector<std::int64_t> logit_positions = {};
    bool is_of_classes = false;  ///< logits are one row for the whole input
    bool is_independent = false; ///< of outcomes that do not exclude one another

    /// nullptr where there is no such pass.
    std::shared_ptr<const Pass> find(std::string_view pass) const;
};

/// "float32", "bfloat16"
std::string_view name_of(Arithmetic arithmetic);
/// "decoder.3.self · bfloat16"; in float32 the text as it is.
std::string marked(std::string text, Arithmetic arithmetic);

/// Thread-safe: all members are const.
class Model {
public:
    /// A folder with config.json and weights, or one .gguf file. Throws Error; Cancelled while the tokenizer is built.
    static Model open(const std::filesystem::path& path, const RunControl& control = {});
    /// The same from parts. `tokenizer` may be null.
    Model(Description description, std::shared_ptr<const WeightFiles> files,
          std::shared_ptr<const tokens::Tokenizer> tokenizer);

    const Description& description() const { return description_; }
    /// nullptr without one: then ids are typed as numbers.
    const std::shared_ptr<const tokens::Tokenizer>& tokenizer() const { return tokenizer_; }
    /// Ids, and types where the model has a table of them.
    Input input_of(std::span<const tokens::Token> tokens) const;
    /// The ids of a text of the decoder, without those that the tokenizer puts in front where the prompt stands. Throws
    /// as the tokenizer; the model has one.
    std::vector<std::int64_t> target_ids(std::string_view text, const RunControl& control = {}) const;
    /// The tokens that count towards Description::longest: all but those of padding, where positions skip it.
    std::int64_t length_of(const std::vector<std::int64_t>& ids) const;
    /// The same model with all products of activations and weights in this arithmetic. It shares the files.
    Model in(Arithmetic arithmetic) const;
    /// What the arithmetic does to the numbers, for the user; none for float32.
    std::vector<Message> arithmetic_notes() const;
    /// Names of all passes, in the order of Result::passes.
    std::vector<std::string> pass_names() const;
    /// The ids of a decoder for a target: behind decoder_start and the prompt (that of a sound unless it begins
    /// with decoder_start itself), and without a token that ends the text. Throws Error where the model has no such
    /// start.
    std::vector<std::int64_t> shifted(std::vector<std::int64_t> target) const;
    /// The ids of a decoder beside an encoder that reads `text`: of the target, or the text itself moved right where
    /// the decoder reads that. Throws Error where such a model is given a target, or a text without its end.
    std::vector<std::int64_t> decoder_ids(const std::vector<std::int64_t>& text,
                                          const std::vector<std::int64_t>& target = {}) const;

    /// Throws Error when the input does not fit the model, and Cancelled. What `previous` has computed is taken from it
    /// where nothing can change it: for the same input all blocks before the first whose heads are replaced in another
    /// way, and else the same beginning of a causal decoder's tokens.
    Result run(Input input, const Options& options = {}, const RunControl& control = {},
               const Result* previous = nullptr) const;

private:
    Description description_;
    std::shared_ptr<const WeightFiles> files_ = {};
    std::shared_ptr<const tokens::Tokenizer> tokenizer_ = {};
};

// A model in one .gguf file.

/// With the tokenizer that is inside, or none where it has none. Throws Error.
Model open_gguf_model(const std::filesystem::path& path, const RunControl& control = {});

} // namespace attnlab::model
