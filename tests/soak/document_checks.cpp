#include "tests/soak/document_checks.h"

#include "core/io/saved/workspace_file.h"
#include "core/message.h"
#include "tests/soak/random_problem.h"
#include "tests/soak/soak_watch.h"
#include "ui/document/document.h"

#include <QTimer>
#include <QUndoStack>

#include <algorithm>

namespace attnlab::soak {

using namespace attnlab::ui;

DocumentChecks::DocumentChecks(Document& document, Journal& journal, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), journal_(journal), folder_(folder) {
    auto* stack = document_.undoStack();
    steps_.assign(1, {nullptr, digestOf(document_.problem())});
    connect(stack, &QUndoStack::indexChanged, this, &DocumentChecks::afterUndoStep);
    // Another document may replace one without steps.
    connect(&document_, &Document::titleChanged, this, [this, stack] {
        if (stack->count() == 0)
            afterUndoStep(0);
        afterSaving(false);
    });
}

void DocumentChecks::noteState() {
    const auto digest = digestOf(document_.problem());
    const bool saved = !document_.isModified();
    if (digest == state_ && saved == was_saved_)
        return;
    state_ = digest;
    was_saved_ = saved;
    journal_.state(digest, saved);
}

/// However it was saved, a document marked as saved must equal its file. The title may also be announced within an
/// edit, which the undo stack counts when it is done: a difference counts when it is still there `later`.
void DocumentChecks::afterSaving(bool later) {
    const auto path = document_.path();
    if (document_.isModified() || !path.startsWith(folder_))
        return;
    try {
        const auto read = io::read_workspace(path.toStdString());
        const auto digest = digestOf(read);
        const auto shown = digestOf(document_.problem());
        if (document_.undoStack()->count() == 0) // just opened: adapted, it may differ from the file
            opened_ = {path, shown};
        if (shown != digest && opened_ != std::pair(path, shown)) {
            if (!later) {
                QTimer::singleShot(0, this, [this] { afterSaving(true); });
                return;
            }
            fail(QStringLiteral("it counts as saved but is not what its file holds: %1: %2")
                     .arg(path, differenceOf(document_.problem(), read)));
        }
        journal_.saving(path, digest);
        journal_.saved(path);
    } catch (const Error& error) {
        fail(QStringLiteral("it counts as saved, and its file cannot be read: ") + QString::fromUtf8(error.what()));
    }
}

/// Undo and redo must restore an earlier document to the bit.
void DocumentChecks::afterUndoStep(int index) {
    const auto* stack = document_.undoStack();
    const auto digest = digestOf(document_.problem());
    const auto at = static_cast<std::size_t>(index);
    // Where the oldest steps were dropped, the others have moved.
    for (int i = 1; i <= std::min(stack->count(), static_cast<int>(steps_.size()) - 1); ++i)
        if (auto& step = steps_[static_cast<std::size_t>(i)]; i != index && step.command != stack->command(i - 1))
            step = steps_.front() = {nullptr, {}};
    if (stack->count() == 0) { // another document, or the only step was undone by its own gesture
        steps_.assign(1, {nullptr, digest});
    } else if (static_cast<int>(steps_.size()) <= index && index == stack->count()) {
        steps_.resize(at, {nullptr, {}});
        steps_.push_back({stack->command(index - 1), digest});
    } else {
        const auto* command = index > 0 ? stack->command(index - 1) : nullptr;
        auto& step = steps_[at];
        if (index == index_ || step.command != command || step.digest.isEmpty())
            step = {command, digest}; // a gesture continues, or a new step after others were undone
        else if (step.digest != digest)
            fail(QStringLiteral("undo or redo to step %1 does not lead back to it").arg(index));
        steps_.resize(static_cast<std::size_t>(stack->count()) + 1, {nullptr, {}});
    }
    index_ = index;
}

} // namespace attnlab::soak
