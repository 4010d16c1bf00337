#include "core/lessons/checks.h"

#include "core/lab/cover.h"
#include "core/lab/scene.h"
#include "core/lessons/asking.h"
#include "core/lessons/lesson_text.h"
#include "core/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attnlab::lessons {
namespace {

/// Collects the results of one step.
class StepChecker {
public:
    StepChecker(const Lesson& lesson, const Step& step, const RunControl& control)
        : lesson_(lesson), step_(step), control_(control), result_(lab::compute(step.scene, control)),
          evaluation_(step.scene, result_, control) {
        report_.id = step.id;
    }

    StepReport report() {
        check_settings();
        check_cards();
        check_places();
        for (const auto* claims : {&step_.checks, &step_.first_checks})
            for (const auto& claim : *claims) {
                report_.checks.push_back(evaluate_claim(claim, evaluation_));
                const auto& found = report_.checks.back();
                if (!found.holds)
                    mistake(claim.line, why_false(found));
            }
        if (step_.question)
            check_question();
        for (const auto& [language, text] : step_.texts)
            check_texts(language, text);
        return std::move(report_);
    }

private:
    void mistake(int line, Message message) {
        report_.mistakes.push_back({lesson_.scene_file(), line, std::move(message)});
    }

    static Message why_false(const ClaimReport& claim) {
        if (!claim.evaluated)
            return {ATTNLAB_TEXT("'%1' cannot be evaluated: %2"), {claim.text, claim.measured}};
        if (claim.measured.empty())
            return {ATTNLAB_TEXT("'%1' is false"), {claim.text}};
        return {ATTNLAB_TEXT("'%1' is false: %2"), {claim.text, claim.measured}};
    }

    void check_settings() {
        for (std::size_t k = 0; k < result_.settings.size(); ++k)
            if (const auto& error = result_.settings[k].error)
                mistake(step_.line_of("settings " + std::to_string(k)),
                        {ATTNLAB_TEXT("setting '%1': %2"), {step_.scene.settings[k].id, *error}});
    }

    const Stage* stage_of(const lab::Card& card, int line) {
        const Trace* trace = result_.trace_of(step_.scene, card.setting);
        const Stage* stage = trace ? trace->find(card.stage) : nullptr;
        if (trace && !stage)
            mistake(line, {ATTNLAB_TEXT("'%1' has no stage '%2'"), {card.setting, card.stage}});
        return stage;
    }

    static std::int64_t size_along(const Stage& stage, Axis axis) {
        const auto found = std::ranges::find(stage.axes, axis);
        return found == stage.axes.end() ? 1 : stage.value.dim(static_cast<int>(found - stage.axes.begin()));
    }

    /// The cards of matrix boards; other boards display a setting.
    void check_cards() {
        if (step_.view.board != lab::BoardKind::Matrices && !step_.view.is_lab())
            return;
        const auto cards = lab::cards_of(step_.view, step_.scene);
        for (std::size_t k = 0; k < cards.size(); ++k) {
            const auto& written = step_.view.cards;
            const auto line = step_.line_of(written.empty() ? "stage" : "cards " + std::to_string(k));
            // A card without its own stage shows the step's.
            const bool of_step = step_.lines.contains("stage") && (written.empty() || written[k].stage.empty());
            const Stage* stage = stage_of(cards[k], of_step ? step_.line_of("stage") : line);
            if (!stage)
                continue;
            if (cards[k].batch >= size_along(*stage, Axis::Batch))
                mistake(line, {ATTNLAB_TEXT("card '%1' shows batch %2 of %3"),
                               {cards[k].id, std::to_string(cards[k].batch),
                                std::to_string(size_along(*stage, Axis::Batch))}});
            if (cards[k].head.value_or(0) >= size_along(*stage, Axis::Head))
                mistake(line, {ATTNLAB_TEXT("card '%1' shows head %2 of %3"),
                               {cards[k].id, std::to_string(*cards[k].head),
                                std::to_string(size_along(*stage, Axis::Head))}});
            rows_ = std::max(rows_, stage->value.dim(-2));
            columns_ = std::max(columns_, stage->value.dim(-1));
        }
    }

    /// `kind` is an Exhibit::index().
    void require_exhibit(const Trace& trace, std::size_t kind) {
        if (std::ranges::none_of(trace.exhibits, [kind](const Exhibit& exhibit) { return exhibit.index() == kind; }))
            mistake(step_.line_of("board"),
                    {ATTNLAB_TEXT("the setting has no '%1' to show"), {std::string(lab::id_of(step_.view.board))}});
    }

