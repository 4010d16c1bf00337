// What the model page shows of a run or a capture: made in a worker thread, then shared and unchanged.
#pragma once

#include "core/capture/capture.h"
#include "core/explain/head_figures.h"
#include "core/model/generation.h"
#include "core/model/model.h"
#include "core/model/model_results.h"
#include "core/model/one_head.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <QCoreApplication>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {

using CapturePtr = std::shared_ptr<const Capture>;
using ModelPtr = std::shared_ptr<const model::Model>;

/// A text that the model wrote on: its tokens, which the tokenizer might cut in another way. Of the decoder for a model
/// that translates.
struct WrittenText {
    std::vector<std::int64_t> ids;
    std::size_t first = 0;       ///< of `ids` that the model wrote
    QString begin;               ///< the text before
    std::vector<qsizetype> ends; ///< as TextSize::ends
    QString text;                ///< all of it

    bool operator==(const WrittenText&) const = default;
};

/// What the user asks the model to read.
struct ModelRequest {
    QString text;                 ///< ids separated by commas where the model has no tokenizer
    bool are_ids = false;         ///< `text` has ids though the model has a tokenizer
    std::optional<QString> other; ///< a second text to compare with
    QString target;               ///< of the decoder, for a model with an encoder too
    QString image;                ///< a file, for a model that reads images, alone or beside a text
    QString sound;                ///< the same for a model that reads sounds
    std::vector<model::Ablation> ablations;
    int sequence = 0;                   ///< of a capture's batch
    std::optional<WrittenText> written; ///< of `text` or `target`, while it is what the model wrote

    bool operator==(const ModelRequest&) const = default;
};

/// A head of a pass.
struct HeadIndex {
    int pass = 0;
    int head = 0;
    bool operator==(const HeadIndex&) const = default;
};

/// A head of a pass that may hold others too.
struct OneHead {
    std::shared_ptr<const model::Pass> pass;
    std::int64_t index = 0;
};

/// The heads of one pass, of a run or of a capture, whose numbers may still be in a file.
struct PassHeads {
    std::string name; ///< "decoder.3.self"
    QString title;    ///< of its row: "3", or the name where there are several kinds of passes
    std::int64_t heads = 0, queries = 0, keys = 0;
    bool is_cross = false;
    std::function<OneHead(int head)> one;                      ///< with its numbers. Throws Error
    std::function<std::shared_ptr<const model::Pass>()> whole; ///< all heads. Throws Error
    model::PassTokens tokens;
    std::vector<explain::HeadFigures> figures; ///< by head
    std::vector<QImage> pictures;              ///< 8 bits a pixel: 255 is a weight of 1
    std::vector<int> ahead; ///< by row of a picture: its first pixel that no query reads; empty: every key may be read
};

/// What the model expects at one place.
struct ModelPredictions {
    enum class Of { Outcome, Begin, End }; ///< Begin and End: of an answer within the text
    Of of = Of::Outcome;
    std::optional<std::int64_t> position; ///< of a masked or classified token; nullopt: the next token, or a class
    std::vector<model::Outcome> now;      ///< the likeliest first; also those that only `before` would have
    std::vector<model::Outcome> before;   ///< the same outcomes, with no head switched off
};

/// The heads of one pass in two runs, position by position.
struct ComparedPass {
    std::shared_ptr<const model::Pass> a, b;
    model::PassTokens tokens_a = {}, tokens_b = {};
    std::vector<double> distances = {}; ///< by head: model::HeadDifference::distance
    std::vector<QImage> pictures = {};  ///< 8 bits a pixel: 0 is -largest, 255 is largest
    std::vector<int> ahead = {};        ///< as PassHeads::ahead, in both
};

/// Two runs, A and B.
struct ComparedRuns {
    enum class Of { SwitchedOff, Texts }; ///< all heads on and some off, or the text and the second one
    Of of = Of::SwitchedOff;
    std::vector<ComparedPass> passes = {};
    double largest = 0.0;                     ///< magnitude of B - A, over all heads
    std::vector<ModelPredictions> other = {}; ///< predictions of the second text
};

/// How many tokens a text has, and how many the model reads.
struct TextSize {
    std::int64_t tokens = 0;
    std::int64_t most = 0;            ///< 0: any number
    qsizetype readable = -1;          ///< letters of the text before those that are too many; -1: all of it
    std::vector<qsizetype> ends = {}; ///< letters up to the end of each token; empty without a tokenizer
    std::int64_t unknown = 0;         ///< tokens for letters that the vocabulary does not have
    std::int64_t in_bytes = 0;        ///< letters that no token has, but their bytes in UTF-8
    QString first_in_bytes = {};      ///< the first of these letters
    std::int64_t spelled = 0;         ///< words of three letters or more with a token for each letter
    std::vector<bool> special = {};   ///< of each token: the tokenizer added it, and no letter is its own

    bool isTooLong() const { return most > 0 && tokens > most; }
};

/// Where the patches of an image stand among positions.
struct PatchPlace {
    int rows = 0, columns = 0;
    int first = 0;                   ///< positions in front of the patches of an image alone
    std::vector<int> positions = {}; ///< of each patch, row by row
    bool is_within_text = false; ///< the other positions are those of a text, instead of tokens in front of the patches
    QSizeF covered = {1.0, 1.0}; ///< their share of the width and height of the image, from its top left

