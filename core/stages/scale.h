// Scale modes: how scores become `scaled`.
#pragma once

#include "core/attention.h"
#include "core/drawn_formula.h"
#include "core/inputs.h"
#include "core/parameter.h"

#include <optional>
#include <span>

namespace attnlab {

/// The quantities that a scale mode may depend on.
struct ScaleContext {
    std::int64_t head_width; ///< E = d_k
    std::int64_t key_count;  ///< S
};

/// The divisor of query and key rows, applied before the scores are computed.
enum class RowNorm { None, Length, RootMeanSquare };

/// A soft cap c tanh(f s / c) of every score s.
struct SoftCap {
    double cap;    ///< c
    double factor; ///< f
};

/// What core/code writes for a scale mode, in NumPy and LaTeX. <s> is the score, <d> and <S> the width and the number
/// of keys, <t> the parameter t, <head> the superscript of the head in LaTeX. <t * > is left out together with its sign
/// where t is 1.
struct ScaleCode {
    std::string_view python, latex;
    /// Lines that define `norm`, a divisor in `python` for rows or matrices of scores; a norm of 0 counts as 1.
    std::string_view norm = {};
    bool norm_of_rows = false; ///< one for each row, not for each matrix
};

/// Formulas of a scale mode. <s> is a score, or the matrix of all scores; the drawing writes normalised rows itself.
struct DrawnScale {
    DrawnFormula scaled;      ///< what the mode makes of <s>: resources/formulas/attention_<id>.svg
    DrawnFormula factor = {}; ///< of a mode with a factor other than 1, as it multiplies the weights
    DrawnFormula single = {}; ///< resources/formulas/scale_<id>.svg; empty: `scaled` of s, or of S for a `rewrite`
};

struct ScaleMode {
    std::string_view id;
    const char* title;                          ///< translated
    std::string_view formula;                   ///< plain text
    const char* help;                           ///< translated
    std::span<const Parameter> parameters = {}; ///< at most one, written after a colon on the command line
    std::span<const Input> inputs = {};         ///< the arrays that it reads, if any
    RowNorm row_norm = RowNorm::None;
    /// Exactly one of these three is set. A factor of every score:
    double (*factor)(const ScaleContext&, const ParameterValues&) = nullptr;
    /// a function of each single score:
    double (*cell)(double score, const ScaleContext&, const ParameterValues&) = nullptr;
    /// rewrites one (L,S) matrix of scores in place.
    void (*rewrite)(std::span<double> scores, std::int64_t columns, const ParameterValues&) = nullptr;
    /// The derivative of `cell`, for gradients; null where there is no `cell`.
    double (*slope)(double score, const ScaleContext&, const ParameterValues&) = nullptr;
    /// Set beside `cell` where this is a soft cap.
    SoftCap (*cap)(const ScaleContext&, const ParameterValues&) = nullptr;
    /// Stage::operation from `scores` to `scaled`: "÷ √4", "× 0.31".
    Message (*operation)(const ScaleContext&, const ParameterValues&);
    bool operation_follows = true; ///< `operation` continues a number, as in Stage
    DrawnScale drawn;
    ScaleCode code = {};
    ScaleCode (*choose_code)(const ParameterValues&) = nullptr; ///< instead of `code` where a choice decides
};

std::span<const ScaleMode> scale_modes();
/// Throws Error that names the known ids.
const ScaleMode& scale_mode(std::string_view id);

/// What core/code writes for the scale, which must be complete.
ScaleCode code_of(const Selection& scale);

/// Reads "temperature:0.7". Throws Error.
Selection parse_scale(std::string_view text);

/// Rows (...,E) divided by their norm; a zero row stays zero.
Tensor normalised_rows(const Tensor& tensor, RowNorm norm);

/// Query (B,H,L,E) and key (B,Hkv,S,E') rows for the mode's scores: normalised, then times the arrays query_gain (E)
/// and key_gain (E') where `tensors` has them and the mode reads them. Throws Error when the width of a gain differs
/// from that of its rows.
struct PreparedRows {
    Tensor query;
    Tensor key;
};
PreparedRows prepared_rows(const ScaleMode& mode, const Tensor& query, const Tensor& key, const TensorMap& tensors);

/// The gradients of rows from those of the prepared ones, `gain` being "query_gain" or "key_gain". A zero row, where
/// there is no derivative, gets 0.
Tensor gradient_of_rows(Tensor by_prepared, const ScaleMode& mode, const Tensor& rows, const char* gain,
                        const TensorMap& tensors);

/// The operation for scores of such rows: "rows to length 1, Q·Kᵀ" for `operation` "Q·Kᵀ".
Message normalised_operation(RowNorm norm, const Message& operation);

/// The whole stage: scores (B,H,L,S) -> scaled. `scale` must be complete.
Tensor apply_scale(const Tensor& scores, const Selection& scale, const ScaleContext& context);

/// The theoretical variance of scores of independent entries with mean 0 and variance 1 after a scale that is a single
/// factor c: c^2 E. nullopt for other modes.
std::optional<double> predicted_variance(const Selection& scale, const ScaleContext& context);

} // namespace attnlab
