#include "core/lab/cover.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::lab {

std::pair<std::int64_t, std::int64_t> bounds_of(const CellRange& range, std::int64_t size) {
    const auto place = [&](std::int64_t index) { return index < 0 ? index + size : index; };
    const auto first = place(range.first.value_or(0));
    const auto last = range.single ? first + 1 : place(range.last.value_or(size));
    if (first < 0 || first > last || last > size)
        throw Error({ATTNLAB_TEXT("index %1 is beyond an axis of size %2"),
                     {std::to_string(range.first.value_or(range.last.value_or(0))), std::to_string(size)}});
    return {first, last};
}

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using Bounds = std::pair<std::int64_t, std::int64_t>; ///< [first, last)

std::vector<Bounds> whole(const Tensor& value) {
    std::vector<Bounds> all;
    for (const auto size : value.shape())
        all.emplace_back(0, size);
    return all;
}

/// The ranges of every axis. Expressions may leave out a batch and a head of size 1.
std::vector<Bounds> bounds_in(const Stage& stage, std::span<const CellRange> cells) {
    auto all = whole(stage.value);
    const auto not_leading = [](Axis axis) { return axis != Axis::Batch && axis != Axis::Head; };
    const auto leading = static_cast<std::size_t>(std::ranges::find_if(stage.axes, not_leading) - stage.axes.begin());
    const bool one = std::ranges::all_of(std::span(stage.value.shape()).first(std::min(leading, all.size())),
                                         [](std::int64_t size) { return size == 1; });
    const auto from = one && cells.size() + leading <= all.size() ? leading : 0;
    if (from + cells.size() > all.size())
        throw Error({ATTNLAB_TEXT("has %1 indices, the shape is %2"),
                     {std::to_string(cells.size()), to_string(stage.value.shape())}});
    for (std::size_t k = 0; k < cells.size(); ++k)
        all[from + k] = bounds_of(cells[k], all[from + k].second);
    return all;
}

std::optional<std::size_t> query_axis(const Stage& stage) {
    const auto found = std::ranges::find(stage.axes, Axis::Query);
    return found == stage.axes.end() ? std::nullopt
                                     : std::optional(static_cast<std::size_t>(found - stage.axes.begin()));
}

/// What covering `bounds` of `earlier` covers of a stage that is computed from it.
std::vector<Bounds> carried(const Stage& earlier, const std::vector<Bounds>& bounds, const Stage& stage) {
    auto all = whole(stage.value);
    const auto from = query_axis(earlier), to = query_axis(stage);
    // On the way back every row depends on every other one.
    if (from && to && !stage.name.starts_with("grad_") &&
        earlier.value.dim(static_cast<int>(*from)) == stage.value.dim(static_cast<int>(*to)))
        all[*to] = bounds[*from];
    return all;
}

void mark(Tensor& marks, const std::vector<Bounds>& bounds) {
    auto cells = marks.mutable_values();
    const auto& shape = marks.shape();
    std::vector<std::int64_t> at(shape.size(), 0);
    for (double& cell : cells) {
        bool inside = true;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            inside = inside && at[axis] >= bounds[axis].first && at[axis] < bounds[axis].second;
        if (inside)
            cell = 1.0;
        for (auto axis = shape.size(); axis-- > 0;) {
            if (++at[axis] < shape[axis])
                break;
            at[axis] = 0;
        }
    }
}

/// Stages are in the order in which they were made. Exact attention is computed apart from its approximation.
bool comes_from(const Stage& stage, const Stage& earlier) {
    const bool is_apart = stage.role == StageRole::Exact && stage.name.starts_with("exact_") &&
                          (earlier.name == "weights" || earlier.name == "implied_weights" ||
                           earlier.name == "difference" || earlier.name == "output");
    return &stage >= &earlier && !is_apart;
}

bool is_of(const HiddenPart& part, std::string_view setting) { return part.setting.empty() || part.setting == setting; }

bool hides_any_stage(const Trace& trace, std::string_view setting, std::span<const HiddenPart> hidden) {
    return std::ranges::any_of(
        hidden, [&](const HiddenPart& part) { return is_of(part, setting) && trace.find(part.part) != nullptr; });
}

