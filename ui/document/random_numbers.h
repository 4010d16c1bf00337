// Which numbers of a problem the program drew at random, for typed words and for missing inputs.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::ui {

/// Recognises the numbers themselves, so that the result is the same after undo and after reading a saved file.
class RandomNumbers {
    Q_DECLARE_TR_FUNCTIONS(RandomNumbers)
public:
    RandomNumbers() = default;
    explicit RandomNumbers(const AttentionProblem& problem);

    bool isEmpty() const { return names_.isEmpty(); }
    /// The words or else the inputs whose numbers are random.
    const QStringList& names() const { return names_; }
    /// "Random numbers, no trained model: “cat”, “sat”"; empty if there are none.
    QString sentence() const;
    /// "random numbers" where the numbers of a stage depend on them; empty otherwise. An empty name: a picture of all
    /// stages.
    QString markOf(std::string_view stage) const;
    /// The title of a figure with this mark, if any: "weights · random numbers".
    static QString marked(const QString& title, const QString& mark);

private:
    QStringList names_;
    std::vector<std::string> tensors_;    ///< that hold random numbers
    std::vector<AttentionSpec> settings_; ///< of the displayed settings: A, and B in a comparison
};

} // namespace attnlab::ui
