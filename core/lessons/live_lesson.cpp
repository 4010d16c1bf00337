#include "core/lessons/live_lesson.h"

#include "core/edit/painted_mask.h"
#include "core/explain/row.h"
#include "core/inputs.h"
#include "core/io/json.h"
#include "core/io/saved/result_file.h"
#include "core/io/saved/spec_json.h"
#include "core/lab/cover.h"
#include "core/lab/setting_numbers.h"
#include "core/lessons/asking.h"
#include "core/lessons/checks.h"
#include "core/lessons/live_parts.h"
#include "core/lessons/scene_file.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace attnlab::lessons {
namespace {

using nlohmann::json;

std::string_view role_id(StageRole role) {
    constexpr std::array<std::string_view, 5> ids = {"input", "step", "summary", "mask", "exact"};
    return ids[static_cast<std::size_t>(role)];
}

json stage_json(const Stage& stage) {
    json axes = json::array();
    for (const auto axis : stage.axes)
        axes.push_back(io::axis_name(axis));
    return {{"name", stage.name},
            {"shape", stage.value.shape()},
            {"axes", axes},
            {"role", role_id(stage.role)},
            {"operation", live_message(stage.operation)}};
}

bool have_same_description(const Stage& a, const Stage& b) {
    return a.name == b.name && a.value.shape() == b.value.shape() && a.axes == b.axes && a.role == b.role &&
           a.operation == b.operation;
}

bool have_same_notes(const Trace& a, const Trace& b) {
    return std::ranges::equal(a.notes, b.notes, [](const Note& one, const Note& other) {
        return one.severity == other.severity && one.message == other.message;
    });
}

std::vector<InputShape> input_shapes(const AttentionProblem& problem) {
    std::vector<InputShape> list;
    for (const auto& input : inputs_of(problem.spec))
        if (const auto* tensor = find_tensor(problem.tensors, input.name))
            list.push_back({std::string(input.name), tensor->shape()});
    return list;
}

json inputs_json(const std::vector<InputShape>& inputs) {
    json list = json::array();
    for (const auto& input : inputs)
        list.push_back({{"name", input.name}, {"shape", input.shape}});
    return list;
}

json notes_json(const Trace& trace) {
    json list = json::array();
    for (const auto& note : trace.notes)
        list.push_back(
            {{"warning", note.severity == Note::Severity::Warning}, {"message", live_message(note.message)}});
    return list;
}

json draw_json(const lab::RandomInputs& draw) {
    return {{"L", draw.L},
            {"S", draw.S},
            {"E", draw.E},
            {"Ev", draw.Ev},
            {"distribution", lab::distribution_ids()[static_cast<std::size_t>(draw.distribution)]},
            {"seed", draw.seed}};
}

template <class Enum>
json ids_json(const std::set<Enum>& values) {
    json list = json::array();
    for (const auto value : values)
        list.push_back(lab::id_of(value));
    return list;
}

json live_cell(const std::optional<lab::BoardCell>& cell) {
    return cell ? json::array({cell->query, cell->key}) : json();
}

json live_axis(const std::optional<lab::HistogramAxis>& axis) {
    return axis ? json::array({axis->low, axis->high}) : json();
}

/// What depends on the view alone.
json view_json(const lab::BoardSpec& view) {
    json all{{"board", lab::id_of(view.board)},
             {"stage", view.stage},
             {"shared_colors", view.shared_colors},
             {"show", ids_json(view.show)},
             {"live", ids_json(view.live)},
             {"pin", live_cell(view.pin)},
             {"token", view.token},
             {"setting", view.setting},
             {"query", view.query},
             {"at", view.at},
             {"tile", live_cell(view.tile)},
             {"axis", live_axis(view.axis)},
             {"highlight", json::array()}};
    for (const auto& cell : view.highlight)
        all["highlight"].push_back(live_cell(cell));
    return all;
}

json cards_json(const std::vector<lab::Card>& cards) {
    json list = json::array();
    for (const auto& card : cards)
        list.push_back({{"id", card.id},
                        {"setting", card.setting},
                        {"stage", card.stage},
                        {"axis", live_axis(card.axis)},
                        {"batch", card.batch},
                        {"head", card.head ? json(*card.head) : json()}});
    return list;
}

json setting_json(const lab::SceneSetting& setting, bool has_scale) {
    return {{"id", setting.id},
            {"spec", io::to_json(setting.spec)},
            {"float32", setting.precision == lab::Precision::Float32},
            {"sharing", lab::sharing_ids()[static_cast<std::size_t>(setting.sharing)]},
            {"rate", setting.rate ? live_number(*setting.rate) : json()},
            {"scale", has_scale ? effective_scale(setting.spec).id : std::string()},
            {"query_tokens", setting.query_tokens},
            {"key_tokens", setting.key_tokens}};
}

/// Whether setting_json() is the same.
bool have_same_description(const lab::SceneSetting& a, const lab::SceneSetting& b) {
    return a.id == b.id && a.spec == b.spec && a.precision == b.precision && a.sharing == b.sharing &&
           a.rate == b.rate && a.query_tokens == b.query_tokens && a.key_tokens == b.key_tokens;
}

AttentionSpec live_spec_from(const JsonNode& node) {
    auto spec = without_refused(io::attention_spec_from(node));
    check_spec(spec);
    return spec;
}

/// The setting's own array, the scene's, or a copy of the drawn ones, which are then the scene's.
Tensor& tensor_of(lab::Scene& scene, lab::SceneSetting& setting, const std::string& name, const TensorMap& drawn) {
    if (const auto own = setting.tensors.find(name); own != setting.tensors.end())
        return own->second;
    if (scene.draw && !scene.tensors.contains(name)) {
        scene.tensors.insert(drawn.begin(), drawn.end());
        scene.draw.reset();
    }
    const auto found = scene.tensors.find(name);
    if (found == scene.tensors.end())
        throw Error({ATTNLAB_TEXT("there is no input '%1'"), {name}});
    return found->second;
}

/// Adds the arrays that a setting reads, and makes those again that no longer fit.
void complete_setting(lab::Scene& scene, lab::SceneSetting& setting, const TensorMap& drawn) {
    auto problem = lab::problem_of(scene, setting, drawn);
    for (const auto& name : complete_inputs(problem, input_seed, true))
        if (const auto made = problem.tensors.find(name); made != problem.tensors.end())
            setting.tensors.insert_or_assign(name, made->second);
        else
            setting.tensors.erase(name);
    scene.key_grid = problem.key_grid;
}

/// Arrays of the scene and of its settings that fit its draw, which is new; `drawn`: its numbers.
void fit_draw(lab::Scene& scene, const TensorMap& drawn) {
    for (const auto* name : {"query", "key", "value"})
        scene.tensors.erase(name);
    scene = lab::with_keys(std::move(scene), scene.draw->S, false);
    for (auto& setting : scene.settings)
        try {
            complete_setting(scene, setting, drawn);
        } catch (const Error&) {
            continue; // the result of the setting has it
        }
}

void change_cell(Tensor& tensor, const JsonNode& node) {
    const auto cell = node.at("cell").integer();
    const auto value = node.at("value").number();
    if (cell < 0 || cell >= tensor.size())
        throw Error({ATTNLAB_TEXT("cell %1 is outside an array of shape %2"),
                     {std::to_string(cell), to_string(tensor.shape())}});
    tensor.write(cell, std::span(&value, 1));
}

/// Blocks a cell of the painted mask of all heads, or keeps it.
void paint_cell(const lab::Scene& scene, lab::SceneSetting& setting, const JsonNode& node, const TensorMap& drawn) {
    auto problem = lab::problem_of(scene, setting, drawn);
    const auto context = painted_mask::sizes_of(problem);
    if (!context)
        throw Error(ATTNLAB_TEXT("the sizes of this mask are not known, so that it cannot be painted"));
    auto cells = painted_mask::cells_of(problem, *context);
    const auto query = node.at("query").integer(), key = node.at("key").integer();
    if (query < 0 || key < 0 || query >= context->L || key >= context->S)
        throw Error({ATTNLAB_TEXT("cell %1 is outside an array of shape %2"),
                     {std::to_string(query) + ", " + std::to_string(key), to_string(cells.shape())}});
    const double blocked = node.at("blocked").boolean() ? 1.0 : 0.0;
    for (std::int64_t map = 0; map < matrix_count(cells); ++map)
        cells.write((map * context->L + query) * context->S + key, std::span(&blocked, 1));
    painted_mask::store(problem, cells);
    setting.spec = problem.spec;
    const auto painted = problem.tensors.find(painted_mask::array_name);
    if (painted == problem.tensors.end())
        setting.tensors.erase(std::string(painted_mask::array_name));
    else
        setting.tensors.insert_or_assign(painted->first, painted->second);
}

void add_setting(lab::Scene& scene, lab::BoardSpec& view) {
    if (scene.settings.size() >= lab::most_settings)
        throw Error({ATTNLAB_TEXT("a board has at most %1 settings"), {std::to_string(lab::most_settings)}});
    scene.settings.push_back(lab::new_setting(scene, view.is_live(lab::BoardControl::Scale)));
    if (view.cards.empty())
        return;
    auto card = view.cards.back();
    card.id = card.setting = scene.settings.back().id;
    view.cards.push_back(std::move(card));
}

void remove_setting(lab::Scene& scene, lab::BoardSpec& view, const std::string& id) {
    if (scene.settings.size() < 2)
        throw Error(ATTNLAB_TEXT("a board keeps one setting"));
    std::erase_if(view.cards, [&](const lab::Card& card) { return card.setting == id; });
    std::erase_if(scene.settings, [&](const lab::SceneSetting& one) { return one.id == id; });
}

/// Other groups, tokens or readers.
lab::CacheModel cache_with(lab::CacheModel cache, const JsonNode& node) {
    node.require_keys({"groups", "context", "readers"});
    for (const auto& [name, member] : {std::pair{"groups", &lab::CacheModel::groups},
                                       {"context", &lab::CacheModel::context},
                                       {"readers", &lab::CacheModel::readers}})
        if (const auto* value = node.find(name))
            cache.*member = value->integer();
    lab::check(cache);
    return cache;
}

json parameters_json(std::span<const Parameter> parameters) {
    constexpr std::array<std::string_view, 6> types = {"integer", "real", "boolean", "choice", "list", "text"};
    json list = json::array();
    for (const auto& parameter : parameters) {
        json one{{"name", parameter.name},
                 {"type", types[static_cast<std::size_t>(parameter.type)]},
                 {"default", parameter.default_text},
                 {"title", parameter.title},
                 {"help", parameter.help},
                 {"minimum", live_number(parameter.minimum)},
                 {"maximum", live_number(parameter.maximum)},
                 {"above_minimum", parameter.minimum_excluded},
                 {"when", parameter.when}};
        for (const auto& choice : parameter.choices)
            one["choices"].push_back(choice);
        list.push_back(std::move(one));
    }
    return list;
}

/// Rows of a table that has ids, titles, helps and parameters.
template <class Rows>
json rows_json(const Rows& rows) {
    json list = json::array();
    for (const auto& row : rows)
        list.push_back({{"id", row.id},
                        {"title", row.title},
                        {"help", row.help},
                        {"parameters", parameters_json(row.parameters)}});
    return list;
}

json refusals_of(const Mechanism& mechanism) {
    json refused = json::object();
    const auto add = [&](const char* what, const char* why) {
        if (why)
            refused[what] = why;
    };
    add("scale", mechanism.refuses.scale);
    add("position", mechanism.refuses.position);
    add("normaliser", refusal_of_normaliser(mechanism));
    for (const auto& mask : mask_kinds())
        if (const auto* why = refusal_of_mask(mechanism, mask.id))
            refused["masks"][std::string(mask.id)] = why;
    return refused;
}

} // namespace

