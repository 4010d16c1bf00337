#include "ui/model/head_effects.h"

#include "core/explain/reading.h"
#include "core/model/model_results.h"
#include "ui/model/model_input.h"
#include "ui/model/pass_pace.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr std::chrono::milliseconds between_updates{50}, after_painting{30};
constexpr std::chrono::milliseconds before_timing{400}; ///< typing comes first

/// A run that nobody asked for turns out to be long.
struct TooSlow {};

using Skips = std::function<bool(const std::string& pass, std::int64_t head)>;

/// The heads that are not skipped, by the number of their blocks.
std::map<std::int64_t, std::int64_t> passesOf(const model::Model& model, const model::Result& result,
                                              const Skips& skips) {
    std::map<std::int64_t, std::int64_t> passes;
    for (const auto& pass : result.passes)
        for (std::int64_t head = 0; head < pass->heads; ++head)
            if (!skips(pass->name, head))
                ++passes[model::blocks_from(model, pass->name)];
    return passes;
}

double secondsSince(std::chrono::steady_clock::time_point& began) {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(began, now)).count();
}

std::int64_t mostBlocks(const model::Model& model, const model::Result& result) {
    std::int64_t most = 1;
    for (const auto& pass : result.passes)
        most = std::max(most, model::blocks_from(model, pass->name));
    return most;
}

/// Times the replacement of a head of the cheapest pass and of one with a quarter of the blocks, each twice: the rest
/// is extrapolated. Together they take about as long as half a run of the model.
PassPace timedPace(const ModelResult& result, model::EffectOptions options, const RunControl& control) {
    const auto& model = *result.model;
    const auto& plain = *result.plain;
    PassPace pace;
    pace.setLeft(passesOf(model, plain, [](const std::string&, std::int64_t) { return false; }));
    const auto blocks = [&](const std::shared_ptr<const model::Pass>& pass) {
        return model::blocks_from(model, pass->name);
    };
    const auto wanted = 1 + mostBlocks(model, plain) / 4;
    const auto cheapest = std::ranges::min_element(plain.passes, {}, blocks);
    const auto other = std::ranges::min_element(plain.passes, {}, [&](const std::shared_ptr<const model::Pass>& pass) {
        return std::abs(blocks(pass) - wanted);
    });
    for (const auto& pass : {*cheapest, *other, *cheapest, *other}) {
        options.skips = [&pass](const std::string& name, std::int64_t head) { return name != pass->name || head != 0; };
        auto began = std::chrono::steady_clock::now();
        model::effects_of(model, plain, options, control, [](const model::HeadEffect&) {});
        pace.measured(secondsSince(began), blocks(pass));
    }
    return pace;
}

} // namespace

std::optional<std::int64_t> answerRow(const ModelResult& result) {
    if (!result.model || !result.plain || result.plain->logits.rows == 0 || result.guesses.empty())
        return std::nullopt;
    // Of the classes of tokens that of the last one, behind which the answer stands.
    const bool is_one = result.plain->is_of_classes || result.model->description().predicts_next() ||
                        model::classifies_tokens(*result.model);
    return is_one ? result.plain->logits.rows - 1 : 0;
}

std::optional<NamedOutcome> presentAnswer(const ModelResult& result) {
    const auto row = answerRow(result);
    if (!row || result.guesses.empty())
        return std::nullopt;
    const auto& guesses = result.guesses[std::min(result.guesses.size() - 1, static_cast<std::size_t>(*row))].now;
    return namedOutcome(*result.model, *result.plain, guesses.front().id, guesses.front().probability);
}

QString probabilityText(double probability) { return textOf(explain::share_text(probability)); }

QString answerText(const NamedOutcome& outcome, const QString& between) {
    constexpr int most_letters = 24;
    const QString text = outcome.name.left(most_letters) + between + probabilityText(outcome.probability);
    return outcome.probability < least_sure ? HeadEffects::tr("unsure: %1").arg(text) : text;
}

NamedOutcome namedOutcome(const model::Model& model, const model::Result& result, std::int64_t id, double probability) {
    const QString text =
        textOfOutcome(model::label_of_outcome(model, result, id), model::name_of_outcome(model, result, id));
    const QString name = model.description().labels.empty() ? displayToken(text) : text;
    return {id, name.isEmpty() ? QString::number(id) : name, probability};
}

