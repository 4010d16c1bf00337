// A copy of unsaved work beside the settings, for the case that the program dies.
#pragma once

#include "core/attention.h"

#include <QFuture>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <string>

class QLockFile;

namespace attnlab::ui {

class Document;
class ViewState;

class Recovery : public QObject {
    Q_OBJECT
public:
    Recovery(Document& document, ViewState& view);
    ~Recovery() override;

    /// Lays aside what a former run left and keeps a copy of the document's unsaved work from now on. Every running
    /// window keeps its own.
    void start();
    /// The work is saved or given up: no copy of it is needed. What a former run left stays.
    void end();

    /// A former run died before its work was saved.
    bool hasLeftWork() const;
    /// Hands that work over; from now on it is this window's own. Throws Error where its file cannot be read.
    AttentionProblem takeLeftWork(std::string* view_json);
    /// The user does not want it.
    void dropLeftWork();

private:
    QString file() const;
    QString leftFile() const;
    void write();

    Document& document_;
    ViewState& view_;
    QTimer timer_;
    std::unique_ptr<QLockFile> lock_; ///< null: no copy is kept
    QString stem_;
    QFuture<void> writing_;
};

} // namespace attnlab::ui
