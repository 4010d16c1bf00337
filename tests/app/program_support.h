// The program, started as a user starts it.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

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

inline QString golden(const char* name) { return QStringLiteral(ATTNLAB_GOLDEN_DIR "/") + QLatin1String(name); }

} // namespace attnlab::test
