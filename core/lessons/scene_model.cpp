// Implements the part of scene_file.h about scenes that run a model.
#include "core/lessons/scene_file.h"
#include "core/model/figures.h"
#include "core/model/next_tokens.h"
#include "core/model/one_head.h"

#include <algorithm>

namespace attnlab::lessons::scene_file {
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
            given[std::string("figure.") + name] = Tensor({}, share->told);
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
