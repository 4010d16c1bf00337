// Names the controls of the window for choices that messages of the engine advise.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>

namespace attnlab::ui {

class OptionWords {
    Q_DECLARE_TR_FUNCTIONS(OptionWords)
public:
    /// For an argument of a message that is a command-line option, "--layout LBE": its place in the window, "“Read
    /// otherwise…” with the axes (L, B, E)". nullopt for any other argument.
    static std::optional<QString> of(const std::string& argument);
};

} // namespace attnlab::ui
