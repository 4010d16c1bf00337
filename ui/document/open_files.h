// What it means to open some files: a workspace, a whole problem, or some tensors of the present problem.
#pragma once

#include "core/io/file_stamp.h"
#include "core/recognition/recognition.h"
#include "ui/document/array_remark.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace attnlab::ui {

struct OpenedFiles {
    AttentionProblem problem;
    bool replaces = false; ///< a new document; otherwise an undoable change of the present one
    QString path;          ///< of the workspace, when one was opened: saving writes there
    std::optional<io::FileStamp> stamp = std::nullopt; ///< what that file was before it was read
    QString title;                                     ///< for a document made from plain arrays
    std::string view_json;                             ///< what the window saved with the workspace
    QString tensor;                                    ///< the tensor to show
    std::vector<Message> missing;                      ///< arrays of restored work that are lost
    /// What is not used and why, what could have been read otherwise, what was made because the files lack it.
    std::vector<ArrayRemark> remarks;
    /// For a new document from plain arrays: what the files hold and how it was read, to choose again from.
    std::shared_ptr<const Contents> contents;
    Choices choices;
    bool unclear = false; ///< nothing can be shown before the user has chosen
};

/// Reads `paths` into a new document, in which inputs that the files lack are made, and named in the remarks. With
/// `present`, what begins no problem joins that one: one input alone, masks, labels; an array whose name says nothing
/// becomes `shown_tensor`. Nothing of `present` goes into a new document. Throws attnlab::Error that names the file and
/// what was expected. Runs on a worker thread: touches no widget.
OpenedFiles openFiles(const QStringList& paths, const AttentionProblem* present = nullptr,
                      const QString& shown_tensor = {});

/// A new document from contents that were read before, with other choices. Throws as openFiles.
OpenedFiles openContents(std::shared_ptr<const Contents> contents, const QString& title, const Choices& choices);

} // namespace attnlab::ui