std::string message_json(const Message& message) { return io::dump(live_message(message)); }

std::string choices_json() {
    json all{{"scales", rows_json(scale_modes())},
             {"masks", rows_json(mask_kinds())},
             {"positions", rows_json(position_terms())},
             {"normalisers", rows_json(normalisers())},
             {"mechanisms", rows_json(mechanisms())}};
    for (std::size_t k = 0; k < mechanisms().size(); ++k) {
        const auto& mechanism = mechanisms()[k];
        auto& one = all["mechanisms"][k];
        one["family"] = mechanism.family;
        one["formula"] = mechanism.formula;
        one["default_scale"] = mechanism.default_scale;
        one["refuses"] = refusals_of(mechanism);
    }
    return io::dump(all);
}

LiveLesson::LiveLesson(Lesson lesson) : lesson_(std::move(lesson)) { show(0, Phase::Open); }

std::string LiveLesson::contents() const {
    json all{{"titles", json::object()}, {"summaries", json::object()}, {"steps", json::array()}};
    for (const auto& [language, title] : lesson_.titles) {
        all["titles"][language] = title.title;
        all["summaries"][language] = title.summary;
    }
    for (const auto& step : lesson_.steps) {
        json one{{"id", step.id},
                 {"formula", step.formula},
                 {"board", lab::id_of(step.view.board)},
                 {"question", step.question.has_value()},
                 {"covers", step.question && step.question->covers}};
        for (const auto& [language, text] : step.texts)
            one["titles"][language] = text.title;
        all["steps"].push_back(std::move(one));
    }
    return io::dump(all);
}

