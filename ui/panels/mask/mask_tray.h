// The tray of the masks: the tools that paint on the large matrix, and the masks that are chosen most.
#pragma once

#include "ui/widgets/tool_tray.h"

class QPushButton;

namespace attnlab::ui {

class Chip;
class MaskPainter;
class MaskPanel;
class MaskTools;

/// Strokes on the large matrix paint while it is open, unless the user switches that off; a button opens the panel of
/// all masks.
class MaskTray : public ToolTray {
    Q_OBJECT
public:
    /// `panel` has the masks that the tray follows and sets. Both must outlive the tray.
    MaskTray(MaskPainter& painter, MaskPanel& panel, QWidget* parent = nullptr);

    MaskTools* tools() const { return tools_; }
    Chip* causal() const { return causal_; }
    QPushButton* panelButton() const { return all_; }

signals:
    void panelRequested();

private:
    MaskTools* tools_;
    Chip* causal_;
    QPushButton* all_;
};

} // namespace attnlab::ui
