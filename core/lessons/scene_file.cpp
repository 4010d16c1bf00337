#include "core/lessons/scene_file.h"

#include "core/inputs.h"
#include "core/lessons/asking.h"
#include "core/lessons/lesson_text.h"
#include "core/lookup.h"
#include "core/mechanisms.h"

#include <algorithm>
#include <array>
#include <iterator>

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
        node.require_keys({"id",        "formula", "inputs", "settings", "board",  "cards",        "stage",
                           "setting",   "show",    "curve",  "axis",     "colors", "live",         "pin",
                           "highlight", "token",   "query",  "at",       "checks", "first_checks", "question",
                           "train",     "costs",   "over",   "sheet",    "tile"});
        step_.line = node.line();
        step_.id = node.at("id").text();
        for (const auto& [key, value] : node.members())
            step_.lines.emplace(key, value.line());
        read_scene(node);
        if (const auto* formula = node.find("formula"))
            read_formula(*formula);
        if (const auto* sheet = node.find("sheet"))
            step_.on_sheet = sheet->boolean();
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
            fail(node, ATTNLAB_TEXT("'settings' is missing: the inputs are not a sample that brings its own"));
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
        node.require_keys({"options", "about", "reveals", "covers", "hides", "before"});
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
                                   "at", "tile", "costs", "over"});
            question.reveals = step_.view;
            read_view(*reveals, step_.scene, *question.reveals);
        }
        if (const auto* before = node.find("before")) {
            before->require_keys({"board", "cards", "stage", "setting", "show", "axis", "colors", "pin", "highlight",
                                  "query", "at", "tile", "costs", "over"});
            question.before = step_.view;
            question.before->pin.reset();
            question.before->highlight.clear();
            read_view(*before, step_.scene, *question.before);
        }
        if (const auto* hides = node.find("hides")) {
            if (hides->items().size() > most_hidden)
                hides->fail_expecting({ATTNLAB_TEXT("at most %1 parts"), {std::to_string(most_hidden)}});
            auto& parts = question.hides.emplace();
            for (const auto& item : hides->items())
                parts.push_back(hidden_from(item));
        }
        if (const auto* covers = node.find("covers"))
            question.covers = covers->boolean();
        step_.question = std::move(question);
    }

    lab::HiddenPart hidden_from(const JsonNode& node) const {
        return at_line_of(node, [&] {
            auto part = hidden_part_from(node.text());
            const auto& settings = step_.scene.settings;
            if (part.part != "words" && !part.setting.empty() && !lookup(settings, part.setting))
                fail(node, {ATTNLAB_TEXT("there is no setting '%1', expected one of %2"),
                            {part.setting, listed(settings, &lab::SceneSetting::id)}});
            return part;
        });
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
    return mechanism_of(spec.variant).adopt || lookup(inputs, name, &Input::name) != nullptr;
}

SceneFile read_scenes(std::string_view text, const std::string& file, const LessonFiles& files) {
    const auto json = parse_json(text, file);
    const auto& root = json.root();
    root.require_keys({"version", "steps", "group"});
    if (root.at("version").integer() != 1)
        root.at("version").fail_expecting("1");
    SceneFile scenes;
    auto& steps = scenes.steps;
    std::vector<lab::SceneSetting> own;
    const auto& nodes = root.at("steps").items();
    if (nodes.empty() || nodes.size() > most_steps)
        root.at("steps").fail_expecting({ATTNLAB_TEXT("one to %1 steps"), {std::to_string(most_steps)}});
    std::vector<Mistake> mistakes;
    if (const auto* group = root.find("group"))
        collected(mistakes, [&] {
            std::vector<std::string_view> ids;
            std::ranges::transform(lesson_groups, std::back_inserter(ids), &LessonGroup::id);
            scenes.group = group->one_of(ids);
        });
    bool broken = false; // the step before this one
    for (const auto& node : nodes) {
        if (broken && refers_back(node))
            continue;
        broken = !collected(mistakes, [&] {
            StepReader reader(files, steps.empty() ? nullptr : &steps.back(), own);
            auto step = reader.read(node);
            own = reader.own();
            if (lookup(steps, step.id) != nullptr)
                fail(node.at("id"), {ATTNLAB_TEXT("step '%1' is there twice"), {step.id}});
            steps.push_back(std::move(step));
        });
    }
    if (!mistakes.empty())
        throw LessonError(std::move(mistakes));
    return scenes;
}

} // namespace attnlab::lessons

// Implements the part of scene_file.h about what a step displays and claims.

