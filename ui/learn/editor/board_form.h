// The page of the lesson editor for what a step shows and what its reader may change.
#pragma once

#include "core/lab/board.h"
#include "ui/learn/editor/draft_field.h"

#include <vector>

class QComboBox;
class QVBoxLayout;

namespace attnlab::ui {

class BoardFrame;
class Chip;
class ErrorLabel;

/// The author has every control of the board; the chips say which of them the reader has.
class BoardForm : public DraftForm {
    Q_OBJECT
public:
    explicit BoardForm(QWidget* parent = nullptr);

    void show(const EditedLesson& lesson) override;
    /// Shows no board, which computes nothing then.
    void clear();

    BoardFrame* frame() const { return frame_; }
    QComboBox* kind() const { return kind_; }
    const std::vector<std::pair<lab::BoardControl, Chip*>>& chips() const { return chips_; }
    const std::vector<std::pair<std::string, DraftField*>>& cards() const { return cards_; }

private:
    void takeBoard();
    void showKind(const lessons::DraftStepReport& report);
    void showChips(const EditedLesson& lesson);
    void showCards(const EditedLesson& lesson);

    ErrorLabel* error_;
    QComboBox* kind_;
    QWidget* live_;
    std::vector<std::pair<lab::BoardControl, Chip*>> chips_;
    ErrorLabel* live_error_;
    BoardFrame* frame_;
    QWidget* words_;
    QVBoxLayout* words_column_;
    std::vector<std::pair<std::string, DraftField*>> cards_; ///< by id of the card
    std::string step_;                                       ///< on show
    lab::Scene scene_;                                       ///< as the lesson has it
    lab::BoardSpec view_;
    bool showing_ = false; ///< changes of the board come from show()
};

/// The controls that a board of this kind has for such a scene, in the order of the enum.
std::vector<lab::BoardControl> controlsOf(const lab::Scene& scene, const lab::BoardSpec& view);

} // namespace attnlab::ui
