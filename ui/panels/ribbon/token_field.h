// The field over a chip, in which a word is changed: in the workspace and on the page of a model.
#pragma once

#include "ui/panels/ribbon/token_chips.h"

#include <QLineEdit>

namespace attnlab::ui {

class TokenArcs;

/// Stands on the chip and grows with its text. Enter and leaving it take the text, Escape drops it; then the chips have
/// the focus, and the field goes.
class TokenField : public QLineEdit {
    Q_OBJECT
public:
    /// Shows itself, with `text` selected, and takes the focus.
    TokenField(TokenArcs& arcs, RibbonTokens::Side side, int token, const QString& text);
    ~TokenField() override;

    /// Goes without taking the text.
    void drop();

signals:
    /// Another text was typed.
    void taken(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void take();

    TokenArcs& arcs_;
    RibbonTokens::Side side_;
    int token_;
};

} // namespace attnlab::ui
