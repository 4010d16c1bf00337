#include "core/lessons/live_parts.h"

#include "core/explain/row.h"
#include "core/lab/cover.h"
#include "core/lab/leak.h"
#include "core/lab/setting_numbers.h"
#include "core/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::lessons {

using nlohmann::json;

json live_number(double value) { return std::isfinite(value) ? json(value) : json(to_text(value)); }

json live_message(const Message& message) {
    if (message.arguments.empty())
        return message.text;
    json list{message.text};
    for (const auto& argument : message.arguments)
        if (const auto* words = argument.words()) {
            auto part = live_message(*words);
            list.push_back(part.is_array() ? part : json::array({part}));
        } else {
            list.push_back(argument.text());
        }
    return list;
}

namespace {

json live_list(std::span<const double> values) {
    json list = json::array();
    for (const double value : values)
        list.push_back(live_number(value));
    return list;
}

std::string_view unit_id(Measure::Unit unit) {
    constexpr std::array<std::string_view, 3> ids = {"number", "operations", "bytes"};
    return ids[static_cast<std::size_t>(unit)];
}

json member_json(std::int64_t value) { return value; }
json member_json(bool value) { return value; }
json member_json(const Message& value) { return live_message(value); }
json member_json(const Curve::Point& point) { return {live_number(point.x), live_number(point.y)}; }
template <class Value>
json member_json(const std::vector<Value>& values) {
    json list = json::array();
    for (const auto& value : values)
        list.push_back(member_json(value));
    return list;
}
json member_json(const std::vector<bool>& values) { return std::vector<int>(values.begin(), values.end()); }

template <class Kind>
json exhibit_json(const Kind& exhibit) {
    json made = {{"kind", Kind::id}};
    exhibit.members([&made](const char* name, const auto& value) { made[name] = member_json(value); });
    return made;
}

bool hides_part(const Trace& trace, std::string_view stage, const lab::SceneSetting& setting,
                const lab::BoardSpec& view) {
    return lab::hides_stage(trace, stage, setting.id, view.hidden);
}

/// Rows of the weights of a card: of its head, or their means over the heads.
struct CardRows {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> numbers;
    std::span<const double> row(std::int64_t index) const {
        return std::span(numbers).subspan(static_cast<std::size_t>(index * columns), static_cast<std::size_t>(columns));
    }
};

/// Empty unless the stage has batches and heads.
CardRows rows_of(const Stage* stage, const lab::Card& card) {
    if (!stage || stage->value.rank() != 4 || card.batch >= stage->value.dim(0))
        return {};
    const auto heads = stage->value.dim(1);
    CardRows made{stage->value.dim(2), stage->value.dim(3), {}};
    made.numbers.assign(static_cast<std::size_t>(made.rows * made.columns), 0.0);
    const auto first = card.head ? std::min(*card.head, heads - 1) : 0, last = card.head ? first : heads - 1;
    for (auto head = first; head <= last; ++head) {
        const auto matrix = matrix_at(stage->value, card.batch * heads + head);
        for (std::size_t cell = 0; cell < made.numbers.size(); ++cell)
            made.numbers[cell] += matrix.data[cell] / static_cast<double>(last - first + 1);
    }
    return made;
}

/// Without those that a question covers. Empty where the weights are not (B,H,L,S).
json card_numbers(const lab::Card& card, const lab::SceneSetting& setting, const Trace& trace,
                  const lab::BoardSpec& view) {
    const auto* weights = trace.find("weights");
    if (!weights || weights->value.rank() != 4 || weights->value.size() == 0)
        return json::object();
    const auto head = card.head ? std::optional(std::min(*card.head, weights->value.dim(1) - 1)) : std::nullopt;
    const auto numbers = lab::numbers_of(trace, setting.spec, std::min(card.batch, weights->value.dim(0) - 1), head);
    json all = json::object();
    const bool no_scores = hides_part(trace, "scaled", setting, view);
    const bool no_weights = hides_part(trace, "weights", setting, view);
    for (std::size_t k = 0; k < lab::measure_ids().size(); ++k) {
        const auto measure = static_cast<lab::CurveMeasure>(k);
        const bool is_covered = measure == lab::CurveMeasure::Variance ? no_scores : no_weights;
        if (const auto value = lab::measure_of(numbers, measure); !is_covered && std::isfinite(value))
            all[std::string(lab::measure_ids()[k])] = value;
    }
    if (numbers.theory && !no_scores)
        all["theory"] = *numbers.theory;
    return all;
}

json row_json(std::span<const double> weights) {
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
        return "empty";
    if (!are_shares(weights) && !std::ranges::any_of(weights, [](double weight) { return std::isnan(weight); }))
        return "no_shares";
    const auto numbers = row_statistics(weights);
    return {{"entropy", live_number(numbers.entropy)}, {"effective_keys", live_number(numbers.effective_keys)}};
}

/// 0 and the bias where a cell is kept, what fills it where it is blocked.
json mask_json(const lab::Card& card, const lab::SceneSetting& setting, const Trace& trace) {
    auto own = card;
    own.head = std::max<std::int64_t>(0, card.head.value_or(0));
    const auto before = rows_of(trace.find("scaled"), own), after = rows_of(trace.find("masked"), own),
               blocked = rows_of(trace.find("blocked"), own);
    if (before.numbers.empty() || before.numbers.size() != after.numbers.size())
        return nullptr;
    const auto& fill = setting.spec.mask_fill;
    json values = json::array();
    for (std::size_t cell = 0; cell < after.numbers.size(); ++cell) {
        const bool is_blocked = cell < blocked.numbers.size() && blocked.numbers[cell] != 0.0;
        const double from = before.numbers[cell], to = after.numbers[cell];
        values.push_back(live_number(is_blocked ? fill.value : from == to ? 0.0 : to - from));
    }
    return {{"rows", after.rows},
            {"columns", after.columns},
            {"values", values},
            {"added", fill.mode == MaskFill::Mode::Add || std::isinf(fill.value) || blocked.numbers.empty()}};
}

} // namespace

