// Scenes and user actions shared by tests of the labs.
#pragma once

#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/cards/card_part.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/card_controls.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/curve_card.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/matrix/heatmap_view.h"

#include <QTest>

namespace attnlab::ui {

inline lab::SceneSetting labSetting(const char* id, const char* scale = "sqrt_dk",
                                    std::initializer_list<const char*> masks = {}) {
    lab::SceneSetting setting;
    setting.id = id;
    setting.spec.scale = parse_scale(scale);
    for (const char* mask : masks)
        setting.spec.masks.push_back(parse_mask(mask));
    return setting;
}

inline lab::Scene drawnScene(std::vector<lab::SceneSetting> settings, const lab::RandomInputs& draw = {}) {
    lab::Scene scene;
    scene.draw = draw;
    scene.settings = std::move(settings);
    return scene;
}

/// A visible board with its model.
struct ShownBoard {
    SceneModel model;
    std::unique_ptr<CardsBoard> board;

    ShownBoard(lab::Scene scene, lab::BoardSpec view, QSize size = QSize(1000, 760)) {
        model.begin(std::move(scene), std::move(view));
        board = std::make_unique<CardsBoard>(model);
        board->resize(size);
        board->show();
        settle();
    }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(board->isSettled(), 20000);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
    CardView& card(std::size_t index) { return *board->area()->cards().at(index); }
    CardControls* controls(std::size_t index) { return qobject_cast<CardControls*>(card(index).controls()); }
    const Trace& trace(const char* id) { return *model.result()->trace_of(model.scene(), id); }
    double shown(std::size_t index, int row, int column) { return card(index).heatmap()->matrix().view()(row, column); }
    /// The view of the first part of a kind.
    template <class Kind>
    PartView* partView(std::size_t index) {
        for (auto* part : card(index).parts())
            if (dynamic_cast<const Kind*>(part->part().get()))
                return part;
        return nullptr;
    }
};

} // namespace attnlab::ui