namespace attnlab::lessons::scene_file {
namespace {

constexpr std::array<std::string_view, 8> moments_of_a_row = {"products", "sum",     "scale",  "mask",
                                                              "exp",      "row_sum", "divide", "mix"};

std::vector<std::string_view> ids_of(const lab::Scene& scene) {
    std::vector<std::string_view> ids;
    for (const auto& setting : scene.settings)
        ids.push_back(setting.id);
    return ids;
}

/// The value of an enum by its name.
template <class Enum>
Enum enum_from(const JsonNode& node) {
    const auto ids = lab::ids_of<Enum>();
    return static_cast<Enum>(std::ranges::find(ids, node.one_of(ids)) - ids.begin());
}

/// An integer from 0.
std::int64_t index_from(const JsonNode& node) {
    if (node.integer() < 0)
        node.fail_expecting(ATTNLAB_TEXT("an integer from 0"));
    return node.integer();
}

lab::BoardCell cell_from(const JsonNode& node) {
    if (node.items().size() != 2)
        node.fail_expecting("[query, key]");
    return {index_from(node.items()[0]), index_from(node.items()[1])};
}

lab::HistogramAxis axis_from(const JsonNode& node) {
    if (node.items().size() != 2 || !(node.items()[0].number() < node.items()[1].number()))
        node.fail_expecting("[low, high]");
    return {node.items()[0].number(), node.items()[1].number()};
}

lab::Card card_from(const JsonNode& node, const lab::Scene& scene) {
    node.require_keys({"id", "setting", "stage", "batch", "head", "axis"});
    lab::Card card;
    card.setting = node.at("setting").one_of(ids_of(scene));
    const auto* id = node.find("id");
    card.id = id ? id->text() : card.setting;
    if (const auto* stage = node.find("stage"))
        card.stage = stage->text();
    if (const auto* batch = node.find("batch"))
        card.batch = index_from(*batch);
    if (const auto* head = node.find("head")) {
        if (head->is_text("mean"))
            card.head.reset();
        else if (head->is_text())
            head->fail_expecting(ATTNLAB_TEXT("a number from 0 or \"mean\""));
        else
            card.head = index_from(*head);
    }
    if (const auto* axis = node.find("axis"))
        card.axis = axis_from(*axis);
    return card;
}

std::vector<lab::Card> cards_from(const JsonNode& node, const lab::Scene& scene) {
    if (node.items().empty() || node.items().size() > most_cards)
        node.fail_expecting({ATTNLAB_TEXT("one to %1 cards"), {std::to_string(most_cards)}});
    std::vector<lab::Card> cards;
    for (const auto& item : node.items()) {
        cards.push_back(card_from(item, scene));
        if (std::ranges::count(cards, cards.back().id, &lab::Card::id) > 1)
            fail(item, {ATTNLAB_TEXT("card '%1' is there twice; give one of them an id"), {cards.back().id}});
    }
    return cards;
}

lab::BoardCurve curve_from(const JsonNode& node) {
    node.require_keys({"measure", "over"});
    lab::BoardCurve curve;
    if (const auto* measure = node.find("measure"))
        curve.measure = enum_from<lab::CurveMeasure>(*measure);
    if (const auto* over = node.find("over"))
        curve.over = enum_from<lab::DrawSize>(*over);
    return curve;
}

template <class Enum>
void read_enums(const JsonNode* node, std::set<Enum>& values) {
    if (!node)
        return;
    values.clear();
    for (const auto& item : node->items())
        values.insert(enum_from<Enum>(item));
}

void read_places(const JsonNode& step, lab::BoardSpec& view) {
    if (const auto* pin = step.find("pin"))
        view.pin = cell_from(*pin);
    if (const auto* cells = step.find("highlight")) {
        view.highlight.clear();
        for (const auto& cell : cells->items())
            view.highlight.push_back(cell_from(cell));
    }
    if (const auto* token = step.find("token"))
        view.token = token->integer();
    if (const auto* query = step.find("query"))
        view.query = index_from(*query);
    if (const auto* at = step.find("at"))
        view.at = at->one_of(moments_of_a_row);
    if (const auto* tile = step.find("tile")) {
        if (view.board != lab::exhibit_board<TileWalk>)
            fail(*tile, {ATTNLAB_TEXT("only the board '%1' has a tile to begin with"), {std::string(TileWalk::id)}});
        view.tile = cell_from(*tile);
    }
}

/// A control of the draw requires a draw, a curve one with its size.
void check_draw(const JsonNode& step, const lab::BoardSpec& view, const lab::Scene& scene) {
    if (scene.draw)
        return;
    using enum lab::BoardControl;
    for (const auto control : {E, S, Draw, Distribution})
        if (view.is_live(control))
            fail(step.at("live"),
                 {ATTNLAB_TEXT("'%1' cannot be live: the inputs are not a draw"), {std::string(lab::id_of(control))}});
    if (view.shows(lab::BoardPart::Curve) && view.curve.measure != lab::CurveMeasure::Loss)
        fail(step.at("show"), {ATTNLAB_TEXT("'%1' cannot be shown: the inputs are not a draw"), {"curve"}});
}

void check_training(const JsonNode& step, const lab::BoardSpec& view, const lab::Scene& scene) {
    if (scene.training)
        return;
    if (view.is_live(lab::BoardControl::Steps))
        fail(step.at("live"), ATTNLAB_TEXT("'steps' cannot be live: nothing is trained"));
    if (view.shows(lab::BoardPart::Curve) && view.curve.measure == lab::CurveMeasure::Loss)
        fail(step.at("curve"), ATTNLAB_TEXT("'loss' cannot be shown: nothing is trained"));
}

/// Costs are those of a cache, and its controls change nothing else.
void check_cache(const JsonNode& step, const lab::BoardSpec& view, const lab::Scene& scene) {
    using enum lab::BoardControl;
    const bool costs = view.board == lab::BoardKind::Costs;
    if (costs != scene.cache.has_value())
        fail(step.find("board") ? step.at("board") : step,
             costs ? Message{ATTNLAB_TEXT("'costs' shows the costs of a cache, and the inputs are none")}
                   : Message{ATTNLAB_TEXT("a cache is shown on the board 'costs' alone")});
    if (costs && view.costs.empty())
        fail(step, ATTNLAB_TEXT("'costs' is missing: what the board is to show"));
    for (const auto control : {Groups, Context, Readers})
        if (!costs && view.is_live(control))
            fail(step.at("live"),
                 {ATTNLAB_TEXT("'%1' cannot be live: the inputs are not a cache"), {std::string(lab::id_of(control))}});
}

/// A control of the stage moves only cards without a stage of their own.
void check_stage(const JsonNode& step, const lab::BoardSpec& view) {
    if (!view.is_live(lab::BoardControl::Stage) || !step.find("live"))
        return;
    for (const auto& card : view.cards)
        if (!card.stage.empty())
            fail(step.at("live"),
                 {ATTNLAB_TEXT("'stage' cannot be live: card '%1' has a stage of its own"), {card.id}});
}

} // namespace

void read_view(const JsonNode& step, const lab::Scene& scene, lab::BoardSpec& view) {
    if (const auto* board = step.find("board"))
        view.board = enum_from<lab::BoardKind>(*board);
    if (const auto* cards = step.find("cards"))
        view.cards = cards_from(*cards, scene);
    if (const auto* stage = step.find("stage"))
        view.stage = stage->text();
    read_enums(step.find("show"), view.show);
    read_enums(step.find("live"), view.live);
    if (const auto* curve = step.find("curve"))
        view.curve = curve_from(*curve);
    if (const auto* axis = step.find("axis"))
        view.axis = axis_from(*axis);
    static constexpr std::string_view scales[] = {"shared", "own"};
    if (const auto* colors = step.find("colors"))
        view.shared_colors = colors->one_of(scales) == "shared";
    if (const auto* costs = step.find("costs")) {
        view.costs.clear();
        for (const auto& cost : costs->items())
            view.costs.emplace_back(cost.one_of(lab::cache_cost_ids()));
    }
    static constexpr std::string_view sizes[] = {"context", "readers"};
    if (const auto* over = step.find("over"))
        view.over = over->one_of(sizes) == "context" ? lab::BoardControl::Context : lab::BoardControl::Readers;
    if (const auto* setting = step.find("setting"))
        view.setting = setting->one_of(ids_of(scene));
    read_places(step, view);
    check_draw(step, view, scene);
    check_training(step, view, scene);
    check_cache(step, view, scene);
    check_stage(step, view);
}

Claim claim_from(const JsonNode& node, const lab::Scene& scene) {
    return at_line_of(node, [&] {
        Claim claim{Expression(node.text()), node.line()};
        const auto ids = ids_of(scene);
        for (const auto& [id, column] : claim.expression.settings())
            if (std::ranges::find(ids, id) == ids.end())
                fail(node, {ATTNLAB_TEXT("column %1: there is no setting '%2', expected one of %3"),
                            {std::to_string(column), id, listed(ids)}});
        if (!claim.expression.is_claim())
            fail(node, {ATTNLAB_TEXT("'%1' is a number, expected a comparison"), {node.text()}});
        return claim;
    });
}

} // namespace attnlab::lessons::scene_file
