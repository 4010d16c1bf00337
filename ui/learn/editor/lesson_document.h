// The lesson that is being written: its undo steps, its file, and the copy that survives a crash.
#pragma once

#include "core/io/saved/recovery_copy.h"
#include "core/lessons/lesson_draft.h"

#include <memory>
#include <QDateTime>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <vector>

namespace attnlab::ui {

class LessonDocument : public QObject {
    Q_OBJECT
public:
    LessonDocument();
    /// Waits for the write in progress. The copy of unsaved work stays: see end().
    ~LessonDocument() override;

    const lessons::Draft& draft() const { return draft_; }
    /// The step that is edited; -1 without steps.
    int step() const { return step_; }
    void setStep(int step);
    /// The .attnlesson file; empty if there is none yet.
    QString path() const { return path_; }
    /// In the program's language; never empty.
    QString title() const;
    bool isUnsaved() const { return !(draft_ == saved_); }
    /// Nothing is written yet.
    bool isEmpty() const { return draft_ == lessons::Draft(); }

    /// Replaces the lesson: one undo step. Edits of the same `field` one after the other share it, unless `field` is
    /// empty. `step`: the one that is edited afterwards.
    void edit(lessons::Draft draft, const QString& field, int step);
    void undo();
    void redo();
    bool canUndo() const { return !undone_.past.empty(); }
    bool canRedo() const { return !undone_.future.empty(); }

    /// Begins with another lesson. With `unsaved`, it counts as changed.
    void begin(lessons::Draft draft, const QString& path, bool unsaved = false);
    /// Writes an .attnlesson file, which becomes path(). Throws Error.
    void save(const QString& path);
    /// The work is saved or discarded: removes the copy.
    void end();

    /// A lesson that was unsaved when its program crashed. Not offered by other windows meanwhile.
    struct Left {
        QString path; ///< of the copy
        QString file; ///< of the lesson; empty if it had none
        QString title;
        QDateTime saved;
        std::shared_ptr<io::FileLock> lock;
    };
    /// Newest first.
    static std::vector<Left> left();
    /// Removes a copy that is restored or discarded.
    static void remove(const QString& copy);

signals:
    /// The draft, the step or the file has changed.
    void changed();
    /// No copy could be written, or one again.
    void copyFailed(const attnlab::Message& why);
    void copyKept();

private:
    struct Snapshot {
        lessons::Draft draft;
        int step = -1;
    };
    void exchange(std::vector<Snapshot>& from, std::vector<Snapshot>& to);
    void keepCopy();

    lessons::Draft draft_, saved_;
    int step_ = -1;
    QString path_;
    QString last_field_; ///< of the latest edit
    struct {
        std::vector<Snapshot> past, future;
    } undone_;
    QTimer timer_;
    QThreadPool pool_; ///< one thread: writes and removes the copy in order
    QString copy_;     ///< empty before there is one
    bool copy_fails_ = false;
    std::unique_ptr<io::FileLock> lock_;
};

} // namespace attnlab::ui
