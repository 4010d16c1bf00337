#include "ui/document/made_up.h"

#include "core/edit/sentence.h"
#include "core/input_seed.h"
#include "core/inputs.h"

namespace attnlab::ui {
namespace {

constexpr qsizetype most_of_names = 4; ///< in a sentence

std::vector<Input> inputsOf(const AttentionSpec& spec) {
    try {
        return inputs_of(spec);
    } catch (const Error&) { // the run says what is wrong
        return {};
    }
}

} // namespace

MadeUp::MadeUp(const AttentionProblem& problem) {
    for (const auto& word : drawn_words(problem))
        names_ << tr("“%1”").arg(QString::fromStdString(word));
    for (const auto& input : inputsOf(problem.spec))
        if (const auto found = problem.tensors.find(input.name);
            found != problem.tensors.end() && is_drawn(input, found->second, input_seed))
            names_ << QString::fromStdString(found->first);
}

QString MadeUp::sentence() const {
    if (names_.isEmpty())
        return {};
    QString names = names_.mid(0, most_of_names).join(QStringLiteral(", "));
    if (names_.size() > most_of_names)
        names += QStringLiteral(", …");
    return tr("Random numbers, no trained model: %1").arg(names);
}

QString MadeUp::mark() const { return names_.isEmpty() ? QString() : tr("random numbers"); }

QString MadeUp::marked(const QString& title, const QString& mark) {
    if (mark.isEmpty() || title.isEmpty())
        return title + mark;
    return tr("%1 · %2").arg(title, mark);
}

} // namespace attnlab::ui
