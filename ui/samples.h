// The examples that the program ships.
#pragma once

#include <QString>

#include <span>

namespace attnlab::ui {

struct Sample {
    const char* id;    ///< resources/samples/<id>.npz
    const char* title; ///< translated in context "Samples"
    const char* help;

    QString displayTitle() const;
    QString displayHelp() const;
    /// A path that the readers of core can open: the resource copied to a temporary file of this process.
    QString filePath() const;
};

std::span<const Sample> samples();

} // namespace attnlab::ui
