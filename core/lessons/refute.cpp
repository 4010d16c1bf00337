#include "core/lessons/refute.h"

#include "core/lab/scene_edits.h"
#include "core/lessons/checks.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnlab::lessons {
namespace {

using lab::BoardControl;

constexpr std::int64_t widest = 4096;
constexpr std::int64_t most_keys = 1024;
constexpr std::uint64_t edits_seed = 17;

/// 2, 3, 4, 6, 8, 11, ...: half octaves.
std::vector<std::int64_t> sizes_to(std::int64_t most) {
    std::vector<std::int64_t> sizes;
    for (int k = 2; std::llround(std::exp2(k / 2.0)) <= most; ++k)
        sizes.push_back(std::llround(std::exp2(k / 2.0)));
    return sizes;
}

/// One change of a scene's draw.
using Move = std::function<void(lab::Scene&)>;

/// The places of each live control of the draw, except the seed.
std::vector<std::vector<Move>> places_of(const lab::BoardSpec& view) {
    std::vector<std::vector<Move>> controls;
    if (view.is_live(BoardControl::E))
        for (auto& places = controls.emplace_back(); const auto size : sizes_to(widest))
            places.push_back([size](lab::Scene& scene) { scene.draw->E = size; });
    if (view.is_live(BoardControl::S))
        for (auto& places = controls.emplace_back(); const auto size : sizes_to(most_keys))
            places.push_back([size, square = view.board == lab::BoardKind::MaskLab](lab::Scene& scene) {
                scene = lab::with_keys(scene, size, square);
            });
    if (view.is_live(BoardControl::Steps))
        for (auto& places = controls.emplace_back(); const auto part : {0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1.0})
            places.push_back([part](lab::Scene& scene) {
                auto& training = *scene.training;
                training.at = std::llround(part * static_cast<double>(training.steps));
            });
    if (view.is_live(BoardControl::Distribution))
        for (auto& places = controls.emplace_back(); const auto each : lab::all_distributions)
            places.push_back([each](lab::Scene& scene) { scene.draw->distribution = each; });
    return controls;
}

/// Every combination of what the reader can choose for a cache.
void add_caches(const Step& step, std::vector<lab::Scene>& scenes) {
    const auto& first = *step.scene.cache;
    const auto choices = [&](BoardControl control, std::vector<std::int64_t> all, std::int64_t written) {
        return step.view.is_live(control) ? std::move(all) : std::vector{written};
    };
    for (const auto groups : choices(BoardControl::Groups, lab::group_choices(first), first.groups))
        for (const auto context : choices(BoardControl::Context, lab::context_choices(), first.context))
            for (const auto readers : choices(BoardControl::Readers, lab::reader_choices(), first.readers)) {
                auto& cache = *scenes.emplace_back(step.scene).cache;
                cache.groups = groups;
                cache.context = context;
                cache.readers = readers;
            }
}

void add_draws(const Step& step, int draws, std::vector<lab::Scene>& scenes) {
    const auto controls = places_of(step.view);
    Random random(edits_seed);
    for (int draw = 0; draw < (step.view.is_live(BoardControl::Draw) ? draws : 1); ++draw) {
        auto first = step.scene;
        first.draw->seed += static_cast<std::uint64_t>(draw);
        if (draw > 0)
            scenes.push_back(first);
        for (const auto& places : controls)
            for (const auto& move : places)
                move(scenes.emplace_back(first));
        if (controls.size() > 1)
            for (auto& scene = scenes.emplace_back(first); const auto& places : controls)
                places[static_cast<std::size_t>(random.uniform() * static_cast<double>(places.size()))](scene);
    }
}

/// Inputs that do not decide which cells exist, with other numbers in a few cells.
void add_edits(const Step& step, int edits, std::vector<lab::Scene>& scenes) {
    Random random(edits_seed);
    for (int edit = 0; edit < edits; ++edit)
        for (auto& scene = scenes.emplace_back(step.scene); auto& [name, tensor] : scene.tensors)
            if (name == "query" || name == "key" || name == "value" || name == "x")
                for (double& cell : tensor.mutable_values())
                    if (random.uniform() < 0.3)
                        cell = std::round(40.0 * random.normal()) / 10.0;
}

/// What has failed so far, in the order of the first failures.
class Failures {
public:
    void add(const std::string& file, int line, const std::string& what, const std::string& why,
             const lab::Scene& scene) {
        auto found = std::ranges::find(all_, what, &Failure::what);
        if (found == all_.end())
            found = all_.insert(all_.end(), {file, line, what, why, scene_words(scene), 0});
        ++found->count;
    }

