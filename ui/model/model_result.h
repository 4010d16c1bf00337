// What the model page shows of a run: made in a worker thread, then shared and unchanged.
#pragma once

#include "core/explain/head_figures.h"
#include "core/model/model.h"
#include "core/model/next_tokens.h"
#include "core/model/one_head.h"

#include <QImage>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace attnlab::ui {

using ModelPtr = std::shared_ptr<const model::Model>;

/// What the user asks the model to read.
struct ModelRequest {
    QString text;                 ///< ids separated by commas where the model has no tokenizer
    std::optional<QString> other; ///< a second text to compare with
    QString target;               ///< of the decoder, for a model with an encoder too
    QString image;                ///< a file, for a model that reads images
    std::vector<model::Ablation> ablations;
};

/// A head of a pass.
struct HeadPlace {
    int pass = 0;
    int head = 0;
    bool operator==(const HeadPlace&) const = default;
};

/// The heads of one pass.
struct PassHeads {
    std::shared_ptr<const model::Pass> pass;
    model::PassTokens tokens;
    std::vector<explain::HeadFigures> figures; ///< by head
    std::vector<QImage> pictures;              ///< 8 bits a pixel: 255 is a weight of 1
};

/// What the model expects at one place.
struct Guesses {
    std::optional<std::int64_t> position; ///< of a masked token; nullopt: the next token, or a class
    std::vector<model::Outcome> now;      ///< the likeliest first
    std::vector<model::Outcome> before;   ///< with no head switched off
};

/// The heads of one pass in two runs, position by position.
struct ComparedPass {
    std::shared_ptr<const model::Pass> a, b;
    model::PassTokens tokens_a = {}, tokens_b = {};
    std::vector<double> distances = {}; ///< by head: model::HeadDifference::distance
    std::vector<QImage> pictures = {};  ///< 8 bits a pixel: 0 is -largest, 255 is largest
};

/// Two runs, A and B.
struct ComparedRuns {
    enum class Of { SwitchedOff, Texts }; ///< all heads on and some off, or the text and the second one
    Of of = Of::SwitchedOff;
    std::vector<ComparedPass> passes = {};
    double largest = 0.0;            ///< magnitude of B - A, over all heads
    std::vector<Guesses> other = {}; ///< those of the second text
};

struct ModelResult {
    ModelPtr model;
    std::shared_ptr<const model::Result> result;
    /// The same without heads switched off; the same object where none is.
    std::shared_ptr<const model::Result> plain;
    std::vector<PassHeads> passes;
    std::vector<Guesses> guesses;
    std::optional<ComparedRuns> compared;
    QImage picture;       ///< as the model sees it, if it reads one
    double seconds = 0.0; ///< that all of this took

    const PassHeads& heads(HeadPlace place) const { return passes[static_cast<std::size_t>(place.pass)]; }
    const explain::HeadFigures& figures(HeadPlace place) const {
        return heads(place).figures[static_cast<std::size_t>(place.head)];
    }
    bool isOff(HeadPlace place) const;
    /// What `compared` has of the same pass; null without it.
    const ComparedPass* comparedHeads(HeadPlace place) const {
        return compared ? &compared->passes[static_cast<std::size_t>(place.pass)] : nullptr;
    }
};
using ModelResultPtr = std::shared_ptr<const ModelResult>;

/// "Layer 3 · head 5", "encoder.0.self · head 1" where a model has several kinds of passes.
QString headTitle(const ModelResult& result, HeadPlace place);
/// "3", or the pass's own name where a model has several kinds of passes.
QString passTitle(const ModelResult& result, int pass);

} // namespace attnlab::ui
