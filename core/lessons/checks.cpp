#include "core/lessons/checks.h"

#include "core/lab/arrows.h"
#include "core/lessons/text_limits.h"

#include <algorithm>

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
                report_.checks.push_back(found_out(claim, evaluation_));
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

    template <class Kind>
    void require_exhibit(const Trace& trace) {
        if (std::ranges::none_of(trace.exhibits, [](const Exhibit& e) { return std::holds_alternative<Kind>(e); }))
            mistake(step_.line_of("board"),
                    {ATTNLAB_TEXT("the setting has no '%1' to show"), {std::string(lab::id_of(step_.view.board))}});
    }

    /// Checks that what a board of one setting displays exists.
    void check_board(const Trace& trace) {
        using lab::BoardKind;
        const auto board = step_.view.board;
        if (board == BoardKind::Tiles)
            require_exhibit<TileWalk>(trace);
        else if (board == BoardKind::PageTable)
            require_exhibit<PageTable>(trace);
        else if (board == BoardKind::PageReads)
            require_exhibit<PageReads>(trace);
        else if (board == BoardKind::Buckets)
            require_exhibit<BucketSort>(trace);
        else if (board == BoardKind::Curve)
            require_exhibit<Curve>(trace);
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
        if (const auto why = lab::why_no_arrows(trace))
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
        for (const auto& [language, text] : step_.texts)
            check_numbers(language, text.answer, Evaluation(scene, result, control_, most_text_cells));
        std::string right;
        int count = 0;
        for (const auto& option : question.options) {
            report_.options.push_back({option.id, found_out(option.right, evaluation)});
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

ClaimReport found_out(const Claim& claim, const Evaluation& evaluation) {
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

} // namespace attnlab::lessons
