// What it means to open some files: a workspace, a whole problem, or one tensor of the present problem.
#pragma once

#include "core/attention.h"
#include "core/io/file_stamp.h"

#include <QString>
#include <QStringList>

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
};

/// Reads `paths`. A workspace (or arrays that are all that some variant needs) replaces the document; arrays with names
/// that the present variant or its masks read join it; one array of another name becomes `shown_tensor`.
/// Throws attnlab::Error that names the file and what was expected. Runs on a worker thread: touches no widget.
OpenedFiles openFiles(const QStringList& paths, const AttentionProblem& present, const QString& shown_tensor);

} // namespace attnlab::ui
