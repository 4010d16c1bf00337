#include "core/lessons/saved_board.h"

#include "core/io/json.h"
#include "core/io/saved/workspace_file.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/scene_file.h"
#include "core/mechanisms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace attnlab::lessons {
namespace {

using nlohmann::json;

json number_json(double value) {
    if (std::isinf(value))
        return value < 0.0 ? "-inf" : "inf";
    return value;
}

json rows_json(const std::string& name, const Tensor& tensor, std::size_t axis, std::int64_t& cell) {
    json rows = json::array();
    for (std::int64_t k = 0; k < tensor.shape()[axis]; ++k) {
        if (axis + 1 < tensor.shape().size()) {
            rows.push_back(rows_json(name, tensor, axis + 1, cell));
            continue;
        }
        const double value = tensor.value(cell++);
        if (std::isnan(value))
            throw Error({ATTNLAB_TEXT("%1: has NaN, which a lesson cannot hold"), {name}});
        if (tensor.dtype() == DType::Bool)
            rows.push_back(value != 0.0);
        else
            rows.push_back(number_json(value));
    }
    return rows;
}

json tensors_json(const TensorMap& tensors, const auto& is_read) {
    constexpr std::size_t most_axes = 4;
    json all = json::object();
    for (const auto& [name, tensor] : tensors) {
        if (!is_read(name))
            continue;
        if (tensor.size() == 0 || tensor.shape().empty() || tensor.shape().size() > most_axes)
            throw Error(
                {ATTNLAB_TEXT("%1: has shape %2; a lesson holds arrays of one to four axes with something in them"),
                 {name, to_string(tensor.shape())}});
        std::int64_t cell = 0;
        all[name] = rows_json(name, tensor, 0, cell);
    }
    return all;
}

json inputs_json(const lab::Scene& scene) {
    if (scene.cache) {
        const auto& c = *scene.cache;
        return {{"cache",
                 {{"layers", c.layers},
                  {"num_heads", c.num_heads},
                  {"head_dim", c.head_dim},
                  {"groups", c.groups},
                  {"latent", c.latent},
                  {"rotated", c.rotated},
                  {"parameters", c.parameters},
                  {"bytes", c.bytes},
                  {"context", c.context},
                  {"readers", c.readers},
                  {"balance", c.balance}}}};
    }
    json inputs = json::object();
    if (const auto& draw = scene.draw)
        inputs["draw"] = {{"L", draw->L},
                          {"S", draw->S},
                          {"E", draw->E},
                          {"Ev", draw->Ev},
                          {"distribution", lab::distribution_ids()[static_cast<std::size_t>(draw->distribution)]},
                          {"seed", draw->seed}};
    inputs["tensors"] = tensors_json(scene.tensors, [&](const std::string& name) {
        return std::ranges::any_of(scene.settings,
                                   [&](const auto& setting) { return scene_file::reads(setting.spec, name); });
    });
    if (!scene.query_tokens.empty())
        inputs["query_tokens"] = scene.query_tokens;
    if (!scene.key_tokens.empty())
        inputs["key_tokens"] = scene.key_tokens;
    if (scene.key_grid)
        inputs["key_grid"] = {scene.key_grid->rows, scene.key_grid->columns};
    return inputs;
}

json setting_json(const lab::Scene& scene, const lab::SceneSetting& setting) {
    json one{{"id", setting.id}};
    if (scene.cache) {
        one["sharing"] = lab::sharing_ids()[static_cast<std::size_t>(setting.sharing)];
        return one;
    }
    AttentionProblem problem;
    problem.spec = setting.spec;
    one["spec"] = json::parse(io::spec_to_json(problem));
    one["tensors"] =
        tensors_json(setting.tensors, [&](const std::string& name) { return scene_file::reads(setting.spec, name); });
    if (!setting.query_tokens.empty())
        one["query_tokens"] = setting.query_tokens;
    if (!setting.key_tokens.empty())
        one["key_tokens"] = setting.key_tokens;
    one["precision"] = setting.precision == lab::Precision::Float32 ? "float32" : "float64";
    if (setting.rate)
        one["rate"] = *setting.rate;
    return one;
}

bool needs(lab::BoardControl control, const lab::Scene& scene) {
    using enum lab::BoardControl;
    switch (control) {
    case E:
    case S:
    case Draw:
    case Distribution:
        return !scene.draw;
    case Steps:
        return !scene.training;
    case Groups:
    case Context:
    case Readers:
        return !scene.cache;
    default:
        return false;
    }
}

json cell_json(const lab::BoardCell& cell) { return {cell.query, cell.key}; }
json axis_json(const lab::HistogramAxis& axis) { return {axis.low, axis.high}; }

json cards_json(const lab::BoardSpec& view) {
    json cards = json::array();
    for (const auto& card : view.cards) {
        json one{{"id", card.id}, {"setting", card.setting}, {"batch", card.batch}};
        one["head"] = card.head ? json(*card.head) : json("mean");
        if (!card.stage.empty())
            one["stage"] = card.stage;
        if (card.axis)
            one["axis"] = axis_json(*card.axis);
        cards.push_back(std::move(one));
    }
    return cards;
}

void add_view(json& step, const lab::Scene& scene, const lab::BoardSpec& view) {
    step["board"] = lab::id_of(view.board);
    if (!view.cards.empty())
        step["cards"] = cards_json(view);
    step["stage"] = view.stage;
    const bool curve =
        view.curve.measure == lab::CurveMeasure::Loss ? scene.training.has_value() : scene.draw.has_value();
    step["show"] = json::array();
    for (const auto part : view.show)
        if (part != lab::BoardPart::Curve || curve)
            step["show"].push_back(lab::id_of(part));
    if (curve)
        step["curve"] = {{"measure", lab::id_of(view.curve.measure)}, {"over", lab::id_of(view.curve.over)}};
    if (view.axis)
        step["axis"] = axis_json(*view.axis);
    step["colors"] = view.shared_colors ? "shared" : "own";
    const bool stages = std::ranges::all_of(view.cards, [](const auto& card) { return card.stage.empty(); });
    step["live"] = json::array();
    for (const auto control : view.live)
        if (!needs(control, scene) && (control != lab::BoardControl::Stage || stages))
            step["live"].push_back(lab::id_of(control));
    if (view.pin)
        step["pin"] = cell_json(*view.pin);
    step["highlight"] = json::array();
    for (const auto& cell : view.highlight)
        step["highlight"].push_back(cell_json(cell));
    step["token"] = view.token;
    if (!view.setting.empty())
        step["setting"] = view.setting;
    step["query"] = view.query;
    step["at"] = view.at;
    if (view.tile && view.board == lab::exhibit_board<TileWalk>)
        step["tile"] = cell_json(*view.tile);
    if (!view.costs.empty())
        step["costs"] = view.costs;
    if (view.over)
        step["over"] = lab::id_of(*view.over);
}

} // namespace