HeadEffects::HeadEffects(QObject* parent)
    : QObject(parent), update_(new QTimer(this)), begin_(new QTimer(this)), pause_(new QTimer(this)),
      job_([this](const End& end) { finish(end); }), direct_job_([this](Direct direct) {
          direct_ = std::move(direct);
          emit changed();
      }),
      timing_job_([this](const PassPace& pace) {
          pace_ = pace;
          emit changed();
      }) {
    for (QTimer* timer : {update_, begin_, pause_})
        timer->setSingleShot(true);
    begin_->setInterval(after_painting);
    connect(begin_, &QTimer::timeout, this, &HeadEffects::begin);
    pause_->setInterval(before_timing);
    connect(pause_, &QTimer::timeout, this, &HeadEffects::timePasses);
    update_->setInterval(between_updates);
    connect(update_, &QTimer::timeout, this, &HeadEffects::take);
    connect(&job_, &LatestJobBase::progressed, this, [this] {
        if (!update_->isActive())
            update_->start();
    });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        state_ = State::Stopped;
        emit changed();
        emit failed(why);
    });
}

bool HeadEffects::isSameInput(const ModelResultPtr& other) const {
    if (!result_ || !other || result_->model != other->model || !result_->plain || !other->plain)
        return false;
    const auto &a = *result_->plain, &b = *other->plain;
    const auto second = [](const ModelResult& result) {
        return result.other ? result.other->input.ids : std::vector<std::int64_t>();
    };
    return a.input.ids == b.input.ids && a.input.types == b.input.types && a.input.image == b.input.image &&
           a.input.sound == b.input.sound && a.input.decoder_ids == b.input.decoder_ids &&
           a.logit_positions == b.logit_positions &&
           (by_ != model::Ablation::By::Other || second(*result_) == second(*other));
}

void HeadEffects::setResult(const ModelResultPtr& result) {
    if (isSameInput(result)) {
        result_ = result;
        return;
    }
    result_ = result;
    if (pair_ && result_ && result_->model)
        for (const auto* one : {&pair_->a, &pair_->b})
            if (!answerRow(*result_) || one->id >= result_->plain->logits.columns)
                pair_.reset();
    startAnew();
}

void HeadEffects::setBy(model::Ablation::By by) {
    if (std::exchange(by_, by) != by)
        startAnew();
}

void HeadEffects::setPair(const std::optional<NamedPair>& pair) {
    const auto ids = [](const std::optional<NamedPair>& one) { return one ? std::optional(one->ids()) : std::nullopt; };
    if (ids(pair) == ids(pair_))
        return;
    pair_ = pair;
    startAnew();
}

void HeadEffects::setMeasure(Measure measure) {
    if (std::exchange(measure_, measure) != measure)
        emit changed();
}

void HeadEffects::startAnew() {
    job_.cancel();
    direct_job_.cancel();
    timing_job_.cancel();
    update_->stop();
    begin_->stop();
    direct_is_due_ = false;
    pause_->stop();
    pace_.reset();
    found_.reset();
    effects_.clear();
    direct_ = {};
    rival_.reset();
    largest_move_ = largest_change_ = 0.0;
    count_ = 0;
    was_asked_ = false;
    answer_.reset();
    const auto row = result_ ? answerRow(*result_) : std::nullopt;
    if (!row) {
        state_ = State::None;
        emit changed();
        return;
    }
    const auto& plain = *result_->plain;
    for (const auto& pass : plain.passes)
        count_ += pass->heads;
    const auto shares = model::probabilities(plain, *row);
    const auto best = std::ranges::max_element(shares);
    answer_ = namedOutcome(*result_->model, plain, best - shares.begin(), *best);
    for (std::int64_t id = 0; id < std::ssize(shares); ++id)
        if (id != answer_->id &&
            (!rival_ || shares[static_cast<std::size_t>(id)] > shares[static_cast<std::size_t>(*rival_)]))
            rival_ = id;
    direct_is_due_ = true;
    if (!is_paused_)
        begin_->start();
    if (by_ == model::Ablation::By::Other && !result_->canTakeOther()) {
        state_ = State::Blocked;
        emit changed();
        return;
    }
    state_ = count_ > most_heads ? State::Offered : State::Running;
    if (state_ == State::Offered && !is_paused_)
        pause_->start();
    emit changed();
}

