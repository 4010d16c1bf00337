// A lab: a board to experiment with, outside a lesson.
#pragma once

#include "core/lab/board.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/board_page.h"

#include <memory>
#include <optional>

namespace attnlab::ui {

class LabPage : public BoardPage {
    Q_OBJECT
public:
    explicit LabPage(QWidget* parent = nullptr);

    /// ScaleLab or MaskLab. Restores what was shown there before.
    void open(lab::BoardKind board);
    /// nullopt: none is open.
    std::optional<lab::BoardKind> lab() const { return lab_; }
    QString title() const;

    /// The lab with the user's changes, for another page; no other function may be called afterwards.
    struct Place {
        std::optional<lab::BoardKind> lab;
        std::unique_ptr<SceneModel> model;
    };
    Place takePlace() { return {lab_, frame()->takeModel()}; }
    void resume(Place place);

    bool isChanged() const override;
    void reset() override;
    void close() override;

private:
    LabPage(QPushButton* reset, QWidget* parent);

    std::optional<lab::BoardKind> lab_;
    QPushButton* reset_;
};

} // namespace attnlab::ui
