// Messages of commands on standard error about their inputs and options.
#pragma once

#include "core/recognition/recognition.h"

#include <QCommandLineParser>

#include <string>
#include <vector>

namespace attnlab::app {

/// Every decision between alternatives, and every unused array, one line each; many arrays unused for one reason share
/// a line.
void reportArrays(const Recognition& recognition, const AttentionProblem& problem);

/// Options about masks, and parameters, that have no effect in any of the settings: this depends on the files, so it is
/// not a usage error. `within` precedes their names: "--with: ".
void reportIdleSetting(const QCommandLineParser& parser, const std::vector<AttentionSpec>& settings,
                       const std::string& within = {});
/// The same for the options of a command, which also apply to its setting B.
void reportIdleOptions(const QCommandLineParser& parser, const AttentionProblem& problem);

} // namespace attnlab::app
