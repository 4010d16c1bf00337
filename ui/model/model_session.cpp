#include "ui/model/model_session.h"

#include "ui/document/local_files.h"
#include "ui/model/model_result.h"

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Letters typed within this time are one request more, not a run cut short.
constexpr std::chrono::milliseconds typing_grace{120};

const char* const first_text = "The quick brown fox jumped over the lazy dog. The quick brown";

/// A file that is part of a model's folder stands for the folder; a GGUF file is a model by itself.
std::filesystem::path modelOf(const std::filesystem::path& path) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    return is_folder || path.extension() == ".gguf" ? path : path.parent_path();
}

} // namespace

ModelSession::ModelSession(QObject* parent)
    : QObject(parent), opening_([this](const Opened& opened) { adopt(opened); }),
      running_([this](ModelResultPtr result) { adopt(std::move(result)); }, typing_grace),
      writing_([this](const WritingResult& result) {
          adopt(result.text);
          if (result.stop == model::Written::Stop::End)
              emit writingStopped(
                  tr("The model ended the text after %n tokens", nullptr, static_cast<int>(result.count)));
          else if (result.stop == model::Written::Stop::Longest)
              emit writingStopped(tr("The model reads no more than these %1 tokens").arg(result.text.ids.size()));
      }) {
    // An old picture under a new text would be a wrong one. Before the reason is said: what changes takes
    // messages away.
    connect(&running_, &LatestJobBase::failed, this, [this](const Message& why) {
        failure_ = why;
        adopt(ModelResultPtr());
    });
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
    if (off_by_ == model::Ablation::By::Other && !request_.other)
        replaceBy(model::Ablation::By::Zero);
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
}

void ModelSession::close() {
    opening_.cancel();
    running_.cancel();
    stopWriting();
    request_.written.reset();
    model_.reset();
    capture_.reset();
    path_.clear();
    result_.reset();
    request_.ablations.clear();
    emit changed();
}

void ModelSession::setText(const QString& text) {
    if (text == request_.text)
        return;
    stopWriting();
    request_.text = text;
    if (model_ && !model_->description().encoder)
        request_.written.reset();
    run();
}

void ModelSession::append(std::int64_t token) {
    if (model_ && result_ && !is_outdated_ && !isRunning())
        writeOn({.chosen = token});
}

void ModelSession::writeOn(const WritingRequest& writing) {
    if (!model_ || !hasInput())
        return;
    draft_ = std::make_shared<Draft>();
    writing_.request([opened = model_, folder = folder_, request = request_, before = result_, writing,
                      draft = draft_](const RunControl& control) {
        return ui::writeOn(opened, folder, request, writing, before, control, [&](const WrittenText& text) {
            const std::scoped_lock lock(draft->mutex);
            draft->text = text;
        });
    });
}

void ModelSession::adopt(const WrittenText& text) {
    draft_.reset();
    if (model_->description().encoder)
        request_.target = text.text;
    else
        request_.text = text.text;
    request_.written = text;
    emit textWritten();
    run();
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
    writing_.cancel();
}

void ModelSession::setOther(const std::optional<QString>& text) {
    if (text == request_.other)
        return;
    request_.other = text;
    if (!text && off_by_ == model::Ablation::By::Other)
        replaceBy(model::Ablation::By::Zero);
    run();
}

void ModelSession::setTarget(const QString& target) {
    if (target == request_.target)
        return;
    stopWriting();
    request_.target = target;
    request_.written.reset();
    run();
}

void ModelSession::setImage(const QString& file) {
    stopWriting();
    request_.image = file;
    if (model_ && model_->description().image_tokens) // its tokens stand among those of the text
        request_.written.reset();
    emit imageChanged();
    run();
}

void ModelSession::setSound(const QString& file) {
    stopWriting();
    request_.sound = file;
    request_.written.reset();
    run();
}

void ModelSession::setSequence(int sequence) {
    request_.sequence = sequence;
    run();
}

void ModelSession::toggle(const std::string& pass, int head) {
    if (!model_)
        return;
    auto& off = request_.ablations;
    const auto found = std::find_if(
        off.begin(), off.end(), [&](const model::Ablation& other) { return other.pass == pass && other.head == head; });
    if (found == off.end())
        off.push_back({pass, head, off_by_});
    else
        off.erase(found);
    run();
}

void ModelSession::setOffBy(model::Ablation::By by) {
    if (by == off_by_ || (by == model::Ablation::By::Other && !request_.other))
        return;
    replaceBy(by);
    if (!request_.ablations.empty())
        run();
}

void ModelSession::replaceBy(model::Ablation::By by) {
    off_by_ = by;
    for (auto& ablation : request_.ablations)
        ablation.by = by;
    emit offByChanged();
}

void ModelSession::setArithmetic(model::Arithmetic arithmetic) {
    if (!model_ || model_->description().arithmetic == arithmetic)
        return;
    model_ = std::make_shared<const model::Model>(model_->in(arithmetic));
    run();
    emit arithmeticChanged();
}

void ModelSession::clearAblations() {
    request_.ablations.clear();
    run();
}

void ModelSession::cancel() {
    opening_.cancel();
    running_.cancel();
    if (!writing_.isRunning())
        return;
    const auto text = draftedText();
    stopWriting();
    if (text)
        adopt(*text);
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
