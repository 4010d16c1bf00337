#include "tests/soak/journal.h"

#include "core/io/saved/workspace_file.h"
#include "tests/soak/random_problem.h"
#include "tests/soak/soak_watch.h"

#include <QDateTime>

#include <unistd.h>

namespace attnlab::soak {
namespace {

/// The maximum age of lost work, and the maximum delay of a copy to disk on a busy machine.
constexpr qint64 most_lost = 5'000, slack = 10'000;

QByteArray now() { return QByteArray::number(QDateTime::currentMSecsSinceEpoch()); }

} // namespace

Journal::Journal(const QString& path) : file_(path) {
    if (!file_.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered))
        fail(QStringLiteral("no journal"));
    file_.seek(0);
    for (const auto& line : file_.readAll().split('\n'))
        read(line);
}

void Journal::read(const QByteArray& line) {
    const auto words = line.split('\t');
    const auto& kind = words.first();
    if (kind == "begin") {
        states_.clear();
        ending_.clear();
        ended_ = 0;
    } else if (kind == "state") {
        states_ << State{words.value(1).toLongLong(), words.value(2), words.value(3) == "saved"};
    } else if (kind == "saving") {
        files_[QString::fromUtf8(words.value(1))].pending = words.value(2);
    } else if (kind == "saved") {
        auto& file = files_[QString::fromUtf8(words.value(1))];
        if (!file.pending.isEmpty()) // reported once or twice for one save
            file.done = std::exchange(file.pending, {});
    } else if (kind == "end" && ended_ == 0) {
        ended_ = words.value(1).toLongLong();
        ending_ = words.value(2);
    }
}

void Journal::write(const QByteArray& line) {
    // A single call, so that lines of several threads do not mix.
    const QByteArray whole = line + '\n';
    if (::write(file_.handle(), whole.constData(), static_cast<std::size_t>(whole.size())) != whole.size())
        fail(QStringLiteral("the journal cannot be written"));
}

void Journal::begin() { write("begin"); }
void Journal::state(const QByteArray& digest, bool saved) {
    write("state\t" + now() + '\t' + digest + '\t' + (saved ? "saved" : "unsaved"));
}
void Journal::saving(const QString& path, const QByteArray& digest) {
    write("saving\t" + path.toUtf8() + '\t' + digest);
}
void Journal::saved(const QString& path) { write("saved\t" + path.toUtf8()); }
void Journal::end(const char* how) { write("end\t" + now() + '\t' + how); }

void Journal::checkFiles() const {
    for (auto file = files_.begin(); file != files_.end(); ++file) {
        if (!QFile::exists(file.key())) {
            if (!file->done.isEmpty())
                fail(file.key() + QStringLiteral(" was saved and is gone"));
            continue;
        }
        try {
            const auto found = digestOf(io::read_workspace(file.key().toStdString()));
            if (found != file->done && found != file->pending)
                fail(file.key() + QStringLiteral(" is not what was saved"));
        } catch (const std::exception& error) {
            fail(file.key() + QStringLiteral(" was saved and cannot be read: ") + QString::fromUtf8(error.what()));
        }
    }
}

Journal::Expected Journal::expected() const {
    Expected expected;
    expected.was_killed = ended_ != 0 && ending_ != "quit";
    if (!expected.was_killed)
        return expected;
    for (const auto& state : states_) {
        if (state.time <= ended_ - most_lost - slack) {
            // This state, or a later one.
            expected.digests.clear();
            expected.required = !state.saved;
        }
        if (state.saved)
            expected.required = false;
        else
            expected.digests << state.digest;
    }
    return expected;
}

} // namespace attnlab::soak
