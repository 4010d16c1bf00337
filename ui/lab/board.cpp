#include "ui/lab/board.h"

#include "ui/lab/cards_board.h"
#include "ui/lab/exhibit_board.h"
#include "ui/lab/scene_model.h"
#include "ui/step/step_board.h"

namespace attnlab::ui {

Board* makeBoard(SceneModel& model, QWidget* parent) {
    if (ExhibitBoard::isFor(model.view().board))
        return new ExhibitBoard(model, parent);
    if (model.view().board == "step_through")
        return makeStepBoard(model, parent);
    return new CardsBoard(model, parent);
}

} // namespace attnlab::ui
