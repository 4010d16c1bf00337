// What a run of the program knew, for the next one to check after it was killed.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>

namespace attnlab::soak {

/// A line each for what happens, in a file that outlives the process.
class Journal {
public:
    /// Reads what earlier runs wrote, then adds to it.
    explicit Journal(const QString& path);

    /// A run begins: what is written from now on is about this one.
    void begin();
    /// The document changed.
    void state(const QByteArray& digest, bool saved);
    void saving(const QString& path, const QByteArray& digest);
    void saved(const QString& path);
    /// How this run ends. Any thread may say it.
    void end(const char* how);

    /// Ends the soak where a file of an earlier run holds neither what was saved last nor what was being saved.
    void checkFiles() const;
    /// What may be brought back after the last run.
    struct Expected {
        bool was_killed = false;
        bool required = false;    ///< it had unsaved work for longer than may be lost
        QSet<QByteArray> digests; ///< of the work that may be brought back
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
