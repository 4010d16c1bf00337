// Opens files as a workspace, a problem or tensors of the current problem, and remembers the user's choices. Reads what
// a student hands in.
#pragma once

#include "core/io/file_bytes.h"
#include "core/recognition/recognition.h"
#include "ui/document/array_remarks.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <QString>
#include <QStringList>
#include <vector>

namespace attnlab::ui {

struct OpenedFiles {
    AttentionProblem problem;
    bool replaces = false; ///< a new document; otherwise an undoable change of the current one
    QString path;          ///< of an opened workspace: saving writes there
    std::optional<io::FileStamp> stamp = std::nullopt; ///< the stamp of that file before it was read
    QString title;                                     ///< for a document made from plain arrays
    QStringList files;                                 ///< of a new document; empty: keeps the present ones
    std::string view_json;                             ///< the window's view saved with the workspace
    QString tensor;                                    ///< the tensor to show
    std::vector<Message> missing;                      ///< lost arrays of restored work
    /// On unused arrays, ambiguities that were decided, and inputs that were made because the files lack them.
    std::vector<ArrayRemark> remarks;
    /// For a new document from plain arrays: the contents of the files and how they were read, to choose again.
    std::shared_ptr<const Contents> contents;
    Choices choices;
    bool unclear = false; ///< the user must choose before anything can be shown
    /// The file is a figure without its arrays: the settings of `problem` are for the arrays that are open.
    bool settings_alone = false;
};

/// Reads `paths` into a new document; inputs that the files lack are made, and mentioned in the remarks. With
/// `present`, files that are not a whole problem are added to it: a single input, masks, labels; an array with an
/// unknown name becomes `shown_tensor`. A new document takes nothing from `present`. Throws attnlab::Error with the
/// file and what was expected, Cancelled. Runs in a worker thread: uses no widgets.
OpenedFiles openFiles(const QStringList& paths, const AttentionProblem* present = nullptr,
                      const QString& shown_tensor = {}, const RunControl& control = {});

/// As openFiles without `present`. An array that is not a whole problem is read together with `known`, the contents of
/// a document that lacks inputs, where all of them then have a use: q.npy, k.npy and v.npy may be opened one by one.
OpenedFiles openCompleting(const QStringList& paths, const std::shared_ptr<const Contents>& known,
                           const QStringList& known_paths, const QString& title, const RunControl& control = {});

/// A new document from contents that were read before, with other choices. Throws as openFiles.
OpenedFiles openContents(std::shared_ptr<const Contents> contents, const QString& title, const Choices& choices,
                         const RunControl& control = {});

// Remembers the user's choices for files and reuses them for files with the same arrays.

/// The last choices for contents with arrays of these names and ranks; nullopt if there are none, or if they cannot be
/// read.
std::optional<Choices> rememberedChoices(const Contents& contents);
void rememberChoices(const Contents& contents, const Choices& choices);

// Reads matrices that a student handed in, in whatever form they were written.

/// The arrays of a file: formats of arrays, and texts with one matrix (.json, .md, .tex, .m, .py: a list, LaTeX, a
/// Markdown table), which is named by the file. A JSON object has one array for each of its lists. Throws Error that
/// names the file.
Contents readHandIn(const std::filesystem::path& path);

} // namespace attnlab::ui
