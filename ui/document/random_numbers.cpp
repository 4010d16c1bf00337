#include "ui/document/random_numbers.h"

#include "core/edit/sentence.h"
#include "core/inputs.h"

#include <algorithm>

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

RandomNumbers::RandomNumbers(const AttentionProblem& problem)
    : tensors_(arrays_of_drawn_words(problem)), settings_{problem.spec} {
    if (problem.compared_with)
        settings_.push_back(*problem.compared_with);
    for (const auto& word : drawn_words(problem))
        names_ << tr("“%1”").arg(QString::fromStdString(word));
    for (const auto& input : inputsOf(problem.spec))
        if (const auto found = problem.tensors.find(input.name);
            found != problem.tensors.end() && is_drawn(input, found->second, input_seed)) {
            names_ << QString::fromStdString(found->first);
            tensors_.push_back(found->first);
        }
}

QString RandomNumbers::sentence() const {
    if (names_.isEmpty())
        return {};
    QString names = names_.mid(0, most_of_names).join(QStringLiteral(", "));
    if (names_.size() > most_of_names)
        names += QStringLiteral(", …");
    return tr("Random numbers, no trained model: %1").arg(names);
}

QString RandomNumbers::markOf(std::string_view stage) const {
    const bool reached = std::ranges::any_of(settings_, [&](const AttentionSpec& spec) {
        return std::ranges::any_of(tensors_, [&](const std::string& tensor) {
            return stage.empty() || stage_may_depend_on(spec, tensor, stage);
        });
    });
    return reached ? tr("random numbers") : QString();
}

QString RandomNumbers::marked(const QString& title, const QString& mark) {
    if (mark.isEmpty() || title.isEmpty())
        return title + mark;
    return tr("%1 · %2").arg(title, mark);
}

} // namespace attnlab::ui
