// Implements the part of scene_file.h about inputs and settings, and about scenes that run a model.
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "core/lessons/scene_file.h"
#include "core/mechanisms.h"
#include "core/model/model_results.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/rounding.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"

#include <algorithm>

namespace attnlab::lessons::scene_file {
namespace {

void append(const JsonNode& node, std::size_t depth, Shape& shape, std::vector<double>& values, bool& truth) {
    constexpr std::size_t most_axes = 4;
    if (!node.is_list()) {
        if (depth != shape.size() || depth == 0)
            node.fail_expecting(ATTNLAB_TEXT("lists of numbers, all of one length"));
        truth = (values.empty() || truth) && node.is_boolean();
        values.push_back(node.is_boolean() ? (node.boolean() ? 1.0 : 0.0) : node.number());
        return;
    }
    const auto size = static_cast<std::int64_t>(node.items().size());
    if (size == 0)
        node.fail_expecting(ATTNLAB_TEXT("a list with something in it"));
    if (depth == shape.size() && values.empty() && depth < most_axes)
        shape.push_back(size);
    if (depth >= shape.size() || shape[depth] != size)
        node.fail_expecting(ATTNLAB_TEXT("lists of numbers, all of one length, at most four deep"));
    for (const auto& item : node.items())
        append(item, depth + 1, shape, values, truth);
}

std::vector<std::string> tokens_from(const JsonNode& node) {
    if (node.items().size() > most_scene_tokens)
        node.fail_expecting({ATTNLAB_TEXT("at most %1 tokens"), {std::to_string(most_scene_tokens)}});
    std::vector<std::string> tokens;
    for (const auto& item : node.items())
        tokens.push_back(item.text());
    return tokens;
}

/// Reads the file of a sample by `take`.
AttentionProblem sample_from(const JsonNode& node, const LessonFiles& files) {
    const auto name = "samples/" + node.text() + ".npz";
    const auto bytes = files.resource(name);
    if (!bytes)
        fail(node, {ATTNLAB_TEXT("there is no sample '%1': no file %2"), {node.text(), name}});
    return at_line_of(node, [&] {
        auto archive = io::read_npz(std::as_bytes(std::span(*bytes)), name);
        AttentionProblem problem;
        if (const auto spec = archive.others.find(io::workspace_member); spec != archive.others.end())
            io::spec_from_json(spec->second, problem);
        problem.tensors = std::move(archive.tensors);
        return problem;
    });
}

KeyGrid grid_from(const JsonNode& node) {
    if (node.items().size() != 2)
        node.fail_expecting("[rows, columns]");
    const KeyGrid grid{node.items()[0].integer(), node.items()[1].integer()};
    if (grid.rows < 1 || grid.columns < 1)
        fail(node, ATTNLAB_TEXT("expected rows and columns from 1"));
    return grid;
}

std::string text_of_parameter(const JsonNode& node) {
    if (node.is_text())
        return node.text();
    if (node.is_boolean())
        return node.boolean() ? "true" : "false";
    if (node.is_integer())
        return std::to_string(node.integer());
    if (!node.is_list())
        return to_text(node.number());
    std::string text;
    for (const auto& item : node.items())
        text += (text.empty() ? "" : ",") + std::to_string(item.integer());
    return text;
}

ParameterValues parameters_from(const JsonNode& node, const Mechanism& variant) {
    ParameterValues values;
    for (const auto& member : node.members()) {
        const auto& name = member.first; // clang 14 cannot capture structured bindings
        const auto& value = member.second;
        const auto declared = std::ranges::find(variant.parameters, name, &Parameter::name);
        at_line_of(value, [&] {
            if (declared == variant.parameters.end()) { // with_defaults throws the message
                values.set(name, std::string());
                with_defaults(variant.parameters, values, variant.id);
            }
            values.set(name, parse_value(*declared, text_of_parameter(value), variant.id));
        });
    }
    return values;
}

void read_masks(const JsonNode& node, AttentionSpec& spec) {
    if (const auto* masks = node.find("masks"))
        for (const auto& mask : masks->items())
            for (auto& each : at_line_of(mask, [&] { return parse_masks(mask.text()); }))
                spec.masks.push_back(std::move(each));
    if (const auto* fill = node.find("fill"))
        spec.mask_fill.value = fill->number();
    static constexpr std::string_view modes[] = {"replace", "add"};
    if (const auto* mode = node.find("fill_mode"))
        spec.mask_fill.mode = mode->one_of(modes) == "add" ? MaskFill::Mode::Add : MaskFill::Mode::Replace;
    static constexpr std::string_view meanings[] = {"blocks", "keeps"};
    if (const auto* meaning = node.find("mask_true"))
        spec.mask_true = meaning->one_of(meanings) == "keeps" ? MaskTrue::Keeps : MaskTrue::Blocks;
}

AttentionSpec spec_from(const JsonNode& node) {
    AttentionSpec spec;
    if (const auto* id = node.find("variant")) {
        spec.variant = id->text();
        at_line_of(*id, [&] { mechanism_of(spec.variant); });
    }
    if (const auto* set = node.find("set"))
        spec.parameters = parameters_from(*set, mechanism_of(spec.variant));
    if (const auto* scale = node.find("scale"))
        spec.scale = at_line_of(*scale, [&] { return parse_scale(scale->text()); });
    if (const auto* position = node.find("position"))
        spec.position = at_line_of(*position, [&] { return parse_position(position->text()); });
    if (const auto* normaliser = node.find("normaliser"))
        spec.normaliser = at_line_of(*normaliser, [&] { return parse_normaliser(normaliser->text()); });
    if (const auto* decay = node.find("decay"))
        spec.decay = at_line_of(*decay, [&] { return parse_decay(decay->text()); });
    read_masks(node, spec);
    if (const auto* offset = node.find("query_offset"))
        spec.query_offset = offset->integer();
    if (const auto* after = node.find("scale_after_softmax"))
        spec.scale_after_softmax = after->boolean();
    if (const auto* statistics = node.find("statistics"))
        spec.statistics = statistics->boolean();
    if (const auto* rounding = node.find("rounding"))
        spec.rounding = at_line_of(*rounding, [&] { return parse_rounding(rounding->text()); });
    at_line_of(node, [&] { check_spec(spec); });
    return spec;
}

bool is_name(std::string_view id) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !id.empty() && letter(id.front()) &&
           std::ranges::all_of(id, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

double rate_from(const JsonNode& node) {
    if (!(node.number() > 0.0))
        node.fail_expecting(ATTNLAB_TEXT("a number above 0"));
    return node.number();
}

} // namespace

lab::RandomInputs draw_from(const JsonNode& node, lab::RandomInputs draw) {
    node.require_keys({"L", "S", "E", "Ev", "distribution", "seed"});
    for (const auto& [key, size] : {std::pair{"L", &draw.L}, {"S", &draw.S}, {"E", &draw.E}, {"Ev", &draw.Ev}})
        if (const auto* given = node.find(key))
            *size = given->integer();
    if (const auto* distribution = node.find("distribution")) {
        const auto ids = lab::distribution_ids();
        const auto place = std::ranges::find(ids, distribution->one_of(ids)) - ids.begin();
        draw.distribution = static_cast<lab::Distribution>(place);
    }
    if (const auto* seed = node.find("seed"))
        draw.seed = static_cast<std::uint64_t>(seed->integer());
    at_line_of(node, [&] { lab::check(draw); });
    return draw;
}

Tensor tensor_from(const JsonNode& node) {
    Shape shape;
    std::vector<double> values;
    bool truth = false;
    append(node, 0, shape, values, truth);
    return Tensor(std::move(shape), std::move(values), truth ? DType::Bool : DType::Float64);
}

TensorMap tensors_from(const JsonNode& node) {
    TensorMap tensors;
    for (const auto& [name, value] : node.members())
        tensors.emplace(name, tensor_from(value));
    return tensors;
}

std::vector<lab::SceneSetting> read_inputs(const JsonNode& node, lab::Scene& scene, const LessonFiles& files) {
    if (node.find("model")) {
        scene = {};
        scene.model = model_text_from(node, files);
        return {};
    }
    if (const auto* cache = node.find("cache")) {
        node.require_keys({"cache"});
        scene = {};
        scene.cache = cache_from(*cache);
        return {};
    }
    node.require_keys({"draw", "sample", "tensors", "query_tokens", "key_tokens", "key_grid"});
    const auto *draw = node.find("draw"), *sample = node.find("sample"), *tensors = node.find("tensors");
    if (draw && sample)
        fail(*sample, ATTNLAB_TEXT("inputs are a draw or a sample, not both"));
    if (!draw && !sample && !tensors)
        fail(node, ATTNLAB_TEXT("inputs name no draw, sample, tensors, cache or model"));
    scene = {};
    std::vector<lab::SceneSetting> own;
    if (draw)
        scene.draw = draw_from(*draw);
    if (sample) {
        auto problem = sample_from(*sample, files);
        scene.tensors = std::move(problem.tensors);
        scene.query_tokens = std::move(problem.query_tokens);
        scene.key_tokens = std::move(problem.key_tokens);
        scene.key_grid = problem.key_grid;
        own.push_back({"sample", std::move(problem.spec), {}});
    }
    if (tensors)
        for (auto& [name, tensor] : tensors_from(*tensors))
            scene.tensors.insert_or_assign(name, tensor);
    if (const auto* tokens = node.find("query_tokens"))
        scene.query_tokens = tokens_from(*tokens);
    if (const auto* tokens = node.find("key_tokens"))
        scene.key_tokens = tokens_from(*tokens);
    if (const auto* grid = node.find("key_grid"))
        scene.key_grid = grid_from(*grid);
    return own;
}

std::string id_from(const JsonNode& node) {
    auto id = node.text();
    if (!is_name(id) || is_reserved(id))
        node.fail_expecting(
            ATTNLAB_TEXT("letters, digits and _, no digit first, and none of E, L, S, inf, pi, and, or, not, within"));
    return id;
}

lab::SceneSetting setting_from(const JsonNode& node) {
    const auto* saved = node.find("spec"); // as in a workspace; it says all
    if (saved)
        node.require_keys({"id", "spec", "tensors", "query_tokens", "key_tokens", "precision", "rate"});
    else
        node.require_keys({"id",
                           "variant",
                           "set",
                           "scale",
                           "position",
                           "masks",
                           "fill",
                           "fill_mode",
                           "mask_true",
                           "normaliser",
                           "decay",
                           "query_offset",
                           "scale_after_softmax",
                           "statistics",
                           "tensors",
                           "query_tokens",
                           "key_tokens",
                           "precision",
                           "rounding",
                           "rate"});
    lab::SceneSetting setting;
    setting.id = id_from(node.at("id"));
    setting.spec = saved ? saved_spec_from(*saved) : spec_from(node);
    if (const auto* tensors = node.find("tensors"))
        setting.tensors = tensors_from(*tensors);
    if (const auto* tokens = node.find("query_tokens"))
        setting.query_tokens = tokens_from(*tokens);
    if (const auto* tokens = node.find("key_tokens"))
        setting.key_tokens = tokens_from(*tokens);
    static constexpr std::string_view precisions[] = {"float64", "float32"};
    if (const auto* precision = node.find("precision"))
        setting.precision =
            precision->one_of(precisions) == "float32" ? lab::Precision::Float32 : lab::Precision::Float64;
    if (const auto* rate = node.find("rate"))
        setting.rate = rate_from(*rate);
    return setting;
}

lab::CacheModel cache_from(const JsonNode& node) {
    node.require_keys({"layers", "num_heads", "head_dim", "groups", "latent", "rotated", "parameters", "bytes",
                       "context", "readers", "balance"});
    lab::CacheModel model;
    for (const auto& [key, size] : {std::pair{"layers", &model.layers},
                                    {"num_heads", &model.num_heads},
                                    {"head_dim", &model.head_dim},
                                    {"groups", &model.groups},
                                    {"latent", &model.latent},
                                    {"rotated", &model.rotated},
                                    {"parameters", &model.parameters},
                                    {"bytes", &model.bytes},
                                    {"context", &model.context},
                                    {"readers", &model.readers},
                                    {"balance", &model.balance}})
        if (const auto* given = node.find(key))
            *size = given->integer();
    at_line_of(node, [&] { lab::check(model); });
    return model;
}

lab::SceneSetting cache_setting_from(const JsonNode& node) {
    node.require_keys({"id", "sharing"});
    const auto ids = lab::sharing_ids();
    lab::SceneSetting setting;
    setting.id = id_from(node.at("id"));
    const auto place = std::ranges::find(ids, node.at("sharing").one_of(ids)) - ids.begin();
    setting.sharing = static_cast<lab::CacheSharing>(place);
    return setting;
}

lab::Training training_from(const JsonNode& node) {
    node.require_keys({"steps", "at", "rate"});
    lab::Training training;
    if (const auto* steps = node.find("steps")) {
        training.steps = steps->integer();
        if (training.steps < 1 || training.steps > lab::most_steps)
            steps->fail_expecting({ATTNLAB_TEXT("an integer from %1 to %2"), {"1", std::to_string(lab::most_steps)}});
    }
    training.at = training.steps;
    if (const auto* at = node.find("at")) {
        training.at = at->integer();
        if (training.at < 0 || training.at > training.steps)
            at->fail_expecting({ATTNLAB_TEXT("an integer from %1 to %2"), {"0", std::to_string(training.steps)}});
    }
    if (const auto* rate = node.find("rate"))
        training.rate = rate_from(*rate);
    return training;
}

namespace {

using model::Model, model::Result;

std::shared_ptr<const Model> opened(const JsonNode& node, const std::string& name, const LessonFiles& files) {
    auto found = at_line_of(node, [&] { return files.model ? files.model(name) : nullptr; });
    if (!found || !found->tokenizer())
        fail(node, {ATTNLAB_TEXT("there is no model '%1' with a tokenizer: no folder models/%1"), {name}});
    return found;
}

std::vector<std::int64_t> ids_of(const Model& model, const std::string& text, bool with_special = true) {
    std::vector<std::int64_t> ids;
    for (const auto& token : model.tokenizer()->encode(text))
        if (with_special || !token.special)
            ids.push_back(token.id);
    return ids;
}

std::int64_t index_below(const JsonNode& node, std::int64_t count) {
    const auto index = node.integer();
    if (index < 0 || index >= count)
        node.fail_expecting({ATTNLAB_TEXT("%1 to %2"), {"0", std::to_string(count - 1)}});
    return index;
}

std::vector<model::Ablation> heads_off(const JsonNode& node, const std::vector<std::string>& passes) {
    std::vector<model::Ablation> heads;
    for (const auto& head : node.items()) {
        if (head.items().size() != 2)
            head.fail_expecting("[pass, head]");
        const auto pass = index_below(head.items()[0], std::ssize(passes));
        heads.push_back({passes[static_cast<std::size_t>(pass)], head.items()[1].integer()});
    }
    return heads;
}

/// How likely each token of the text is after those before it, and whether it is the likeliest.
void give_following(const Result& result, TensorMap& given) {
    const auto& ids = result.input.ids;
    std::vector<double> following, guessed;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const auto shares = model::probabilities(result, static_cast<std::int64_t>(i));
        following.push_back(shares.at(static_cast<std::size_t>(ids[i + 1])));
        guessed.push_back(std::ranges::max_element(shares) - shares.begin() == ids[i + 1] ? 1.0 : 0.0);
    }
    const auto count = std::ssize(following);
    given["following"] = Tensor({count}, std::move(following));
    given["guessed"] = Tensor({count}, std::move(guessed));
}

void give_next(const Model& model, const Result& result, const lab::ModelText& text, TensorMap& given) {
    const auto shares = model::probabilities(result, result.logits.rows - 1);
    for (const auto& [name, word] : text.next)
        given["next." + name] = Tensor({}, shares.at(static_cast<std::size_t>(ids_of(model, word, false).front())));
}

void give_figures(const model::Pass& pass, std::int64_t head, const std::vector<std::int64_t>& ids, TensorMap& given) {
    std::vector<std::string> equalities;
    equalities.reserve(ids.size());
    for (const auto id : ids)
        equalities.push_back(std::to_string(id));
    const auto figures = model::figures_of(pass, equalities).at(static_cast<std::size_t>(head));
    for (const auto& [name, share] : {std::pair{"previous", figures.previous},
                                      {"first", figures.first},
                                      {"same_token", figures.same_token},
                                      {"induction", figures.induction}})
        if (share)
            given[std::string("figure.") + name] = Tensor({}, share->informative);
}

} // namespace

lab::ModelText model_text_from(const JsonNode& node, const LessonFiles& files) {
    node.require_keys({"model", "text", "next"});
    lab::ModelText text{node.at("model").text(), node.at("text").text()};
    const auto model = opened(node.at("model"), text.model, files);
    if (const auto* next = node.find("next"))
        for (const auto& member : next->members()) { // Clang 14 captures no structured binding
            const auto& word = member.second;
            if (at_line_of(word, [&] { return ids_of(*model, word.text(), false).size(); }) != 1)
                word.fail_expecting(ATTNLAB_TEXT("a word that is one token of the model"));
            text.next.emplace(member.first, word.text());
        }
    return text;
}

lab::SceneSetting model_setting_from(const JsonNode& node, lab::Scene& scene, const LessonFiles& files) {
    node.require_keys({"id", "pass", "head", "off"});
    lab::SceneSetting setting;
    setting.id = id_from(node.at("id"));
    const auto model = opened(node, scene.model->model, files);
    const auto passes = model->pass_names();
    const auto pass_index = index_below(node.at("pass"), std::ssize(passes));
    const auto* off = node.find("off");
    const auto result = at_line_of(node, [&] {
        return model->run({.ids = ids_of(*model, scene.model->text)},
                          {.logits = model::Options::Logits::All,
                           .ablations = off ? heads_off(*off, passes) : std::vector<model::Ablation>()});
    });
    const auto& ids = result.input.ids;
    const auto& pass = *result.passes.at(static_cast<std::size_t>(pass_index));
    const auto labels = model::labels_of(*model, ids);
    const model::PassTokens tokens{labels, labels, true};
    const auto* head = node.find("head");
    auto problem =
        head ? model::problem_of(pass, index_below(*head, pass.heads), tokens) : model::problem_of(pass, tokens);
    setting.spec = std::move(problem.spec);
    setting.tensors = std::move(problem.tensors);
    scene.query_tokens = std::move(problem.query_tokens);
    scene.key_tokens = std::move(problem.key_tokens);
    give_following(result, setting.given);
    give_next(*model, result, *scene.model, setting.given);
    if (head)
        give_figures(pass, head->integer(), ids, setting.given);
    return setting;
}

} // namespace attnlab::lessons::scene_file
