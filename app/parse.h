// QCommandLineParser without its habit of leaving the process.
#pragma once

#include "core/attention.h"

#include <QCommandLineParser>
#include <QStringList>

#include <vector>

namespace attnlab::app {

/// Parses, and prints help when asked for. Returns false when there is nothing more to do. Throws UsageError.
bool parse(QCommandLineParser& parser, const QStringList& arguments);

/// The value of an option that must be there. Throws UsageError.
QString required(const QCommandLineParser& parser, const char* option);

/// Warnings of a result on standard error, a line each.
void printWarnings(const std::vector<Note>& notes);

} // namespace attnlab::app
