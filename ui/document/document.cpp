#include "ui/document/document.h"

#include "core/edit/painted_mask.h"
#include "core/input_seed.h"
#include "core/inputs.h"
#include "ui/document/file_name.h"
#include "ui/document/option_words.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace attnlab::ui {

/// Undo and redo are the same exchange of two problems; tensors share storage, so both are cheap to store.
class ProblemEdit : public QUndoCommand {
public:
    enum class Weight { Light, Normal };

    ProblemEdit(Document& document, const QString& text, AttentionProblem next, int gesture, Weight weight,
                std::optional<Document::Origin> origin = {})
        : QUndoCommand(text), document_(document), other_(std::move(next)), origin_(std::move(origin)),
          gesture_(gesture), weight_(weight) {}

    Weight weight() const { return weight_; }
    /// Puts another document in the place of the present one.
    bool replaces() const { return origin_.has_value(); }
    /// Of an executed step that replaces: the document that it has replaced.
    Document::Work replaced() const { return {other_, *origin_}; }

    void redo() override {
        if (origin_)
            document_.exchange(*origin_);
        document_.exchange(other_);
    }
    void undo() override { redo(); }

    int id() const override { return gesture_ == 0 ? -1 : gesture_; }
    bool mergeWith(const QUndoCommand* later) override {
        // `later` has been executed: the document holds its result and it holds ours. The problem that we replaced
        // stays in other_.
        if (later->id() != id())
            return false;
        setObsolete(!origin_ && other_ == document_.problem());
        setText(later->text());
        return true;
    }

private:
    Document& document_;
    AttentionProblem other_;
    std::optional<Document::Origin> origin_;
    int gesture_;
    Weight weight_;
};

Document::Document(QObject* parent) : QObject(parent) {
    setArgumentWords(&OptionWords::of); // every window has a document
    undo_stack_.setUndoLimit(500);
    connect(&undo_stack_, &QUndoStack::cleanChanged, this, &Document::followModified);
    connect(&undo_stack_, &QUndoStack::indexChanged, this, &Document::followSteps);
}

Document::~Document() {
    // ~QUndoStack emits cleanChanged; disconnect first, since receivers would use the document.
    undo_stack_.disconnect();
}

void Document::edit(const QString& text, AttentionProblem next, int gesture) {
    // A painted mask is adapted to changed sizes in the same step.
    painted_mask::follow_sizes(next);
    if (next != problem_)
        undo_stack_.push(new ProblemEdit(*this, text, std::move(next), gesture, ProblemEdit::Weight::Normal));
}

void Document::editLightly(const QString& text, AttentionProblem next) {
    if (next != problem_)
        undo_stack_.push(new ProblemEdit(*this, text, std::move(next), 0, ProblemEdit::Weight::Light));
}

void Document::replace(const QString& text, AttentionProblem next, const QString& title,
                       std::vector<ArrayRemark> remarks, int gesture, OpenedFrom files) {
    painted_mask::follow_sizes(next);
    if (next == problem_ && title == this->title())
        return;
    undo_stack_.push(new ProblemEdit(*this, text, std::move(next), gesture, ProblemEdit::Weight::Light,
                                     Origin{{}, {}, title, std::move(remarks), std::move(files)}));
}

bool Document::isModified() const {
    if (undo_stack_.isClean())
        return false;
    const int clean = undo_stack_.cleanIndex();
    if (!origin_.path.isEmpty() || clean < 0)
        return true;
    const auto [first, end] = std::minmax({clean, undo_stack_.index()});
    for (int i = first; i < end; ++i)
        if (stepAt(i).weight() == ProblemEdit::Weight::Normal)
            return true;
    return false;
}

QStringList Document::unsavedSteps() const {
    QStringList steps;
    const int clean = undo_stack_.cleanIndex();
    for (int i = undo_stack_.index() - 1; clean >= 0 && i >= clean && !stepAt(i).replaces(); --i)
        steps << undo_stack_.text(i);
    return steps;
}

