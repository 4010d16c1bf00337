#include "ui/model/model_session.h"

#include "ui/document/local_files.h"
#include "ui/model/model_result.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace attnlab::ui {
namespace {

/// Letters typed within this time are one request more, not a run cut short.
constexpr std::chrono::milliseconds typing_grace{120};

constexpr int most_undo_steps = 200;
const char* const first_text = "The quick brown fox jumped over the lazy dog. The quick brown";

/// A file that is part of a model's folder stands for the folder; a GGUF file is a model by itself.
std::filesystem::path modelOf(const std::filesystem::path& path) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    return is_folder || path.extension() == ".gguf" ? path : path.parent_path();
}

} // namespace

/// From one request to the next.
class ModelSession::Step : public QUndoCommand {
public:
    Step(ModelSession& session, const QString& title, ModelRequest before, ModelRequest after, int typing_run = 0)
        : QUndoCommand(title), session_(session), before_(std::move(before)), after_(std::move(after)),
          typing_run_(typing_run), editing_(session.editing_) {}

    const ModelRequest& before() const { return before_; }
    int editing() const { return editing_; }

    void undo() override {
        if (session_.joins_steps_)
            return;
        session_.typing_.end();
        session_.take(before_);
    }
    void redo() override {
        if (!session_.joins_steps_)
            session_.take(after_);
    }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto& step = dynamic_cast<const Step&>(*next);
        if (typing_run_ == 0 || step.typing_run_ != typing_run_)
            return false;
        after_ = step.after_;
        setObsolete(before_ == after_);
        return true;
    }

private:
    ModelSession& session_;
    ModelRequest before_, after_;
    int typing_run_; ///< 0: of nothing typed
    int editing_;    ///< as ModelSession::editing_
};

/// What the model is writing, until it is there: then another step takes its place.
class ModelSession::WritingStep : public QUndoCommand {
public:
    WritingStep(ModelSession& session, const QString& title) : QUndoCommand(title), session_(session) {
        session_.writing_step_ = this;
    }
    ~WritingStep() override {
        if (session_.writing_step_ == this)
            session_.writing_step_ = nullptr;
    }
    WritingStep(const WritingStep&) = delete;
    WritingStep& operator=(const WritingStep&) = delete;

    void undo() override {
        setObsolete(true);
        session_.stopWriting();
    }
    void redo() override {}

private:
    ModelSession& session_;
};

ModelSession::ModelSession(QObject* parent)
    : QObject(parent), opening_([this](const Opened& opened) { adopt(opened); }),
      running_([this](ModelResultPtr result) { adopt(std::move(result)); }, typing_grace),
      writing_([this](const WritingResult& result) { adopt(result); }) {
    // An old picture under a new text would be a wrong one. Before the reason is said: what changes takes
    // messages away.
    connect(&running_, &LatestJobBase::failed, this, [this](const Message& why) {
        failure_ = why;
        adopt(ModelResultPtr());
    });
    connect(&writing_, &LatestJobBase::failed, this, &ModelSession::keepWritten);
    connect(&writing_, &LatestJobBase::progressed, this, [this] {
        if (const auto text = draftedText())
            emit textGrows(text->text);
    });
    for (LatestJobBase* job : std::initializer_list<LatestJobBase*>{&opening_, &running_, &writing_}) {
        connect(job, &LatestJobBase::started, this, &ModelSession::runningChanged);
        connect(job, &LatestJobBase::cancelled, this, &ModelSession::runningChanged);
        connect(job, &LatestJobBase::progressed, this, &ModelSession::progressed);
        connect(job, &LatestJobBase::failed, this, &ModelSession::failed);
        connect(job, &LatestJobBase::failed, this, &ModelSession::runningChanged);
    }
    connect(this, &ModelSession::changed, this, &ModelSession::runningChanged);
    steps_.setUndoLimit(most_undo_steps);
}