json live_measures(const Trace& trace) {
    json list = json::array();
    for (const auto& measure : trace.measures) {
        list.push_back({{"name", measure.name},
                        {"title", live_message(measure.title)},
                        {"unit", unit_id(measure.unit)},
                        {"value", live_number(measure.value)}});
        if (measure.exact)
            list.back()["exact"] = live_number(*measure.exact);
    }
    return list;
}

json live_exhibits(const Trace& trace) {
    json list = json::array();
    for (const auto& exhibit : trace.exhibits)
        list.push_back(std::visit([](const auto& one) { return exhibit_json(one); }, exhibit));
    return list;
}

json live_card(const lab::Card& card, const lab::SceneSetting& setting, const Trace& trace,
               const lab::BoardSpec& view) {
    json all = json::object();
    if (trace.stages.empty())
        return all;
    const bool no_weights = hides_part(trace, "weights", setting, view);
    if (view.shows(lab::BoardPart::Numbers) || view.shows(lab::BoardPart::Histogram))
        all["numbers"] = card_numbers(card, setting, trace, view);
    if (view.shows(lab::BoardPart::Rows) && !no_weights)
        if (const auto weights = rows_of(trace.find("weights"), card); weights.columns > 0) {
            all["rows"] = json::array();
            for (std::int64_t row = 0; row < weights.rows; ++row)
                all["rows"].push_back(row_json(weights.row(row)));
        }
    // The mask added to the scores shows which weights are 0; it is open where the masked scores are.
    if (view.shows(lab::BoardPart::Additive) && !hides_part(trace, "masked", setting, view) &&
        (!no_weights || card.stage == "masked"))
        if (auto mask = mask_json(card, setting, trace); !mask.is_null())
            all["mask"] = std::move(mask);
    return all;
}

json live_leak(const lab::Scene& scene, const lab::SceneSetting& setting, const Trace& trace, const TensorMap& drawn,
               const lab::BoardSpec& view) {
    if (trace.stages.empty() || hides_part(trace, "output", setting, view))
        return nullptr;
    const auto* weights = trace.find("weights");
    const auto* blocked = trace.find("blocked");
    try {
        const auto effect =
            lab::effect_of_token(lab::problem_of(scene, setting, drawn), view.token, {}, setting.precision);
        const auto count = weights ? weights->value.dim(-1) : std::ssize(effect.moved);
        const auto token = view.token < 0 ? view.token + count : view.token;
        json closed = json::array();
        for (std::int64_t row = 0; row < std::ssize(effect.moved); ++row) {
            bool is_blocked =
                blocked && blocked->value.rank() == 4 && row < blocked->value.dim(2) && token < blocked->value.dim(3);
            for (std::int64_t map = 0; is_blocked && map < matrix_count(blocked->value); ++map)
                is_blocked = matrix_at(blocked->value, map)(row, token) != 0.0;
            closed.push_back(is_blocked);
        }
        return {{"token", token},
                {"count", count},
                {"moved", live_list(effect.moved)},
                {"own", effect.own ? json(*effect.own) : json()},
                {"by_reading", effect.own_by_reading ? live_number(*effect.own_by_reading) : json()},
                {"blocked", closed}};
    } catch (const Error& error) {
        return {{"error", live_message(error.message())}};
    }
}

std::string_view live_operation(std::size_t operation) {
    constexpr std::array<std::string_view, 14> ids = {"products", "score",   "scale",   "position",    "bias",
                                                      "modify",   "mask",    "shift",   "exponential", "row_sum",
                                                      "divide",   "weights", "dropout", "mix"};
    return ids.at(operation);
}

