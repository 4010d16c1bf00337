// The program, started as a user starts it.
#pragma once

#include "tests/places.h"

#include <QProcess>
#include <QString>
#include <QStringList>

#include <functional>

namespace attnlab::test {

struct Outcome {
    int code;
    QString out;
    QString error;
};

inline Outcome start(const QStringList& arguments, const QStringList& environment = {}) {
    QProcess program;
    auto variables = QProcessEnvironment::systemEnvironment();
    for (const auto& name : environment)
        variables.remove(name);
    program.setProcessEnvironment(variables);
    program.start(QStringLiteral(ATTNLAB_PROGRAM), arguments);
    if (!program.waitForFinished())
        return {-1, {}, "did not finish"};
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

/// Runs `prepare` in the child process before it executes the program: limits, signals, closed streams.
inline Outcome startPrepared(const std::function<void()>& prepare, const QStringList& arguments,
                             const QString& standard_output = {}) {
    QProcess program;
    program.setChildProcessModifier(prepare);
    if (!standard_output.isEmpty())
        program.setStandardOutputFile(standard_output, QIODevice::Append);
    program.start(QStringLiteral(ATTNLAB_PROGRAM), arguments);
    if (!program.waitForFinished())
        return {-1, {}, "did not finish"};
    return {program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -program.exitCode(),
            QString::fromUtf8(program.readAllStandardOutput()), QString::fromUtf8(program.readAllStandardError())};
}

inline QString golden(const char* name) { return QStringLiteral(ATTNLAB_GOLDEN_DIR "/") + QLatin1String(name); }

} // namespace attnlab::test
