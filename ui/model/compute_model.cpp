#include "ui/model/compute_model.h"

#include "core/model/head_difference.h"
#include "ui/model/head_pictures.h"
#include "ui/model/model_input.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr std::size_t outcomes_shown = 8, masks_shown = 8;

model::PassTokens tokensOf(const model::Pass& pass, const ModelLabels& labels) {
    const bool in_decoder = pass.name.starts_with("decoder");
    return {in_decoder ? labels.decoder : labels.encoder,
            in_decoder && !pass.is_cross() ? labels.decoder : labels.encoder, !pass.is_cross()};
}

PassHeads headsOf(const std::shared_ptr<const model::Pass>& pass, const ModelLabels& labels,
                  const std::vector<std::string>& equalities, const RunControl& control) {
    PassHeads heads;
    heads.name = pass->name;
    heads.is_cross = pass->is_cross();
    heads.one = [pass](int head) { return OneHead{pass, head}; };
    heads.whole = [pass] { return pass; };
    heads.tokens = tokensOf(*pass, labels);
    summarise(heads, *pass, equalities, control);
    return heads;
}

/// Tokens are equal where their ids are.
std::vector<std::string> equalitiesOf(const std::vector<std::int64_t>& ids) {
    std::vector<std::string> texts;
    for (const auto id : ids)
        texts.push_back(std::to_string(id));
    return texts;
}

/// What is read and what it gives, for one text.
struct Run {
    ModelInput input;
    ModelLabels labels;
    std::shared_ptr<const model::Result> plain, result;
    std::vector<Guesses> guesses;
};

class Computing {
public:
    Computing(const ModelPtr& opened, const std::filesystem::path& folder) : model_(*opened), folder_(folder) {}

    Run run(const ModelRequest& request, const model::Result* previous, const RunControl& control) const {
        Run made;
        made.input = inputOf(model_, folder_, request, control);
        const auto& input = made.input.input;
        made.labels = labelsOf(model_, input, control);
        model::Options options;
        const bool fills = model::fills_masks(model_);
        if (fills) {
            options.logits = model::Options::Logits::Chosen;
            options.positions = model::masked_positions(model_, input.ids, control);
            options.positions.resize(std::min(options.positions.size(), masks_shown));
            if (options.positions.empty())
                options.logits = model::Options::Logits::None;
        }
        made.plain = std::make_shared<model::Result>(model_.run(input, options, control, previous));
        made.result = made.plain;
        options.ablations = request.ablations;
        if (!request.ablations.empty())
            made.result = std::make_shared<model::Result>(model_.run(input, options, control));
        for (std::int64_t row = 0; row < made.result->logits.rows; ++row)
            made.guesses.push_back(
                {fills ? std::optional(options.positions[static_cast<std::size_t>(row)]) : std::nullopt,
                 model::likeliest(model_, *made.result, outcomes_shown, row, control),
                 model::likeliest(model_, *made.plain, outcomes_shown, row, control)});
        return made;
    }

    std::vector<PassHeads> heads(const Run& run, const RunControl& control) const {
        const auto& description = model_.description();
        const bool two = description.encoder && description.decoder;
        std::vector<PassHeads> passes;
        const auto count = static_cast<double>(run.result->passes.size());
        for (const auto& pass : run.result->passes) {
            const auto done = static_cast<double>(passes.size());
            const auto part = control.part(done / count, (done + 1.0) / count);
            part.checkpoint();
            const auto& input = run.input.input;
            const bool of_decoder = two && pass->name.starts_with("decoder");
            passes.push_back(headsOf(pass, run.labels, equalitiesOf(of_decoder ? input.decoder_ids : input.ids), part));
            passes.back().title = two ? textOf(pass->name) : QString::number(std::ssize(passes) - 1);
        }
        return passes;
    }

private:
    const model::Model& model_;
    const std::filesystem::path& folder_;
};

/// One side of a comparison.
struct Side {
    const model::Result& result;
    const ModelLabels& labels;
};

/// All pictures have one scale, so they are made when every difference is known.
ComparedRuns compared(ComparedRuns::Of of, const Side& a, const Side& b, const RunControl& control) {
    ComparedRuns runs{.of = of};
    std::vector<std::vector<Tensor>> pooled;
    for (std::size_t i = 0; i < a.result.passes.size(); ++i) {
        ComparedPass pass{.a = a.result.passes[i], .b = b.result.passes[i]};
        pass.tokens_a = tokensOf(*pass.a, a.labels);
        pass.tokens_b = tokensOf(*pass.b, b.labels);
        const auto step = pictureStep(std::min(pass.a->queries, pass.b->queries), std::min(pass.a->keys, pass.b->keys));
        auto& of_pass = pooled.emplace_back();
        for (std::int64_t head = 0; head < pass.a->heads; ++head) {
            auto difference = model::head_difference(*pass.a, *pass.b, head, step, control);
            for (const double value : difference.pooled.values())
                runs.largest = std::max(runs.largest, std::abs(value));
            pass.distances.push_back(difference.distance);
            of_pass.push_back(std::move(difference.pooled));
        }
        runs.passes.push_back(std::move(pass));
    }
    const double end = runs.largest > 0.0 ? runs.largest : 1.0;
    for (std::size_t i = 0; i < pooled.size(); ++i)
        for (const auto& difference : pooled[i])
            runs.passes[i].pictures.push_back(pictureOfWeights(difference, -end, end));
    return runs;
}

} // namespace

ModelResultPtr computeModel(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                            const ModelResultPtr& before, const RunControl& control) {
    const auto start = std::chrono::steady_clock::now();
    constexpr double half = 0.5;
    auto made = std::make_shared<ModelResult>();
    made->model = opened;
    const Computing computing(opened, folder);
    const bool has_other = request.other && !request.other->isEmpty();
    const model::Result* previous = before && before->model == opened ? before->plain.get() : nullptr;
    auto run = computing.run(request, previous, control.part(0.0, half));
    made->plain = run.plain;
    made->result = run.result;
    made->are_layers = !opened->description().encoder || !opened->description().decoder;
    made->passes = computing.heads(run, control.part(half, 1.0));
    made->picture = run.input.picture;
    if (has_other) {
        auto second = request;
        second.text = *request.other;
        const auto other = computing.run(second, run.plain.get(), control.part(1.0, 1.0));
        made->compared =
            compared(ComparedRuns::Of::Texts, {*run.result, run.labels}, {*other.result, other.labels}, control);
        made->compared->other = other.guesses;
    } else if (run.plain != run.result) {
        made->compared =
            compared(ComparedRuns::Of::SwitchedOff, {*run.plain, run.labels}, {*run.result, run.labels}, control);
    }
    made->guesses = std::move(run.guesses);
    if (model::fills_masks(*opened))
        made->mask_spelling = model::mask_spelling(*opened, control);
    made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

} // namespace attnlab::ui
