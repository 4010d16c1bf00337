// The problem that the user edits, with its history; and one of its two settings, for controls that edit either.
#pragma once

#include "core/attention.h"
#include "core/io/file_bytes.h"
#include "core/recognition/recognition.h"
#include "core/run_control.h"
#include "ui/document/array_remarks.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <QCoreApplication>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <vector>

namespace attnlab::ui {

class ProblemEdit;

/// The files of a document made from plain arrays, and how they were read; nothing for other documents.
struct OpenedFrom {
    std::shared_ptr<const Contents> contents; ///< null unless its arrays can be chosen again
    Choices choices;
    QString title;     ///< of the files, for a document made from them anew
    QStringList paths; ///< also without contents, where the files are not Origin::path
};

/// Owns the problem; every change is one undo step made by edit(). Steps share all numbers that they do not change. The
/// oldest are dropped beyond 500 steps or undoBytes(), but never the newest, nor one that unsavedWorks() needs.
class Document : public QObject {
    Q_OBJECT
public:
    static constexpr int most_steps = 500;
    static constexpr std::size_t default_undo_bytes = std::size_t{256} << 20;

    /// Where a document comes from.
    struct Origin {
        QString path;
        std::optional<io::FileStamp> stamp;
        QString title; ///< not translated
        std::vector<ArrayRemark> remarks;
        OpenedFrom files;
    };

    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const AttentionProblem& problem() const { return problem_; }
    QUndoStack* undoStack() { return &undo_stack_; }

    /// Makes `next` the problem as an undo step called `text`. Steps with the same non-zero gesture merge into one (a
    /// drag, a run of arrow keys), called as the latest; a gesture that ends where it began leaves no step. No step
    /// without a change.
    void edit(const QString& text, AttentionProblem next, int gesture = 0);
    /// Like edit(), for derived content such as showing a comparison: does not set the modified flag while the document
    /// has no file.
    void editWithoutModifying(const QString& text, AttentionProblem next);
    /// Another document in the place of this one, as a step that brings this one back when it is undone; light as
    /// above.
    void replace(const QString& text, AttentionProblem next, const QString& title, std::vector<ArrayRemark> remarks,
                 int gesture = 0, OpenedFrom files = {});
    /// The memory limit of the steps, without what the problem itself takes or a file holds.
    std::size_t undoBytes() const { return undo_bytes_; }
    void setUndoBytes(std::size_t bytes);
    /// The memory of the steps.
    std::size_t usedUndoBytes() const;

    /// A gesture number not used before.
    static int newGesture();

    /// Runs long work of an edit in the background, while a progress box with the title shows. Returns false if the
    /// user cancels the work, or if it fails, which the runner reports.
    using WorkRunner = std::function<bool(const QString& title, const std::function<void(const RunControl&)>& work)>;
    /// Without one, work runs at once.
    void setWorkRunner(WorkRunner run) { run_work_ = std::move(run); }
    /// As edit(), with `next` as `complete` changes it. `complete` makes about `numbers` numbers; beyond
    /// most_numbers_at_once (latest_job.h) the WorkRunner runs it. Returns false if that fails or is cancelled, or if
    /// the document is changed meanwhile: then this edit changes nothing.
    bool editBy(const QString& text, AttentionProblem next, double numbers,
                const std::function<void(AttentionProblem&, const RunControl&)>& complete, int gesture = 0);
    /// How many numbers `outlined` has that do not share the storage of the problem's.
    double newNumbers(const AttentionProblem& outlined) const;

    /// Convenience over edit().
    void setTensor(const QString& name, Tensor tensor, const QString& text, int gesture = 0);
    void setSpec(AttentionSpec spec, const QString& text, int gesture = 0);
    /// Changes the variant and/or masks and adds the inputs that the new choice lacks; another variant also replaces
    /// projections that do not fit it (a single undo restores them). An Error from contradictory inputs is not thrown:
    /// the problem is stored, and its run reports the error. Returns false if the user cancelled it.
    bool setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture = 0);

