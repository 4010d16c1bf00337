// The choices that compute and render share: input files, variant, scale, position, masks.
#pragma once

#include "core/attention.h"

#include <QCommandLineParser>
#include <QStringList>

#include <stdexcept>

namespace attnlab::app {

/// A wrong command line: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void addSpecOptions(QCommandLineParser& parser);

/// Reads the files and lays the options over them: a workspace brings its own choices, options replace them. Throws
/// UsageError for options that are wrong whatever the data is, and attnlab::Error for data.
AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files);

} // namespace attnlab::app
