#include "ui/model/model_result.h"

#include "core/capture/capture.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/model/sound.h"
#include "ui/model/model_input.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <QCoreApplication>
#include <set>

namespace attnlab::ui {

std::optional<std::pair<int, int>> PatchPlace::patchAt(int position) const {
    const auto found = std::ranges::find(positions, position);
    if (found == positions.end())
        return std::nullopt;
    const auto patch = static_cast<int>(found - positions.begin());
    return std::pair(patch / columns, patch % columns);
}

bool ModelResult::isOff(HeadIndex place) const {
    return result && std::ranges::any_of(result->ablations, [&](const model::Ablation& ablation) {
               return ablation.head == place.head && ablation.pass == heads(place).name;
           });
}

bool ModelResult::comparesOtherTexts() const {
    return compared && compared->of == ComparedRuns::Of::Texts && other->input.ids != plain->input.ids;
}

bool ModelResult::canTakeOther() const { return other && plain && other->input.ids.size() == plain->input.ids.size(); }

const QString& passTitle(const ModelResult& result, int pass) {
    return result.passes[static_cast<std::size_t>(pass)].title;
}

QString shortTitle(const ModelResult& result, HeadIndex place) {
    return QStringLiteral("%1.%2").arg(passTitle(result, place.pass)).arg(place.head);
}

QString markedTitle(const ModelResult& result, const QString& title) {
    return result.model
               ? QString::fromStdString(model::marked(title.toStdString(), result.model->description().arithmetic))
               : title;
}

QString headTitle(const ModelResult& result, HeadIndex place) {
    return markedTitle(result, (result.are_layers ? QCoreApplication::translate("ModelPage", "Layer %1 · head %2")
                                                  : QCoreApplication::translate("ModelPage", "%1 · head %2"))
                                   .arg(passTitle(result, place.pass))
                                   .arg(place.head));
}

std::vector<int> layersUpTo(const ModelResult& result, int pass) {
    const auto& last = result.passes[static_cast<std::size_t>(pass)];
    const auto wanted = parts_of_pass_name(last.name);
    if (!wanted || wanted->kind != "self" || last.queries != last.keys)
        return {};
    std::vector<int> layers;
    for (int i = 0; i <= pass; ++i) {
        const auto& one = result.passes[static_cast<std::size_t>(i)];
        const auto parts = parts_of_pass_name(one.name);
        if (parts && parts->stack == wanted->stack && parts->kind == "self" && parts->run == wanted->run &&
            parts->layer == std::ssize(layers) && one.queries == last.queries && one.keys == last.keys)
            layers.push_back(i);
    }
    return std::ssize(layers) == wanted->layer + 1 ? layers : std::vector<int>{};
}

namespace {

using explain::HeadFigures;

template <auto member>
std::optional<double> mean(const ModelResult& result, HeadIndex place) {
    const auto& share = result.figures(place).*member;
    return share ? std::optional(share->mean) : std::nullopt;
}

/// Over the rows whose token was there before.
template <auto member>
std::optional<double> meanWhereSeen(const ModelResult& result, HeadIndex place) {
    const auto& share = result.figures(place).*member;
    return share ? std::optional(share->informative) : std::nullopt;
}

std::optional<double> difference(const ModelResult& result, HeadIndex place) {
    const ComparedPass* compared = result.comparedHeads(place);
    return compared ? std::optional(compared->distances[static_cast<std::size_t>(place.head)]) : std::nullopt;
}

constexpr HeadFigure figures_table[] = {
    {"entropy", QT_TRANSLATE_NOOP("HeadsWall", "entropy"),
     [](const ModelResult& result, HeadIndex place) { return std::optional(result.figures(place).entropy); }},
    {"max_weight", QT_TRANSLATE_NOOP("HeadsWall", "largest weight of a row, on average"),
     [](const ModelResult& result, HeadIndex place) { return std::optional(result.figures(place).max_weight); }},
    {"previous", QT_TRANSLATE_NOOP("HeadsWall", "previous token"), mean<&HeadFigures::previous>},
    {"first", QT_TRANSLATE_NOOP("HeadsWall", "first token"), mean<&HeadFigures::first>},
    {"diagonal", QT_TRANSLATE_NOOP("HeadsWall", "itself"), mean<&HeadFigures::diagonal>},
    {"same_token", QT_TRANSLATE_NOOP("HeadsWall", "same token"), meanWhereSeen<&HeadFigures::same_token>},
    {"induction", QT_TRANSLATE_NOOP("HeadsWall", "induction"), meanWhereSeen<&HeadFigures::induction>},
    {"sink", QT_TRANSLATE_NOOP("HeadsWall", "sink"),
     [](const ModelResult& result, HeadIndex place) { return result.figures(place).sink; }},
    {"difference", QT_TRANSLATE_NOOP("HeadsWall", "difference"), difference},
};

} // namespace

std::span<const HeadFigure> headFigures() { return figures_table; }

std::vector<const HeadFigure*> headFiguresIn(const ModelResult& result) {
    std::vector<const HeadFigure*> present;
    for (const auto& figure : figures_table) {
        bool found = false;
        for (int pass = 0; pass < static_cast<int>(result.passes.size()) && !found; ++pass)
            for (int head = 0; head < result.heads({pass, 0}).heads && !found; ++head)
                found = figure.of(result, {pass, head}).has_value();
        if (found)
            present.push_back(&figure);
    }
    return present;
}

std::pair<std::vector<bool>, std::vector<bool>> differingTokens(std::span<const std::string> a,
                                                                std::span<const std::string> b) {
    constexpr std::size_t most_cells = std::size_t{1} << 22;
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t before = 0, after = 0;
    while (before < shorter && a[before] == b[before])
        ++before;
    while (after < shorter - before && a[a.size() - 1 - after] == b[b.size() - 1 - after])
        ++after;
    const std::size_t rows = a.size() - before - after, columns = b.size() - before - after;
    std::vector<bool> of_a(a.size(), false), of_b(b.size(), false);
    std::fill_n(of_a.begin() + static_cast<std::ptrdiff_t>(before), rows, true);
    std::fill_n(of_b.begin() + static_cast<std::ptrdiff_t>(before), columns, true);
    if (rows == 0 || columns == 0 || rows > most_cells / columns)
        return {of_a, of_b};
    std::vector<std::uint32_t> longest((rows + 1) * (columns + 1), 0); // common to what begins at (row, column)
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
        return longest[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;)
            at(row, column) = a[before + row] == b[before + column]
                                  ? at(row + 1, column + 1) + 1
                                  : std::max(at(row + 1, column), at(row, column + 1));
    for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
        if (a[before + row] == b[before + column])
            of_a[before + row++] = of_b[before + column++] = false;
        else if (at(row + 1, column) >= at(row, column + 1))
            ++row;
        else
            ++column;
    }
    return {of_a, of_b};
}

