// The engine's central types: a mechanism is a pure function from an AttentionProblem to a Trace.
#pragma once

#include "core/exhibit.h"
#include "core/message.h"
#include "core/parameter.h"
#include "core/run_control.h"
#include "core/tensor.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab {

/// A row of one of the tables (scale modes, masks) with its parameters.
struct Selection {
    std::string id;
    ParameterValues parameters;
    bool operator==(const Selection&) const = default;
};

/// The value of a blocked cell in `masked`: `value` itself, or the score plus `value`.
struct MaskFill {
    enum class Mode { Replace, Add };
    double value = -std::numeric_limits<double>::infinity();
    Mode mode = Mode::Replace;
    bool operator==(const MaskFill&) const = default;
};

/// What True means in `attn_mask`: blocked (torch.nn.MultiheadAttention) or kept
/// (torch.nn.functional.scaled_dot_product_attention). key_padding_mask and painted_mask always read True as blocked.
enum class MaskTrue { Blocks, Keeps };

/// Imitates the numbers of a narrower type: the stages given by `where` are rounded to the nearest number of `format`,
/// ties to even; everything else stays in float64. The result shows the cost of storing those numbers in that format.
struct Rounding {
    enum class Where {
        Inputs,  ///< query, key and value as the mechanism uses them: after a projection
        Scores,  ///< scores, and their scaled, positioned and masked forms
        Weights, ///< the weights, after the softmax
        All,     ///< all of these, and the output
    };
    DType format = DType::BFloat16; ///< BFloat16 or Float16
    Where where = Where::All;
    bool operator==(const Rounding&) const = default;
};

/// Everything that a user chooses, apart from the numbers.
struct AttentionSpec {
    std::string variant = "scaled_dot_product";
    ParameterValues parameters;
    Selection scale;                  ///< empty id: the variant's own default
    bool scale_after_softmax = false; ///< multiply the weights instead of the scores, as a widely copied example does
    Selection position;               ///< how a score depends on its tokens' positions; empty id: not at all
    std::vector<Selection> masks;     ///< a cell is kept when every mask keeps it, unless `mask_combine` says otherwise
    /// "or": a cell is kept when any mask keeps it. Else an expression of their names, "causal and (window or not
    /// prefix)"; see names_in_combination(). Additive biases take no part.
    std::string mask_combine;
    /// A number that replaces each score before the masks, as an expression: "score - abs(q - k)". Empty: none. See
    /// core/expression/cell_expression.h.
    std::string score_mod;
    /// The position of the first query among the keys, used by masks and positions. nullopt: the array query_offset
    /// gives one for each sequence; without the array it is 0. See core/stages/query_offset.h.
    std::optional<std::int64_t> query_offset = std::nullopt;
    MaskFill mask_fill;
    MaskTrue mask_true = MaskTrue::Blocks;
    Selection normaliser = {}; ///< how masked scores become weights; empty id: softmax
    Selection decay = {};      ///< how keys fade with distance; empty id: not at all
    /// The weights in another form, as the stage `view`: "value_norm", "no_sink:0,2"; empty: none. See
    /// core/stages/view.h.
    std::string view = {};
    bool statistics = false;                         ///< add the row statistics as stages
    std::optional<Rounding> rounding = std::nullopt; ///< nullopt: float64 throughout
    bool operator==(const AttentionSpec&) const = default;
};

using TensorMap = std::map<std::string, Tensor, std::less<>>;
/// The tensor of this name; null where there is none. For optional inputs.
const Tensor* find_tensor(const TensorMap& tensors, std::string_view name);

/// How keys that come from an image are laid out in it: key j is cell (j / columns, j % columns).
struct KeyGrid {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    bool operator==(const KeyGrid&) const = default;
};

/// Named inputs plus the spec. Shapes follow PyTorch: query (B,H,L,E), key (B,Hkv,S,E), value (B,Hkv,S,Ev); rank 3 is
/// (B,L,E), rank 2 is (L,E). Copying is cheap (see Tensor).
struct AttentionProblem {
    AttentionSpec spec;
    TensorMap tensors;
    std::optional<AttentionSpec> compared_with; ///< a second setting of the same inputs, shown beside the first
    std::optional<KeyGrid> key_grid;            ///< rows x columns = S
    std::vector<std::string> query_tokens;      ///< labels of the L query rows; empty or short: row numbers
    std::vector<std::string> key_tokens; ///< labels of the S keys; empty where keys and queries are the same tokens
    bool operator==(const AttentionProblem&) const = default;
};

