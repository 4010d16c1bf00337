#include "ui/widgets/expression_field.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QEvent>
#include <QFontDatabase>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

ExpressionField::ExpressionField(Check check, QWidget* parent)
    : QWidget(parent), check_(std::move(check)), edit_(new QLineEdit(this)), complaint_(new Label(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(edit_);
    column->addWidget(complaint_);
    edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    complaint_->setWordWrap(true);
    complaint_->setForegroundRole(QPalette::BrightText);
    complaint_->hide();
    setFocusProxy(edit_);
    connect(edit_, &QLineEdit::textEdited, this, &ExpressionField::isValid);
    connect(edit_, &QLineEdit::editingFinished, this, &ExpressionField::accept);
}

ExpressionField::~ExpressionField() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    edit_->disconnect(this);
}

void ExpressionField::setText(const QString& text) {
    if (text == text_)
        return;
    text_ = text;
    const QSignalBlocker quiet(edit_);
    edit_->setText(text);
    isValid();
}

void ExpressionField::setPlaceholder(const QString& text) { edit_->setPlaceholderText(text); }

QString ExpressionField::complaint() const { return complaint_->isHidden() ? QString() : complaint_->text(); }

bool ExpressionField::isValid() {
    QString why;
    try {
        check_(edit_->text().toStdString());
    } catch (const Error& error) {
        why = translated(error.message());
    }
    complaint_->setText(why);
    complaint_->setVisible(!why.isEmpty());
    return why.isEmpty();
}

void ExpressionField::accept() {
    const QString typed = edit_->text();
    if (!isValid() || typed == text_)
        return;
    text_ = typed;
    emit textAccepted(text_);
}

void ExpressionField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange)
        isValid();
}

} // namespace attnlab::ui