QString headText(const ModelResult& result, HeadIndex place) {
    QStringList lines{headTitle(result, place)};
    if (const auto word = explain::what_it_does(result.figures(place)); !word.empty())
        lines << translated(word);
    for (const auto& figure : headFigures())
        if (const auto value = figure.of(result, place))
            lines
                << QCoreApplication::translate("HeadsWall", "%1: %2").arg(figure.displayTitle(), numberText(*value, 3));
    if (result.isOff(place))
        lines << QCoreApplication::translate("HeadsWall", "switched off");
    return lines.join(QLatin1Char('\n'));
}

namespace {

// Small pictures of heads, and their figures.

constexpr std::int64_t picture_side = 48;
constexpr double white = 255.0;

/// Queries and keys for a cell of a picture.
std::int64_t pictureStep(std::int64_t queries, std::int64_t keys) {
    return std::max<std::int64_t>(1, (std::max(queries, keys) + picture_side - 1) / picture_side);
}

/// 8 bits a pixel: 0 for `low`, 255 for `high`.
QImage pictureOfWeights(const Tensor& pooled, double low, double high) {
    const auto numbers = matrix_at(pooled, 0);
    QImage picture(static_cast<int>(numbers.columns), static_cast<int>(numbers.rows), QImage::Format_Indexed8);
    for (int row = 0; row < picture.height(); ++row)
        for (int column = 0; column < picture.width(); ++column) {
            const double part = (numbers(row, column) - low) / (high - low);
            picture.scanLine(row)[column] =
                static_cast<uchar>(std::lround(white * (part > 0.0 ? std::min(part, 1.0) : 0.0)));
        }
    return picture;
}

/// See PassHeads::ahead.
std::vector<int> aheadOf(const model::Pass& pass, std::int64_t step) {
    std::vector<int> ahead;
    for (std::int64_t row = 0; pass.causal && row < pass.queries; row += step) {
        const auto last = pass.readable(row, std::min(row + step, pass.queries)).last;
        ahead.push_back(static_cast<int>((last + step - 1) / step));
    }
    return ahead;
}

/// Fills in sizes, figures and pictures of all heads of `pass`. Tokens are equal where their `equalities` are. Throws
/// Cancelled, and Error where the pass can no longer be read.
void computeHeadPictures(PassHeads& heads, const model::Pass& pass, const std::vector<std::string>& equalities,
                         const RunControl& control) {
    heads.heads = pass.heads;
    heads.queries = pass.queries;
    heads.keys = pass.keys;
    const auto step = pictureStep(pass.queries, pass.keys);
    heads.ahead = aheadOf(pass, step);
    for (const auto& summary : model::summaries_of(pass, equalities, step, control)) {
        heads.figures.push_back(summary.figures);
        heads.pictures.push_back(pictureOfWeights(summary.pooled, 0.0, 1.0));
    }
}

using Guessed = ModelPredictions::Of;

constexpr std::size_t outcomes_shown = 16, masks_shown = 8, classes_shown = 32;

std::vector<std::int64_t> allPositions(std::size_t count) {
    std::vector<std::int64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

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
    computeHeadPictures(heads, *pass, equalities, control);
    return heads;
}

/// Tokens are equal where their ids are; of an image none is equal to another.
std::vector<std::string> equalitiesOf(const std::vector<std::int64_t>& ids, const PatchPlace& patches) {
    std::vector<std::string> texts;
    const bool has_image = patches.is_within_text && !patches.positions.empty();
    for (const auto id : ids) {
        const bool is_of_image = has_image && id == ids[static_cast<std::size_t>(patches.positions.front())];
        texts.push_back(std::to_string(id) + (is_of_image ? "@" + std::to_string(texts.size()) : std::string()));
    }
    return texts;
}

/// What is read and what it gives, for one text.
struct Run {
    ModelInput input;
    ModelLabels labels;
    std::shared_ptr<const model::Result> plain, result;
    std::optional<QString> spelled; ///< of `result`
};

class Computing {
public:
    Computing(const ModelPtr& opened, const std::filesystem::path& folder) : model_(*opened), folder_(folder) {}

