// A lesson or a board that answers requests of a web page: changes of its scene as JSON in, descriptions as JSON out,
// numbers as spans. Pages call it in WebAssembly (web/api.cpp); the program calls it to write the numbers of a page.
#pragma once

#include "core/lab/scene.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_error.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

/// An input of a setting, as described to a page.
struct InputShape {
    std::string name;
    Shape shape;
    bool operator==(const InputShape&) const = default;
};

/// Texts that can be translated are Messages: "literal", or ["literal %1", argument, ...] where an argument is a text
/// or again a message in a list. Numbers that are not finite are "inf", "-inf" and "nan".
class LiveLesson {
public:
    enum class Phase {
        Open,    ///< everything is visible
        Asking,  ///< the question is open, and what it asks for is NaN
        Answered ///< the draw and the view that the answer is about
    };

    /// Shows the first step.
    explicit LiveLesson(Lesson lesson);

    /// {"titles", "summaries" by language, "steps": [{"id", "titles", "formula", "board", "question" (whether there is
    /// one), "covers" (whether it hides cells)}]}.
    std::string contents() const;

    /// Restores the scene of a step as it is written, apart from the phase. Throws std::out_of_range.
    void show(std::size_t step, Phase phase);

    /// The keys of a board of scene.json, with what it leaves out: {"board", "stage", "shared_colors", "show", "live",
    /// "pin", "highlight", "draw" (null: the numbers are given), "query_tokens", "key_tokens", "cards": [{"id",
    /// "setting", "stage", "batch", "head" (null: the mean)}], "settings": [{"id", "spec" as in a workspace, "float32",
    /// "scale" (the one that applies), "query_tokens", "key_tokens"}], "options" (ids of the answers), "own_heads"
    /// (whether the cards as written show several heads), "undo" (whether there is a change to take back)}.
    std::string board() const;

    /// One of these, as an object:
    ///   {"draw": {"E": 128}}            other sizes or numbers of the draw; arrays of settings that no longer fit are
    ///                                   cropped, padded or made again
    ///   {"cache": {"groups": 4}}        also "context" and "readers"
    ///   {"training": 50}                the step at which trained settings are looked at
    ///   {"arrow": {"input": "key", "row": 1, "x": 0.5, "y": 2, "reach": 3, "all": false}}
    ///   {"token": 3}                    of the leak test
    ///   {"add": true}, {"remove": 1}    one more setting, as a lab adds it; one less
    ///   {"part": "rows", "shown": true} what cards show
    ///   {"head": 1}                     of all cards, or of "card": 0 alone; -1: the mean of the heads
    ///   {"setting": 0, "spec": {...}}   a spec as in a workspace; missing inputs are added, and what its mechanism
    ///                                   refuses is left out. With or without "float32": true
    ///   {"setting": 0, "tensor": "query", "cell": 3, "value": 1.5}
    ///   {"setting": 0, "paint": {"query": 1, "key": 2, "blocked": true}}
    ///   {"undo": true}                  takes the latest change back, up to most_undo of them since show()
    /// With "step": text, a change is undone together with those before it that have the same text, as of one drag.
    /// Throws Error and changes nothing.
    void change(std::string_view request);

    /// change() and compute() in one: {"board": as of board(), "result": as of compute()}, without what is as it was
    /// before: keys of the board and "notes" and "inputs" of a setting are then missing, settings of the board and
    /// stages are null. Throws Error and changes nothing.
    std::string update(std::string_view request);

    /// Computes the scene: {"settings": [{"id", "error" or "stages", "inputs", "notes", "measures", "exhibits",
    /// "numbers", "leak"}], "cards": [{"numbers", "rows", "mask"}]}. See live_parts.h. Errors of one setting are among
    /// its results. Throws Error.
    std::string compute();

    /// Numbers of the last result, by the place in its "stages" or "inputs". Valid until the next call of compute() or
    /// update(). Throw std::out_of_range.
    std::span<const double> stage(std::size_t setting, std::size_t index) const;
    std::span<const double> input(std::size_t setting, std::size_t index) const;
    std::span<const double> input(std::size_t setting, std::string_view name) const;

    /// The operations behind one cell: {"lines": [{"operation", "value"}], "terms": [[left, right, product]], ...}.
    /// Empty object where the result has none.
    std::string cell(std::size_t setting, int batch, int head, std::int64_t query, std::int64_t key) const;

    /// The sum behind a number of a stage (.., query, feature): {"parts": [[weight, value, product]]}, one for each
    /// key. Empty object where the number is no such sum. Throws std::out_of_range.
    std::string mix(std::size_t setting, std::size_t stage, int batch, int head, std::int64_t query,
                    std::int64_t feature) const;

    /// A row operation by operation: live_row().
    std::string row(std::size_t setting, int batch, int head, std::int64_t query) const;

    /// The curve of the view: {"measure", "over", "present", "sizes", "values": a list for each setting}; an empty
    /// object without one. Sizes up to 1024 are computed, or the losses of a training are listed.
    std::string curve() const;

    /// The texts of the step with the numbers of the last result: {"title", "body", "question", "options", "hint",
    /// "answer", "whys", "cards", "notes" (of a slide)}, in Markdown. A question may have one
    /// scene and its answer another: numbers in the answer and in the reasons ("whys") are of the second one.
    std::string texts(std::string_view language) const;
    /// The option that is right; empty without a question.
    std::string right_option() const;

    const Step& step() const { return lesson_.steps[step_]; }
    const lab::Scene& scene() const { return scene_; }
    const lab::BoardSpec& view() const { return view_; }
    const Lesson& lesson() const { return lesson_; }

private:
    static constexpr std::size_t most_undo = 100;
    struct State {
        lab::Scene scene;
        lab::BoardSpec view;
    };
    struct Change {
        State after;
        std::string step; ///< undone together with changes of the same step before it
        bool is_undo = false;
    };
    /// What the caller has of a result.
    struct Described {
        lab::SceneResult result;
        std::vector<std::vector<InputShape>> inputs; ///< of each setting
    };

    Change change_of(std::string_view request);
    State commit(Change change); ///< the state before it
    lab::SceneSetting& setting(lab::Scene& scene, std::size_t index) const;
    void change_setting(lab::Scene& scene, const JsonNode& root);
    /// The numbers of the scene's draw, which are kept until it changes; empty without a draw. Throws Error.
    const TensorMap& drawn_of(const lab::Scene& scene);
    lab::SceneResult computed(const lab::Scene& scene);
    void take(lab::SceneResult result); ///< of scene_
    nlohmann::json board_json(const State* before) const;
    nlohmann::json result_json(const Described* before) const;
    nlohmann::json card_json(const lab::Card& card) const;

    Lesson lesson_;
    std::size_t step_ = 0;
    Phase phase_ = Phase::Open;
    lab::Scene scene_;
    lab::BoardSpec view_;
    lab::SceneResult result_;                     ///< complete
    lab::SceneResult shown_;                      ///< what the phase shows
    std::vector<std::vector<InputShape>> inputs_; ///< of each setting of the result
    bool own_heads_ = false;
    std::vector<State> before_; ///< what an undo restores, the latest last
    std::string latest_step_;
    std::optional<lab::RandomInputs> latest_draw_;
    TensorMap drawn_; ///< of latest_draw_
};

/// A text that can be translated, in the form that LiveLesson describes.
std::string message_json(const Message& message);

/// Mechanisms, scales, masks, positions and normalisers with their parameters.
std::string choices_json();

} // namespace attnlab::lessons