void HeadEffects::begin() {
    if (std::exchange(direct_is_due_, false))
        findDirect();
    if (state_ == State::Running)
        run(was_asked_);
}

void HeadEffects::timePasses() {
    timing_job_.request([result = result_, options = effectOptions()](const RunControl& control) {
        return timedPace(*result, options, control);
    });
}

model::EffectOptions HeadEffects::effectOptions() const {
    return {.by = by_, .other = result_->other.get(), .row = *answerRow(*result_), .pair = margin()};
}

/// A product with a row or two of the unembedding for each head, which takes no time beside a run of the model.
void HeadEffects::findDirect() {
    const auto a = pair_ ? pair_->a.id : answer_->id;
    const auto b = pair_ ? std::optional(pair_->b.id) : std::nullopt;
    direct_job_.request(
        [result = result_, row = *answerRow(*result_), a, b, margin = margin()](const RunControl& control) {
            const auto find = [&](std::int64_t of, std::optional<std::int64_t> against) {
                ByHead found;
                const auto effects = model::direct_effects(*result->model, *result->plain, row, of, against, control);
                for (const auto& effect : effects.value_or(std::vector<model::DirectEffect>())) {
                    const auto pass = std::ranges::find(result->passes, effect.pass, &PassHeads::name);
                    found[{static_cast<int>(pass - result->passes.begin()), static_cast<int>(effect.head)}] =
                        effect.difference;
                }
                return found;
            };
            Direct direct{.shown = find(a, b), .margin = {}};
            if (margin)
                direct.margin = b ? direct.shown : find(margin->a, margin->b);
            return direct;
        });
}

std::optional<model::OutcomePair> HeadEffects::margin() const {
    if (pair_)
        return pair_->ids();
    return answer_ && rival_ ? std::optional(model::OutcomePair{answer_->id, *rival_}) : std::nullopt;
}

void HeadEffects::setPaused(bool paused) {
    if (std::exchange(is_paused_, paused) == paused)
        return;
    if (paused) {
        begin_->stop();
        pause_->stop();
        timing_job_.cancel();
        if (state_ == State::Running) {
            take();
            job_.cancel();
        }
        return;
    }
    if (state_ == State::Offered && found() == 0 && !pace_)
        pause_->start();
    if (state_ == State::Running || direct_is_due_)
        begin_->start();
}

void HeadEffects::start() {
    if (state_ != State::Offered && state_ != State::Stopped)
        return;
    was_asked_ = true;
    pause_->stop();
    timing_job_.cancel();
    state_ = State::Running;
    if (!is_paused_)
        run(true);
    emit changed();
}

void HeadEffects::cancel() {
    if (state_ != State::Running)
        return;
    take();
    if (found() == count_) // finish() follows
        return;
    job_.cancel();
    state_ = State::Stopped;
    emit changed();
}

void HeadEffects::run(bool however_long) {
    found_ = std::make_shared<Found>();
    auto options = effectOptions();
    std::map<std::pair<std::string, std::int64_t>, bool> known;
    for (const auto& [place, effect] : effects_)
        known[{effect.numbers.pass, effect.numbers.head}] = true;
    options.skips = [known](const std::string& pass, std::int64_t head) { return known.contains({pass, head}); };
    job_.request([result = result_, options, found = found_, however_long, pace = pace_.value_or(PassPace()),
                  has_pair = pair_.has_value()](const RunControl& control) mutable {
        const auto& model = *result->model;
        const auto& plain = *result->plain;
        pace.setLeft(passesOf(model, plain, options.skips));
        const auto most = mostBlocks(model, plain);
        auto began = std::chrono::steady_clock::now();
        try {
            model::effects_of(model, plain, options, control, [&](const model::HeadEffect& effect) {
                HeadEffect one{effect, namedOutcome(model, plain, effect.answer, effect.answer_probability),
                               effect.difference_change};
                if (!has_pair)
                    one.numbers.difference_change.reset();
                pace.took(secondsSince(began), model::blocks_from(model, effect.pass));
                {
                    const std::scoped_lock lock(found->mutex);
                    found->effects.push_back(std::move(one));
                    found->pace = pace;
                }
                if (!however_long && pace.hasLeft() &&
                    pace.passSeconds(most) > std::chrono::duration<double>(longest_pass).count())
                    throw TooSlow();
            });
        } catch (const TooSlow&) {
            return End{.is_too_slow = true};
        }
        return End{};
    });
}

