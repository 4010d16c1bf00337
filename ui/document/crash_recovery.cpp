#include "ui/document/crash_recovery.h"

#include "ui/document/background_files.h"
#include "ui/document/document.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>
#include <QtConcurrent>
#include <utility>

namespace attnlab::ui {
namespace {

QDir dataFolder() { return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)); }

/// Beside each folder there is a lock of the same name, which must exist before the folder.
QDir root() { return QDir(dataFolder().filePath(QStringLiteral("recovery"))); }

/// Null where another running program holds it.
std::unique_ptr<io::FileLock> lockOf(const QString& folder) {
    return io::FileLock::take(toPath(folder + QStringLiteral(".lock")));
}

/// The same path if there is no current folder.
std::filesystem::path absoluteOf(const std::filesystem::path& path) {
    std::error_code unknown;
    auto whole = std::filesystem::absolute(path, unknown);
    return unknown ? path : whole;
}

void removeCopy(const std::filesystem::path& copy) { io::RecoveryCopy(copy).remove(); }

} // namespace

Recovery::Recovery(Document& document, ViewState& view) : document_(document), view_(view) {
    constexpr int longest_wait_milliseconds = 2000;
    timer_.setSingleShot(true);
    timer_.setInterval(longest_wait_milliseconds);
    pool_.setMaxThreadCount(1);
    connect(&timer_, &QTimer::timeout, this, &Recovery::write);
    connect(&writing_, &QFutureWatcher<Outcome>::finished, this, &Recovery::finish);
}

Recovery::~Recovery() {
    if (cancelled_)
        *cancelled_ = true;
    pool_.waitForDone();
}

void Recovery::start() {
    findLeft();
    connect(&document_, &Document::problemChanged, this, &Recovery::schedule);
}

void Recovery::findLeft() {
    for (const auto& name : root().entryList({QStringLiteral("*.lock")}, QDir::Files))
        if (const auto folder = root().filePath(name.chopped(5)); !QFileInfo::exists(folder))
            lockOf(folder); // of a crashed program; removed with its lock
    const auto folders = root().entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const auto& name : folders) {
        const auto folder = root().filePath(name);
        if (auto lock = lockOf(folder); lock && !offer(toPath(folder), std::move(lock)))
            removeCopy(toPath(folder)); // its program crashed before there was a copy
    }
    findLeftByEarlierVersions();
    std::ranges::stable_sort(left_, std::ranges::greater(), &Left::saved);
}

/// Earlier versions kept one copy for each window, and renamed a copy before the user had decided on it.
void Recovery::findLeftByEarlierVersions() {
    static const QRegularExpression names(QStringLiteral("^(recovery\\.npz|recovery-[0-9]+)(?:(-left)?\\.npz)?$"));
    std::map<QString, std::shared_ptr<io::FileLock>> locks; // a file and its renamed copy share one
    for (const auto& name : dataFolder().entryList({QStringLiteral("recovery*.npz")}, QDir::Files)) {
        const auto parts = names.match(name);
        if (!parts.hasMatch())
            continue;
        const auto held = parts.captured(1);
        if (!locks.contains(held))
            locks.emplace(held, lockOf(dataFolder().filePath(held)));
        if (const auto& lock = locks.at(held))
            offer(toPath(dataFolder().filePath(name)), lock);
    }
}

/// False if there is no copy.
bool Recovery::offer(const std::filesystem::path& copy, std::shared_ptr<io::FileLock> lock) {
    const auto label = io::recovery_label(copy);
    if (label)
        left_.push_back(
            {copy, QString::fromStdString(label->title), QDateTime::fromSecsSinceEpoch(label->saved), std::move(lock)});
    return label.has_value();
}

/// Not restarted by every edit: an edit while the timer runs is included in its copy.
void Recovery::schedule() {
    if (!timer_.isActive())
        timer_.start();
}

