// Crash recovery: copies of unsaved work, and the offer to restore them at the next start.
#pragma once

#include "core/io/saved/recovery_copy.h"
#include "ui/document/open_files.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <QDateTime>
#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <vector>

namespace attnlab::ui {

class Document;
class ViewState;

/// Every running window keeps its own copy, at most a few seconds behind the document. Copies of a crashed program are
/// kept until they are taken or dropped. Never blocks on the disk.
class Recovery : public QObject {
    Q_OBJECT
public:
    Recovery(Document& document, ViewState& view);
    /// Waits for the write in progress, which is cancelled.
    ~Recovery() override;

    /// Finds copies left by earlier runs, and keeps a copy of the document's unsaved work from now on.
    void start();
    /// The work is saved or discarded: its copy is removed. Copies left by earlier runs stay.
    void end();

    /// Work that was unsaved when its program crashed. Not offered by other windows meanwhile.
    struct Left {
        std::filesystem::path copy; ///< see io::read_recovery_copy
        QString title;              ///< of its document; empty if unknown
        QDateTime saved;
        std::shared_ptr<io::FileLock> lock;
    };
    /// Newest first.
    const std::vector<Left>& left() const { return left_; }
    /// The document now contains this work: its copy is removed as soon as there is another one, or none is needed.
    void take(const std::filesystem::path& copy);
    /// The user has discarded it.
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
    QThreadPool pool_;                             ///< one thread: runs tasks in order
    std::shared_ptr<io::RecoveryCopy> copy_;       ///< null before there is unsaved work; used only by the pool
    std::unique_ptr<io::FileLock> lock_;           ///< of its folder
    std::shared_ptr<std::atomic<bool>> cancelled_; ///< of the write in progress
    QFutureWatcher<Outcome> writing_;
    bool again_ = false; ///< the document changed during the write
    std::vector<Left> left_, taken_;
};

class BackgroundRead;
class MessageBar;

/// Offers the unsaved work that earlier runs left.
/// Keeps copies of the document's unsaved work, and offers those of crashed programs one by one until each is restored
/// or discarded.
class CrashRecovery : public QObject {
    Q_OBJECT
public:
    /// Makes the work the document, unless the user keeps the present one (then it returns false).
    using Replace = std::function<bool(OpenedFiles)>;
    /// `offers` is only for this: no other message replaces an offer.
    CrashRecovery(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers,
                  BackgroundRead& reading, Replace replace);

    void start();
    /// Shows the current offer in the current language.
    void offer();
    /// The work is saved or discarded: no copy is needed.
    void end() { recovery_.end(); }

private:
    void restore(const std::filesystem::path& copy);
    void offerTheRest(const std::filesystem::path& copy, OpenedFiles work);
    void use(const std::filesystem::path& copy, OpenedFiles work);

    MessageBar& messages_;
    MessageBar& offers_;
    BackgroundRead& reading_;
    Replace replace_;
    Recovery recovery_;
    std::optional<Message> failure_; ///< the last one reported
};

} // namespace attnlab::ui
