#include "ui/panels/mask/mask_tray.h"

#include "ui/panels/mask/mask_painter.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

#include <QBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

namespace attnlab::ui {
namespace {

constexpr int gap_of_tools = 2;

} // namespace

MaskTray::MaskTray(MaskPainter& painter, MaskPanel& panel, QWidget* parent)
    : ToolTray(tr("Tools of the mask"), parent), tools_(new MaskTools(painter)), causal_(new Chip),
      all_(newButton(tr("All masks…"), tr("Opens the panel of all masks: windows, padding, documents and others"))) {
    setTakesFocus(false); // strokes come next
    causal_->setCheckable(true);
    auto* words = new ElidedLabel;
    words->setForegroundRole(QPalette::PlaceholderText);
    words->setText(tr("Drag blocks, right drag unblocks"));
    words->setToolTip(tr("Drag on the matrix to block cells, with the right button to unblock them. Escape closes."));
    words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    content()->addWidget(causal_);
    content()->addWidget(tools_, 0, Qt::AlignVCenter);
    content()->addWidget(words, 1);
    content()->addWidget(all_);
    int width = 0; // all tools in one line
    for (const QWidget* tool : tools_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (!tool->isWindow())
            width += tool->sizeHint().width() + gap_of_tools;
    tools_->setMinimumWidth(width);

    Chip* causal = panel.chips()->chip("causal");
    const auto follow = [this, causal] {
        const QSignalBlocker quiet(causal_);
        causal_->setText(causal->text());
        causal_->setToolTip(causal->toolTip());
        causal_->setChecked(causal->isChecked());
        causal_->setEnabled(causal->isEnabled());
        tools_->setEnabled(causal->isEnabled() || causal->isChecked());
    };
    connect(causal_, &QAbstractButton::clicked, causal, &QAbstractButton::click);
    connect(&painter.document(), &Document::problemChanged, this, follow, Qt::QueuedConnection); // after the panel
    follow();
    connect(&panel, &MaskPanel::paintingChanged, tools_, &MaskTools::setPainting);
    connect(tools_, &MaskTools::paintingChanged, &panel, &MaskPanel::setPainting);
    connect(tools_, &MaskTools::importRequested, &panel, &MaskPanel::importRequested);
    connect(all_, &QPushButton::clicked, this, &MaskTray::panelRequested);
    connect(this, &ToolTray::openChanged, tools_, &MaskTools::setPainting);
}

} // namespace attnlab::ui