    int position(int row, int column) const { return positions[static_cast<std::size_t>(row * columns + column)]; }
    /// The row and column of a position; nullopt: another token stands there.
    std::optional<std::pair<int, int>> patchAt(int position) const;
};

/// Of a model, or of a capture, which has passes alone.
struct ModelResult {
    ModelPtr model;
    CapturePtr capture;
    int sequence = 0; ///< of the capture's batch
    QString text;     ///< that was read; empty for a capture, and for a model that reads none
    std::shared_ptr<const model::Result> result;
    /// The same without heads switched off; the same object where none is.
    std::shared_ptr<const model::Result> plain;
    /// Of the second text, with all heads on; null without one.
    std::shared_ptr<const model::Result> other;
    std::vector<PassHeads> passes;
    bool are_layers = true; ///< rows are layers; else passes of several kinds, with names
    std::vector<ModelPredictions> guesses;
    std::optional<std::string> mask_spelling; ///< of a model that guesses masked tokens
    std::optional<ComparedRuns> compared;
    TextSize size, other_size; ///< of the text, and of the second one; of a capture 0
    /// The first token that the model wrote itself, behind at least one; of the decoder.
    std::optional<std::size_t> first_written;
    QImage picture;                   ///< as the model sees it, if it reads one
    PatchPlace patches;               ///< of `picture`
    std::vector<Message> sound_notes; ///< of what the model does not read of a sound as it is
    std::optional<QString> spelled;   ///< what the letters of all frames are together
    double seconds = 0.0;             ///< total time of the run

    /// There are only sizes.
    bool isTooLong() const { return size.isTooLong() || other_size.isTooLong(); }
    /// Heads of the second text can take the place of those of the first: it has as many tokens.
    bool canTakeOther() const;
    const PassHeads& heads(HeadIndex place) const { return passes[static_cast<std::size_t>(place.pass)]; }
    const explain::HeadFigures& figures(HeadIndex place) const {
        return heads(place).figures[static_cast<std::size_t>(place.head)];
    }
    bool isOff(HeadIndex place) const;
    /// Two texts are compared, and they are not the same.
    bool comparesOtherTexts() const;
    /// What `compared` has of the same pass; null without it.
    const ComparedPass* comparedHeads(HeadIndex place) const {
        return compared ? &compared->passes[static_cast<std::size_t>(place.pass)] : nullptr;
    }
};
using ModelResultPtr = std::shared_ptr<const ModelResult>;

/// "title · bfloat16"; of a result in float32, and of a capture, the title as it is.
QString markedTitle(const ModelResult& result, const QString& title);
/// "Layer 3 · head 5", "encoder.0.self · head 1" where a model has several kinds of passes; marked.
QString headTitle(const ModelResult& result, HeadIndex place);
const QString& passTitle(const ModelResult& result, int pass);
/// "3.5", "encoder.0.self.1".
QString shortTitle(const ModelResult& result, HeadIndex place);
/// The passes from the first layer up to this one that mix the same positions; empty where some are not there.
std::vector<int> layersUpTo(const ModelResult& result, int pass);

/// Figures by which heads are ordered and plotted.
struct HeadFigure {
    const char* id;
    const char* title; ///< translated in context "HeadsWall"
    std::optional<double> (*of)(const ModelResult&, HeadIndex);

    QString displayTitle() const { return QCoreApplication::translate("HeadsWall", title); }
};
std::span<const HeadFigure> headFigures();
/// Those that at least one head of the result has.
std::vector<const HeadFigure*> headFiguresIn(const ModelResult& result);

/// The tokens that only one of two texts has, by their longest common subsequence; of very long texts everything
/// between what they have in common at the ends.
std::pair<std::vector<bool>, std::vector<bool>> differingTokens(std::span<const std::string> a,
                                                                std::span<const std::string> b);

/// What is known of a head, in lines: its title, what it does, and its figures.
QString headText(const ModelResult& result, HeadIndex place);

/// Runs the model, in a worker thread, and makes the pictures of its heads. Where `before` began with the same tokens,
/// their numbers are taken from it. Of a text that is too long for the model there are only its sizes. A head that is
/// to give what it gives for the second text stays on where canTakeOther() is false. Throws Error and Cancelled.
ModelResultPtr computeModel(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                            const ModelResultPtr& before, const RunControl& control);

/// Writes on behind the text of `request`, in a worker thread, or takes the token `chosen` where it is given. Calls
/// `found` after each token with the text so far. Throws Error and Cancelled.
struct WritingRequest {
    std::int64_t count = 1;
    double temperature = 0.0;
    std::uint64_t seed = 0;
    std::optional<std::int64_t> chosen = {};
};
struct WritingResult {
    WrittenText text;
    std::int64_t count = 0; ///< of tokens that were written
    model::Written::Stop stop = model::Written::Stop::Count;
};
WritingResult writeOn(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                      const WritingRequest& writing, const ModelResultPtr& before, const RunControl& control,
                      const std::function<void(const WrittenText&)>& found);

/// A capture with more heads is refused.
inline constexpr std::int64_t most_captured_heads = std::int64_t{1} << 14;

/// The heads of a capture, for one sequence of the batch, in a worker thread. Reads one pass at a time. Throws Error
/// and Cancelled.
ModelResultPtr computeCapture(const CapturePtr& capture, int sequence, const RunControl& control);

/// The sequences that all passes have.
int sequencesOf(const Capture& capture);

} // namespace attnlab::ui