    /// A tile exists if a step reads it in the first batch and head, which the board shows.
    void check_tile(const Trace& trace, const lab::BoardSpec& view, int line) {
        const auto walk =
            std::ranges::find_if(trace.exhibits, [](const Exhibit& e) { return std::holds_alternative<TileWalk>(e); });
        if (!view.tile || walk == trace.exhibits.end())
            return;
        const auto& tiles = std::get<TileWalk>(*walk);
        const std::vector<Argument> values = {std::to_string(view.tile->query), std::to_string(view.tile->key),
                                              std::to_string(tiles.query_tiles), std::to_string(tiles.key_tiles)};
        const auto index = static_cast<std::size_t>(view.tile->query * tiles.key_tiles + view.tile->key);
        if (view.tile->query >= tiles.query_tiles || view.tile->key >= tiles.key_tiles)
            mistake(line, {ATTNLAB_TEXT("tile [%1, %2] is not there, there are %3 x %4"), values});
        else if (index < tiles.skipped.size() && tiles.skipped[index])
            mistake(line, {ATTNLAB_TEXT("tile [%1, %2] is skipped: all its cells are blocked"), values});
    }

    void check_tiles(const Trace& trace) {
        check_tile(trace, step_.view, step_.line_of("tile"));
        if (step_.question)
            for (const auto& view : {step_.question->reveals, step_.question->before})
                if (view && view->tile != step_.view.tile)
                    check_tile(trace, *view, step_.question->line);
    }

    /// Checks that what a board of one setting displays exists.
    void check_board(const Trace& trace) {
        using lab::BoardKind;
        const auto board = step_.view.board;
        if (const auto kind = lab::exhibit_of(board))
            require_exhibit(trace, *kind);
        if (board == lab::exhibit_board<TileWalk>)
            check_tiles(trace);
        else if (board == BoardKind::Arrows)
            check_arrows(trace);
        if (board != BoardKind::StepThrough && board != BoardKind::Arrows)
            return;
        const Stage* weights = trace.find("weights");
        if (!weights)
            mistake(step_.line_of("board"), ATTNLAB_TEXT("the setting has no weights to step through"));
        else if (step_.view.query >= weights->value.dim(-2))
            mistake(step_.line_of("query"),
                    {ATTNLAB_TEXT("query %1 is not there, the weights have %2 rows"),
                     {std::to_string(step_.view.query), std::to_string(weights->value.dim(-2))}});
    }

    void check_arrows(const Trace& trace) {
        if (const auto why = lab::arrows_unsupported_reason(trace))
            mistake(step_.line_of("board"), *why);
    }

    void check_places() {
        const auto& view = step_.view;
        const auto id = view.setting.empty() ? step_.scene.settings.front().id : view.setting;
        if (const Trace* trace = result_.trace_of(step_.scene, id))
            check_board(*trace);
        if (view.shows(lab::BoardPart::Leak))
            check_leak();
        if (rows_ == 0)
            return;
        const auto check = [&](const lab::BoardCell& cell, const char* what) {
            if (cell.query >= rows_ || cell.key >= columns_)
                mistake(step_.line_of(what), {ATTNLAB_TEXT("cell [%1, %2] is in no card, the largest has %3 x %4"),
                                              {std::to_string(cell.query), std::to_string(cell.key),
                                               std::to_string(rows_), std::to_string(columns_)}});
        };
        if (view.pin)
            check(*view.pin, "pin");
        for (const auto& cell : view.highlight)
            check(cell, "highlight");
    }

    void check_leak() {
        for (const auto& setting : step_.scene.settings) {
            try {
                evaluation_.moved(setting.id, step_.view.token);
            } catch (const Error& error) {
                mistake(step_.line_of("token"), error.message());
            }
        }
    }

    void check_question() {
        const auto& question = *step_.question;
        const auto scene = question_scene(step_);
        const auto result = question.about ? lab::compute(scene, control_) : result_;
        const Evaluation evaluation(scene, result, control_);
        for (const auto& [language, text] : step_.texts) {
            check_numbers(language, text.answer, Evaluation(scene, result, control_, most_text_cells));
            const Evaluation of_whys(scene, result, control_, most_text_cells);
            for (const auto& [id, words] : text.whys)
                check_numbers(language, words, of_whys);
        }
        if (question.hides)
            for (const auto& part : *question.hides)
                check_hidden(part);
        if (question.covers)
            check_cover();
        std::string right;
        int count = 0;
        for (const auto& option : question.options) {
            report_.options.push_back({option.id, evaluate_claim(option.right, evaluation)});
            const auto& claim = report_.options.back().claim;
            if (claim.holds) {
                right += (right.empty() ? "" : ", ") + option.id;
                ++count;
            }
        }
        if (count != 1)
            mistake(question.line, {ATTNLAB_TEXT("the question has %1 right options (%2), expected one"),
                                    {std::to_string(count), count ? right : measured_of_options()}});
    }

