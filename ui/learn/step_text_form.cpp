#include "ui/learn/step_text_form.h"

#include "ui/learn/cards/card_content.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {

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
    body_->setPlaceholder(tr("**Bold**, *italics*, lists. {{entropy(none) | 2}} puts in a number that is computed."));
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
    QStringList ids;
    const bool attention = lesson.board && lesson.board->scene && !lesson.board->scene->cache;
    if (attention)
        for (const auto& setting : lesson.board->scene->settings)
            ids << textOf(setting.id);
    insert_->setEnabled(!ids.isEmpty());
    if (ids == listed_)
        return;
    listed_ = ids;
    numbers_->clear();
    const QStringList titles = attention ? CardContents::settingTitles(*lesson.board->scene) : QStringList();
    for (qsizetype k = 0; k < ids.size(); ++k) {
        const QString id = ids[k];
        const QString title = titles.value(k);
        auto* menu = numbers_->addMenu(menuText(title.isEmpty() ? id : tr("%1: %2", "id, title").arg(id, title)));
        const std::pair<QString, QString> numbers[] = {
            {tr("Entropy of a row"), QStringLiteral("entropy(%1) | 2")},
            {tr("Effective keys of a row"), QStringLiteral("effective_keys(%1) | 1")},
            {tr("Largest weight of a row"), QStringLiteral("max_weight(%1) | 2")},
            {tr("Variance of the scaled scores"), QStringLiteral("variance(%1.scaled) | 2")},
            {tr("One weight: row 0, column 0"), QStringLiteral("%1.weights[0, 0] | 2")},
            {tr("The weights of row 0"), QStringLiteral("%1.weights[0] | 2")},
            {tr("The output of row 0"), QStringLiteral("%1.output[0] | 2")}};
        for (const auto& [words, expression] : numbers)
            menu->addAction(menuText(words), this,
                            [this, text = expression.arg(id)] { body_->insert(QStringLiteral("{{%1}}").arg(text)); });
    }
}

} // namespace attnlab::ui