void LiveLesson::show(std::size_t index, Phase phase) {
    const auto& step = lesson_.steps.at(index);
    step_ = index;
    phase_ = step.question ? phase : Phase::Open;
    scene_ = phase_ == Phase::Answered ? question_scene(step) : step.scene;
    view_ = step.view;
    result_ = shown_ = {};
    inputs_.clear();
    before_.clear();
    if (phase_ == Phase::Asking && step.question->covers) {
        result_ = computed(scene_);
        view_ = lab::covered_view(asking_view(step), scene_, result_);
    }
    if (phase_ == Phase::Answered && step.question->reveals)
        view_ = *step.question->reveals;
    own_heads_ =
        std::ranges::any_of(view_.cards, [&](const lab::Card& card) { return card.head != view_.cards.front().head; });
}

std::string LiveLesson::board() const {
    auto all = board_json(nullptr);
    all["options"] = json::array();
    if (const auto& question = step().question)
        for (const auto& option : question->options)
            all["options"].push_back(option.id);
    return io::dump(all);
}

json LiveLesson::board_json(const State* before) const {
    json all{
        {"cache", scene_.cache ? live_cache(*scene_.cache) : json()},
        {"costs", scene_.cache ? live_costs(scene_, view_) : json()},
        {"training", scene_.training ? json{{"steps", scene_.training->steps}, {"at", scene_.training->at}} : json()},
        {"draw", scene_.draw ? draw_json(*scene_.draw) : json()},
        {"settings", json::array()},
        {"undo", !before_.empty()}};
    if (!before)
        all["own_heads"] = own_heads_;
    if (!before || before->view != view_)
        all.update(view_json(view_));
    if (const auto cards = lab::cards_of(view_, scene_); !before || cards != lab::cards_of(before->view, before->scene))
        all["cards"] = cards_json(cards);
    if (!before || before->scene.query_tokens != scene_.query_tokens)
        all["query_tokens"] = scene_.query_tokens;
    if (!before || before->scene.key_tokens != scene_.key_tokens)
        all["key_tokens"] = scene_.key_tokens;
    for (std::size_t k = 0; k < scene_.settings.size(); ++k) {
        const auto& setting = scene_.settings[k];
        const bool is_same =
            before && k < before->scene.settings.size() && have_same_description(before->scene.settings[k], setting);
        all["settings"].push_back(is_same ? json() : setting_json(setting, !scene_.cache));
    }
    return all;
}

