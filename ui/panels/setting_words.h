// Short texts that distinguish two settings.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <span>
#include <string>

namespace attnlab::ui {

class SettingWords {
    Q_DECLARE_TR_FUNCTIONS(SettingWords)
public:
    /// The choices of `spec` that `other` lacks or has differently: "none · causal". Its mechanism if they are equal.
    static QString of(const AttentionSpec& spec, const AttentionSpec& other);
    /// A text for each setting that distinguishes it from the others: "1/√d" if they differ only in the scale. Its
    /// mechanism if all are equal. `tokens`: the names of the tokens that a parameter lists, if they have any.
    static QStringList ofEach(std::span<const AttentionSpec> specs, std::span<const std::string> tokens = {});
    /// "causal, window" or "no mask".
    static QString ofMasks(const AttentionSpec& spec);
};

} // namespace attnlab::ui