    /// Replaces everything and clears the history: for an opened file or sample, or a new document. The title of a
    /// sample is the untranslated one.
    void reset(AttentionProblem problem, const QString& path = {}, const QString& title = {},
               const std::optional<io::FileStamp>& stamp = {}, OpenedFrom files = {});

    const OpenedFrom& files() const { return origin_.files; }

    /// Remarks on the files of the document: their unused parts, and inputs made because the files lack them. Valid
    /// until another document replaces it.
    const std::vector<ArrayRemark>& remarks() const { return origin_.remarks; }
    void setRemarks(std::vector<ArrayRemark> remarks);

    /// Empty when never saved.
    QString path() const { return origin_.path; }
    /// The stamp of the file when it was opened or saved here; nullopt if unknown.
    const std::optional<io::FileStamp>& stamp() const { return origin_.stamp; }
    /// File name, sample name or "Untitled", in the language of the window.
    QString title() const { return titleOf(origin_); }
    static QString titleOf(const Origin& origin);
    bool isModified() const;
    /// The texts of the steps since it was opened, saved or put in the place of another, the newest first; empty if
    /// these are not known.
    QStringList unsavedSteps() const;
    /// Where the user's unsaved work is, as indices of the undo stack, the latest first: the present document if it is
    /// modified, and every one that replace() has covered before it was saved.
    std::vector<int> unsavedWorks() const;
    struct Work {
        AttentionProblem problem;
        Origin origin;
    };
    /// The latest of unsavedWorks(), which must have one.
    Work unsavedWork() const;
    /// The problem was saved to `path`. `moved` are its tensors that are now backed by that file.
    void setSaved(const QString& path, const std::optional<io::FileStamp>& stamp = {}, TensorMap moved = {});
    /// Marks a restored problem as unsaved, although there is no step to undo.
    void setUnsaved() { undo_stack_.resetClean(); }

signals:
    void problemChanged(const attnlab::AttentionProblem& problem);
    /// Path, title or modified state changed.
    void titleChanged();
    /// The remarks or the files changed.
    void remarksChanged();

private:
    friend class ProblemEdit;
    ProblemEdit& stepAt(int index) const;
    void push(const QString& text, AttentionProblem next, int gesture, bool light, std::optional<Origin> origin = {});
    void shareNumbers(AttentionProblem& next);
    void dropOldSteps();
    void keepSteps(const std::vector<int>& kept, int clean);
    std::vector<bool> unsavedUpTo(int end) const;
    bool isLightSince(int clean, int end) const;
    void exchange(AttentionProblem& other);
    void exchange(Origin& other);
    void followSteps();
    void followModified();

    AttentionProblem problem_;
    WorkRunner run_work_;
    int exchanges_ = 0; ///< of the problem
    QUndoStack undo_stack_;
    Origin origin_;
    std::size_t undo_bytes_ = default_undo_bytes;
    bool rebuilding_ = false; ///< the undo stack, without executing steps
    bool was_modified_ = false;
    bool problem_exchanged_ = false, origin_exchanged_ = false; ///< by steps that are not announced yet
};

/// One of the two settings of a document: the displayed one, or the one that it is compared with. Lets a control edit
/// a setting without knowing which of the two it is. The document must outlive it.
class ComparedSide {
    Q_DECLARE_TR_FUNCTIONS(ComparedSide)
public:
    enum class Side { A, B };

    /// A document converts to its side A.
    ComparedSide(Document& document, Side side = Side::A) : document_(&document), side_(side) {}

    Document& document() const { return *document_; }
    Side side() const { return side_; }
    /// Without a comparison, B equals A.
    const AttentionSpec& spec() const;

    /// As in Document. Editing B starts a comparison and does not change A or its results.
    void setSpec(AttentionSpec spec, const QString& text, int gesture = 0) const;
    bool setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture = 0) const;

private:
    Document* document_;
    Side side_;
};

/// Document::edit() with the inputs that setting B of `next` lacks; see Document::editBy().
bool editCompletingB(Document& document, const QString& text, AttentionProblem next, int gesture = 0);

} // namespace attnlab::ui