lab::SceneSetting& LiveLesson::setting(lab::Scene& scene, std::size_t index) const {
    if (index >= scene.settings.size())
        throw Error({ATTNLAB_TEXT("there is no setting '%1', expected one of %2"),
                     {std::to_string(index), "0 .. " + std::to_string(scene.settings.size() - 1)}});
    return scene.settings[index];
}

LiveLesson::Change LiveLesson::change_of(std::string_view request) {
    const auto parsed = io::parse_json(request, "request");
    const auto& root = parsed.root();
    root.require_keys({"draw",   "cache", "training", "arrow", "token", "head",   "card", "setting", "spec", "float32",
                       "tensor", "cell",  "value",    "paint", "add",   "remove", "part", "shown",   "step", "undo"});
    if (root.find("undo")) {
        if (before_.empty())
            throw Error(ATTNLAB_TEXT("there is no change to undo"));
        return {before_.back(), "", true};
    }
    auto scene = scene_;
    auto view = view_;
    if (const auto* draw = root.find("draw")) {
        scene.draw =
            scene_file::draw_from(*draw, scene_.draw ? *scene_.draw : step().scene.draw.value_or(lab::RandomInputs()));
        fit_draw(scene, drawn_of(scene));
    } else if (const auto* cache = root.find("cache")) {
        scene.cache = cache_with(scene.cache.value_or(lab::CacheModel()), *cache);
    } else if (const auto* at = root.find("training")) {
        if (!scene.training || at->integer() < 0 || at->integer() > scene.training->steps)
            throw Error({ATTNLAB_TEXT("there is no step %1 of a training"), {std::to_string(at->integer())}});
        scene.training->at = at->integer();
    } else if (const auto* arrow = root.find("arrow")) {
        scene = lab::with_moved_arrow(std::move(scene), arrow->at("input").text(), arrow->at("row").integer(),
                                      arrow->at("x").number(), arrow->at("y").number(), arrow->at("reach").number(),
                                      arrow->at("all").boolean());
    } else if (const auto* token = root.find("token")) {
        view.token = token->integer();
    } else if (const auto* head = root.find("head")) {
        view.cards = lab::cards_of(view, scene);
        const auto* only = root.find("card");
        const auto count = std::ssize(view.cards);
        if (only && (only->integer() < 0 || only->integer() >= count))
            throw Error({ATTNLAB_TEXT("there is no card %1, expected one of %2"),
                         {std::to_string(only->integer()), "0 .. " + std::to_string(count - 1)}});
        for (std::int64_t index = 0; index < count; ++index) {
            auto& card = view.cards[static_cast<std::size_t>(index)];
            if (!only || only->integer() == index)
                card.head = head->integer() < 0 ? std::nullopt : std::optional(head->integer());
            if (card.stage == view.stage)
                card.stage.clear(); // it continues to follow the board
        }
    } else if (root.find("add")) {
        add_setting(scene, view);
    } else if (const auto* removed = root.find("remove")) {
        remove_setting(scene, view, setting(scene, static_cast<std::size_t>(removed->integer())).id);
    } else if (const auto* part = root.find("part")) {
        const auto parts = lab::ids_of<lab::BoardPart>();
        const auto found = std::ranges::find(parts, part->text());
        if (found == parts.end())
            throw Error({ATTNLAB_TEXT("a board has no part '%1'"), {part->text()}});
        const auto id = static_cast<lab::BoardPart>(found - parts.begin());
        if (root.at("shown").boolean())
            view.show.insert(id);
        else
            view.show.erase(id);
    } else {
        change_setting(scene, root);
    }
    const auto* named = root.find("step");
    return {{std::move(scene), std::move(view)}, named ? named->text() : std::string(), false};
}

