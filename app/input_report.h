// What commands say on standard error about their inputs and options.
#pragma once

#include "core/recognition/recognition.h"

#include <QCommandLineParser>

#include <string>
#include <vector>

namespace attnlab::app {

/// Every decision that could have been another, and every array that is not used, a line each; of many that are not
/// used for one reason a line for all.
void reportArrays(const Recognition& recognition, const AttentionProblem& problem);

/// Options about masks that change nothing in any of the settings: what the files hold decides that, so that it is no
/// wrong command line. `within` comes before their names: "--with: ".
void reportIdleSetting(const QCommandLineParser& parser, const std::vector<AttentionSpec>& settings,
                       const std::string& within = {});
/// The same for the options of a command, whose setting B they are for too.
void reportIdleOptions(const QCommandLineParser& parser, const AttentionProblem& problem);

} // namespace attnlab::app
