#include "ui/learn/lesson_form.h"

#include "core/lessons/lesson.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QHBoxLayout>
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

} // namespace attnlab::ui