/// The settings that a view shows.
std::set<std::string> shown_settings(const BoardSpec& view, const Scene& scene) {
    std::set<std::string> ids;
    if (view.board == BoardKind::Matrices || view.is_lab())
        for (const auto& card : cards_of(view, scene))
            ids.insert(card.setting);
    else if (view.board == BoardKind::Costs)
        for (const auto& setting : scene.settings)
            ids.insert(setting.id);
    else
        ids.insert(view.setting.empty() ? scene.settings.front().id : view.setting);
    return ids;
}

/// Whether the row of a step-through can be shown to its end.
bool shows_row(const Trace& trace, const BoardSpec& view, std::string_view setting) {
    return std::ranges::none_of(trace.stages, [&](const Stage& stage) {
        const auto axis = query_axis(stage);
        const auto marks = axis ? hidden_cells(trace, stage, setting, view.hidden) : std::nullopt;
        if (!marks)
            return false;
        std::int64_t after = 1;
        for (auto k = *axis + 1; k < marks->shape().size(); ++k)
            after *= marks->shape()[k];
        const auto rows = marks->dim(static_cast<int>(*axis));
        for (std::int64_t k = 0; k < marks->size(); ++k)
            if (marks->value(k) != 0.0 && k / after % rows == view.query)
                return true;
        return false;
    });
}

bool is_wholly_hidden(const Trace& trace, const Stage& stage, std::string_view setting,
                      std::span<const HiddenPart> hidden) {
    const auto marks = hidden_cells(trace, stage, setting, hidden);
    return marks && std::ranges::all_of(marks->values(), [](double cell) { return cell != 0.0; });
}

/// The inputs of a setting, and what is computed of them and not wholly covered.
std::vector<Card> open_cards(const Trace& trace, const std::string& setting, const BoardSpec& view) {
    constexpr std::array<std::string_view, 5> names = {"query", "key", "value", "scores", "weights"};
    const Card shown = view.cards.empty() ? Card{} : view.cards.front();
    std::vector<Card> cards;
    for (const auto name : names) {
        const Stage* stage = trace.find(name);
        if (stage && stage->value.rank() >= 2 && !is_wholly_hidden(trace, *stage, setting, view.hidden))
            cards.push_back({.id = std::string(name),
                             .setting = setting,
                             .stage = std::string(name),
                             .batch = shown.batch,
                             .head = shown.head});
    }
    return cards;
}

/// Cards for the queries, keys and values that all wholly covered cards read. Empty if the cards read different ones,
/// or if these are too large to read.
std::vector<Card> inputs_of_covered_cards(const BoardSpec& view, const Scene& scene, const SceneResult& result) {
    constexpr std::int64_t most_tokens = 10, most_features = 6;
    const SceneSetting* read = nullptr;
    for (const auto& card : cards_of(view, scene)) {
        const auto setting = std::ranges::find(scene.settings, card.setting, &SceneSetting::id);
        const Trace* trace = result.trace_of(scene, card.setting);
        const Stage* stage = trace ? trace->find(card.stage) : nullptr;
        if (!stage || !is_wholly_hidden(*trace, *stage, card.setting, view.hidden) ||
            (read && !(read->tensors == setting->tensors)))
            return {};
        read = read ? read : &*setting;
    }
    if (!read || scene.training)
        return {};
    std::vector<Card> cards;
    for (const char* name : {"query", "key", "value"}) {
        const Trace& trace = *result.trace_of(scene, read->id);
        const Stage* stage = trace.find(name);
        if (!stage || stage->value.rank() < 2 || matrix_count(stage->value) != 1 ||
            stage->value.dim(-2) > most_tokens || stage->value.dim(-1) > most_features ||
            hidden_cells(trace, *stage, read->id, view.hidden))
            return {};
        cards.push_back({.id = name, .setting = read->id, .stage = name});
    }
    return cards;
}

} // namespace

