#include "ui/document/document.h"

#include "core/compare.h"
#include "core/edit/painted_mask.h"
#include "core/inputs.h"
#include "ui/document/array_remarks.h"
#include "ui/document/local_files.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <QCoreApplication>
#include <QUndoCommand>
#include <unordered_set>
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
    /// Takes over `step`, which a stack owns.
    explicit ProblemEdit(ProblemEdit& step)
        : ProblemEdit(step.document_, step.text(), std::move(step.other_), step.gesture_, step.weight_,
                      std::move(step.origin_)) {
        follows_work_ = step.follows_work_;
    }

    Weight weight() const { return weight_; }
    /// Puts another document in the place of the present one.
    bool replaces() const { return origin_.has_value(); }
    /// Of an executed step that replaces: the document that it has replaced.
    Document::Work replaced() const { return {other_, *origin_}; }
    const Document::Origin& replacedOrigin() const { return *origin_; }

    /// The problem that the step would bring back.
    AttentionProblem& other() { return other_; }
    /// True when the document before this step has unsaved normal steps that the stack no longer shows.
    bool followsWork() const { return follows_work_; }
    void setFollowsWork(bool follows) { follows_work_ = follows; }

    void redo() override {
        if (document_.rebuilding_)
            return;
        if (origin_)
            document_.exchange(*origin_);
        document_.exchange(other_);
    }
    void undo() override { redo(); }

    int id() const override { return gesture_ == 0 ? -1 : gesture_; }
    bool mergeWith(const QUndoCommand* later) override {
        // `later` has been executed: the document holds its result and it holds ours. The problem that we replaced
        // stays in other_.
        if (later->id() != id() || document_.rebuilding_)
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
    bool follows_work_ = false;
};

namespace {

/// Adds up the memory of undo steps; what they share counts once, and what the present document has does not count.
class MemoryCount {
public:
    MemoryCount(const AttentionProblem& problem, const OpenedFrom& files) : last_(&problem) {
        add(problem);
        add(files);
    }

    /// The bytes of what earlier steps do not have. It is quick where `step` shares with the last one.
    std::size_t add(ProblemEdit& step) {
        return add(step.other()) + (step.replaces() ? add(step.replacedOrigin().files) : 0);
    }

private:
    std::size_t add(const AttentionProblem& problem) {
        constexpr std::size_t token = 64; // about as much as its text takes
        std::size_t bytes = (problem.query_tokens.size() + problem.key_tokens.size()) * token;
        for (const auto& [name, tensor] : problem.tensors) {
            const auto seen = last_->tensors.find(name);
            bytes += add(tensor, last_ == &problem || seen == last_->tensors.end() ? nullptr : &seen->second);
        }
        last_ = &problem;
        return bytes;
    }
    /// The arrays of files, from which others may be chosen.
    std::size_t add(const OpenedFrom& files) {
        std::size_t bytes = 0;
        if (files.contents)
            for (const auto& array : files.contents->arrays)
                bytes += add(array.tensor, nullptr);
        return bytes;
    }
    std::size_t add(const Tensor& tensor, const Tensor* seen) {
        std::size_t bytes = 0;
        tensor.each_allocation(
            [&](const void* identity, std::size_t size) {
                const bool is_new = seen_.insert(identity).second;
                bytes += is_new ? size : 0;
                return is_new;
            },
            seen);
        return bytes;
    }

    std::unordered_set<const void*> seen_;
    const AttentionProblem* last_;
};

} // namespace

Document::Document(QObject* parent) : QObject(parent) {
    setArgumentWords(&OptionNames::of); // every window has a document
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
        push(text, std::move(next), gesture, false);
}

void Document::editWithoutModifying(const QString& text, AttentionProblem next) {
    if (next != problem_)
        push(text, std::move(next), 0, true);
}

void Document::replace(const QString& text, AttentionProblem next, const QString& title,
                       std::vector<ArrayRemark> remarks, int gesture, OpenedFrom files) {
    painted_mask::follow_sizes(next);
    if (next == problem_ && title == this->title())
        return;
    push(text, std::move(next), gesture, true, Origin{{}, {}, title, std::move(remarks), std::move(files)});
}

void Document::push(const QString& text, AttentionProblem next, int gesture, bool light, std::optional<Origin> origin) {
    shareNumbers(next);
    undo_stack_.push(new ProblemEdit(*this, text, std::move(next), gesture,
                                     light ? ProblemEdit::Weight::Light : ProblemEdit::Weight::Normal,
                                     std::move(origin)));
    dropOldSteps();
}

