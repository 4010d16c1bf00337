// The expectations of a run of the program, which the next run checks after it was killed.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>

namespace attnlab::soak {

/// Logs one line for each event in a file that outlives the process.
class Journal {
public:
    /// Reads the lines of earlier runs and appends to them.
    explicit Journal(const QString& path);

    /// A run begins: later lines belong to it.
    void begin();
    /// The document changed.
    void state(const QByteArray& digest, bool saved);
    void saving(const QString& path, const QByteArray& digest);
    void saved(const QString& path);
    /// How this run ends. Thread-safe.
    void end(const char* how);

    /// Fails if a file of an earlier run contains neither the last saved state nor the one being saved.
    void checkFiles() const;
    /// The states that may be restored after the last run.
    struct Expected {
        bool was_killed = false;
        bool required = false;    ///< it had unsaved work older than the limit
        QSet<QByteArray> digests; ///< of the work that may be restored
    };
    Expected expected() const;

private:
    struct State {
        qint64 time;
        QByteArray digest;
        bool saved;
    };
    struct Saved {
        QByteArray done, pending;
    };
    void write(const QByteArray& line);
    void read(const QByteArray& line);

    QFile file_;
    QList<State> states_; ///< of the last run
    QMap<QString, Saved> files_;
    QByteArray ending_;
    qint64 ended_ = 0;
};

} // namespace attnlab::soak