bool Recovery::makeFolder() {
    if (copy_)
        return true;
    // The copies are readable only by their owner.
    if (!root().mkpath(QStringLiteral(".")) ||
        !QFile::setPermissions(root().path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        return false;
    static int windows = 0;
    const auto name = QStringLiteral("%1-%2-%3")
                          .arg(QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMddhhmmsszzz")))
                          .arg(QCoreApplication::applicationPid())
                          .arg(++windows);
    lock_ = lockOf(root().filePath(name));
    if (lock_)
        copy_ = std::make_shared<io::RecoveryCopy>(toPath(root().filePath(name)));
    return copy_ != nullptr;
}

void Recovery::write() {
    if (document_.unsavedWorks().empty()) {
        end(); // undone, or saved
        return;
    }
    if (writing_.isRunning()) {
        again_ = true;
        return;
    }
    if (!makeFolder()) {
        emit failed({ATTNLAB_TEXT("%1: cannot be written"), {root().path().toStdString()}});
        return;
    }
    // Copying the problem is cheap; writing it may not be, so that happens in the worker thread.
    auto unsaved = document_.unsavedWork();
    const auto& origin = unsaved.origin;
    io::UnsavedWork work{std::move(unsaved.problem), viewToJson(view_), Document::titleOf(origin).toStdString()};
    if (!origin.path.isEmpty())
        work.path = absoluteOf(toPath(origin.path));
    work.stamp = origin.stamp;
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    writing_.setFuture(QtConcurrent::run(&pool_, [copy = copy_, work = std::move(work), cancelled = cancelled_] {
        RunControl control;
        control.cancelled = [cancelled] { return cancelled->load(); };
        return caughtFailure([&] { copy->write(work, control); }, writing_failed);
    }));
}

void Recovery::finish() {
    const bool given_up = cancelled_ && cancelled_->load();
    cancelled_.reset();
    if (const auto why = writing_.result())
        emit failed(*why);
    else if (!given_up)
        removeTaken();
    if (std::exchange(again_, false))
        write();
}

void Recovery::end() {
    timer_.stop();
    again_ = false;
    if (cancelled_)
        *cancelled_ = true;
    if (copy_)
        pool_.start([copy = copy_] { copy->remove(); });
    removeTaken();
}

void Recovery::take(const std::filesystem::path& copy) {
    const auto found = std::ranges::find(left_, copy, &Left::copy);
    if (found == left_.end())
        return;
    taken_.push_back(std::move(*found));
    left_.erase(found);
    write();
}

void Recovery::drop(const std::filesystem::path& copy) {
    const auto found = std::ranges::find(left_, copy, &Left::copy);
    if (found == left_.end())
        return;
    pool_.start([lost = std::move(*found)] { removeCopy(lost.copy); });
    left_.erase(found);
}

void Recovery::removeTaken() {
    for (auto& one : std::exchange(taken_, {}))
        pool_.start([one = std::move(one)] { removeCopy(one.copy); });
}

// Offers and restores copies of unsaved work.

namespace {

OpenedFiles readCopy(const std::filesystem::path& copy, const RunControl& control) {
    auto read = io::read_recovery_copy(copy, control);
    OpenedFiles work;
    work.problem = std::move(read.work.problem);
    work.path = fromPath(read.work.path);
    work.stamp = read.work.stamp;
    work.title = QString::fromStdString(read.work.title);
    work.view_json = std::move(read.work.view_json);
    work.missing = std::move(read.missing);
    return work;
}

} // namespace

CrashRecovery::CrashRecovery(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers,
                             BackgroundRead& reading, Replace replace)
    : messages_(messages), offers_(offers), reading_(reading), replace_(std::move(replace)), recovery_(document, view) {
    connect(&recovery_, &Recovery::failed, this, [this](const Message& why) {
        // The next edit tries again: reports it once.
        if (std::exchange(failure_, why) != why)
            messages_.showMessage(MessageBar::Kind::Error,
                                  tr("Your unsaved work is not kept for the case of a crash: %1").arg(translated(why)));
    });
}

void CrashRecovery::start() {
    recovery_.start();
    offer();
}

void CrashRecovery::offer() {
    const auto& all = recovery_.left();
    if (all.empty()) {
        offers_.hide();
        return;
    }
    const auto& left = all.front();
    const auto words = [saved = left.saved, title = left.title, more = static_cast<int>(all.size()) - 1] {
        const bool today = saved.date() == QDate::currentDate();
        const auto when = today ? languageLocale().toString(saved.time(), QLocale::ShortFormat)
                                : languageLocale().toString(saved, QLocale::ShortFormat);
        const auto text = title.isEmpty() ? tr("Work of %1 was not saved.").arg(when)
                                          : tr("Work of %1 on “%2” was not saved.").arg(when, title);
        return more > 0 ? text + QLatin1Char(' ') + tr("(%n more)", nullptr, more) : text;
    };
    const auto copy = left.copy;
    offers_.showQuestion(
        words, [] { return tr("Restore"); }, [this, copy] { restore(copy); }, {}); // offered again at the next start
    offers_.alsoOffer([] { return tr("Discard"); },
                      [this, copy] {
                          recovery_.drop(copy);
                          offer();
                      });
}

void CrashRecovery::restore(const std::filesystem::path& copy) {
    reading_.start<OpenedFiles>([copy](const RunControl& control) { return readCopy(copy, control); },
                                [this, copy](OpenedFiles work) {
                                    if (work.missing.empty())
                                        use(copy, std::move(work));
                                    else
                                        offerTheRest(copy, std::move(work));
                                },
                                [this] { offer(); });
}

/// Offers work of which some arrays are lost with their files.
void CrashRecovery::offerTheRest(const std::filesystem::path& copy, OpenedFiles work) {
    const auto words = [missing = work.missing] {
        QStringList lost;
        for (const auto& why : missing)
            lost << translated(why);
        return lost.join(QLatin1Char('\n'));
    };
    offers_.showQuestion(
        words, [] { return tr("Restore the rest"); }, [this, copy, work = std::move(work)] { use(copy, work); }, {});
    offers_.alsoOffer([] { return tr("Not now"); }, [this] { offer(); });
}

void CrashRecovery::use(const std::filesystem::path& copy, OpenedFiles work) {
    if (replace_(std::move(work)))
        recovery_.take(copy);
    offer();
}

} // namespace attnlab::ui