json live_row(const Trace& trace, std::int64_t batch, std::int64_t head, std::int64_t query) {
    const explain::PassPlace place{"", static_cast<int>(batch), static_cast<int>(head)};
    if (!explain::is_whole(trace, place))
        return json::object();
    const explain::Row row(trace, place, query);
    if (row.empty())
        return json::object();
    json all{{"queries", row.queries()},
             {"maximum", live_number(row.maximum())},
             {"sum", live_number(row.row_sum())},
             {"beyond_keys", live_number(row.sum_beyond_keys())},
             {"normaliser", row.normaliser()},
             {"products", row.has_products()},
             {"mixes", row.is_mixed()},
             {"mixed", live_list(row.mixed())},
             {"lines", json::array()},
             {"terms", json::array()},
             {"blocked", json::array()},
             {"value", json::array()},
             {"output", json::array()}};
    for (const auto& line : row.lines()) {
        json one{{"operation", live_operation(static_cast<std::size_t>(line.operation))},
                 {"values", live_list(row.values(line.operation))}};
        if (line.stage) {
            one["title"] = live_message(line.stage->operation);
            one["follows"] = line.stage->operation_follows;
        }
        all["lines"].push_back(std::move(one));
    }
    for (std::int64_t key = 0; key < row.keys(); ++key) {
        json terms = json::array(), value = json::array();
        for (const auto& term : row.terms(key))
            terms.push_back({live_number(term.left), live_number(term.right), live_number(term.product)});
        for (std::int64_t feature = 0; feature < row.features(); ++feature)
            value.push_back(live_number(row.feature(key, feature)));
        all["terms"].push_back(std::move(terms));
        all["value"].push_back(std::move(value));
        all["blocked"].push_back(row.is_blocked(key));
    }
    for (std::int64_t feature = 0; feature < row.features(); ++feature)
        all["output"].push_back(live_number(row.output(feature, row.keys())));
    return all;
}

namespace {

double cost_in(const lab::CacheModel& cache, const lab::SceneSetting& setting, std::string_view name,
               const lab::BoardSpec& view) {
    return lab::hides(setting.id, "measure." + std::string(name), view.hidden)
               ? std::numeric_limits<double>::quiet_NaN()
               : lab::cache_cost(cache, setting.sharing, name);
}

/// The largest cost of any setting with any number of groups, so that bars keep their scale.
double largest_cost(const lab::Scene& scene, std::string_view name, const lab::BoardSpec& view) {
    double most = 0.0;
    auto cache = *scene.cache;
    for (const auto groups : lab::group_choices(cache)) {
        cache.groups = groups;
        for (const auto& setting : scene.settings)
            most = std::fmax(most, cost_in(cache, setting, name, view));
    }
    return most;
}

json cost_curves(const lab::Scene& scene, std::string_view name, const lab::BoardSpec& view) {
    const bool tokens = view.over == lab::BoardControl::Context;
    const auto sizes = tokens ? lab::context_choices() : lab::reader_choices();
    json curves{{"over", tokens ? "context" : "readers"},
                {"sizes", sizes},
                {"present", tokens ? scene.cache->context : scene.cache->readers},
                {"curves", json::array()}};
    for (const auto& setting : scene.settings) {
        auto cache = *scene.cache;
        json values = json::array();
        for (const auto size : sizes) {
            (tokens ? cache.context : cache.readers) = size;
            values.push_back(live_number(cost_in(cache, setting, name, view)));
        }
        curves["curves"].push_back(std::move(values));
    }
    if (name == "cache_bytes")
        curves["reference"] = {{"of", "weights"},
                               {"level", lab::cache_cost(*scene.cache, lab::CacheSharing::MultiHead, "weight_bytes")}};
    else if (name == "intensity" || name == "attention_intensity")
        curves["reference"] = {{"of", "device"}, {"level", scene.cache->balance}};
    return curves;
}

} // namespace

json live_costs(const lab::Scene& scene, const lab::BoardSpec& view) {
    json list = json::array();
    if (!scene.cache)
        return list;
    for (const auto& name : view.costs) {
        const auto all = lab::cache_costs(*scene.cache, scene.settings.front().sharing);
        const auto& first = *std::ranges::find(all, name, &Measure::name);
        json cost = view.over ? cost_curves(scene, name, view) : json::object();
        cost["name"] = name;
        cost["title"] = live_message(first.title);
        cost["unit"] = unit_id(first.unit);
        cost["high"] = live_number(largest_cost(scene, name, view));
        cost["values"] = json::array();
        for (const auto& setting : scene.settings)
            cost["values"].push_back(live_number(cost_in(*scene.cache, setting, name, view)));
        list.push_back(std::move(cost));
    }
    return list;
}

json live_cache(const lab::CacheModel& cache) {
    return {{"groups", cache.groups},
            {"context", cache.context},
            {"readers", cache.readers},
            {"choices",
             {{"groups", lab::group_choices(cache)},
              {"context", lab::context_choices()},
              {"readers", lab::reader_choices()}}}};
}

} // namespace attnlab::lessons