    ModelInput read(const ModelRequest& request, const RunControl& control) const {
        return inputOf(model_, folder_, request, control);
    }

    /// With all heads on.
    Run run(ModelInput read, const model::Result* previous, const RunControl& control) const {
        Run made;
        made.input = std::move(read);
        const auto& input = made.input.input;
        made.labels = labelsOf(model_, input, control);
        if (model::spells_frames(model_)) {
            spell(made, {}, control, previous);
            made.plain = made.result;
            return made;
        }
        made.plain = std::make_shared<model::Result>(model_.run(input, optionsFor(input, control), control, previous));
        made.result = made.plain;
        return made;
    }

    void switchOff(Run& run, const std::vector<model::Ablation>& ablations, const RunControl& control) const {
        if (ablations.empty())
            return;
        if (model::spells_frames(model_)) {
            spell(run, ablations, control, run.plain.get());
            return;
        }
        auto options = optionsFor(run.input.input, control);
        options.ablations = ablations;
        run.result = std::make_shared<model::Result>(model_.run(run.input.input, options, control, run.plain.get()));
    }

    std::vector<ModelPredictions> guesses(const Run& run, const RunControl& control) const {
        const bool finds_spans = model::finds_spans(model_);
        const bool fills = model::fills_masks(model_) || model::classifies_tokens(model_);
        std::vector<ModelPredictions> made;
        for (std::int64_t row = 0; row < run.result->logits.rows; ++row) {
            auto now = model::likeliest(model_, *run.result, outcomes_shown, row, control);
            auto before = model::likeliest(model_, *run.plain, outcomes_shown, row, control);
            addMissing(now, before, *run.result, row);
            addMissing(before, now, *run.plain, row);
            made.push_back(
                {finds_spans ? (row == 0 ? Guessed::Begin : Guessed::End) : Guessed::Outcome,
                 fills ? std::optional(run.result->logit_positions[static_cast<std::size_t>(row)]) : std::nullopt,
                 std::move(now), std::move(before)});
        }
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
            passes.push_back(headsOf(
                pass, run.labels, equalitiesOf(of_decoder ? input.decoder_ids : input.ids, run.input.patches), part));
            passes.back().title = two ? textOf(pass->name) : QString::number(std::ssize(passes) - 1);
        }
        if (!two)
            callByLayers(passes);
        return passes;
    }

private:
    /// Some layers of a hybrid model have no attention.
    static void callByLayers(std::vector<PassHeads>& passes) {
        std::vector<QString> titles;
        for (const auto& pass : passes)
            if (const auto parts = parts_of_pass_name(pass.name))
                titles.push_back(QString::number(parts->layer));
        const std::set<QString> different(titles.begin(), titles.end());
        for (std::size_t k = 0; k < passes.size() && different.size() == passes.size(); ++k)
            passes[k].title = titles[k];
    }

