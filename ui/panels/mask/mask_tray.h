// The tray of the masks: the tools that paint on the large matrix, and the masks that are chosen most.
#pragma once

#include "ui/widgets/card.h"

class QPushButton;
class QShortcut;

namespace attnlab::ui {

class Chip;
class MaskPainter;
class MaskPanel;
class MaskTools;

/// Opens below the row of stages, over what is there, and closes with Escape. Strokes on the large matrix paint while
/// it is open, unless the user switches that off; a button opens the panel of all masks.
class MaskTray : public PlainCard {
    Q_OBJECT
public:
    /// `panel` has the masks that the tray follows and sets. Both must outlive the tray.
    MaskTray(MaskPainter& painter, MaskPanel& panel, QWidget* parent = nullptr);

    void setOpen(bool open);
    MaskTools* tools() const { return tools_; }
    Chip* causal() const { return causal_; }
    QPushButton* panelButton() const { return all_; }

signals:
    void panelRequested();

private:
    MaskTools* tools_;
    Chip* causal_;
    QPushButton* all_;
    QShortcut* escape_;
};

} // namespace attnlab::ui
