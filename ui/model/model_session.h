// A model or a capture that is open, and its latest result.
#pragma once

#include "core/attention.h"
#include "core/message.h"
#include "ui/model/model_result.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/typed_text.h"

#include <QObject>
#include <QUndoStack>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace attnlab::ui {

/// Opens and runs models in a worker thread; only the latest request counts. Lives longer than the page that shows it.
class ModelSession : public QObject {
    Q_OBJECT
public:
    explicit ModelSession(QObject* parent = nullptr);

    /// A folder, or a file in one. The model that is open stays until the new one is, which then reads `text`; empty:
    /// the text, or the token ids, that were there for the model before that read such.
    void open(const QString& path, const QString& text = {});
    /// Shows what was recorded, in the place of a model.
    void open(const CapturePtr& capture, const QString& path);
    void close();
    const ModelPtr& model() const { return model_; }
    const CapturePtr& capture() const { return capture_; }
    bool isOpen() const { return model_ || capture_; }
    /// The path of the open model or capture; empty without one.
    QString path() const { return path_; }

    const ModelRequest& request() const { return request_; }
    /// A step for each change of the request, but for setSequence(); letters of a word are typed in one. Another model
    /// begins without steps.
    QUndoStack* undoStack() { return &steps_; }
    /// The user edits a text: what is typed until the end becomes one step then.
    void beginEditing();
    void endEditing();
    void setText(const QString& text);
    /// The text as if the model were opened for it: no second text, and no head off. One step.
    void startAgain(const QString& text);
    /// nullopt: no second text.
    void setOther(const std::optional<QString>& text);
    void setTarget(const QString& target);
    void setImage(const QString& file);
    void setSound(const QString& file);
    /// Takes this token as the next one. Does nothing while the result is outdated.
    void append(std::int64_t token);
    /// Lets the model write on in the background: the likeliest tokens, or drawn ones. Meanwhile this is the latest
    /// step, whose undo stops the model; cancel() keeps what is written. Does nothing while the model writes.
    void writeOn(const WritingRequest& writing);
    bool isWriting() const { return writing_.isRunning(); }
    /// Chooses a sequence of a capture's batch.
    void setSequence(int sequence);
    /// Switches a head of the result off, or on again. Does nothing without a result.
    void toggle(HeadIndex head);
    void clearAblations();
    /// Sets what replaces the output of switched-off heads, also of those already off. By::Other: that of the second
    /// text; without one it becomes By::Zero.
    void setOffBy(model::Ablation::By by);
    model::Ablation::By offBy() const { return off_by_; }
    /// What the products of the open model are computed in; a model that is opened begins in float32.
    void setArithmetic(model::Arithmetic arithmetic);

    /// The latest; null before the first.
    const ModelResultPtr& result() const { return result_; }
    bool isRunning() const { return opening_.isRunning() || running_.isRunning() || writing_.isRunning(); }
    /// The result is not of the request: it is being computed, or was cancelled.
    bool isOutdated() const { return is_outdated_; }
    /// Of the request, once it has been read; the second is that of the second text.
    const TextSize& size() const { return size_; }
    const TextSize& otherSize() const { return other_size_; }
    /// The result stays that of the request before.
    bool isTooLong() const { return size_.isTooLong() || other_size_.isTooLong(); }
    /// Why the latest run has no result.
    const std::optional<Message>& failure() const { return failure_; }
    void cancel();
    /// The queries, keys and values that the workspace got from a model last.
    void setTakenNumbers(const TensorMap& numbers) { taken_numbers_ = numbers; }
    const TensorMap& takenNumbers() const { return taken_numbers_; }
    /// Computes after all what was cancelled.
    void runAgain() { run(); }

    /// False where a run lacks what it reads: a text, an image, a sound.
    bool hasInput() const;

signals:
    void opened();
    void arithmeticChanged();
    void offByChanged();
    /// Another text, image or sound is to be read: by append(), writeOn() or an undo step, or an input was chosen.
    void inputsChanged();
    /// There is another result, or none any more.
    void changed();
    /// The progress of the current request, 0 to 1.
    void progressed(double fraction);
    void runningChanged();
    void failed(const attnlab::Message& why);
    /// So far, while the model writes on.
    void textGrows(const QString& text);
    /// Why the model wrote fewer tokens than it was asked for; once their result is there, which takes messages away.
    void writingStopped(const QString& why);

private:
    struct Opened {
        ModelPtr model;
        std::filesystem::path path;
        QString text;
    };
    class Step;
    class WritingStep;
    enum class Field { None, Text, Other, Target };
    void run();
    /// Changes the request by an undo step. Changes of one `field` share it while they are one run of typing.
    void ask(const QString& title, const std::function<void(ModelRequest&)>& change, Field typed = Field::None);
    void take(const ModelRequest& request);
    void followOffBy();
    void adopt(const Opened& opened);
    void adopt(ModelResultPtr result);
    void adopt(const WritingResult& result);
    void adopt(const WrittenText& text);
    void stopWriting();
    void keepWritten();
    void takeWritingStepAway();
    std::optional<WrittenText> draftedText() const;

    ModelPtr model_;
    CapturePtr capture_;
    QString path_;
    std::filesystem::path folder_;
    ModelRequest request_;
    WritingStep* writing_step_ = nullptr; ///< the latest of steps_ while the model writes
    QUndoStack steps_;
    TypingRun typing_;
    int editing_ = 0, editings_ = 0; ///< the editing of a text that goes on, 0: none; and how many there were
    bool joins_steps_ = false;       ///< steps change nothing meanwhile
    Field typed_ = Field::None;      ///< the field of the latest letters
    /// Token ids while the model reads words, and words while it reads ids, an image or a sound: for the next model.
    QString kept_text_;
    std::optional<QString> kept_other_;
    bool reads_words_ = true;
    model::Ablation::By off_by_ = model::Ablation::By::Zero;
    ModelResultPtr result_;
    bool is_outdated_ = false;
    TextSize size_, other_size_;
    std::optional<Message> failure_;
    TensorMap taken_numbers_; ///< share the storage of the document's
    LatestJob<Opened> opening_;
    LatestJob<ModelResultPtr> running_;
    /// What a worker has written so far.
    struct Draft {
        std::mutex mutex;
        std::optional<WrittenText> text;
    };
    std::shared_ptr<Draft> draft_;
    QString why_stopped_; ///< until the result of what was written is there
    LatestJob<WritingResult> writing_;
};

} // namespace attnlab::ui