std::vector<int> Document::unsavedWorks() const {
    std::vector<int> works;
    const int clean = undo_stack_.cleanIndex();
    bool has_work = clean < 0; // restored, or saved in a step that is no longer there
    for (int i = std::max(0, clean); i < undo_stack_.index(); ++i) {
        if (!stepAt(i).replaces())
            has_work = has_work || stepAt(i).weight() == ProblemEdit::Weight::Normal;
        else if (std::exchange(has_work, false))
            works.push_back(i);
    }
    if (has_work || (works.empty() && isModified()))
        works.push_back(undo_stack_.index());
    std::ranges::reverse(works);
    return works;
}

Document::Work Document::unsavedWork() const {
    const int work = unsavedWorks().front();
    return work < undo_stack_.index() ? stepAt(work).replaced() : Work{problem_, origin_};
}

const ProblemEdit& Document::stepAt(int index) const {
    return static_cast<const ProblemEdit&>(*undo_stack_.command(index));
}

/// Receivers find the problem, the steps and isModified() in agreement, and hear once of several steps at a time.
void Document::followSteps() {
    if (std::exchange(origin_exchanged_, false)) {
        was_modified_ = isModified();
        emit remarksChanged();
        emit titleChanged();
    }
    if (std::exchange(problem_exchanged_, false))
        emit problemChanged(problem_);
    followModified();
}

void Document::followModified() {
    if (std::exchange(was_modified_, isModified()) != was_modified_)
        emit titleChanged();
}

int Document::newGesture() {
    static int last = 0;
    return ++last;
}

void Document::setTensor(const QString& name, Tensor tensor, const QString& text, int gesture) {
    auto next = problem_;
    next.tensors.insert_or_assign(name.toStdString(), std::move(tensor));
    edit(text, std::move(next), gesture);
}

void Document::setSpec(AttentionSpec spec, const QString& text, int gesture) {
    auto next = problem_;
    next.spec = std::move(spec);
    edit(text, std::move(next), gesture);
}

void Document::setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture) {
    auto next = problem_;
    const bool other_variant = spec.variant != problem_.spec.variant;
    next.spec = std::move(spec);
    try {
        complete_inputs(next, input_seed, other_variant);
    } catch (const Error&) {
        // The choice is stored; the run reports the contradiction.
    }
    edit(text, std::move(next), gesture);
}

void Document::reset(AttentionProblem problem, const QString& path, const QString& title,
                     const std::optional<io::FileStamp>& stamp, OpenedFrom files) {
    problem_ = std::move(problem);
    origin_.path = path;
    origin_.stamp = stamp;
    origin_.title = title;
    origin_.files = std::move(files);
    undo_stack_.clear();
    setRemarks({});
    emit problemChanged(problem_);
    emit titleChanged();
}

void Document::setRemarks(std::vector<ArrayRemark> remarks) {
    origin_.remarks = std::move(remarks);
    emit remarksChanged();
}

QString Document::titleOf(const Origin& origin) {
    if (!origin.path.isEmpty())
        return shownFileName(origin.path);
    if (origin.title.isEmpty())
        return tr("Untitled");
    return QCoreApplication::translate("Samples", origin.title.toUtf8().constData());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): its tensors are moved from
void Document::setSaved(const QString& path, const std::optional<io::FileStamp>& stamp, TensorMap moved) {
    origin_.path = path;
    origin_.stamp = stamp;
    for (auto& [name, tensor] : moved)
        problem_.tensors.insert_or_assign(name, std::move(tensor));
    undo_stack_.setClean();
    emit titleChanged();
    if (!moved.empty())
        emit problemChanged(problem_);
}

void Document::exchange(Origin& other) {
    std::swap(origin_, other);
    origin_exchanged_ = true;
}

void Document::exchange(AttentionProblem& other) {
    std::swap(problem_, other);
    // File-backed numbers can be read again, so steps do not keep copies that a computation loaded.
    for (auto& [name, tensor] : other.tensors) {
        const auto present = problem_.tensors.find(name);
        const bool shared = present != problem_.tensors.end() && present->second.shares_storage_with(tensor);
        if (!shared && tensor.source() && tensor.in_memory())
            tensor = Tensor::from(tensor.shape(), tensor.source(), tensor.dtype());
    }
    problem_exchanged_ = true;
}

} // namespace attnlab::ui
