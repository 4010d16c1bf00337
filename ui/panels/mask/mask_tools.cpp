#include "ui/panels/mask/mask_tools.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/one_tab_stop.h"
#include "ui/widgets/style.h"

#include <QButtonGroup>
#include <QMenu>
#include <QToolButton>

namespace attnlab::ui {
namespace {

QToolButton* makeButton(const QString& icon_name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(icon_name));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

MaskTools::MaskTools(MaskPainter& painter, QWidget* parent) : QWidget(parent), painter_(painter) {
    auto* layout = new FlowLayout(this, 2, 2); // no tool is out of sight in a narrow panel
    layout->setContentsMargins(0, 0, 0, 0);
    paint_ = new Chip(this);
    layout->addWidget(paint_);
    QList<QWidget*> all{paint_};
    auto* group = new QButtonGroup(this);
    const std::pair<MaskTool, const char*> table[] = {{MaskTool::Brush, "paint"},
                                                      {MaskTool::Rectangle, "rectangle"},
                                                      {MaskTool::Row, "row"},
                                                      {MaskTool::Column, "column"},
                                                      {MaskTool::Diagonal, "diagonal"}};
    for (const auto& [tool, name] : table) {
        QToolButton* button = makeButton(QString::fromLatin1(name), this);
        button->setCheckable(true);
        group->addButton(button);
        layout->addWidget(button);
        all << button;
        tools_[tool] = button;
        connect(button, &QToolButton::clicked, this, [this, chosen = tool] { painter_.setTool(chosen); });
    }
    erase_ = makeButton(QStringLiteral("erase"), this);
    erase_->setCheckable(true);
    layout->addWidget(erase_);
    more_ = new QToolButton(this);
    more_->setText(QStringLiteral("⋯"));
    more_->setAutoRaise(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    more_->setPopupMode(QToolButton::InstantPopup);
    Style::hideMenuArrow(*more_);
    layout->addWidget(more_);
    new OneTabStop(all << erase_ << more_, this);
    for (QWidget* tool : all)
        layout->setAlignment(tool, Qt::AlignVCenter);
    makeMenu();
    connect(paint_, &QAbstractButton::toggled, this, &MaskTools::paintingChanged);
    connect(erase_, &QToolButton::toggled, &painter_, &MaskPainter::setErasing);
    connect(&painter_, &MaskPainter::settingsChanged, this, &MaskTools::showSettings);
    showSettings();
    const auto name = [](QWidget* widget, const QString& title, const QString& help) {
        widget->setAccessibleName(title);
        widget->setToolTip(help);
    };
    paint_->setText(tr("Paint"));
    name(paint_, tr("Paint on the large heatmap"),
         tr("Dragging on the large heatmap paints the mask; the right button erases."));
    name(tools_.at(MaskTool::Brush), tr("Brush"), tr("Brush: the cells under the pointer"));
    name(tools_.at(MaskTool::Rectangle), tr("Rectangle"), tr("Rectangle: from the first cell to the last"));
    name(tools_.at(MaskTool::Row), tr("Row"), tr("Row: all keys of a query"));
    name(tools_.at(MaskTool::Column), tr("Column"), tr("Column: a key for all queries"));
    name(tools_.at(MaskTool::Diagonal), tr("Diagonal band"),
         tr("Diagonal band: cells whose key is as far from their query as in the cells passed"));
    name(erase_, tr("Erase"), tr("Erase: strokes unblock painted cells"));
    name(more_, tr("More for the mask"), tr("Clear, invert, patterns, import"));
}

void MaskTools::makeMenu() {
    menu_ = new QMenu(this);
    menu_->addAction(tr("Clear painted cells"), &painter_, &MaskPainter::clearPainted);
    menu_->addAction(tr("Invert painted cells"), &painter_, &MaskPainter::invertPainted);
    auto* patterns = menu_->addMenu(tr("Paint a pattern"));
    using Pattern = MaskPainter::Pattern;
    const auto add = [&](const QString& text, Pattern pattern, double amount) {
        patterns->addAction(text, &painter_, [this, pattern, amount] { painter_.paintPattern(pattern, amount); });
    };
    add(tr("The future (causal)"), Pattern::Future, 0.0);
    add(tr("All but a band of width 3"), Pattern::OutsideBand, 3.0);
    add(tr("All but a band of width 5"), Pattern::OutsideBand, 5.0);
    add(tr("All but the diagonal"), Pattern::OffDiagonal, 0.0);
    add(tr("A random tenth of the cells"), Pattern::Random, 0.1);
    add(tr("A random third of the cells"), Pattern::Random, 1.0 / 3.0);
    menu_->addSeparator();
    import_ = menu_->addAction(tr("Import a mask…"), this, &MaskTools::importRequested);
    more_->setMenu(menu_);
}

bool MaskTools::isPainting() const { return paint_->isChecked(); }

void MaskTools::setPainting(bool on) { paint_->setChecked(on); }

void MaskTools::hideWindowActions() {
    paint_->hide();
    import_->setVisible(false);
}

void MaskTools::showSettings() {
    tools_.at(painter_.tool())->setChecked(true);
    erase_->setChecked(painter_.isErasing());
}

} // namespace attnlab::ui