    /// Behind `outcomes`, those that only `others` has, with their probabilities in `result`.
    static void addMissing(std::vector<model::Outcome>& outcomes, const std::vector<model::Outcome>& others,
                           const model::Result& result, std::int64_t row) {
        std::vector<model::Outcome> missing;
        for (const auto& other : others)
            if (std::ranges::find(outcomes, other.id, &model::Outcome::id) == outcomes.end())
                missing.push_back(other);
        if (missing.empty())
            return;
        const auto shares = model::probabilities(result, row);
        for (auto& one : missing)
            one.probability = shares[static_cast<std::size_t>(one.id)];
        std::ranges::stable_sort(missing, std::greater<>(), &model::Outcome::probability);
        outcomes.insert(outcomes.end(), missing.begin(), missing.end());
    }

    /// All letters of a sound, and logits of the frames where they begin, in the run with all heads on.
    void spell(Run& run, const std::vector<model::Ablation>& ablations, const RunControl& control,
               const model::Result* previous) const {
        const auto& input = run.input.input;
        const auto all =
            model_.run(input, {.logits = model::Options::Logits::All, .ablations = ablations}, control, previous);
        run.spelled = textOf(model::spelled_text(model_, all));
        model::Options options{.logits = model::Options::Logits::Chosen, .ablations = ablations};
        options.positions = run.plain ? run.plain->logit_positions : model::spelled_frames(model_, all);
        if (options.positions.empty())
            options.positions.push_back(all.logits.rows - 1);
        options.positions.resize(std::min(options.positions.size(), classes_shown));
        run.result = std::make_shared<model::Result>(model_.run(input, options, control, &all));
    }

    /// Logits of the next token or the class, of masked tokens, or of each token.
    model::Options optionsFor(const model::Input& input, const RunControl& control) const {
        model::Options options;
        const bool is_each = model::classifies_tokens(model_);
        if (!model::fills_masks(model_) && !is_each)
            return options;
        options.logits = model::Options::Logits::Chosen;
        options.positions =
            is_each ? allPositions(input.ids.size()) : model::masked_positions(model_, input.ids, control);
        options.positions.resize(std::min(options.positions.size(), is_each ? classes_shown : masks_shown));
        if (is_each && !options.positions.empty())
            options.positions.back() = std::ssize(input.ids) - 1;
        if (options.positions.empty())
            options.logits = model::Options::Logits::None;
        return options;
    }