void ModelSession::ask(const QString& title, const std::function<void(ModelRequest&)>& change, Field typed) {
    ModelRequest next = request_;
    change(next);
    if (next == request_)
        return;
    if (std::exchange(typed_, typed) != typed)
        typing_.end();
    const auto text = [typed](const ModelRequest& of) {
        return typed == Field::Text ? of.text : typed == Field::Other ? of.other.value_or(QString()) : of.target;
    };
    const int run = typed == Field::None ? 0 : typing_.take(changeOf(text(request_), text(next)));
    takeWritingStepAway();
    steps_.push(new Step(*this, title, request_, std::move(next), run));
    if (draft_) // the model still writes on this text
        steps_.push(new WritingStep(*this, tr("Write on")));
}

void ModelSession::beginEditing() {
    typing_.end();
    editing_ = ++editings_;
}

/// Words are steps while a text is edited. What came out of it is one, unless it is what was there before, or words
/// that were undone can still be done again.
void ModelSession::endEditing() {
    const int ended = std::exchange(editing_, 0);
    typing_.end();
    int first = steps_.index();
    const Step* earliest = nullptr;
    while (first > 0) {
        const auto* step = dynamic_cast<const Step*>(steps_.command(first - 1));
        if (!step || ended == 0 || step->editing() != ended)
            break;
        earliest = step;
        --first;
    }
    if (steps_.index() - first < 2 || steps_.canRedo() || earliest->before() == request_)
        return;
    auto joined = std::make_unique<Step>(*this, earliest->text(), earliest->before(), request_);
    joins_steps_ = true;
    while (steps_.index() > first)
        steps_.undo();
    steps_.push(joined.release());
    joins_steps_ = false;
}

void ModelSession::take(const ModelRequest& request) {
    const auto read = [](const ModelRequest& of) { return std::tie(of.text, of.target, of.image, of.sound); };
    const bool reads_other = read(request) != read(request_), compares_other = request.other != request_.other;
    if (reads_other)
        stopWriting();
    const int sequence = request_.sequence; // where the user looks
    request_ = request;
    request_.sequence = sequence;
    followOffBy();
    if (reads_other || compares_other)
        emit inputsChanged();
    run();
}

/// What replaces heads is what replaces those that are off; that of the second text needs one.
void ModelSession::followOffBy() {
    using By = model::Ablation::By;
    const By by = !request_.ablations.empty()               ? request_.ablations.front().by
                  : off_by_ == By::Other && !request_.other ? By::Zero
                                                            : off_by_;
    if (std::exchange(off_by_, by) != by)
        emit offByChanged();
}

void ModelSession::open(const QString& path, const QString& text) {
    opening_.request([path = modelOf(toPath(path)), text](const RunControl& control) {
        return Opened{std::make_shared<const model::Model>(model::Model::open(path, control)), path, text};
    });
}

void ModelSession::open(const CapturePtr& capture, const QString& path) {
    opening_.cancel();
    stopWriting();
    running_.cancel(); // its result is of the model that goes
    steps_.clear();
    model_.reset();
    capture_ = capture;
    path_ = path;
    request_.ablations.clear();
    request_.sequence = std::clamp(request_.sequence, 0, std::max(0, sequencesOf(*capture) - 1));
    if (result_ && !result_->capture)
        result_.reset();
    emit opened();
    emit changed();
    run();
}

void ModelSession::adopt(const Opened& opened) {
    running_.cancel();
    stopWriting();
    steps_.clear();
    request_.written.reset();
    capture_.reset();
    const bool first = request_.text.isEmpty() && !model_;
    model_ = opened.model;
    path_ = fromPath(opened.path);
    std::error_code error;
    folder_ = std::filesystem::is_directory(opened.path, error) ? opened.path : opened.path.parent_path();
    result_.reset();
    size_ = other_size_ = {};
    request_.ablations.clear();
    const bool reads_words = model_->tokenizer() != nullptr;
    const bool other_kind = reads_words != reads_words_;
    if (other_kind) {
        std::swap(request_.text, kept_text_);
        std::swap(request_.other, kept_other_);
        reads_words_ = reads_words;
    }
    if (request_.text.isEmpty() && (first || other_kind))
        request_.text = reads_words ? QString::fromLatin1(first_text) : QStringLiteral("1, 2, 3, 4");
    if (!opened.text.isEmpty())
        request_.text = opened.text;
    followOffBy();
    emit this->opened();
    emit changed();
    run();
}