AttentionSpec scene_file::saved_spec_from(const JsonNode& node) {
    return at_line_of(node, [&] {
        AttentionProblem problem;
        io::spec_from_json(io::dump(io::to_json(node)), problem);
        check_spec(problem.spec);
        return std::move(problem.spec);
    });
}

std::string scene_json_of(const lab::Scene& scene, const lab::BoardSpec& view) {
    json step{{"id", "board"}, {"inputs", inputs_json(scene)}};
    if (const auto& training = scene.training)
        step["train"] = {{"steps", training->steps}, {"at", training->at}, {"rate", training->rate}};
    step["settings"] = json::array();
    for (const auto& setting : scene.settings)
        step["settings"].push_back(setting_json(scene, setting));
    add_view(step, scene, view);
    return io::dump(json{{"version", 1}, {"steps", json::array({std::move(step)})}}, 1) + "\n";
}

void save_board(const std::filesystem::path& archive, const lab::Scene& scene, const lab::BoardSpec& view,
                const BoardText& text) {
    const std::map<std::string, std::string> files = {
        {"scene.json", scene_json_of(scene, view)},
        {text.language + ".md",
         "# " + text.title + "\n" + text.words + "\n\n## board: " + text.title + "\n" + text.words + "\n"}};
    LessonFiles source;
    source.in_lesson = [&](const std::string& name) {
        const auto found = files.find(name);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    write_archive(archive, source);
}

} // namespace attnlab::lessons
