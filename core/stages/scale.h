// Scale modes: how scores become `scaled`.
#pragma once

#include "core/attention.h"
#include "core/parameter.h"

#include <optional>
#include <span>

namespace attnlab {

/// What a scale mode may depend on.
struct ScaleContext {
    std::int64_t head_width; ///< E = d_k
    std::int64_t key_count;  ///< S
};

struct ScaleMode {
    std::string_view id;
    const char* title;                     ///< translated
    std::string_view formula;              ///< plain text
    const char* help;                      ///< translated
    std::span<const Parameter> parameters; ///< at most one; the command line writes it after a colon
    /// The number that multiplies every score, where the mode is one; null otherwise.
    double (*factor)(const ScaleContext&, const ParameterValues&);
    /// Normalises query and key rows to length 1 before the scores are taken.
    bool normalises_inputs;
    /// Rewrites one (L,S) matrix of scores in place, where the mode is no single factor; null otherwise.
    void (*rewrite)(std::span<double> scores, std::int64_t columns, const ParameterValues&);
    /// What stands between `scores` and `scaled`: "÷ √4", "× 0.31".
    Message (*operation)(const ScaleContext&, const ParameterValues&);
};

std::span<const ScaleMode> scale_modes();
/// Throws Error naming the known ids.
const ScaleMode& scale_mode(std::string_view id);

/// Reads "temperature:0.7". Throws Error.
Selection parse_scale(std::string_view text);

/// Rows divided by their Euclidean norm; a zero row stays zero.
Tensor normalised_rows(const Tensor& tensor);

/// The whole stage: scores (B,H,L,S) -> scaled. `scale` must be complete.
Tensor apply_scale(const Tensor& scores, const Selection& scale, const ScaleContext& context);

/// Variance that theory predicts for scores of independent entries with mean 0 and variance 1 after a scale that is a
/// single factor c: c^2 E. Empty for other modes.
std::optional<double> predicted_variance(const Selection& scale, const ScaleContext& context);

} // namespace attnlab
