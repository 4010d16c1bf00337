#include "ui/learn/draft_field.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace attnlab::ui {

DraftField::DraftField(Lines lines, const QString& title, QWidget* parent)
    : QWidget(parent), heading_(new QHBoxLayout), error_(new ErrorLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* label = new ElidedLabel(this);
    label->setText(title);
    label->setVisible(!title.isEmpty());
    heading_->addWidget(label, 1);
    column->addLayout(heading_);
    if (lines == Lines::One) {
        line_ = new QLineEdit(this);
        connect(line_, &QLineEdit::textEdited, this, &DraftField::edited);
    } else {
        lines_ = new TextEdit(this);
        lines_->setTabChangesFocus(true);
        lines_->setUndoRedoEnabled(false);
        connect(lines_, &QPlainTextEdit::textChanged, this, [this] { emit edited(text()); });
    }
    editor()->installEventFilter(this);
    editor()->setAccessibleName(title);
    setAccessibleLabelOf(*label, *editor());
    column->addWidget(editor(), 1);
    column->addWidget(error_);
}

QWidget* DraftField::editor() const { return line_ ? static_cast<QWidget*>(line_) : lines_; }

QString DraftField::text() const { return line_ ? line_->text() : lines_->toPlainText(); }

QString DraftField::error() const { return error_->said(); }

void DraftField::show(const std::string& text, const Message* error) {
    const QString words = textOf(text);
    if (words != this->text()) {
        const QSignalBlocker quiet(editor());
        if (line_)
            line_->setText(words);
        else
            lines_->setPlainText(words);
    }
    error_->say(error ? std::optional(*error) : std::nullopt);
    editor()->setAccessibleDescription(error_->said());
}

void DraftField::insert(const QString& text) {
    editor()->setFocus();
    if (lines_) {
        lines_->insertPlainText(text);
        return;
    }
    line_->insert(text);
    emit edited(line_->text());
}

void DraftField::setPlaceholder(const QString& text) {
    if (line_)
        line_->setPlaceholderText(text);
    else
        lines_->setPlaceholderText(text);
}

void DraftField::addButton(QAbstractButton* button) { heading_->addWidget(button); }

bool DraftField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

const lessons::DraftText& EditedLesson::text() const {
    static const lessons::DraftText none;
    const auto* one = edited();
    if (!one)
        return none;
    const auto found = one->texts.find(language);
    return found == one->texts.end() ? none : found->second;
}

} // namespace attnlab::ui
