// The samples shipped with the program.
#pragma once

#include "core/attention.h"

#include <QString>

#include <span>
#include <string>

namespace attnlab::ui {

struct Sample {
    const char* id;    ///< resources/samples/<id>.npz
    const char* title; ///< translated in context "Samples"
    const char* help;  ///< one sentence: what to look at

    QString displayTitle() const;
    QString displayHelp() const;
    /// `view_json` receives the saved view (io::read_workspace).
    AttentionProblem read(std::string* view_json) const;
};

std::span<const Sample> samples();

} // namespace attnlab::ui
