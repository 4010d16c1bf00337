// Names of tokens in sentences.
#pragma once

#include <QString>
#include <QStringList>

namespace attnlab::ui {

/// A token in quotation marks, or its number where it has no label.
inline QString nameOf(const QStringList& tokens, std::int64_t index) {
    return index < tokens.size() && !tokens[index].isEmpty() ? QStringLiteral("“%1”").arg(tokens[index])
                                                             : QString::number(index);
}

} // namespace attnlab::ui
