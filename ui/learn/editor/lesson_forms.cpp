#include "ui/learn/editor/lesson_forms.h"

#include "core/lessons/lesson.h"
#include "ui/learn/cards/card_content.h"
#include "ui/widgets/card.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {

LessonForm::LessonForm(QWidget* parent)
    : DraftForm(parent), title_(new DraftField(DraftField::Lines::One, tr("Title of the lesson"), this)),
      summary_(new DraftField(DraftField::Lines::Several, tr("A sentence or two for the list of lessons"), this)),
      group_(new QComboBox(this)), error_(new ErrorLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(title_);
    column->addWidget(summary_);
    constexpr int lines = 5;
    summary_->editor()->setFixedHeight(lines * fontMetrics().lineSpacing());
    auto* label = new Label(tr("Heading in the list of lessons"), this);
    label->setBuddy(group_);
    group_->setAccessibleName(label->text());
    group_->addItem(translated(ATTNLAB_TEXT("Other lessons")), QString());
    for (const auto& group : lessons::lesson_groups)
        group_->addItem(translated(group.heading), textOf(group.id));
    auto* line = new QHBoxLayout;
    line->addWidget(label);
    line->addWidget(group_);
    line->addStretch(1);
    column->addLayout(line);
    column->addWidget(error_);
    column->addStretch(1);
    connect(title_, &DraftField::edited, this,
            [this](const QString& words) { changeTitle(&lessons::DraftTitle::title, words, QStringLiteral("title")); });
    connect(summary_, &DraftField::edited, this, [this](const QString& words) {
        changeTitle(&lessons::DraftTitle::summary, words, QStringLiteral("summary"));
    });
    connect(group_, &QComboBox::activated, this, [this](int index) {
        emit lessonChanged(
            [&](lessons::Draft& draft) { draft.group = group_->itemData(index).toString().toStdString(); }, {});
    });
}

void LessonForm::changeTitle(std::string lessons::DraftTitle::*part, const QString& words, const QString& field) {
    emit lessonChanged([&](lessons::Draft& draft) { draft.titles[language_].*part = words.toStdString(); }, field);
}

void LessonForm::show(const EditedLesson& lesson) {
    language_ = lesson.language;
    const auto found = lesson.draft.titles.find(language_);
    const auto title = found == lesson.draft.titles.end() ? lessons::DraftTitle() : found->second;
    const auto mistake = [&](const std::string& language, const std::string& field) -> const Message* {
        const auto one = std::ranges::find_if(lesson.mistakes, [&](const lessons::DraftMistake& each) {
            return each.place.language == language && each.place.field == field;
        });
        return one == lesson.mistakes.end() ? nullptr : &one->message;
    };
    title_->show(title.title, mistake(language_, "title"));
    summary_->show(title.summary, mistake(language_, "summary"));
    group_->setCurrentIndex(std::max(0, group_->findData(textOf(lesson.draft.group))));
    const auto* steps = mistake({}, "steps");
    error_->say(steps ? std::optional(*steps) : std::nullopt);
}

namespace {

/// The indices of the first row of a stage of a setting: "0", or "0, 0, 0" with several batches or heads.
QString firstRow(const EditedLesson& lesson, qsizetype setting, const char* name) {
    QString row = QStringLiteral("0");
    const auto* stage = lesson.board->result
                            ? lesson.board->result->settings.at(static_cast<std::size_t>(setting)).trace.find(name)
                            : nullptr;
    const std::int64_t before = stage ? stage->value.rank() - 2 : 0;
    bool single = true;
    QString all;
    for (std::int64_t axis = 0; axis < before; ++axis) {
        single = single && stage->value.dim(axis) == 1;
        all += QStringLiteral("0, ");
    }
    return single ? row : all + row;
}

} // namespace

