#include "core/lessons/asking.h"

#include "core/lab/cover.h"
#include "core/lessons/checks.h"
#include "core/lessons/expression_parser.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>

namespace attnlab::lessons {
namespace {

using Node = ExpressionNode;

constexpr const char* expected_hidden =
    ATTNLAB_TEXT("column %1: expected a stage, a measure or words, as 'weights', 'ID.weights[2, :]' or 'ID.words'");

std::int64_t index_in(const Node& node) {
    const bool negative = node.kind == Node::Kind::Negative;
    const Node& number = negative ? node.children.front() : node;
    constexpr double largest = 1e15;
    if (number.kind != Node::Kind::Number || number.number != std::floor(number.number) || number.number > largest)
        throw Error({ATTNLAB_TEXT("column %1: expected a whole number"), {std::to_string(node.begin + 1)}});
    const auto index = static_cast<std::int64_t>(number.number);
    return negative ? -index : index;
}

lab::CellRange range_of(const Node::Subscript& subscript) {
    lab::CellRange range{.single = !subscript.range};
    if (!subscript.first.empty())
        range.first = index_in(subscript.first.front());
    if (!subscript.last.empty())
        range.last = index_in(subscript.last.front());
    return range;
}

bool is_name(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// The cells of a stage that `part` names; nullopt if there are none, as of an index outside its axis.
std::optional<Tensor> cells_of(const lab::HiddenPart& part, const Trace& trace, const Stage& stage) {
    try {
        return lab::hidden_cells(trace, stage, part.setting, std::span(&part, 1));
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Whether a card shows one of these cells of its stage.
bool shows_any(const lab::Card& card, const Trace& trace, const lab::HiddenPart& cells) {
    const Stage* stage = trace.find(card.stage);
    const auto marks = stage ? cells_of(cells, trace, *stage) : std::nullopt;
    if (!marks)
        return false;
    const auto& shape = marks->shape();
    std::vector<std::int64_t> chosen(shape.size(), -1); // of batch and head; else all
    for (std::size_t axis = 0; axis < std::min(shape.size(), stage->axes.size()); ++axis) {
        if (stage->axes[axis] == Axis::Batch)
            chosen[axis] = card.batch;
        else if (stage->axes[axis] == Axis::Head)
            chosen[axis] = card.head.value_or(-1);
    }
    for (std::int64_t cell = 0; cell < marks->size(); ++cell) {
        bool shown = marks->value(cell) != 0.0;
        for (std::int64_t axis = std::ssize(shape), rest = cell; shown && axis-- > 0;) {
            const auto k = static_cast<std::size_t>(axis);
            shown = chosen[k] < 0 || rest % shape[k] == chosen[k];
            rest /= shape[k];
        }
        if (shown)
            return true;
    }
    return false;
}

/// What the question of a step asks about, on its own board or on others.
std::vector<lab::HiddenPart> asked_parts(const Step& step) {
    if (!step.question)
        return {};
    if (step.question->covers)
        return asking_view(step).hidden;
    return step.question->hides.value_or(std::vector<lab::HiddenPart>());
}

bool is_same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Whether both traces have this stage or measure, with the same numbers.
bool have_the_same(const Trace& trace, const Trace& other, const std::string& part) {
    const Stage *stage = trace.find(part), *other_stage = other.find(part);
    if (stage && other_stage)
        return stage->value.shape() == other_stage->value.shape() &&
               std::ranges::equal(stage->value.values(), other_stage->value.values(), is_same_number);
    const auto measure_of = [&](const Trace& of) {
        return std::ranges::find_if(of.measures, [&](const Measure& one) { return part == "measure." + one.name; });
    };
    const auto measure = measure_of(trace), other_measure = measure_of(other);
    return measure != trace.measures.end() && other_measure != other.measures.end() &&
           is_same_number(measure->value, other_measure->value);
}

/// A part that a question asks about, in the settings of its step. Settings with the numbers of another one that the
/// question shows are left out, because these numbers alone do not answer it.
struct AskedPart {
    lab::HiddenPart part;
    std::vector<std::shared_ptr<const Trace>> traces;
};

void add_asked(const Step& step, const lab::Scene& scene, const lab::SceneResult& result,
               std::vector<AskedPart>& asked) {
    const auto parts = asked_parts(step);
    if (parts.empty())
        return;
    const auto open = lab::covered(scene, result, lab::covered_view(asking_view(step), scene, result));
    std::vector<std::shared_ptr<const Trace>> traces;
    for (const auto& setting : result.settings)
        traces.push_back(std::make_shared<const Trace>(setting.trace));
    for (const auto& part : parts) {
        auto& one = asked.emplace_back(AskedPart{part, {}});
        for (std::size_t k = 0; k < traces.size(); ++k) {
            const auto is_open = [&](const lab::SettingResult& other) {
                return have_the_same(*traces[k], other.trace, part.part);
            };
            if ((part.setting.empty() || part.setting == scene.settings[k].id) &&
                std::ranges::none_of(open.settings, is_open))
                one.traces.push_back(traces[k]);
        }
    }
}

/// The parts of a step's result that were asked about.
std::vector<lab::HiddenPart> shown_again(const Step& step, const lab::SceneResult& result,
                                         const std::vector<AskedPart>& asked) {
    std::vector<lab::HiddenPart> parts;
    for (std::size_t k = 0; k < result.settings.size(); ++k)
        for (const auto& one : asked) {
            const lab::HiddenPart part = {step.scene.settings[k].id, one.part.part, one.part.cells};
            const auto is_same = [&](const auto& trace) {
                return have_the_same(*trace, result.settings[k].trace, part.part);
            };
            if (std::ranges::any_of(one.traces, is_same) && std::ranges::find(parts, part) == parts.end())
                parts.push_back(part);
        }
    return parts;
}

} // namespace

std::vector<std::vector<lab::HiddenPart>> asked_earlier(const Lesson& lesson, const RunControl& control) {
    std::vector<std::vector<lab::HiddenPart>> parts(lesson.steps.size());
    std::vector<AskedPart> asked;
    for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
        const Step& step = lesson.steps[k];
        const auto count = static_cast<double>(lesson.steps.size());
        const auto part = control.part(static_cast<double>(k) / count, static_cast<double>(k + 1) / count);
        try {
            const auto result = lab::compute(step.scene, part);
            parts[k] = shown_again(step, result, asked);
            const auto scene = question_scene(step);
            add_asked(step, scene, scene == step.scene ? result : lab::compute(scene, part), asked);
        } catch (const Error&) {
            continue; // such a step has no picture
        }
    }
    return parts;
}

std::optional<lab::BoardSpec> sheet_view(const Step& step, const std::vector<lab::HiddenPart>& asked_earlier) {
    const bool covers = step.question && step.question->covers;
    if (!covers && asked_earlier.empty())
        return std::nullopt;
    auto view = covers ? asking_view(step) : step.view;
    if (asked_earlier.empty())
        return view;
    view.hidden.insert(view.hidden.end(), asked_earlier.begin(), asked_earlier.end());
    view.pin.reset(); // they may mark the answer
    view.highlight.clear();
    view.live.clear();
    view.show.erase(lab::BoardPart::Curve);
    return view;
}

std::set<std::string> cards_read(const Expression& expression, const lab::BoardSpec& view, const lab::Scene& scene,
                                 const lab::SceneResult& result) {
    std::set<std::string> of_stages, of_settings;
    const auto reads = expression.reads();
    for (const auto& card : lab::cards_of(view, scene)) {
        const Trace* trace = result.trace_of(scene, card.setting);
        for (const auto& part : reads) {
            if (part.setting != card.setting)
                continue;
            of_settings.insert(card.id);
            if (trace && part.part == card.stage && shows_any(card, *trace, part))
                of_stages.insert(card.id);
        }
    }
    return of_stages.empty() ? of_settings : of_stages;
}

lab::HiddenPart hidden_part_from(const std::string& text) {
    if (is_name(text))
        return {.setting = {}, .part = text};
    const Node root = parse_expression(text);
    const bool is_index = root.kind == Node::Kind::Index;
    const Node& of = is_index ? root.children.front() : root;
    if (of.kind != Node::Kind::Part || of.part.starts_with("tensor."))
        throw Error({expected_hidden, {std::to_string(of.begin + 1)}});
    lab::HiddenPart part{.setting = of.name, .part = of.part};
    for (const auto& subscript : root.subscripts)
        part.cells.push_back(range_of(subscript));
    return part;
}

lab::BoardSpec asking_view(const Step& step) {
    const auto& question = *step.question;
    auto view = question.before ? *question.before : step.view;
    if (question.hides) {
        view.hidden = *question.hides;
    } else {
        std::set<std::string> parts = {"words"};
        for (const auto& option : question.options)
            for (const auto& [setting, part] : option.right.expression.parts())
                if (!part.starts_with("tensor."))
                    parts.insert(part);
        const auto reads = [](const Option& option) { return !option.right.expression.parts().empty(); };
        if (std::ranges::none_of(question.options, reads)) { // by the author's word: all that is on show may tell
            parts.insert(view.stage);
            for (const auto& card : view.cards)
                parts.insert(card.stage);
            parts.erase(std::string());
        }
        for (const auto& part : parts)
            view.hidden.push_back({.setting = {}, .part = part});
    }
    if (!question.before) { // they may mark the answer
        view.pin.reset();
        view.highlight.clear();
    }
    view.live.clear();
    view.show.erase(lab::BoardPart::Curve);
    return view;
}

} // namespace attnlab::lessons
