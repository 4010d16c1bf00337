// A field for a text that must be read as a whole, such as an expression.
#pragma once

#include "core/message.h"

#include <functional>
#include <QWidget>
#include <string>

class QLabel;
class QLineEdit;

namespace attnlab::ui {

/// The text takes effect with Enter or when the field is left. While it is wrong, the line below says where and why,
/// and it stays as it was typed.
class ExpressionField : public QWidget {
    Q_OBJECT
public:
    /// Throws Error for a text that is wrong.
    using Check = std::function<void(const std::string&)>;
    explicit ExpressionField(Check check, QWidget* parent = nullptr);
    ~ExpressionField() override;

    /// The last text that was valid.
    const QString& text() const { return text_; }
    /// Shows another text; keeps what is typed if it is the text already.
    void setText(const QString& text);
    void setPlaceholder(const QString& text);
    /// The error of the text that is typed; empty if it is valid.
    QString complaint() const;
    QLineEdit* edit() const { return edit_; }

signals:
    /// By the user; the text is valid and new.
    void textAccepted(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    bool isValid();
    void accept();

    Check check_;
    QString text_;
    QLineEdit* edit_;
    QLabel* complaint_;
};

} // namespace attnlab::ui