/// Large tensors of the present problem and of `next` come to share what is equal.
void Document::shareNumbers(AttentionProblem& next) {
    for (auto& [name, tensor] : next.tensors) {
        const auto found = problem_.tensors.find(name);
        if (found == problem_.tensors.end())
            continue;
        const Tensor before = found->second;
        Tensor::share_chunks(found->second, tensor);
        if (found->second.shares_storage_with(before))
            continue;
        for (int i = 0; i < undo_stack_.count(); ++i) // steps that shared it still do
            if (const auto same = stepAt(i).other().tensors.find(name);
                same != stepAt(i).other().tensors.end() && same->second.shares_storage_with(before))
                same->second = found->second.reshaped(same->second.shape()).with_dtype(same->second.dtype());
    }
}

void Document::setUndoBytes(std::size_t bytes) {
    undo_bytes_ = bytes;
    dropOldSteps();
}

std::size_t Document::usedUndoBytes() const {
    MemoryCount memory(problem_, origin_.files);
    std::size_t bytes = 0;
    for (int i = undo_stack_.count() - 1; i >= 0; --i)
        bytes += memory.add(stepAt(i));
    return bytes;
}

void Document::dropOldSteps() {
    const int count = undo_stack_.count();
    for (int i = 0; i < count; ++i)
        for (auto& [name, tensor] : stepAt(i).other().tensors)
            tensor = tensor.released();
    MemoryCount memory(problem_, origin_.files);
    int first = count; // of the steps to keep
    for (std::size_t bytes = 0; first > 0 && count - first < most_steps; --first) {
        bytes += memory.add(stepAt(first - 1));
        if (bytes > undo_bytes_)
            break;
    }
    first = std::min(first, std::max(0, undo_stack_.index() - 1)); // the newest can always be undone
    if (first == 0)
        return;

    std::vector<int> kept = unsavedWorks();
    std::erase_if(kept, [first](int work) { return work >= first; });
    if (static_cast<int>(kept.size()) == first)
        return;
    std::ranges::sort(kept);
    const int works = static_cast<int>(kept.size());
    kept.resize(kept.size() + static_cast<std::size_t>(count - first));
    std::iota(kept.begin() + works, kept.end(), first);

    int clean = undo_stack_.cleanIndex();
    if (clean >= first)
        clean += works - first;
    else if (clean >= 0)
        clean = isLightSince(clean, first) ? works : -1;
    keepSteps(kept, clean);
}

/// True where isModified() is false at step `end` although it was clean at `clean`.
bool Document::isLightSince(int clean, int end) const {
    for (int i = clean; i < end; ++i)
        if (stepAt(i).weight() == ProblemEdit::Weight::Normal)
            return false;
    for (int i = end; i < undo_stack_.count(); ++i)
        if (stepAt(i).replaces())
            return i < undo_stack_.index() ? stepAt(i).replacedOrigin().path.isEmpty() : origin_.path.isEmpty();
    return origin_.path.isEmpty();
}

