// Which numbers of a problem the program drew at random, for typed words and for missing inputs.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace attnlab::ui {

/// Recognises the numbers themselves, so that the result is the same after undo and after reading a saved file.
class MadeUp {
    Q_DECLARE_TR_FUNCTIONS(MadeUp)
public:
    explicit MadeUp(const AttentionProblem& problem);

    bool isEmpty() const { return names_.isEmpty(); }
    /// The words or else the inputs whose numbers are random.
    const QStringList& names() const { return names_; }
    /// "Random numbers, no trained model: “cat”, “sat”"; empty if there are none.
    QString sentence() const;
    /// "random numbers"; empty if there are none.
    QString mark() const;
    /// The title of a figure with this mark, if any: "weights · random numbers".
    static QString marked(const QString& title, const QString& mark);

private:
    QStringList names_;
};

} // namespace attnlab::ui
