#include "core/lessons/scene_file.h"

#include "core/inputs.h"
#include "core/lessons/text_limits.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab::lessons {
namespace {

using namespace scene_file;

/// Reads steps; "same" refers to the previous step.
class StepReader {
public:
    StepReader(const LessonFiles& files, const Step* before, const std::vector<lab::SceneSetting>& own_before)
        : files_(files), before_(before), own_(own_before) {}

    /// The settings that come with the sample, for this step and those with the same inputs.
    const std::vector<lab::SceneSetting>& own() const { return own_; }

    Step read(const JsonNode& node) {
        node.require_keys({"id",    "formula", "inputs", "settings",     "board",    "cards", "stage",     "setting",
                           "show",  "curve",   "axis",   "colors",       "live",     "pin",   "highlight", "token",
                           "query", "at",      "checks", "first_checks", "question", "train", "costs",     "over"});
        step_.line = node.line();
        step_.id = node.at("id").text();
        for (const auto& [key, value] : node.members())
            step_.lines.emplace(key, value.line());
        read_scene(node);
        if (const auto* formula = node.find("formula"))
            read_formula(*formula);
        read_view(node, step_.scene, step_.view);
        read_lines(node, "cards");
        for (auto& [key, claims] : {std::pair{"checks", &step_.checks}, {"first_checks", &step_.first_checks}})
            if (const auto* checks = node.find(key))
                for (const auto& check : checks->items())
                    claims->push_back(claim_from(check, step_.scene));
        if (const auto* question = node.find("question"))
            read_question(*question);
        return std::move(step_);
    }

private:
    const JsonNode& first_needs_its_own(const JsonNode& node) const {
        if (!before_)
            fail(node, ATTNLAB_TEXT("is \"same\", but there is no step before this one"));
        return node;
    }

    void read_scene(const JsonNode& node) {
        const auto& inputs = node.at("inputs");
        if (inputs.is_text("same")) {
            first_needs_its_own(inputs);
            step_.scene = before_->scene;
            step_.scene.settings.clear();
        } else {
            own_ = read_inputs(inputs, step_.scene, files_);
        }
        if (const auto* train = node.find("train"))
            step_.scene.training = training_from(*train);
        const auto* settings = node.find("settings");
        if (settings && settings->is_text("same")) {
            first_needs_its_own(*settings);
            step_.scene.settings = before_->scene.settings;
            for (const auto& [part, line] : before_->lines)
                if (part.starts_with("settings "))
                    step_.lines.emplace(part, line);
        } else if (settings) {
            read_settings(*settings);
            read_lines(node, "settings");
        } else if (!own_.empty()) {
            step_.scene.settings = own_;
        } else {
            fail(node, ATTNLAB_TEXT("'settings' is missing: the inputs are no sample that brings its own"));
        }
        require_readers(inputs);
    }

    void read_settings(const JsonNode& node) {
        auto& settings = step_.scene.settings;
        if (node.items().empty() || node.items().size() > lab::most_settings)
            node.fail_expecting({ATTNLAB_TEXT("one to %1 settings"), {std::to_string(lab::most_settings)}});
        for (const auto& item : node.items()) {
            settings.push_back(step_.scene.model   ? model_setting_from(item, step_.scene, files_)
                               : step_.scene.cache ? cache_setting_from(item)
                                                   : setting_from(item));
            if (std::ranges::count(settings, settings.back().id, &lab::SceneSetting::id) > 1)
                fail(item, {ATTNLAB_TEXT("setting '%1' is there twice"), {settings.back().id}});
            if (const auto* tensors = item.find("tensors"))
                for (const auto& [name, tensor] : tensors->members())
                    if (!reads(settings.back().spec, name))
                        fail(tensor, {ATTNLAB_TEXT("'%1' reads no tensor '%2'"), {settings.back().spec.variant, name}});
        }
    }