    std::vector<Mistake> mistakes(std::size_t scenes) const {
        std::vector<Mistake> mistakes;
        for (const auto& [file, line, what, why, where, count] : all_)
            mistakes.push_back({file,
                                line,
                                {ATTNLAB_TEXT("%1 in %2 of %3 scenes that the reader can reach; %4: %5"),
                                 {what, std::to_string(count), std::to_string(scenes), where, why}}});
        return mistakes;
    }

private:
    struct Failure {
        std::string file;
        int line = 0;
        std::string what;
        std::string why;
        std::string where;
        std::size_t count = 0;
    };
    std::vector<Failure> all_;
};

/// Tries one scene.
void try_scene(const Lesson& lesson, const Step& step, const lab::Scene& scene, Failures& failures,
               const RunControl& control) {
    const auto result = lab::compute(scene, control);
    const Evaluation evaluation(scene, result, control);
    for (const auto& claim : step.checks) {
        const auto report = found_out(claim, evaluation);
        if (!report.holds)
            failures.add(lesson.scene_file(), claim.line, "'" + claim.expression.text() + "' is false", report.measured,
                         scene);
    }
    // Clang 14 captures no structured binding.
    for (const auto& translation : step.texts) {
        const auto check = [&](const LessonText& words) {
            filled(words, evaluation, [&](int line, const Message& message) {
                failures.add(lesson.text_file(translation.first), line, "a number is missing", message.english(),
                             scene);
            });
        };
        check(translation.second.body);
        for (const auto& [id, words] : translation.second.cards)
            check(words);
    }
}

/// The answer must not depend on the draw where the reader can draw again.
void try_question(const Lesson& lesson, const Step& step, int draws, Failures& failures, const RunControl& control) {
    auto other = step;
    const auto right = right_option(step, control);
    for (int draw = 1; draw < draws; ++draw) {
        ++other.scene.draw->seed;
        if (other.question->about)
            ++other.question->about->seed;
        const auto found = right_option(other, control);
        if (found != right)
            failures.add(lesson.scene_file(), step.question->line, "the answer '" + right + "' is another one",
                         found.empty() ? "none or several are true" : "'" + found + "' is true", question_scene(other));
    }
}

} // namespace

std::vector<lab::Scene> reachable_scenes(const Step& step, int draws) {
    std::vector<lab::Scene> scenes;
    if (step.scene.draw)
        add_draws(step, draws, scenes);
    if (step.scene.cache)
        add_caches(step, scenes);
    if (step.view.is_live(BoardControl::Cells))
        add_edits(step, draws, scenes);
    return scenes;
}

std::vector<Mistake> refute(const Lesson& lesson, const Step& step, int draws, const RunControl& control) {
    Failures failures;
    const auto scenes = reachable_scenes(step, draws);
    for (const auto& scene : scenes)
        try_scene(lesson, step, scene, failures, control);
    if (step.question && step.scene.draw && step.view.is_live(BoardControl::Draw))
        try_question(lesson, step, draws, failures, control);
    return failures.mistakes(scenes.size());
}

std::string scene_words(const lab::Scene& scene) {
    if (scene.cache)
        return std::to_string(scene.cache->groups) + " groups, " + std::to_string(scene.cache->context) + " tokens, " +
               std::to_string(scene.cache->readers) + " readers";
    if (!scene.draw)
        return "edited inputs";
    const auto& draw = *scene.draw;
    const auto steps = scene.training ? "step " + std::to_string(scene.training->at) + ", " : std::string();
    return "d = " + std::to_string(draw.E) + ", " + std::to_string(draw.S) + " keys, " + steps +
           std::string(lab::distribution_ids()[static_cast<std::size_t>(draw.distribution)]) + ", seed " +
           std::to_string(draw.seed);
}

} // namespace attnlab::lessons