LiveLesson::State LiveLesson::commit(Change change) {
    State before{std::exchange(scene_, std::move(change.after.scene)),
                 std::exchange(view_, std::move(change.after.view))};
    if (change.is_undo)
        before_.pop_back();
    else if (before_.empty() || change.step.empty() || change.step != latest_step_)
        before_.push_back(before);
    if (before_.size() > most_undo)
        before_.erase(before_.begin());
    latest_step_ = std::move(change.step);
    return before;
}

void LiveLesson::change(std::string_view request) { commit(change_of(request)); }

std::string LiveLesson::update(std::string_view request) {
    auto change = change_of(request);
    auto result = computed(change.after.scene);
    const auto before = commit(std::move(change));
    const Described described{std::exchange(shown_, {}), std::exchange(inputs_, {})};
    take(std::move(result));
    return io::dump(json{{"board", board_json(&before)}, {"result", result_json(&described)}});
}

const TensorMap& LiveLesson::drawn_of(const lab::Scene& scene) {
    static const TensorMap none;
    if (!scene.draw)
        return none;
    if (latest_draw_ != scene.draw) {
        drawn_ = lab::draw_inputs(*scene.draw);
        latest_draw_ = scene.draw;
    }
    return drawn_;
}

lab::SceneResult LiveLesson::computed(const lab::Scene& of) {
    auto scene = of; // its draw as arrays: a change of a setting draws nothing again
    const auto& drawn = drawn_of(of);
    scene.tensors.insert(drawn.begin(), drawn.end());
    scene.draw.reset();
    auto result = lab::compute(scene);
    result.drawn = drawn;
    return result;
}

void LiveLesson::change_setting(lab::Scene& scene, const JsonNode& root) {
    auto& changed = setting(scene, static_cast<std::size_t>(root.at("setting").integer()));
    if (const auto* float32 = root.find("float32"))
        changed.precision = float32->boolean() ? lab::Precision::Float32 : lab::Precision::Float64;
    if (const auto* spec = root.find("spec")) {
        changed.spec = live_spec_from(*spec);
        complete_setting(scene, changed, drawn_of(scene));
    } else if (const auto* paint = root.find("paint")) {
        paint_cell(scene, changed, *paint, drawn_of(scene));
    } else if (!root.find("float32")) {
        change_cell(tensor_of(scene, changed, root.at("tensor").text(), drawn_of(scene)), root);
    }
}

