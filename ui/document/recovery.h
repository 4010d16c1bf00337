// Copies of unsaved work beside the settings, for the case that the program dies.
#pragma once

#include "core/io/file_lock.h"
#include "core/io/recovery_copy.h"

#include <QDateTime>
#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace attnlab::ui {

class Document;
class ViewState;

/// Every running window keeps a copy of its own, at most a few seconds behind the document. What a program that died
/// has left is kept until it is taken or dropped. Nothing here waits for the disk.
class Recovery : public QObject {
    Q_OBJECT
public:
    Recovery(Document& document, ViewState& view);
    /// Waits for the write in progress, which gives up early.
    ~Recovery() override;

    /// Finds what former runs left, and keeps a copy of the document's unsaved work from now on.
    void start();
    /// The work is saved or given up: no copy of it is needed. What former runs left stays.
    void end();

    /// Work that was not saved before its program died. No other window offers it meanwhile.
    struct Left {
        std::filesystem::path copy; ///< see io::read_recovery_copy
        QString title;              ///< of its document; empty where it is not known
        QDateTime saved;
        std::shared_ptr<io::FileLock> lock;
    };
    /// The newest first.
    const std::vector<Left>& left() const { return left_; }
    /// The document holds this work now: it goes as soon as there is another copy of it, or none is needed.
    void take(const std::filesystem::path& copy);
    /// The user does not want it.
    void drop(const std::filesystem::path& copy);

signals:
    /// No copy could be written.
    void failed(const attnlab::Message& why);

private:
    void findLeft();
    void findLeftByEarlierVersions();
    bool offer(const std::filesystem::path& copy, std::shared_ptr<io::FileLock> lock);
    bool makeFolder();
    void schedule();
    void write();
    void finish();
    void removeTaken();

    using Outcome = std::optional<Message>;

    Document& document_;
    ViewState& view_;
    QTimer timer_;
    QThreadPool pool_;                             ///< of one thread: what is begun later comes later
    std::shared_ptr<io::RecoveryCopy> copy_;       ///< null before there is unsaved work; used by the pool alone
    std::unique_ptr<io::FileLock> lock_;           ///< of its folder
    std::shared_ptr<std::atomic<bool>> cancelled_; ///< of the write in progress
    QFutureWatcher<Outcome> writing_;
    bool again_ = false; ///< the document changed while it was written
    std::vector<Left> left_, taken_;
};

} // namespace attnlab::ui
