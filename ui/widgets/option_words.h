// Where the window has the choices that the engine's messages advise.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>

namespace attnlab::ui {

class OptionWords {
    Q_DECLARE_TR_FUNCTIONS(OptionWords)
public:
    /// For an argument of a message that is an option of the command line, "--layout LBE": where the window has that
    /// choice, "“Read otherwise…” with the axes (L, B, E)". Nothing for every other argument.
    static std::optional<QString> of(const std::string& argument);
};

} // namespace attnlab::ui