    /// The part exists: a stage or a measure of a setting, or a card with words.
    void check_hidden(const lab::HiddenPart& part) {
        bool found = false;
        if (part.part == "words") {
            found = part.setting.empty() || std::ranges::any_of(step_.texts, [&](const auto& text) {
                        return text.second.cards.contains(part.setting);
                    });
        }
        for (const auto& setting : step_.scene.settings) {
            const Trace* trace = result_.trace_of(step_.scene, setting.id);
            if (!trace || (!part.setting.empty() && part.setting != setting.id))
                continue;
            found = found || trace->find(part.part) || std::ranges::any_of(trace->measures, [&](const Measure& one) {
                        return part.part == "measure." + one.name;
                    });
        }
        if (!found)
            mistake(step_.question->line, {ATTNLAB_TEXT("'hides' names '%1', which is no stage, measure or text here"),
                                           {part.setting.empty() ? part.part : part.setting + "." + part.part}});
    }

    /// What is visible before the answer can be shown, and does not decide the question.
    void check_cover() {
        auto view = asking_view(step_);
        lab::SceneResult open;
        try {
            view = lab::covered_view(std::move(view), step_.scene, result_);
            open = lab::covered(step_.scene, result_, view);
        } catch (const Error& error) {
            mistake(step_.question->line, error.message());
            return;
        }
        if (step_.question->about && !(*step_.question->about == *step_.scene.draw))
            return; // the board shows another draw
        const Evaluation evaluation(step_.scene, open, control_);
        for (const auto& option : step_.question->options)
            if (is_on_board(option.right.expression, open) && evaluate_claim(option.right, evaluation).holds)
                mistake(step_.question->line,
                        {ATTNLAB_TEXT("the board shows that option '%1' is right before there is an answer; cover more "
                                      "with 'hides', or set 'covers' to false"),
                         {option.id}});
    }

    /// Everything that the expression reads is a stage or measure that the board has. Inputs are never covered, and
    /// what is computed apart (edited tokens, theory) or counted (cells) is not on the board.
    bool is_on_board(const Expression& expression, const lab::SceneResult& open) const {
        const auto parts = expression.parts();
        const bool apart = std::ranges::any_of(std::array{"moved(", "size(", "theory("}, [&](const char* function) {
            return expression.text().find(function) != std::string::npos;
        });
        return !apart && !parts.empty() && std::ranges::all_of(parts, [&](const auto& part) {
            const Trace* trace = open.trace_of(step_.scene, part.first);
            return trace && (trace->find(part.second) || std::ranges::any_of(trace->measures, [&](const Measure& one) {
                                 return part.second == "measure." + one.name;
                             }));
        });
    }

    std::string measured_of_options() const {
        std::string measured;
        for (const auto& option : report_.options)
            measured += (measured.empty() ? "" : "; ") + option.id +
                        (option.claim.measured.empty() ? "" : ": " + option.claim.measured);
        return measured;
    }

    void check_numbers(std::string_view language, const LessonText& text, const Evaluation& evaluation) {
        filled(text, evaluation, [&](int line, const Message& message) {
            report_.mistakes.push_back({lesson_.text_file(language), line, message});
        });
    }

    void check_texts(std::string_view language, const StepText& text) {
        // As the window evaluates them: the body, the cards together, the question with its options.
        const auto limited = [&] { return Evaluation(step_.scene, result_, control_, most_text_cells); };
        check_numbers(language, text.body, limited());
        const auto cards = limited(), question = limited();
        for (const auto& [id, words] : text.cards)
            check_numbers(language, words, cards);
        check_numbers(language, text.question, question);
        check_numbers(language, text.hint, question);
        for (const auto& [id, words] : text.options)
            check_numbers(language, words, question);
    }

    const Lesson& lesson_;
    const Step& step_;
    const RunControl& control_;
    const lab::SceneResult result_;
    const Evaluation evaluation_;
    std::int64_t rows_ = 0; ///< of the largest card
    std::int64_t columns_ = 0;
    StepReport report_;
};

} // namespace

ClaimReport evaluate_claim(const Claim& claim, const Evaluation& evaluation) {
    ClaimReport report{claim.expression.text(), false, {}};
    try {
        std::vector<Measured> measured;
        report.holds = claim.expression.holds(evaluation, &measured);
        report.measured = text_of(measured);
    } catch (const Error& error) {
        report.measured = error.message().english();
        report.evaluated = false;
    }
    return report;
}