void ModelSession::adopt(ModelResultPtr result) {
    size_ = result ? result->size : TextSize();
    other_size_ = result ? result->other_size : TextSize();
    if (isTooLong()) {
        is_outdated_ = true;
    } else {
        result_ = std::move(result);
        is_outdated_ = running_.isRunning(); // with another request
    }
    emit changed();
    if (!why_stopped_.isEmpty() && !is_outdated_)
        emit writingStopped(std::exchange(why_stopped_, {}));
}

void ModelSession::close() {
    opening_.cancel();
    running_.cancel();
    stopWriting();
    steps_.clear();
    request_.written.reset();
    model_.reset();
    capture_.reset();
    path_.clear();
    result_.reset();
    request_.ablations.clear();
    emit changed();
}

void ModelSession::setText(const QString& text) {
    ask(
        tr("Edit text"),
        [&](ModelRequest& next) {
            if (next.text == text)
                return;
            next.text = text;
            if (model_ && !model_->description().encoder)
                next.written.reset();
        },
        Field::Text);
}

void ModelSession::startAgain(const QString& text) {
    opening_.cancel();
    ask(tr("Sample model"), [&](ModelRequest& next) {
        next.text = text;
        next.other.reset();
        next.ablations.clear();
        next.written.reset();
    });
}

void ModelSession::append(std::int64_t token) {
    if (model_ && result_ && !is_outdated_ && !isRunning())
        writeOn({.chosen = token});
}

void ModelSession::writeOn(const WritingRequest& writing) {
    if (!model_ || !hasInput() || writing_step_)
        return;
    steps_.push(new WritingStep(*this, tr("Write on")));
    draft_ = std::make_shared<Draft>();
    writing_.request([opened = model_, folder = folder_, request = request_, before = result_, writing,
                      draft = draft_](const RunControl& control) {
        return ui::writeOn(opened, folder, request, writing, before, control, [&](const WrittenText& text) {
            const std::scoped_lock lock(draft->mutex);
            draft->text = text;
        });
    });
}

void ModelSession::adopt(const WritingResult& result) {
    using Stop = model::Written::Stop;
    const QString why = result.stop == Stop::End
                            ? tr("The model ended the text after %n tokens", nullptr, static_cast<int>(result.count))
                        : result.stop == Stop::Longest
                            ? tr("The model reads no more than these %1 tokens").arg(result.text.ids.size())
                            : QString();
    if (result.count > 0) {
        adopt(result.text);
        why_stopped_ = why;
        return;
    }
    takeWritingStepAway();
    stopWriting();
    emit runningChanged();
    if (!why.isEmpty())
        emit writingStopped(why);
}

void ModelSession::adopt(const WrittenText& text) {
    draft_.reset();
    ask(tr("Write on"), [&](ModelRequest& next) {
        (model_->description().encoder ? next.target : next.text) = text.text;
        next.written = text;
    });
}

std::optional<WrittenText> ModelSession::draftedText() const {
    if (!draft_)
        return std::nullopt;
    const std::scoped_lock lock(draft_->mutex);
    return draft_->text;
}

/// What is being written is of a text that is there no more.
void ModelSession::stopWriting() {
    draft_.reset();
    why_stopped_.clear();
    writing_.cancel();
}

/// Ends the writing; what is written is a step.
void ModelSession::keepWritten() {
    const auto text = draftedText();
    takeWritingStepAway();
    stopWriting();
    if (text)
        adopt(*text);
}

void ModelSession::takeWritingStepAway() {
    if (!writing_step_)
        return;
    writing_step_->setObsolete(true);
    steps_.undo(); // deletes it
}