void HeadEffects::take() {
    if (!found_)
        return;
    std::vector<HeadEffect> more;
    {
        const std::scoped_lock lock(found_->mutex);
        more.swap(found_->effects);
        if (!more.empty())
            pace_ = found_->pace;
    }
    if (more.empty())
        return;
    for (auto& effect : more) {
        const auto& name = effect.numbers.pass;
        const auto pass = std::ranges::find(result_->passes, name, &PassHeads::name) - result_->passes.begin();
        largest_move_ = std::max(largest_move_, effect.numbers.moved);
        largest_change_ = std::max(largest_change_, std::abs(effect.numbers.difference_change.value_or(0.0)));
        effects_[{static_cast<int>(pass), static_cast<int>(effect.numbers.head)}] = std::move(effect);
    }
    emit changed();
}

void HeadEffects::finish(const End& end) {
    take();
    update_->stop();
    state_ = end.is_too_slow ? State::Offered : State::Done;
    emit changed();
}

const HeadEffect* HeadEffects::of(HeadIndex place) const {
    const auto found = effects_.find({place.pass, place.head});
    return found == effects_.end() ? nullptr : &found->second;
}

std::optional<double> HeadEffects::directOf(HeadIndex place) const {
    const auto found = direct_.shown.find({place.pass, place.head});
    return found == direct_.shown.end() ? std::nullopt : std::optional(found->second);
}

std::optional<HeadEffects::Way> HeadEffects::wayOf(HeadIndex place) const {
    const auto direct = direct_.margin.find({place.pass, place.head});
    const auto* effect = of(place);
    if (by_ != model::Ablation::By::Zero || direct == direct_.margin.end() || !effect || !effect->margin_change ||
        effect->numbers.moved < least_share)
        return std::nullopt;
    const double lost = -*effect->margin_change; // what the head adds, later layers included
    return direct->second * lost > 0.0 && 2.0 * std::abs(direct->second) > std::abs(lost) ? Way::Directly : Way::Later;
}

bool HeadEffects::helps(HeadIndex place) const {
    const auto* effect = of(place);
    return effect && effect->margin_change && *effect->margin_change < 0.0;
}

std::optional<double> HeadEffects::signedOf(HeadIndex place) const {
    if (measure_ == Measure::Direct)
        return directOf(place);
    const auto* effect = of(place);
    return effect ? effect->numbers.difference_change : std::nullopt;
}

std::optional<double> HeadEffects::sizeOf(HeadIndex place) const {
    if (const auto number = signedOf(place)) {
        double largest = measure_ == Measure::Direct ? 0.0 : largest_change_;
        if (measure_ == Measure::Direct)
            for (const auto& [other, added] : direct_.shown)
                largest = std::max(largest, std::abs(added));
        return largest > 0.0 ? std::abs(*number) / largest : 0.0;
    }
    const auto* effect = measure_ == Measure::Without ? of(place) : nullptr;
    return effect ? std::optional(effect->numbers.moved) : std::nullopt;
}

std::int64_t HeadEffects::matter() const {
    return std::ranges::count_if(effects_, [](const auto& one) { return one.second.numbers.moved >= least_share; });
}

std::optional<HeadIndex> HeadEffects::strongest() const {
    const auto moved = [](const auto& one) { return one.second.numbers.moved; };
    const auto found = std::ranges::max_element(effects_, {}, moved);
    if (found == effects_.end() || moved(*found) < least_share)
        return std::nullopt;
    return HeadIndex{found->first.first, found->first.second};
}

} // namespace attnlab::ui
