// What the user is working on: the problem and its history.
#pragma once

#include "core/attention.h"
#include "core/io/file_stamp.h"
#include "ui/document/array_remark.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <vector>

namespace attnlab::ui {

/// Owns the problem; every change to it is one undo step made by edit().
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const AttentionProblem& problem() const { return problem_; }
    QUndoStack* undoStack() { return &undo_stack_; }

    /// Makes `next` the problem as an undo step called `text`. Steps with the same non-zero gesture merge into one (a
    /// drag, a run of arrow keys); a gesture that ends where it began leaves no step. No step if nothing changes.
    void edit(const QString& text, AttentionProblem next, int gesture = 0);
    /// A gesture number not used before.
    static int newGesture();

    /// Convenience over edit().
    void setTensor(const QString& name, Tensor tensor, const QString& text, int gesture = 0);
    void setSpec(AttentionSpec spec, const QString& text, int gesture = 0);
    /// Changes the variant and/or masks and adds the inputs that the new choice needs and that are not there yet;
    /// another variant also gets new projections where the present ones do not fit it (one undo brings them back). An
    /// Error from contradictory inputs is not thrown: the problem is set all the same and its run reports what is
    /// wrong.
    void setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture = 0);

    /// Replaces everything and forgets the history: a file or sample was opened, or a new document begun.
    void reset(AttentionProblem problem, const QString& path = {}, const QString& title = {},
               const std::optional<io::FileStamp>& stamp = {});

    /// What has to be known about the files that the document was made of: what of them is not used, what was made
    /// because they lack it. They last until another document takes its place.
    const std::vector<ArrayRemark>& remarks() const { return remarks_; }
    void setRemarks(std::vector<ArrayRemark> remarks);

    /// Empty when never saved.
    QString path() const { return path_; }
    /// What the file was when it was opened or saved here; nothing where that is not known.
    const std::optional<io::FileStamp>& stamp() const { return stamp_; }
    /// File name, sample name or "Untitled".
    QString title() const;
    bool isModified() const { return !undo_stack_.isClean(); }
    /// The problem was saved under `path`. `moved` are tensors of it that lie there from now on.
    void setSaved(const QString& path, const std::optional<io::FileStamp>& stamp = {}, TensorMap moved = {});
    /// The present problem stands in no file, though there is no step to undo: it was brought back after a crash.
    void setUnsaved() { undo_stack_.resetClean(); }

signals:
    void problemChanged(const attnlab::AttentionProblem& problem);
    /// Path, title or modified state changed.
    void titleChanged();
    void remarksChanged();

private:
    friend class ProblemEdit;
    void exchange(AttentionProblem& other);

    AttentionProblem problem_;
    QUndoStack undo_stack_;
    QString path_;
    std::optional<io::FileStamp> stamp_;
    QString title_;
    std::vector<ArrayRemark> remarks_;
};

} // namespace attnlab::ui