std::optional<Tensor> hidden_cells(const Trace& trace, const Stage& stage, std::string_view setting,
                                   std::span<const HiddenPart> hidden) {
    std::optional<Tensor> marks;
    for (const auto& part : hidden) {
        const Stage* earlier = is_of(part, setting) ? trace.find(part.part) : nullptr;
        if (!earlier || !comes_from(stage, *earlier))
            continue;
        const auto bounds = bounds_in(*earlier, part.cells);
        if (!marks)
            marks.emplace(stage.value.shape(), 0.0, DType::Bool);
        mark(*marks, earlier == &stage ? bounds : carried(*earlier, bounds, stage));
    }
    if (marks && std::ranges::all_of(marks->values(), [](double cell) { return cell == 0.0; }))
        marks.reset();
    return marks;
}

bool hides_stage(const Trace& trace, std::string_view name, std::string_view setting,
                 std::span<const HiddenPart> hidden) {
    const Stage* stage = trace.find(name);
    return stage && hidden_cells(trace, *stage, setting, hidden).has_value();
}

bool hides(std::string_view setting, std::string_view part, std::span<const HiddenPart> hidden) {
    return std::ranges::any_of(hidden, [&](const HiddenPart& one) { return is_of(one, setting) && one.part == part; });
}

bool hides_measure(const Trace& trace, const Measure& measure, std::string_view setting,
                   std::span<const HiddenPart> hidden) {
    return hides(setting, "measure." + measure.name, hidden) ||
           (measure.unit == Measure::Unit::Number && hides_any_stage(trace, setting, hidden));
}

BoardSpec covered_view(BoardSpec view, const Scene& scene, const SceneResult& result) {
    view.live.clear();
    view.show.erase(BoardPart::Curve);
    const auto setting = view.setting.empty() ? scene.settings.front().id : view.setting;
    const Trace* trace = result.trace_of(scene, setting);
    if (trace && ((exhibit_of(view.board) && hides_any_stage(*trace, setting, view.hidden)) ||
                  (view.board == BoardKind::StepThrough && !shows_row(*trace, view, setting)))) {
        view.cards = open_cards(*trace, setting, view);
        view.board = BoardKind::Matrices;
        view.show.clear();
        view.shared_colors = false;
        view.pin.reset();
    } else if (view.board == BoardKind::Matrices || view.is_lab()) {
        if (auto cards = inputs_of_covered_cards(view, scene, result); !cards.empty()) {
            std::ranges::move(cards_of(view, scene), std::back_inserter(cards));
            view.cards = std::move(cards);
            view.shared_colors = false;
            view.show.erase(BoardPart::Output); // it is computed from what is covered
        }
    }
    return view;
}

SceneResult covered(const Scene& scene, const SceneResult& result, const BoardSpec& view) {
    SceneResult open = result;
    const auto shown = shown_settings(view, scene);
    for (std::size_t k = 0; k < open.settings.size(); ++k) {
        auto& setting = open.settings[k];
        const auto& id = scene.settings[k].id;
        setting.loss.clear();
        if (!shown.contains(id)) {
            setting.trace = {};
            continue;
        }
        const Trace& trace = result.settings[k].trace;
        bool covers = false;
        for (std::size_t s = 0; s < trace.stages.size(); ++s) {
            const auto marks = hidden_cells(trace, trace.stages[s], id, view.hidden);
            if (!marks)
                continue;
            covers = true;
            Tensor open_value(trace.stages[s].value.shape(),
                              {trace.stages[s].value.values().begin(), trace.stages[s].value.values().end()});
            auto cells = open_value.mutable_values();
            for (std::size_t cell = 0; cell < cells.size(); ++cell)
                if (marks->values()[cell] != 0.0)
                    cells[cell] = unknown;
            setting.trace.stages[s].value = std::move(open_value);
        }
        for (std::size_t m = 0; m < trace.measures.size(); ++m)
            if (hides_measure(trace, trace.measures[m], id, view.hidden)) {
                setting.trace.measures[m].value = unknown;
                setting.trace.measures[m].exact.reset();
            }
        if (covers)
            setting.trace.exhibits.clear();
    }
    return open;
}

} // namespace attnlab::lab