enum class Axis { Batch, Head, Query, Key, Feature, Tile, Hash, Vocabulary };

/// "query token", "key token", ... in English (translated by the window).
const char* title_of(Axis axis);

enum class StageRole {
    Input,   ///< query, key, value as the mechanism uses them
    Step,    ///< on the way from scores to output: the strip shows these
    Summary, ///< lse, means, statistics
    Mask,    ///< which cells are blocked
    Exact,   ///< the result of exact attention where the mechanism approximates it, and the difference
};

/// Labels of the tokens of one stage.
struct TokenLabels {
    std::vector<std::string> query;
    std::vector<std::string> key;
};

/// One named intermediate result.
struct Stage {
    /// "scores", "weights", ... Where a trace holds several passes, each has a prefix: "encoder.0.self.weights".
    std::string name;
    Tensor value;
    std::vector<Axis> axes; ///< one per axis of value
    StageRole role = StageRole::Step;
    Message operation;   ///< how it is computed from the previous stage, short: "÷ √4", "softmax"
    std::string formula; ///< plain-text formula
    /// Set if the tokens differ from the trace's: layers of encoder and decoder have different queries.
    std::shared_ptr<const TokenLabels> tokens = nullptr;
    bool operation_follows = false; ///< `operation` continues a number ("÷ √4"), rather than being a sentence ("as is")
};

/// The part of a stage's name up to and including the last dot: "encoder.0.self."; empty for most.
std::string_view prefix_of(std::string_view stage_name);

/// A number about the whole result: the error or the cost of an approximation or an algorithm.
struct Measure {
    enum class Unit { Number, Operations, Bytes };
    std::string name; ///< "output_error", "operations", "bytes", ...
    Message title;
    Unit unit = Unit::Number;
    double value = 0.0;
    std::optional<double> exact = std::nullopt; ///< the same for exact attention, where it has one
};

struct Note {
    enum class Severity { Info, Warning };
    Severity severity = Severity::Info;
    Message message;
};

/// One product of the sum that makes a score, as the inspector writes it out.
struct ScoreTerm {
    double left = 0.0;    ///< for a dot product: q_i,c
    double right = 0.0;   ///< k_j,c
    double product = 0.0; ///< the term itself: left * right
};

/// The terms of score (batch, head, query row i, key row j), in order. Empty function: the score is not a sum of terms.
using ScoreTerms =
    std::function<std::vector<ScoreTerm>(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)>;

/// Intermediate data of one path from scores to an output that is not among the stages.
struct Pass {
    ScoreTerms score_terms = nullptr; ///< of its stage `scores`
    /// The scores are q . k: their variance is expected to grow with the width.
    bool dot_product_scores = false;
    /// What the masks added to the scaled scores, (B,H,L,S) with S without the appended keys; shape (0): nothing.
    Tensor bias;
    /// The number of appended keys at the end (bias_k, a key of zeros). Masks let them through, and no bias is added to
    /// them.
    std::int64_t appended_keys = 0;
    Selection normaliser = {}, decay = {}; ///< as in AttentionSpec
    /// Key j is the token of query j (apart from the appended keys), so that positions can be compared. nullopt: not
    /// known.
    std::optional<bool> keys_are_queries = std::nullopt;
};

/// The result: stages in the order in which they were made.
struct Trace {
    std::vector<Stage> stages;
    std::vector<Note> notes;
    std::vector<Measure> measures;
    std::vector<Exhibit> exhibits;
    /// Names of the (B,H,query,key) stages that are the weights of one layer each, in order; empty: `weights` alone.
    std::vector<std::string> layers;
    std::vector<std::string> query_tokens; ///< L labels, or empty: row numbers
    std::vector<std::string> key_tokens;   ///< S labels (appended keys included), or empty: numbers
    /// By the prefix of their stages: "" where the trace holds one, "encoder.0.self.", ... where it holds several.
    std::map<std::string, Pass, std::less<>> passes;
    std::optional<Rounding> rounding; ///< what its numbers are rounded to; nullopt: float64 throughout

    const Stage* find(std::string_view name) const;
    /// The stage `name` of the pass that `stage` belongs to: for encoder.0.self.weights, "lse" is encoder.0.self.lse.
    const Stage* beside(const Stage& stage, std::string_view name) const;
    /// The pass with this prefix; an empty Pass where nothing is recorded.
    const Pass& pass(std::string_view prefix = {}) const;
};

/// Everything that is wrong with a problem, without computing it; empty means that run() will not throw Error (unless
/// memory runs out).
std::vector<Message> issues_in(const AttentionProblem& problem);

} // namespace attnlab