void ModelSession::setOther(const std::optional<QString>& text) {
    const bool goes_on = text && request_.other;
    ask(
        goes_on ? tr("Edit second text")
        : text  ? tr("Compare texts")
                : tr("End comparison"),
        [&](ModelRequest& next) {
            next.other = text;
            for (auto& ablation : next.ablations)
                if (!text && ablation.by == model::Ablation::By::Other)
                    ablation.by = model::Ablation::By::Zero;
        },
        goes_on ? Field::Other : Field::None);
}

void ModelSession::setTarget(const QString& target) {
    ask(
        tr("Edit text of the decoder"),
        [&](ModelRequest& next) {
            if (next.target == target)
                return;
            next.target = target;
            next.written.reset();
        },
        Field::Target);
}

void ModelSession::setImage(const QString& file) {
    if (file == request_.image) // its pixels may be others
        return run();
    ask(file.isEmpty() ? tr("Without the image") : tr("Choose an image"), [&](ModelRequest& next) {
        next.image = file;
        if (model_ && model_->description().image_tokens) // its tokens stand among those of the text
            next.written.reset();
    });
}

void ModelSession::setSound(const QString& file) {
    if (file == request_.sound)
        return run();
    ask(tr("Choose a sound"), [&](ModelRequest& next) {
        next.sound = file;
        next.written.reset();
    });
}

void ModelSession::setSequence(int sequence) {
    request_.sequence = sequence;
    run();
}

void ModelSession::toggle(HeadIndex head) {
    if (!model_ || !result_)
        return;
    const std::string& pass = result_->heads(head).name;
    const auto is_it = [&](const model::Ablation& other) { return other.pass == pass && other.head == head.head; };
    const bool is_off = std::ranges::any_of(request_.ablations, is_it);
    ask((is_off ? tr("Head on (%1)") : tr("Head off (%1)")).arg(headTitle(*result_, head)), [&](ModelRequest& next) {
        if (is_off)
            std::erase_if(next.ablations, is_it);
        else
            next.ablations.push_back({pass, head.head, off_by_});
    });
}

void ModelSession::setOffBy(model::Ablation::By by) {
    if (by == off_by_ || (by == model::Ablation::By::Other && !request_.other))
        return;
    if (request_.ablations.empty()) {
        off_by_ = by;
        emit offByChanged();
        return;
    }
    ask(tr("Replace what is off"), [by](ModelRequest& next) {
        for (auto& ablation : next.ablations)
            ablation.by = by;
    });
}

void ModelSession::setArithmetic(model::Arithmetic arithmetic) {
    if (!model_ || model_->description().arithmetic == arithmetic)
        return;
    model_ = std::make_shared<const model::Model>(model_->in(arithmetic));
    run();
    emit arithmeticChanged();
}

void ModelSession::clearAblations() {
    ask(tr("All heads on"), [](ModelRequest& next) { next.ablations.clear(); });
}

void ModelSession::cancel() {
    opening_.cancel();
    running_.cancel();
    if (writing_step_)
        keepWritten();
}

bool ModelSession::hasInput() const {
    if (!model_)
        return capture_ != nullptr;
    const auto& embedding = model_->description().first().embedding;
    return !(embedding.patches ? request_.image : embedding.frames ? request_.sound : request_.text).isEmpty();
}

void ModelSession::run() {
    failure_.reset();
    if (capture_) {
        is_outdated_ = true;
        running_.request([capture = capture_, sequence = request_.sequence](const RunControl& control) {
            return computeCapture(capture, sequence, control);
        });
        return;
    }
    if (!hasInput()) {
        running_.cancel();
        result_.reset();
        size_ = other_size_ = {};
        is_outdated_ = false;
        emit changed();
        return;
    }
    is_outdated_ = true;
    running_.request([opened = model_, folder = folder_, request = request_, before = result_](
                         const RunControl& control) { return computeModel(opened, folder, request, before, control); });
}

} // namespace attnlab::ui
