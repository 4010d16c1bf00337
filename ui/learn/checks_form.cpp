#include "ui/learn/checks_form.h"

#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// Empty lines are no statements.
std::vector<std::string> statementsIn(const QString& text) {
    std::vector<std::string> statements;
    for (const auto& line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            statements.push_back(line.trimmed().toStdString());
    return statements;
}

} // namespace

ChecksForm::ChecksForm(QWidget* parent)
    : DraftForm(parent), always_{new DraftField(DraftField::Lines::Several,
                                                tr("True whatever the reader changes, one statement a line"), this),
                                 new WrappedLabel(this), &lessons::DraftStep::checks, QStringLiteral("checks")},
      at_first_{new DraftField(DraftField::Lines::Several, tr("True of the step as it opens"), this),
                new WrappedLabel(this), &lessons::DraftStep::first_checks, QStringLiteral("first_checks")} {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* words = mutedLabel(this);
    words->setWordWrap(true);
    words->setText(tr("Write down what your text says about numbers, as expressions. The engine tests them."));
    column->addWidget(words);
    for (const auto* part : {&always_, &at_first_}) {
        build(*part);
        column->addWidget(part->field);
        column->addWidget(part->results);
    }
    column->addStretch(1);
}

void ChecksForm::build(const Part& part) {
    constexpr int lines = 5;
    part.field->editor()->setFixedHeight(lines * fontMetrics().lineSpacing());
    part.results->setWordWrap(true);
    connect(part.field, &DraftField::edited, this,
            [this, statements = part.statements, name = part.name](const QString& text) {
                emit stepChanged([&](lessons::DraftStep& step) { step.*statements = statementsIn(text); }, name);
            });
}

void ChecksForm::show(const EditedLesson& lesson) {
    showPart(always_, lesson, lesson.report ? &lesson.report->checks : nullptr);
    showPart(at_first_, lesson, lesson.report ? &lesson.report->first_checks : nullptr);
}

void ChecksForm::showPart(const Part& part, const EditedLesson& lesson,
                          const std::vector<lessons::ClaimReport>* reports) {
    setEnabled(lesson.edited());
    part.field->setPlaceholder(lesson.exampleStatement());
    const auto statements = lesson.edited() ? lesson.edited()->*part.statements : std::vector<std::string>();
    QStringList results;
    const Message* first = nullptr;
    for (std::size_t k = 0; k < statements.size(); ++k) {
        const auto* mistake = lesson.mistake(part.name.toStdString() + " " + std::to_string(k));
        if (!first)
            first = mistake;
        if (!reports || k >= reports->size())
            continue;
        const auto& report = (*reports)[k];
        results << (report.holds ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) +
                       (report.measured.empty() || !report.evaluated ? textOf(report.text) : textOf(report.measured));
    }
    QStringList lines;
    for (const auto& statement : statements)
        lines << textOf(statement);
    // An empty line that is being typed stays.
    const bool same = statementsIn(part.field->text()) == statements;
    part.field->show((same ? part.field->text() : lines.join(QLatin1Char('\n'))).toStdString(), first);
    part.results->setText(results.join(QLatin1Char('\n')));
    part.results->setVisible(!results.isEmpty());
}

QString ChecksForm::results() const { return always_.results->text() + at_first_.results->text(); }

} // namespace attnlab::ui
