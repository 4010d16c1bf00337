#include "ui/learn/step_text_form.h"

#include "ui/learn/cards/card_content.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
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

} // namespace attnlab::ui