void LiveLesson::take(lab::SceneResult result) {
    result_ = std::move(result);
    shown_ = phase_ == Phase::Asking ? lab::covered(scene_, result_, view_) : result_;
    inputs_.clear();
    for (const auto& setting : scene_.settings)
        inputs_.push_back(scene_.cache ? std::vector<InputShape>()
                                       : input_shapes(lab::problem_of(scene_, setting, result_.drawn)));
}

std::string LiveLesson::compute() {
    take(computed(scene_));
    return io::dump(result_json(nullptr));
}

json LiveLesson::result_json(const Described* before) const {
    json settings = json::array();
    for (std::size_t k = 0; k < scene_.settings.size(); ++k) {
        const auto& setting = scene_.settings[k];
        const auto& made = shown_.settings[k];
        const auto* was = before && k < before->result.settings.size() ? &before->result.settings[k].trace : nullptr;
        json one{{"id", setting.id}};
        if (!scene_.cache && !(was && before->inputs[k] == inputs_[k]))
            one["inputs"] = inputs_json(inputs_[k]);
        if (made.error)
            one["error"] = live_message(*made.error);
        one["stages"] = json::array();
        for (std::size_t index = 0; index < made.trace.stages.size(); ++index) {
            const auto& stage = made.trace.stages[index];
            const bool is_same = was && index < was->stages.size() && have_same_description(was->stages[index], stage);
            one["stages"].push_back(is_same ? json() : stage_json(stage));
        }
        if (!was || !have_same_notes(*was, made.trace))
            one["notes"] = notes_json(made.trace);
        one["measures"] = live_measures(made.trace);
        one["exhibits"] = live_exhibits(made.trace);
        one["numbers"] =
            card_json({.id = {}, .setting = setting.id, .stage = {}, .head = {}}).value("numbers", json::object());
        if (view_.shows(lab::BoardPart::Leak) && !scene_.cache && !made.error)
            one["leak"] = live_leak(scene_, setting, made.trace, result_.drawn, view_);
        settings.push_back(std::move(one));
    }
    json cards = json::array();
    for (const auto& card : lab::cards_of(view_, scene_))
        cards.push_back(card_json(card));
    return {{"settings", std::move(settings)}, {"cards", std::move(cards)}};
}

nlohmann::json LiveLesson::card_json(const lab::Card& card) const {
    for (std::size_t k = 0; k < scene_.settings.size(); ++k)
        if (scene_.settings[k].id == card.setting && !shown_.settings[k].error && !scene_.cache)
            return live_card(card, scene_.settings[k], shown_.settings[k].trace, view_);
    return json::object();
}

std::string LiveLesson::row(std::size_t setting, int batch, int head, std::int64_t query) const {
    return io::dump(live_row(shown_.settings.at(setting).trace, batch, head, query));
}

std::span<const double> LiveLesson::stage(std::size_t setting, std::size_t index) const {
    return shown_.settings.at(setting).trace.stages.at(index).value.values();
}

std::span<const double> LiveLesson::input(std::size_t setting, std::size_t index) const {
    return input(setting, inputs_.at(setting).at(index).name);
}

std::span<const double> LiveLesson::input(std::size_t setting, std::string_view name) const {
    const auto& own = scene_.settings.at(setting).tensors;
    for (const auto* tensors : {&own, &scene_.tensors, &result_.drawn})
        if (const auto* tensor = find_tensor(*tensors, name))
            return tensor->values();
    throw std::out_of_range("there is no input " + std::string(name));
}

std::string LiveLesson::cell(std::size_t setting, int batch, int head, std::int64_t query, std::int64_t key) const {
    const auto& trace = shown_.settings.at(setting).trace;
    const explain::Row row(trace, {"", batch, head}, query);
    if (row.empty() || key < 0 || key >= row.keys())
        return "{}";
    json all{{"products", row.has_products()},
             {"blocked", row.is_blocked(key)},
             {"maximum", live_number(row.maximum())},
             {"sum", live_number(row.row_sum())},
             {"normaliser", row.normaliser()},
             {"lines", json::array()},
             {"terms", json::array()}};
    for (const auto& line : row.lines()) {
        json one{{"operation", live_operation(static_cast<std::size_t>(line.operation))},
                 {"value", live_number(row.value(line.operation, key))}};
        if (line.stage)
            one["stage"] = line.stage->name;
        if (line.operation == explain::Operation::Position || line.operation == explain::Operation::Bias)
            one["added"] = live_number(row.added(line.operation, key));
        all["lines"].push_back(std::move(one));
    }
    for (const auto& term : row.terms(key))
        all["terms"].push_back({live_number(term.left), live_number(term.right), live_number(term.product)});
    return io::dump(all);
}

