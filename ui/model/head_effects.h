// What each head does to the answer of the model, computed behind the window.
#pragma once

#include "core/model/effects.h"
#include "ui/model/model_result.h"
#include "ui/model/pass_pace.h"
#include "ui/widgets/latest_job.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <QObject>
#include <QTimer>
#include <vector>

namespace attnlab::ui {

/// An outcome and its text as a reader sees it.
struct NamedOutcome {
    std::int64_t id = 0;
    QString name;
    double probability = 0.0;
};

/// The answer while one head is replaced.
struct HeadEffect {
    model::HeadEffect numbers;
    NamedOutcome answer;
    /// Of the difference that HeadEffects::wayOf() looks at; nullopt: there is none.
    std::optional<double> margin_change = {};
};

/// Two outcomes that are compared.
struct NamedPair {
    NamedOutcome a, b;
    model::OutcomePair ids() const { return {a.id, b.id}; }
};

/// Starts by itself for what takes a few seconds, and offers to start where it takes longer. The heads of the last
/// layer come first. What is found stays while the same input is read with other heads switched off. What each head
/// adds to the logits directly is found beside it.
class HeadEffects : public QObject {
    Q_OBJECT
public:
    explicit HeadEffects(QObject* parent = nullptr);

    /// More heads are tried only when start() is called, and where one pass of the model takes longer than this.
    static constexpr std::int64_t most_heads = 512;
    static constexpr std::chrono::milliseconds longest_pass{2000};

    /// Null: there are none.
    void setResult(const ModelResultPtr& result);
    /// What takes the place of a head's output.
    void setBy(model::Ablation::By by);
    model::Ablation::By by() const { return by_; }
    /// What sizeOf() and signedOf() measure: the answer without the head, or what the head adds to the logit of the
    /// answer, or to the difference of the pinned two, by itself.
    enum class Measure { Without, Direct };
    void setMeasure(Measure measure);
    Measure measure() const { return measure_; }
    /// Measures the change of the difference of these two logits.
    void setPair(const std::optional<NamedPair>& pair);
    const std::optional<NamedPair>& pair() const { return pair_; }
    /// While something more urgent is computed.
    void setPaused(bool paused);
    /// Tries the heads that are left, however long it takes.
    void start();
    void cancel();

    enum class State {
        None,    ///< the model gives no answer
        Blocked, ///< by By::Other, and the second text has another number of tokens
        Offered, ///< takes long: start() begins
        Running,
        Stopped, ///< by cancel()
        Done,
    };
    State state() const { return state_; }
    /// A worker computes, or has not noticed yet that it should not.
    bool isWorking() const { return job_.isRunning() || direct_job_.isRunning() || direct_is_due_; }
    /// The answer with all heads on.
    const std::optional<NamedOutcome>& answer() const { return answer_; }
    /// Null while it is not known.
    const HeadEffect* of(HeadIndex place) const;
    /// What the head adds by itself; nullopt while it is not known, and where more than a norm stands before the
    /// logits.
    std::optional<double> directOf(HeadIndex place) const;
    bool hasDirect() const { return !direct_.shown.empty(); }
    /// How a head that moves the answer does so: more than half of what is lost without it is what it adds itself to
    /// the logit of the answer against that of the next likeliest outcome, or of the pinned two; or later heads and
    /// layers make most of it from what this head writes.
    enum class Way { Directly, Later };
    /// nullopt while it is not known, for a head that moves nothing, and where there is no direct part.
    std::optional<Way> wayOf(HeadIndex place) const;
    /// Without the head, the logit of the answer falls against that of the next likeliest outcome; of two pinned
    /// outcomes, that of the first against the second. False while it is not known.
    bool helps(HeadIndex place) const;
    /// By measure(), 0 to 1; nullopt while it is not known.
    std::optional<double> sizeOf(HeadIndex place) const;
    /// The number of measure() that has a sign, in logits; nullopt: none.
    std::optional<double> signedOf(HeadIndex place) const;
    std::int64_t found() const { return std::ssize(effects_); }
    std::int64_t count() const { return count_; }
    /// Those that move at least this share of the answer.
    static constexpr double least_share = 0.05;
    std::int64_t matter() const;
    /// That moves the answer most, among them; nullopt: none is known.
    std::optional<HeadIndex> strongest() const;
    /// The largest HeadEffect::moved.
    double largestMove() const { return largest_move_; }
    /// The largest magnitude of HeadEffect::difference_change.
    double largestChange() const { return largest_change_; }
    /// Of the heads that are left; 0: not known. Where they are offered, a few passes are timed when typing pauses, and
    /// then every head that is tried.
    double secondsExpected() const { return pace_ ? pace_->secondsLeft() : 0.0; }

signals:
    /// Some more are known, or none any more, or state() is another.
    void changed();
    void failed(const attnlab::Message& why);

private:
    /// Filled by the worker, read by the window.
    struct Found {
        std::mutex mutex;
        std::vector<HeadEffect> effects;
        PassPace pace;
    };
    struct End {
        bool is_too_slow = false;
    };
    void startAnew();
    void run(bool however_long);
    void take();
    void finish(const End& end);
    bool isSameInput(const ModelResultPtr& other) const;
    void begin();
    void findDirect();
    void timePasses();
    model::EffectOptions effectOptions() const;
    /// What HeadEffect::margin_change is the change of.
    std::optional<model::OutcomePair> margin() const;

    ModelResultPtr result_;
    model::Ablation::By by_ = model::Ablation::By::Zero;
    std::optional<NamedPair> pair_;
    State state_ = State::None;
    bool is_paused_ = false, was_asked_ = false;
    std::optional<NamedOutcome> answer_;
    std::map<std::pair<int, int>, HeadEffect> effects_; ///< by pass and head
    std::int64_t count_ = 0;
    double largest_move_ = 0.0, largest_change_ = 0.0;
    Measure measure_ = Measure::Without;
    using ByHead = std::map<std::pair<int, int>, double>;
    struct Direct {
        ByHead shown, margin; ///< what directOf() says, and what each head adds to margin()
    };
    Direct direct_;
    std::optional<PassPace> pace_;      ///< nullopt: nothing was timed
    std::optional<std::int64_t> rival_; ///< the likeliest outcome behind answer_
    std::shared_ptr<Found> found_;
    QTimer* update_;
    QTimer* begin_; ///< until the result has been painted, which the workers would hold up
    bool direct_is_due_ = false;
    QTimer* pause_; ///< in typing, before a few passes are timed
    LatestJob<End> job_;
    LatestJob<Direct> direct_job_;
    LatestJob<PassPace> timing_job_;
};

/// The row of the logits of `result` that is the answer; nullopt: it has none.
std::optional<std::int64_t> answerRow(const ModelResult& result);
/// The likeliest outcome of that row, heads that are off included; nullopt: there is no answer.
std::optional<NamedOutcome> presentAnswer(const ModelResult& result);
/// "69%", "> 99%".
QString probabilityText(double probability);
/// Below this, the likeliest outcome is no answer.
inline constexpr double least_sure = 0.05;
/// "Mary 56%", or "unsure: x 0.8%"; a long name is cut.
QString answerText(const NamedOutcome& outcome, const QString& between = QStringLiteral(" "));
/// An outcome with the text that a reader sees.
NamedOutcome namedOutcome(const model::Model& model, const model::Result& result, std::int64_t id, double probability);

} // namespace attnlab::ui