    const model::Model& model_;
    const std::filesystem::path& folder_;
};

/// The heads that are switched off; those of another text with its passes.
std::vector<model::Ablation> resolved(std::vector<model::Ablation> ablations, const model::Result* other) {
    std::erase_if(ablations, [&](const model::Ablation& one) {
        return one.by == model::Ablation::By::Other && !(other && other->find(one.pass));
    });
    for (auto& one : ablations)
        if (one.by == model::Ablation::By::Other)
            one.other = other->find(one.pass);
    return ablations;
}

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
        if (const auto one = aheadOf(*pass.a, step), other = aheadOf(*pass.b, step); one == other)
            pass.ahead = one;
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
    if (opened->description().first().embedding.reads_tokens())
        made->text = request.text;
    const Computing computing(opened, folder);
    const bool has_other = request.other && !request.other->isEmpty();
    auto input = computing.read(request, control);
    made->size = input.size;
    ModelInput other_input;
    if (has_other) {
        auto second = request;
        second.text = *request.other;
        if (!opened->description().encoder)
            second.written.reset();
        other_input = computing.read(second, control);
        made->other_size = other_input.size;
    }
    if (made->isTooLong())
        return made;
    const model::Result* previous = before && before->model == opened ? before->plain.get() : nullptr;
    auto run = computing.run(std::move(input), previous, control.part(0.0, half));
    made->plain = run.plain;
    Run other;
    if (has_other) {
        other = computing.run(std::move(other_input), run.plain.get(), control.part(half, half));
        made->other = other.plain;
    }
    computing.switchOff(run, resolved(request.ablations, made->canTakeOther() ? made->other.get() : nullptr),
                        control.part(half, half));
    made->result = run.result;
    if (request.written)
        made->first_written = request.written->first;
    made->guesses = computing.guesses(run, control);
    made->are_layers = !opened->description().encoder || !opened->description().decoder;
    made->passes = computing.heads(run, control.part(half, 1.0));
    made->picture = run.input.picture;
    made->patches = run.input.patches;
    made->sound_notes = run.input.sound_notes;
    made->spelled = run.spelled;
    if (has_other) {
        computing.switchOff(other, resolved(request.ablations, nullptr), control.part(1.0, 1.0));
        made->compared =
            compared(ComparedRuns::Of::Texts, {*run.result, run.labels}, {*other.result, other.labels}, control);
        made->compared->other = computing.guesses(other, control);
    } else if (run.plain != run.result) {
        made->compared =
            compared(ComparedRuns::Of::SwitchedOff, {*run.plain, run.labels}, {*run.result, run.labels}, control);
    }
    if (model::fills_masks(*opened))
        made->mask_spelling = model::mask_spelling(*opened, control);
    made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

namespace {

/// What `ids` from `first` on add to the text; numbers without a tokenizer.
QString addedBy(const model::Model& model, const std::vector<std::int64_t>& ids, std::size_t first) {
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(first);
    if (!model.tokenizer()) {
        QStringList numbers;
        for (auto id = middle; id != ids.end(); ++id)
            numbers << QString::number(*id);
        return QStringLiteral(", ") + numbers.join(QStringLiteral(", "));
    }
    const auto before = model.tokenizer()->decode({ids.begin(), middle}), whole = model.tokenizer()->decode(ids);
    return textOf(whole.starts_with(before) ? whole.substr(before.size())
                                            : model.tokenizer()->decode({middle, ids.end()}));
}

void appendWritten(WrittenText& text, std::int64_t id, const model::Model& model) {
    text.ids.push_back(id);
    text.text = text.begin + addedBy(model, text.ids, text.first);
    if (!text.ends.empty())
        text.ends.push_back(text.text.size());
}

} // namespace