/// QUndoStack only drops steps beyond a count, so it is filled anew with those of these indices, in order. The saved
/// state is then at step `clean`; -1: nowhere.
void Document::keepSteps(const std::vector<int>& kept, int clean) {
    const auto unsaved = unsavedUpTo(undo_stack_.count());
    std::vector<std::unique_ptr<ProblemEdit>> steps;
    int index = 0, next = 0;
    for (const int at : kept) {
        index += at < undo_stack_.index() ? 1 : 0;
        steps.push_back(std::make_unique<ProblemEdit>(stepAt(at)));
        if (at != std::exchange(next, at + 1)) // steps before it are dropped
            steps.back()->setFollowsWork(unsaved[static_cast<std::size_t>(at)]);
    }
    // Neither the problem nor what can be undone and redone changes, so nobody need hear of it.
    const QSignalBlocker blocker(undo_stack_);
    rebuilding_ = true;
    undo_stack_.clear();
    for (auto& step : steps) {
        if (undo_stack_.index() == clean)
            undo_stack_.setClean();
        undo_stack_.push(step.release());
    }
    if (undo_stack_.index() == clean)
        undo_stack_.setClean();
    else if (clean < 0)
        undo_stack_.resetClean();
    undo_stack_.setIndex(index);
    rebuilding_ = false;
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

/// For each index up to `end`: whether the document there has unsaved normal steps, its own or dropped ones.
std::vector<bool> Document::unsavedUpTo(int end) const {
    std::vector<bool> unsaved;
    const int clean = undo_stack_.cleanIndex();
    bool has_work = clean < 0; // restored, or saved in a step that is no longer there
    for (int i = 0; i <= end; ++i) {
        const auto* step = i < undo_stack_.count() ? &stepAt(i) : nullptr;
        has_work = i != clean && (has_work || (step && step->followsWork()));
        unsaved.push_back(has_work);
        if (step)
            has_work = !step->replaces() && (has_work || (step->weight() == ProblemEdit::Weight::Normal && i >= clean));
    }
    return unsaved;
}

std::vector<int> Document::unsavedWorks() const {
    std::vector<int> works;
    const int index = undo_stack_.index();
    const auto unsaved = unsavedUpTo(index);
    for (int i = 0; i < index; ++i)
        if (stepAt(i).replaces() && unsaved[static_cast<std::size_t>(i)])
            works.push_back(i);
    if (unsaved.back() || (isModified() && (works.empty() || index < undo_stack_.cleanIndex())))
        works.push_back(index);
    std::ranges::reverse(works);
    return works;
}

Document::Work Document::unsavedWork() const {
    const int work = unsavedWorks().front();
    return work < undo_stack_.index() ? stepAt(work).replaced() : Work{problem_, origin_};
}

/// QUndoStack only hands out const commands.
ProblemEdit& Document::stepAt(int index) const {
    return const_cast<ProblemEdit&>(static_cast<const ProblemEdit&>(*undo_stack_.command(index)));
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

double Document::newNumbers(const AttentionProblem& outlined) const {
    double count = 0.0;
    for (const auto& [name, tensor] : outlined.tensors) {
        const auto present = problem_.tensors.find(name);
        if (present == problem_.tensors.end() || !present->second.shares_storage_with(tensor))
            count += static_cast<double>(tensor.size());
    }
    return count;
}

bool Document::editBy(const QString& text, AttentionProblem next, double numbers,
                      const std::function<void(AttentionProblem&, const RunControl&)>& complete, int gesture) {
    if (numbers <= static_cast<double>(most_numbers_at_once) || !run_work_) {
        complete(next, {});
    } else {
        const int before = exchanges_;
        if (!run_work_(text, [&](const RunControl& control) { complete(next, control); }) || exchanges_ != before)
            return false;
    }
    edit(text, std::move(next), gesture);
    return true;
}

bool Document::setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture) {
    auto next = problem_;
    const bool other_variant = spec.variant != problem_.spec.variant;
    next.spec = std::move(spec);
    auto outlined = next;
    try {
        outline_inputs(outlined, input_seed, other_variant);
    } catch (const Error&) {
        // Completing stops there, too.
    }
    const auto complete = [other_variant](AttentionProblem& problem, const RunControl& control) {
        try {
            complete_inputs(problem, input_seed, other_variant, control);
        } catch (const Error&) {
            // The choice is stored; the run reports the contradiction.
        }
    };
    return editBy(text, std::move(next), newNumbers(outlined), complete, gesture);
}

void Document::reset(AttentionProblem problem, const QString& path, const QString& title,
                     const std::optional<io::FileStamp>& stamp, OpenedFrom files) {
    problem_ = std::move(problem);
    ++exchanges_;
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
        return displayFileName(origin.path);
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
    // The stack has one clean index: unsaved documents below this one are marked instead.
    const int index = undo_stack_.index();
    for (const int work : unsavedWorks())
        if (work < index)
            stepAt(work).setFollowsWork(true);
    if (index < undo_stack_.count())
        stepAt(index).setFollowsWork(false);
    for (int i = index - 1; i >= 0 && !stepAt(i).replaces(); --i)
        stepAt(i).setFollowsWork(false);
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
    ++exchanges_;
    // Steps do not keep copies that a computation has made of chunks or loaded from files.
    for (auto& [name, tensor] : other.tensors)
        tensor = tensor.released();
    problem_exchanged_ = true;
}

const AttentionSpec& ComparedSide::spec() const {
    const AttentionProblem& problem = document_->problem();
    return side_ == Side::B && problem.compared_with ? *problem.compared_with : problem.spec;
}

void ComparedSide::setSpec(AttentionSpec spec, const QString& text, int gesture) const {
    if (side_ == Side::A) {
        document_->setSpec(std::move(spec), text, gesture);
        return;
    }
    auto next = document_->problem();
    next.compared_with = std::move(spec);
    document_->edit(tr("B: %1").arg(text), std::move(next), gesture);
}

bool ComparedSide::setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture) const {
    if (side_ == Side::A)
        return document_->setSpecCompletingInputs(std::move(spec), text, gesture);
    auto next = document_->problem();
    next.compared_with = std::move(spec);
    return editCompletingB(*document_, tr("B: %1").arg(text), std::move(next), gesture);
}

bool editCompletingB(Document& document, const QString& text, AttentionProblem next, int gesture) {
    auto outlined = next;
    outline_compared_inputs(outlined, input_seed);
    const auto complete = [](AttentionProblem& problem, const RunControl& control) {
        complete_compared_inputs(problem, input_seed, control);
    };
    return document.editBy(text, std::move(next), document.newNumbers(outlined), complete, gesture);
}

} // namespace attnlab::ui