std::string LiveLesson::mix(std::size_t setting, std::size_t stage, int batch, int head, std::int64_t query,
                            std::int64_t feature) const {
    const auto& trace = shown_.settings.at(setting).trace;
    const auto& mixed = trace.stages.at(stage);
    const explain::Row row(trace, {std::string(prefix_of(mixed.name)), batch, head}, query);
    if (row.empty() || !row.is_mix(mixed, feature))
        return "{}";
    json parts = json::array();
    for (std::int64_t key = 0; key < row.keys(); ++key)
        parts.push_back(
            {live_number(row.mixed(key)), live_number(row.feature(key, feature)), live_number(row.part(key, feature))});
    return io::dump(json{{"parts", std::move(parts)}});
}

std::string LiveLesson::curve() const {
    constexpr std::int64_t most_size = 1024;
    if (!view_.shows(lab::BoardPart::Curve) || phase_ == Phase::Asking)
        return "{}";
    json all{{"measure", lab::id_of(view_.curve.measure)}, {"sizes", json::array()}, {"values", json::array()}};
    for (std::size_t k = 0; k < scene_.settings.size(); ++k)
        all["values"].push_back(json::array());
    if (view_.curve.measure == lab::CurveMeasure::Loss) {
        for (std::size_t k = 0; k < result_.settings.size(); ++k)
            for (std::size_t step = 0; step < result_.settings[k].loss.size(); ++step) {
                if (k == 0)
                    all["sizes"].push_back(step);
                all["values"][k].push_back(live_number(result_.settings[k].loss[step]));
            }
        all["over"] = "steps";
        all["present"] = scene_.training ? scene_.training->at : 0;
        return io::dump(all);
    }
    if (!scene_.draw)
        return "{}";
    const bool over_width = view_.curve.over == lab::DrawSize::E;
    all["over"] = lab::id_of(view_.curve.over);
    all["present"] = over_width ? scene_.draw->E : scene_.draw->S;
    lab::SweepRequest request;
    request.scene = scene_;
    request.measure = view_.curve.measure;
    request.over = view_.curve.over;
    for (const auto size : lab::sweep_sizes(request)) {
        if (size > most_size)
            break;
        const auto point = lab::sweep_point(request, size);
        all["sizes"].push_back(size);
        for (std::size_t k = 0; k < point.values.size(); ++k)
            all["values"][k].push_back(live_number(point.values[k]));
    }
    return io::dump(all);
}

std::string LiveLesson::texts(std::string_view language) const {
    const Evaluation evaluation(scene_, result_, {}, most_text_cells);
    const auto& text = step().text_in(language);
    json all{{"title", text.title},
             {"body", filled(text.body, evaluation)},
             {"question", filled(text.question, evaluation)},
             {"options", json::object()},
             {"hint", filled(text.hint, evaluation)},
             {"whys", json::object()},
             {"cards", json::object()}};
    if (const auto notes = step().notes.find(language); notes != step().notes.end())
        all["notes"] = filled(notes->second.body, evaluation);
    for (const auto& [id, words] : text.options)
        all["options"][id] = filled(words, evaluation);
    for (const auto& [id, words] : text.cards)
        if (phase_ != Phase::Asking || !lab::hides(id, "words", view_.hidden))
            all["cards"][id] = filled(words, evaluation);
    if (phase_ == Phase::Open)
        return io::dump(all);
    const auto asked_scene = question_scene(step());
    const auto asked_result = lab::compute(asked_scene);
    const Evaluation asked(asked_scene, asked_result, {}, most_text_cells);
    all["answer"] = filled(text.answer, asked);
    for (const auto& [id, words] : text.whys)
        all["whys"][id] = filled(words, asked);
    return io::dump(all);
}

std::string LiveLesson::right_option() const { return step().question ? lessons::right_option(step()) : std::string(); }

} // namespace attnlab::lessons