    /// A tensor that no setting reads is a mistake.
    void require_readers(const JsonNode& inputs) const {
        const auto* tensors = inputs.is_text() ? nullptr : inputs.find("tensors");
        if (!tensors)
            return;
        for (const auto& [key, tensor] : tensors->members())
            if (std::ranges::none_of(step_.scene.settings,
                                     [&name = key](const auto& setting) { return reads(setting.spec, name); }))
                fail(tensor, {ATTNLAB_TEXT("no setting reads a tensor '%1'"), {key}});
    }

    void read_formula(const JsonNode& node) {
        step_.formula = node.text();
        const auto name = "formulas/" + step_.formula + ".svg";
        if (!files_.resource(name))
            fail(node, {ATTNLAB_TEXT("there is no formula '%1': no file %2"), {step_.formula, name}});
    }

    void read_question(const JsonNode& node) {
        node.require_keys({"options", "about", "reveals", "covers"});
        Question question;
        question.line = node.line();
        for (const auto& [id, claim] : node.at("options").members())
            question.options.push_back({id, claim_from(claim, step_.scene)});
        if (question.options.size() < 2)
            node.at("options").fail_expecting(ATTNLAB_TEXT("two options or more"));
        if (question.options.size() > most_options)
            node.at("options").fail_expecting({ATTNLAB_TEXT("at most %1 options"), {std::to_string(most_options)}});
        if (const auto* about = node.find("about")) {
            if (!step_.scene.draw)
                fail(*about, ATTNLAB_TEXT("'about' changes a draw, and the inputs are none"));
            question.about = draw_from(*about, *step_.scene.draw);
        }
        if (const auto* reveals = node.find("reveals")) {
            reveals->require_keys({"cards", "stage", "show", "curve", "axis", "pin", "highlight", "token", "query",
                                   "at", "costs", "over"});
            question.reveals = step_.view;
            read_view(*reveals, step_.scene, *question.reveals);
        }
        if (const auto* covers = node.find("covers"))
            question.covers = covers->boolean();
        step_.question = std::move(question);
    }

    /// Records the lines of a list's items.
    void read_lines(const JsonNode& node, const std::string& key) {
        const auto* list = node.find(key);
        for (std::size_t k = 0; list && k < list->items().size(); ++k)
            step_.lines.emplace(key + " " + std::to_string(k), list->items()[k].line());
    }

    const LessonFiles& files_;
    const Step* before_;
    Step step_;
    std::vector<lab::SceneSetting> own_;
};

bool refers_back(const JsonNode& step) {
    return std::ranges::any_of(step.members(), [](const auto& member) { return member.second.is_text("same"); });
}

} // namespace

bool scene_file::reads(const AttentionSpec& spec, std::string_view name) {
    const auto inputs = inputs_of(spec);
    return variant(spec.variant).adopt || std::ranges::find(inputs, name, &Input::name) != inputs.end();
}

std::vector<Step> read_scenes(std::string_view text, const std::string& file, const LessonFiles& files) {
    const auto json = parse_json(text, file);
    const auto& root = json.root();
    root.require_keys({"version", "steps"});
    if (root.at("version").integer() != 1)
        root.at("version").fail_expecting("1");
    std::vector<Step> steps;
    std::vector<lab::SceneSetting> own;
    const auto& nodes = root.at("steps").items();
    if (nodes.empty() || nodes.size() > most_steps)
        root.at("steps").fail_expecting({ATTNLAB_TEXT("one to %1 steps"), {std::to_string(most_steps)}});
    std::vector<Mistake> mistakes;
    bool broken = false; // the step before this one
    for (const auto& node : nodes) {
        if (broken && refers_back(node))
            continue;
        broken = !collected(mistakes, [&] {
            StepReader reader(files, steps.empty() ? nullptr : &steps.back(), own);
            auto step = reader.read(node);
            own = reader.own();
            if (std::ranges::find(steps, step.id, &Step::id) != steps.end())
                fail(node.at("id"), {ATTNLAB_TEXT("step '%1' is there twice"), {step.id}});
            steps.push_back(std::move(step));
        });
    }
    if (!mistakes.empty())
        throw LessonError(std::move(mistakes));
    return steps;
}

} // namespace attnlab::lessons
