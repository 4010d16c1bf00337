// Whether the document is what it should be, after every change of it.
#pragma once

#include "tests/soak/journal.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <utility>
#include <vector>

class QUndoCommand;

namespace attnlab::ui {
class Document;
}

namespace attnlab::soak {

/// Fails where undo and redo do not lead back to the same bits, and where a document that counts as saved is not what
/// its file holds. Writes what it sees into the journal.
class DocumentChecks : public QObject {
    Q_OBJECT
public:
    /// Files in `folder` are compared with the document.
    DocumentChecks(ui::Document& document, Journal& journal, const QString& folder, QObject* parent);

    void noteState();

private:
    void afterUndoStep(int index);
    void afterSaving(bool later);

    ui::Document& document_;
    Journal& journal_;
    QString folder_;
    QByteArray state_;
    bool was_saved_ = true;
    struct Step {
        const QUndoCommand* command;
        QByteArray digest;
    };
    std::vector<Step> steps_; ///< of the undo stack: the document at each index
    int index_ = 0;
    std::pair<QString, QByteArray> opened_; ///< the last file opened, and the digest of what it was made into
};

} // namespace attnlab::soak