StepReport check_step(const Lesson& lesson, const Step& step, const RunControl& control) {
    return StepChecker(lesson, step, control).report();
}

lab::Scene question_scene(const Step& step) {
    auto scene = step.scene;
    if (step.question && step.question->about)
        scene.draw = step.question->about;
    return scene;
}

std::string right_option(const Step& step, const RunControl& control) {
    const auto scene = question_scene(step);
    const auto result = lab::compute(scene, control);
    const Evaluation evaluation(scene, result, control);
    std::string right;
    for (const auto& option : step.question->options) {
        try {
            if (!option.right.expression.holds(evaluation))
                continue;
        } catch (const Error&) {
            continue; // options of a setting that cannot be computed are not true
        }
        if (!right.empty())
            return {};
        right = option.id;
    }
    return right;
}

namespace {

using lab::BoardControl;

constexpr std::int64_t widest = 4096;
constexpr std::int64_t most_keys = 1024;
constexpr std::uint64_t edits_seed = 17;

/// 2, 3, 4, 6, 8, 11, ...: half octaves.
std::vector<std::int64_t> sizes_to(std::int64_t most) {
    std::vector<std::int64_t> sizes;
    for (int k = 2; std::llround(std::exp2(k / 2.0)) <= most; ++k)
        sizes.push_back(std::llround(std::exp2(k / 2.0)));
    return sizes;
}

/// One change of a scene's draw.
using SceneChange = std::function<void(lab::Scene&)>;

/// The places of each live control of the draw, except the seed.
std::vector<std::vector<SceneChange>> places_of(const lab::BoardSpec& view) {
    std::vector<std::vector<SceneChange>> controls;
    if (view.is_live(BoardControl::E))
        for (auto& places = controls.emplace_back(); const auto size : sizes_to(widest))
            places.push_back([size](lab::Scene& scene) { scene.draw->E = size; });
    if (view.is_live(BoardControl::S))
        for (auto& places = controls.emplace_back(); const auto size : sizes_to(most_keys))
            places.push_back([size, square = view.board == lab::BoardKind::MaskLab](lab::Scene& scene) {
                scene = lab::with_keys(scene, size, square);
            });
    if (view.is_live(BoardControl::Steps))
        for (auto& places = controls.emplace_back(); const auto part : {0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1.0})
            places.push_back([part](lab::Scene& scene) {
                auto& training = *scene.training;
                training.at = std::llround(part * static_cast<double>(training.steps));
            });
    if (view.is_live(BoardControl::Distribution))
        for (auto& places = controls.emplace_back(); const auto each : lab::all_distributions)
            places.push_back([each](lab::Scene& scene) { scene.draw->distribution = each; });
    return controls;
}

/// Every combination of what the reader can choose for a cache.
void add_caches(const Step& step, std::vector<lab::Scene>& scenes) {
    const auto& first = *step.scene.cache;
    const auto choices = [&](BoardControl control, std::vector<std::int64_t> all, std::int64_t written) {
        return step.view.is_live(control) ? std::move(all) : std::vector{written};
    };
    for (const auto groups : choices(BoardControl::Groups, lab::group_choices(first), first.groups))
        for (const auto context : choices(BoardControl::Context, lab::context_choices(), first.context))
            for (const auto readers : choices(BoardControl::Readers, lab::reader_choices(), first.readers)) {
                auto& cache = *scenes.emplace_back(step.scene).cache;
                cache.groups = groups;
                cache.context = context;
                cache.readers = readers;
            }
}

void add_draws(const Step& step, int draws, std::vector<lab::Scene>& scenes) {
    const auto controls = places_of(step.view);
    Random random(edits_seed);
    for (int draw = 0; draw < (step.view.is_live(BoardControl::Draw) ? draws : 1); ++draw) {
        auto first = step.scene;
        first.draw->seed += static_cast<std::uint64_t>(draw);
        if (draw > 0)
            scenes.push_back(first);
        for (const auto& places : controls)
            for (const auto& move : places)
                move(scenes.emplace_back(first));
        if (controls.size() > 1)
            for (auto& scene = scenes.emplace_back(first); const auto& places : controls)
                places[static_cast<std::size_t>(random.uniform() * static_cast<double>(places.size()))](scene);
    }
}

/// Inputs that do not decide which cells exist, with other numbers in a few cells.
void add_edits(const Step& step, int edits, std::vector<lab::Scene>& scenes) {
    Random random(edits_seed);
    for (int edit = 0; edit < edits; ++edit)
        for (auto& scene = scenes.emplace_back(step.scene); auto& [name, tensor] : scene.tensors)
            if (name == "query" || name == "key" || name == "value" || name == "x")
                for (double& cell : tensor.mutable_values())
                    if (random.uniform() < 0.3)
                        cell = std::round(40.0 * random.normal()) / 10.0;
}

/// What has failed so far, in the order of the first failures.
class Failures {
public:
    void add(const std::string& file, int line, const std::string& what, const std::string& why,
             const lab::Scene& scene) {
        auto found = std::ranges::find(all_, what, &Failure::what);
        if (found == all_.end())
            found = all_.insert(all_.end(), {file, line, what, why, scene_words(scene), 0});
        ++found->count;
    }

