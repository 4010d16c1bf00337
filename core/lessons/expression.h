// Claims about a scene as text: "variance(sqrt_dk.scaled) ~ 1 within 25%". See docs/lessons.md for the language.
#pragma once

#include "core/expression/parser.h"
#include "core/lab/board.h"
#include "core/lab/leak.h"
#include "core/lab/scene.h"
#include "core/lessons/value.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::lessons {

/// Resolves names by a scene and its results, both of which must outlive it. Not thread-safe: it caches slow results.
class Evaluation {
public:
    /// `most_cells`: how many cells its expressions may handle together; it throws Error beyond.
    Evaluation(const lab::Scene& scene, const lab::SceneResult& result, RunControl control = {},
               std::int64_t most_cells = std::numeric_limits<std::int64_t>::max())
        : scene_(scene), result_(result), control_(std::move(control)), most_cells_(most_cells),
          cells_left_(most_cells) {}

    /// Notes that an expression is about to handle `cells` more. Throws Error where that is too many, and Cancelled.
    void spend(std::int64_t cells) const;

    /// "E", "L", "S", "inf", "pi".
    Value constant(std::string_view name) const;
    /// "weights", "tensor.query" (as it was before a training), "measure.output_error", "loss" of a setting.
    Value part(std::string_view setting, std::string_view name) const;
    /// "entropy", "effective_keys", "max_weight", "jacobian_norm", "theory" of a setting.
    Value number(std::string_view setting, std::string_view name) const;
    /// lab::row_gradients() of a setting.
    Value gradients(std::string_view setting) const;
    /// The change of each output row of a setting when a token is edited.
    Value moved(std::string_view setting, std::int64_t token) const;
    /// The same with the token's own query as it was; NaN in its row where the two cannot be separated.
    Value moved_by_reading(std::string_view setting, std::int64_t token) const;

private:
    const lab::SceneSetting& setting(std::string_view id) const;
    const Trace& trace(std::string_view id) const;
    const std::vector<double>& losses(std::string_view id) const;
    AttentionProblem problem(std::string_view id) const;
    const lab::TokenEffect& effect(std::string_view id, std::int64_t token) const;

    const lab::Scene& scene_;
    const lab::SceneResult& result_;
    RunControl control_;
    std::int64_t most_cells_;
    mutable std::int64_t cells_left_;
    mutable std::map<std::pair<std::string, std::int64_t>, lab::TokenEffect> effects_;
};

/// One side of a comparison and its value.
struct Measured {
    std::string what; ///< source text: "entropy(a)"
    Value value;
};

/// "entropy(a) is 1.52; theory(a) is 16".
std::string text_of(std::span<const Measured> measured);

/// Cheap to copy.
class Expression {
public:
    /// Throws Error: "column 7: ...".
    explicit Expression(std::string text);

    const std::string& text() const { return text_; }
    /// The settings that it names, with the column of each.
    std::map<std::string, int> settings() const;
    /// The parts of settings that it reads, as pairs (setting, part): "weights" for entropy(ID), "output" for
    /// moved(ID).
    std::set<std::pair<std::string, std::string>> parts() const;
    /// The same with the cells of each part. An index that is not written as a number means its whole axis.
    std::vector<lab::HiddenPart> reads() const;
    /// True for an expression with a truth value.
    bool is_claim() const;

    /// Throws Error with the column as above; Cancelled.
    Value value(const Evaluation& evaluation) const;
    /// The same for a claim. `measured`, if not null, receives the sides of its comparisons, each once, except
    /// constants as in "1 < 2".
    bool holds(const Evaluation& evaluation, std::vector<Measured>* measured = nullptr) const;

private:
    std::string text_;
    std::shared_ptr<const ExpressionNode> root_;
};

/// Words that cannot be the id of a setting.
bool is_reserved(std::string_view word);

} // namespace attnlab::lessons
