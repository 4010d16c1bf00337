// A lab: a board to experiment with, outside a lesson.
#pragma once

#include "core/lab/board.h"
#include "ui/learn/board_page.h"

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

    bool isChanged() const override;
    void reset() override;
    void close() override;

protected:
    void retranslate() override;

private:
    LabPage(QPushButton* reset, QWidget* parent);

    std::optional<lab::BoardKind> lab_;
    QPushButton* reset_;
};

} // namespace attnlab::ui
