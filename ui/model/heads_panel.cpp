#include "ui/model/heads_panel.h"

#include "ui/model/heads_scatter.h"
#include "ui/model/heads_wall.h"
#include "ui/model/page_parts.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/segment_switch.h"
#include "ui/widgets/text.h"

#include <QComboBox>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr const char *first_x = "entropy", *first_y = "induction";

QComboBox* newChoice(const QString& name) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(name);
    choice->setToolTip(name);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(6);
    return choice;
}

/// Another one where there is no such figure.
void choose(QComboBox& choice, const QVariant& id, int otherwise) {
    const int found = choice.findData(id);
    choice.setCurrentIndex(found >= 0 ? found : std::min(otherwise, choice.count() - 1));
}

} // namespace

HeadsPanel::HeadsPanel(QWidget* parent)
    : QWidget(parent), tabs_(new SegmentSwitch), choices_(new PageStack), pictures_(new QStackedWidget),
      order_(newChoice(tr("Order of the heads"))), x_(newChoice(tr("Figure along x"))),
      y_(newChoice(tr("Figure along y"))), note_(newLine(LineLook::Muted)), wall_(new HeadsWall),
      room_(new ScrollRoom(wall_, ScrollRoom::Scrolls::Both)), scatter_(new HeadsScatter) {
    build();
    connect(tabs_, &QTabBar::currentChanged, this, &HeadsPanel::showTab);
    connect(order_, &QComboBox::currentIndexChanged, this, [this](int index) {
        wall_->setOrder(index > 0 ? figures_[static_cast<std::size_t>(index - 1)] : nullptr);
        bringIntoSight();
    });
    connect(order_, &QComboBox::activated, wall_, &HeadsWall::chooseFirst);
    for (QComboBox* axis : {x_, y_})
        connect(axis, &QComboBox::currentIndexChanged, this, &HeadsPanel::showAxes);
    connect(wall_, &HeadsWall::chosenChanged, this, [this] {
        scatter_->choose(wall_->chosen());
        bringIntoSight();
        emit chosenChanged();
    });
    connect(scatter_, &HeadsScatter::chosenByUser, wall_, &HeadsWall::choose);
    connect(wall_, &HeadsWall::toggled, this, &HeadsPanel::toggled);
    connect(scatter_, &HeadsScatter::toggled, this, &HeadsPanel::toggled);
    fillFigures();
    showTab();
}

void HeadsPanel::build() {
    tabs_->setUsesScrollButtons(false);
    tabs_->addTab(tr("Heads"));
    tabs_->addTab(tr("B − A"));
    tabs_->addTab(tr("Plot"));
    tabs_->setAccessibleName(tr("How heads are shown"));
    tabs_->setTabToolTip(Wall, tr("The weights of every head"));
    tabs_->setTabToolTip(Differences, tr("What changes in every head"));
    tabs_->setTabToolTip(Scatter, tr("Heads by two figures"));
    auto* axes = new QWidget;
    auto* both = new QHBoxLayout(axes);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(x_, 1);
    both->addWidget(y_, 1);
    choices_->addWidget(order_);
    choices_->addWidget(axes);
    choices_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    pictures_->addWidget(room_);
    pictures_->addWidget(scatter_);
    auto* card = new PlainCard(QBoxLayout::TopToBottom);
    auto* row = new QHBoxLayout;
    row->addWidget(tabs_);
    row->addWidget(choices_, 1);
    card->content()->addLayout(row);
    card->content()->addWidget(note_);
    card->content()->addWidget(pictures_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card);
}

std::optional<HeadPlace> HeadsPanel::chosen() const { return wall_->chosen(); }

void HeadsPanel::setResult(const ModelResultPtr& result) {
    result_ = result;
    fillFigures();
    const bool compares = result_ && result_->compared;
    tabs_->showTab(Differences, compares);
    if (!compares && tabs_->currentIndex() == Differences)
        tabs_->setCurrentIndex(Wall);
    scatter_->setResult(result_);
    wall_->setResult(result_);
    showTab();
}

/// What was chosen stays chosen while there is such a figure.
void HeadsPanel::fillFigures() {
    for (QComboBox* choice : {order_, x_, y_})
        choice->setEnabled(result_ != nullptr);
    const auto present = result_ ? headFiguresIn(*result_) : figures_;
    if (present == figures_ && order_->count() > 0)
        return;
    figures_ = present;
    const QVariant order = order_->currentData();
    const QVariant x = x_->count() > 0 ? x_->currentData() : QVariant(QLatin1String(first_x));
    const QVariant y = y_->count() > 0 ? y_->currentData() : QVariant(QLatin1String(first_y));
    {
        const QSignalBlocker quiet_order(order_), quiet_x(x_), quiet_y(y_);
        for (QComboBox* choice : {order_, x_, y_})
            choice->clear();
        order_->addItem(tr("By layer"), QString());
        for (const auto* figure : figures_) {
            const QString id = QLatin1String(figure->id);
            order_->addItem(tr("Most: %1").arg(figure->displayTitle()), id);
            x_->addItem(tr("x: %1").arg(figure->displayTitle()), id);
            y_->addItem(tr("y: %1").arg(figure->displayTitle()), id);
        }
        choose(*order_, order, 0);
        choose(*x_, x, 0);
        choose(*y_, y, 1);
    }
    const int index = order_->currentIndex();
    wall_->setOrder(index > 0 ? figures_[static_cast<std::size_t>(index - 1)] : nullptr);
    showAxes();
}

void HeadsPanel::showAxes() {
    const auto figure = [this](const QComboBox& choice) {
        const int index = choice.currentIndex();
        return index < 0 ? nullptr : figures_[static_cast<std::size_t>(index)];
    };
    scatter_->setFigures(figure(*x_), figure(*y_));
}

void HeadsPanel::showTab() {
    const int tab = tabs_->currentIndex();
    choices_->setCurrentIndex(tab == Scatter ? 1 : 0);
    pictures_->setCurrentIndex(tab == Scatter ? 1 : 0);
    wall_->setPictures(tab == Differences ? HeadsWall::Pictures::Differences : HeadsWall::Pictures::Weights);
    QString note = tab == Scatter ? tr("A dot is a head") : tr("Weights from 0 to 1");
    if (tab == Differences && result_ && result_->compared) {
        const QString largest = numberText(result_->compared->largest, 2);
        note = result_->compared->of == ComparedRuns::Of::Texts
                   ? tr("Second text minus first, −%1 to %1").arg(largest)
                   : tr("With heads off minus all on, −%1 to %1").arg(largest);
    }
    note_->setText(note);
}

void HeadsPanel::bringIntoSight() {
    if (const auto place = wall_->chosen()) {
        const QPoint centre = wall_->rectOf(*place).center();
        room_->ensureVisible(centre.x(), centre.y(), wall_->rectOf(*place).width(), wall_->rectOf(*place).height());
    }
}

} // namespace attnlab::ui
