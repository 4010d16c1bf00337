// Words of the window for arguments of the engine's messages: the controls that they advise, and sums.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>

namespace attnlab::ui {

class OptionWords {
    Q_DECLARE_TR_FUNCTIONS(OptionWords)
public:
    /// For a sum over matrices, "5 over 4 heads": the same in the window's language. For a command-line option,
    /// "--layout LBE": its place in the window, "“Read otherwise…” with the axes (L, B, E)". nullopt for any other
    /// argument.
    static std::optional<QString> of(const std::string& argument);
};

} // namespace attnlab::ui
