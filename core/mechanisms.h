// The table of mechanisms. The file core/mechanisms/<id>.cpp adds a row: it defines `Mechanism <id>_mechanism()`.
// CMake lists the files of that folder; what several mechanisms share is in core/mechanisms/shared.
#pragma once

#include "core/attention.h"
#include "core/drawn_formula.h"
#include "core/inputs.h"
#include "core/parameter.h"
#include "core/resolved_problem.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

/// Choices that a mechanism cannot take, each with the reason (translated); null where it can. The command line prints
/// the reason; the window disables the control and shows it.
struct Refusals {
    const char* masks = nullptr;
    std::span<const std::string_view> but_masks = {}; ///< ids of masks that are allowed nevertheless
    const char* position = nullptr;
    const char* scale_after_softmax = nullptr;
    const char* scale_of_many_factors = nullptr; ///< scale modes that are not a single factor: score_norm, softcap
    const char* statistics = nullptr;
    const char* scale = nullptr;       ///< every mode but the default one
    const char* finite_fill = nullptr; ///< of masks
    const char* normaliser = nullptr;  ///< every one but softmax
    const char* rounding = nullptr;
};

struct DotProductForm;

/// What core/code writes for the scores of a mechanism.
struct ScoreCode {
    /// Lines that make `scores` from `query` and `key`, both of four axes, in NumPy.
    std::string python;
    /// The score s_ij. <q> and <k> are its query and key, <grouped_q> has brackets where <q> has a superscript.
    std::string latex;
    // In both, <name> is the value of the parameter `name`.

    /// Lines that make `weights` and `output` from `query`, `key`, `value` and `scores`, in NumPy; empty: the softmax
    /// of the scaled and masked scores, times `value`. <NAME> is the array NAME times the scale. Where there are masks,
    /// `keep` has the cells that they keep.
    std::string own_weights = {};
    /// The lines from queries and keys to the weights a_ij in LaTeX; empty: the softmax. Both parts of a line may have
    /// these placeholders:
    /// - <q>, <k>, <k_i>: rows of queries and keys; <q_ie>, <k_je>, <k_ie>: their entries
    /// - <h>, <kv>: the superscripts of the head and of its values
    /// - <c>: the factor of the scale and a space; nothing where the factor is 1
    /// The value holds where `condition`, in i and j, is true and, with `masked`, the masks keep the cell; it is 0
    /// elsewhere.
    struct Line {
        std::string left, value;
        std::string condition = {}; ///< empty: none
        bool masked = false;        ///< whether masks apply
    };
    std::vector<Line> own_lines = {};

    // What surrounds the softmax of mechanisms with more steps: lines in NumPy, and those in LaTeX with the words
    // above.

    /// Lines that make `query`, `key` and `value` with four axes from the arrays; empty: these are given or projected.
    /// With `parts` of 2, queries and keys of both softmaxes are stacked along a further, first axis.
    std::string rows = {};
    std::vector<Line> row_lines = {};
    /// The features of a query by which scales divide; 0: those of the array `query`.
    std::int64_t width = 0;
    int parts = 1; ///< 2: <h> of scores and weights numbers the parts, too, by n
    /// Lines that make `selected`, True where a row reads a key, from <m>, the masked scores.
    std::string selection = {};
    std::vector<Line> selection_lines = {};
    std::string selection_condition = {}; ///< in LaTeX; <m_i> is a row of masked scores
    /// Lines that make `output` from `weights` and `value`; empty: their product, and the heads joined.
    std::string output = {};
    std::vector<Line> output_lines = {};
};