WritingResult writeOn(const ModelPtr& opened, const std::filesystem::path& folder, const ModelRequest& request,
                      const WritingRequest& writing, const ModelResultPtr& before, const RunControl& control,
                      const std::function<void(const WrittenText&)>& found) {
    auto input = inputOf(*opened, folder, request, control);
    const bool translates = opened->description().encoder.has_value();
    WritingResult made;
    auto& text = made.text;
    if (request.written) {
        text = *request.written;
    } else {
        text.ids = translates ? input.input.decoder_ids : input.input.ids;
        text.first = text.ids.size();
        text.begin = text.text = translates ? request.target : request.text;
        text.ends = translates ? std::vector<qsizetype>() : input.size.ends;
    }
    const auto take = [&](std::int64_t id) {
        appendWritten(text, id, *opened);
        ++made.count;
        found(text);
    };
    if (writing.chosen) {
        take(*writing.chosen);
        return made;
    }
    const bool has_before = before && before->model == opened && before->result;
    const auto written = model::write_on(
        *opened, std::move(input.input),
        {.count = writing.count,
         .temperature = writing.temperature,
         .seed = writing.seed,
         .ablations = request.ablations},
        control, [&](const model::WrittenToken& token) { take(token.id); },
        has_before ? before->result.get() : nullptr);
    made.stop = written.stop;
    return made;
}

namespace {

/// Each layer of one stack, once.
bool areLayers(const Capture& capture) {
    std::set<std::int64_t> layers;
    const auto first = parts_of_pass_name(capture.passes.front().name);
    return first && std::ranges::all_of(capture.passes, [&](const CapturedPass& pass) {
               const auto parts = parts_of_pass_name(pass.name);
               return parts && parts->stack == first->stack && parts->kind == "self" && parts->run == 0 &&
                      layers.insert(parts->layer).second;
           });
}

PassHeads capturedHeads(const CapturePtr& capture, const CapturedPass& captured, int sequence,
                        const RunControl& control) {
    PassHeads heads;
    heads.name = captured.name;
    heads.one = [capture, &captured, sequence](int head) {
        return OneHead{std::make_shared<const model::Pass>(model::pass_of(*capture, captured, sequence, head)), 0};
    };
    heads.whole = [capture, &captured, sequence] {
        return std::make_shared<const model::Pass>(model::pass_of(*capture, captured, sequence));
    };
    heads.tokens = model::tokens_of(*capture, captured, sequence);
    const auto pass = heads.whole();
    heads.is_cross = pass->is_cross();
    computeHeadPictures(heads, *pass, heads.tokens.queries, control);
    return heads;
}

} // namespace

int sequencesOf(const Capture& capture) {
    auto count = std::int64_t{std::numeric_limits<int>::max()};
    for (const auto& pass : capture.passes)
        count = std::min(count, model::size_of(capture, pass).batch);
    return static_cast<int>(count);
}

ModelResultPtr computeCapture(const CapturePtr& capture, int sequence, const RunControl& control) {
    const auto start = std::chrono::steady_clock::now();
    std::int64_t count = 0;
    for (const auto& pass : capture->passes)
        count += pass.heads;
    if (count > most_captured_heads)
        throw Error({ATTNLAB_TEXT("%1: has %2 heads; at most %3 are shown beside each other"),
                     {capture->file, std::to_string(count), std::to_string(most_captured_heads)}});
    auto made = std::make_shared<ModelResult>();
    made->capture = capture;
    made->sequence = sequence;
    made->are_layers = areLayers(*capture);
    const auto passes = static_cast<double>(capture->passes.size());
    for (const auto& pass : capture->passes) {
        const auto done = static_cast<double>(made->passes.size());
        const auto part = control.part(done / passes, (done + 1.0) / passes);
        part.checkpoint();
        part.report(0.0);
        made->passes.push_back(capturedHeads(capture, pass, sequence, part));
        made->passes.back().title =
            made->are_layers ? QString::number(parts_of_pass_name(pass.name)->layer) : textOf(pass.name);
    }
    made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

} // namespace attnlab::ui
