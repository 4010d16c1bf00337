// How several masks are combined, and score_mod.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace attnlab::ui {

class ExpressionField;

/// The combination appears with two masks that block. score_mod appears while it is open or set.
class CombinationForm : public QWidget {
    Q_OBJECT
public:
    explicit CombinationForm(const ComparedSide& setting, QWidget* parent = nullptr);

    /// All, any, or an expression of their names.
    QComboBox* choice() const { return choice_; }
    ExpressionField* combination() const { return combination_; }
    ExpressionField* scoreMod() const { return score_mod_; }
    /// Shows the field of score_mod also where there is none yet.
    void setOpen(bool open);

private:
    void choose(int index);
    void setCombination(const std::string& text, const QString& words);
    void showSetting();

    ComparedSide setting_;
    QLabel *label_, *score_label_;
    QComboBox* choice_;
    ExpressionField *combination_, *score_mod_;
    bool open_ = false;
    bool expresses_ = false; ///< "expression" is chosen, though the text may be "a and b" still
};

} // namespace attnlab::ui