struct Mechanism {
    std::string_view id;
    int place;                ///< in pickers, and among mechanisms that fit the arrays of a file: the lowest first
    const char* title;        ///< translated
    const char* family = "";  ///< heading in pickers (translated)
    std::string_view formula; ///< plain text of the whole mechanism
    const char* help;         ///< two or three sentences (translated)
    std::string_view source;  ///< source of the formula
    std::string_view default_scale = "none"; ///< id of a scale mode
    std::span<const Input> inputs;
    std::span<const Parameter> parameters = {};
    /// Computes every stage in float64. Throws Error (bad problem), Cancelled, std::bad_alloc.
    Trace (*run)(const ResolvedProblem&, const RunControl&);
    /// Rewrites accepted alternatives (a torch state_dict) into the declared inputs; null when there are none.
    void (*adopt)(TensorMap&) = nullptr;
    /// The number of keys that the mechanism makes where no array has S among its sizes; null: the number of queries.
    std::int64_t (*key_count)(const ParameterValues&, const TensorMap&) = nullptr;
    /// Throws Error for values that do not fit the arrays: an index out of range. Null when shapes suffice. Called last
    /// by resolve().
    void (*check_values)(const ResolvedProblem&) = nullptr;
    /// Throws Error for constraints of a spec that ranges cannot express and that do not depend on the arrays (one
    /// parameter divides another); null when there are none. The spec is complete.
    void (*check)(const AttentionSpec&) = nullptr;
    /// The prefix of its typeset attention formulas, resources/formulas/<attention_line>_<scale>.svg: "attention"
    /// contains Q Kᵀ, "score_attention" f(Q, K), where the formula of the mechanism defines f; empty: none.
    std::string_view attention_line = "attention";
    Refusals refuses = {};
    /// The mechanism in the form of scaled dot-product attention, without computing anything; null where its scores are
    /// not dot products or its weights not their softmax.
    DotProductForm (*dot_product_form)(const ResolvedProblem&) = nullptr;
    /// null: the mechanism takes more than a few lines.
    ScoreCode (*code)(const ResolvedProblem&) = nullptr;
    /// exact_attention() computes its weights, row by row. So a Rounding, a score_mod, a normaliser and a decay can be
    /// set, apart from those that it refuses.
    bool exact_rows = false;
    bool approximates = false;          ///< its output differs from that of exact attention, which is shown beside it
    bool own_mask = false;              ///< its formula defines the mask M
    std::string_view implied_mask = ""; ///< id of a mask that is on whether chosen or not
    bool fills_own_mask = false;        ///< its pass reads mask_fill even if no mask is chosen
    /// Each stage depends only on inputs that the steps up to it read. False for a second read, for a model of several
    /// layers, and for weights from elsewhere.
    bool one_way = true;
    bool keys_from_queries = false; ///< its stage `key` depends on the queries
    DrawnFormula drawn;             ///< resources/formulas/<id>.svg: what stands below the attention formula
    const char* look_for = "";      ///< suggestions for a reader of the help page (translated)
};

std::span<const Mechanism> mechanisms();
/// Throws Error that names the known ids.
const Mechanism& mechanism_of(std::string_view id);

/// Why a mechanism cannot take a mask (translated); null where it can.
const char* refusal_of_mask(const Mechanism& mechanism, std::string_view mask_id);

/// Why a mechanism cannot imitate the numbers of a narrower type (translated); null where it can.
const char* refusal_of_rounding(const Mechanism& mechanism);

/// Why a mechanism cannot modify its scores by an expression (translated); null where it can.
const char* refusal_of_score_mod(const Mechanism& mechanism);
/// Why a mechanism cannot make its weights by another normaliser than softmax (translated); null where it can.
const char* refusal_of_normaliser(const Mechanism& mechanism);
/// Why a mechanism cannot let keys fade with their distance (translated); null where it can.
const char* refusal_of_decay(const Mechanism& mechanism);
/// Why a variant takes masks only where every one keeps a cell (translated); null where it takes any combination.
const char* refusal_of_combination(const Mechanism& mechanism);

/// The tensors of a problem under the names that its variant declares.
TensorMap adopted_tensors(const AttentionProblem& problem);

/// The inputs that the variant reads with these parameters: without those of choices that are not made.
std::vector<Input> inputs_of(const Mechanism& mechanism, const ParameterValues& given);

/// The first variant of the table whose required inputs are all in `tensors` and that reads most of them, with the
/// choice that makes it read them. Failing that, one that adopts their names and finds its weights among them (a
/// state_dict without the tokens), or would if their shapes were right; nullopt when none fits. Query, key and value
/// alone select the first variant only. For files that do not name their mechanism.
std::optional<AttentionSpec> spec_for(const TensorMap& tensors);

/// `spec` without what its variant refuses: the default scale, no masks, ... For switching to another variant without
/// an error. An unknown variant refuses nothing.
AttentionSpec without_refused(AttentionSpec spec);

/// The spec's scale selection with the variant's default filled in and all parameters complete. Throws Error for a bad
/// parameter, and for a scale after the softmax that is not a single factor.
Selection effective_scale(const AttentionSpec& spec);

/// The spec with all parameters of its variant, scale, position and masks. Throws Error for everything that is wrong
/// regardless of the arrays: a value out of range, and what the variant refuses.
AttentionSpec complete_spec(const AttentionSpec& spec);

/// Throws what complete_spec() throws.
void check_spec(const AttentionSpec& spec);

} // namespace attnlab