    std::vector<Mistake> mistakes(std::size_t scenes) const {
        std::vector<Mistake> mistakes;
        for (const auto& [file, line, what, why, where, count] : all_)
            mistakes.push_back({file,
                                line,
                                {ATTNLAB_TEXT("%1 in %2 of %3 scenes that the reader can reach; %4: %5"),
                                 {what, std::to_string(count), std::to_string(scenes), where, why}}});
        return mistakes;
    }

private:
    struct Failure {
        std::string file;
        int line = 0;
        std::string what;
        std::string why;
        std::string where;
        std::size_t count = 0;
    };
    std::vector<Failure> all_;
};

/// Tries one scene.
void try_scene(const Lesson& lesson, const Step& step, const lab::Scene& scene, Failures& failures,
               const RunControl& control) {
    const auto result = lab::compute(scene, control);
    const Evaluation evaluation(scene, result, control);
    for (const auto& claim : step.checks) {
        const auto report = evaluate_claim(claim, evaluation);
        if (!report.holds)
            failures.add(lesson.scene_file(), claim.line, "'" + claim.expression.text() + "' is false", report.measured,
                         scene);
    }
    // Clang 14 captures no structured binding.
    for (const auto& translation : step.texts) {
        const auto check = [&](const LessonText& words) {
            filled(words, evaluation, [&](int line, const Message& message) {
                failures.add(lesson.text_file(translation.first), line, "a number is missing", message.english(),
                             scene);
            });
        };
        check(translation.second.body);
        for (const auto& [id, words] : translation.second.cards)
            check(words);
    }
}

/// The answer must not depend on the draw where the reader can draw again.
void try_question(const Lesson& lesson, const Step& step, int draws, Failures& failures, const RunControl& control) {
    auto other = step;
    const auto right = right_option(step, control);
    for (int draw = 1; draw < draws; ++draw) {
        ++other.scene.draw->seed;
        if (other.question->about)
            ++other.question->about->seed;
        const auto found = right_option(other, control);
        if (found != right)
            failures.add(lesson.scene_file(), step.question->line, "the answer '" + right + "' is another one",
                         found.empty() ? "none or several are true" : "'" + found + "' is true", question_scene(other));
    }
}

} // namespace

std::vector<lab::Scene> reachable_scenes(const Step& step, int draws) {
    std::vector<lab::Scene> scenes;
    if (step.scene.draw)
        add_draws(step, draws, scenes);
    if (step.scene.cache)
        add_caches(step, scenes);
    if (step.view.is_live(BoardControl::Cells))
        add_edits(step, draws, scenes);
    return scenes;
}

std::vector<Mistake> refute(const Lesson& lesson, const Step& step, int draws, const RunControl& control) {
    Failures failures;
    const auto scenes = reachable_scenes(step, draws);
    for (const auto& scene : scenes)
        try_scene(lesson, step, scene, failures, control);
    if (step.question && step.scene.draw && step.view.is_live(BoardControl::Draw))
        try_question(lesson, step, draws, failures, control);
    return failures.mistakes(scenes.size());
}

std::string scene_words(const lab::Scene& scene) {
    if (scene.cache)
        return std::to_string(scene.cache->groups) + " groups, " + std::to_string(scene.cache->context) + " tokens, " +
               std::to_string(scene.cache->readers) + " readers";
    if (!scene.draw)
        return "edited inputs";
    const auto& draw = *scene.draw;
    const auto steps = scene.training ? "step " + std::to_string(scene.training->at) + ", " : std::string();
    return "d = " + std::to_string(draw.E) + ", " + std::to_string(draw.S) + " keys, " + steps +
           std::string(lab::distribution_ids()[static_cast<std::size_t>(draw.distribution)]) + ", seed " +
           std::to_string(draw.seed);
}

} // namespace attnlab::lessons
