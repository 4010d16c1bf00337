// What tells two settings apart, in a few words.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <span>

namespace attnlab::ui {

class SettingWords {
    Q_DECLARE_TR_FUNCTIONS(SettingWords)
public:
    /// What `spec` has and `other` has not or has otherwise: "none · causal". Its mechanism where they are the same.
    static QString of(const AttentionSpec& spec, const AttentionSpec& other);
    /// What tells each of several settings from the others: "1/√d" where they differ by nothing but the scale. Its
    /// mechanism where they are all the same.
    static QStringList ofEach(std::span<const AttentionSpec> specs);
    /// "causal, window" or "no mask".
    static QString ofMasks(const AttentionSpec& spec);
};

} // namespace attnlab::ui