StepTextForm::StepTextForm(QWidget* parent)
    : DraftForm(parent), title_(new DraftField(DraftField::Lines::One, tr("Title of the step"), this)),
      body_(new DraftField(DraftField::Lines::Several, tr("Text (Markdown)"), this)), insert_(new QToolButton(this)),
      numbers_(new QMenu(insert_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(title_);
    column->addWidget(body_, 1);
    constexpr int least_lines = 8;
    body_->editor()->setMinimumHeight(least_lines * fontMetrics().lineSpacing());
    body_->setPlaceholder(tr("**Bold**, *italics*, lists."));
    insert_->setText(tr("Insert a number"));
    insert_->setToolTip(tr("A number of this step, computed while the reader looks at it"));
    insert_->setPopupMode(QToolButton::InstantPopup);
    insert_->setFocusPolicy(Qt::StrongFocus);
    insert_->setMenu(numbers_);
    body_->addButton(insert_);
    connect(title_, &DraftField::edited, this, [this](const QString& words) {
        emit textChanged([&](lessons::DraftText& text) { text.title = words.toStdString(); }, QStringLiteral("title"));
    });
    connect(body_, &DraftField::edited, this, [this](const QString& words) {
        emit textChanged([&](lessons::DraftText& text) { text.body = words.toStdString(); }, QStringLiteral("body"));
    });
}

void StepTextForm::show(const EditedLesson& lesson) {
    title_->show(lesson.text().title, lesson.textMistake("title"));
    body_->show(lesson.text().body, lesson.textMistake("body"));
    listNumbers(lesson);
}

void StepTextForm::listNumbers(const EditedLesson& lesson) {
    QStringList ids, listed;
    const bool attention = lesson.board && lesson.board->scene && !lesson.board->scene->cache;
    if (attention)
        for (const auto& setting : lesson.board->scene->settings)
            ids << textOf(setting.id);
    insert_->setEnabled(!ids.isEmpty());
    for (qsizetype k = 0; k < ids.size(); ++k)
        listed << ids[k] + firstRow(lesson, k, "weights");
    if (listed == listed_)
        return;
    const QString bold = tr("**Bold**, *italics*, lists.");
    body_->setPlaceholder(ids.isEmpty()
                              ? bold
                              : QStringLiteral("%1 %2").arg(
                                    bold, tr("{{entropy(%1) | 2}} puts in a number that is computed.").arg(ids[0])));
    listed_ = listed;
    numbers_->clear();
    const QStringList titles = attention ? CardContents::settingTitles(*lesson.board->scene) : QStringList();
    for (qsizetype k = 0; k < ids.size(); ++k) {
        const QString id = ids[k];
        const QString title = titles.value(k);
        auto* menu = numbers_->addMenu(menuText(title.isEmpty() ? id : tr("%1: %2", "id, title").arg(id, title)));
        const std::pair<QString, QString> numbers[] = {
            {tr("Entropy, mean of the rows"), QStringLiteral("entropy(%1) | 2")},
            {tr("Effective keys, mean of the rows"), QStringLiteral("effective_keys(%1) | 1")},
            {tr("Largest weight, mean of the rows"), QStringLiteral("max_weight(%1) | 2")},
            {tr("Variance of the scaled scores"), QStringLiteral("variance(%1.scaled) | 2")},
            {tr("First weight of the first row"), QStringLiteral("%1.weights[%2, 0] | 2")},
            {tr("Weights of the first row"), QStringLiteral("%1.weights[%2] | 2")},
            {tr("Output of the first row"), QStringLiteral("%1.output[%3] | 2")}};
        const QString row_of_weights = firstRow(lesson, k, "weights"), row_of_output = firstRow(lesson, k, "output");
        for (const auto& [words, expression] : numbers) {
            QString text = expression;
            text.replace(QStringLiteral("%1"), id)
                .replace(QStringLiteral("%2"), row_of_weights)
                .replace(QStringLiteral("%3"), row_of_output);
            menu->addAction(menuText(words), this, [this, text] { body_->insert(QStringLiteral("{{%1}}").arg(text)); });
        }
    }
}

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
