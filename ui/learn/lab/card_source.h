// The data of one card of a board.
#pragma once

#include "ui/learn/lab/card_content.h"

namespace attnlab::ui {

struct CardContents::Source {
    lab::Card card;
    std::size_t index = 0; ///< of the setting
    const lab::SceneSetting* setting = nullptr;
    const Trace* trace = nullptr; ///< null: see `error`
    QString error;
    const Stage* stage = nullptr; ///< of the matrix
    int batch = 0;
    int head = 0; ///< or ViewState::mean_of_heads

    /// As in core: nullopt for all heads.
    std::optional<std::int64_t> headNumber() const {
        return head < 0 ? std::nullopt : std::optional<std::int64_t>(head);
    }
};

/// Leaves the room to the cells: titles of rows and columns are given elsewhere.
inline MatrixData untitledMatrix(MatrixData matrix) {
    matrix.row_title.clear();
    matrix.column_title.clear();
    return matrix;
}

} // namespace attnlab::ui
