#include "ui/export/selection_button.h"

#include "ui/widgets/text.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace attnlab::ui {
namespace {

/// Stays open while checkable actions are chosen.
class StayingMenu : public QMenu {
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override {
        QAction* action = actionAt(event->position().toPoint());
        action && action->isCheckable() ? action->trigger() : QMenu::mouseReleaseEvent(event);
    }
    void keyPressEvent(QKeyEvent* event) override {
        QAction* action = activeAction();
        const bool chooses = event->key() == Qt::Key_Space && action && action->isCheckable();
        chooses ? action->trigger() : QMenu::keyPressEvent(event);
    }
};

constexpr int most_named = 3;

} // namespace

SelectionButton::SelectionButton(const ExportSelection& selection, QWidget* parent)
    : QToolButton(parent), selection_(selection) {
    setObjectName(selection.id);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* menu = new StayingMenu(this);
    if (!selection.all.isEmpty()) {
        all_ = menu->addAction(menuText(selection.all));
        all_->setCheckable(true);
        connect(all_, &QAction::triggered, this, [this](bool checked) {
            QList<int> indices;
            for (int i = 0; i < (checked ? namesOfAll() : 1); ++i)
                indices << i;
            choose(indices);
        });
        menu->addSeparator();
    }
    for (int i = 0; i < selection.names.size(); ++i) {
        QAction* action = menu->addAction(menuText(selection.names[i]));
        action->setCheckable(true);
        action->setChecked(selection.chosen.contains(i));
        connect(action, &QAction::triggered, this, [this, i](bool checked) { take(i, checked); });
        names_.push_back(action);
    }
    setMenu(menu);
    describe();
}

void SelectionButton::paintEvent(QPaintEvent*) {
    QStyleOptionComboBox option;
    option.initFrom(this);
    option.currentText = withoutMnemonic(text());
    option.state.setFlag(QStyle::State_Sunken, isDown());
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

int SelectionButton::namesOfAll() const { return static_cast<int>(names_.size()) - selection_.others; }

QList<int> SelectionButton::chosen() const {
    QList<int> indices;
    for (int i = 0; i < static_cast<int>(names_.size()); ++i)
        if (names_[static_cast<std::size_t>(i)]->isChecked())
            indices << i;
    return indices;
}

void SelectionButton::choose(const QList<int>& indices) {
    const auto exists = [this](int index) { return index >= 0 && index < static_cast<int>(names_.size()); };
    if (std::ranges::none_of(indices, exists))
        return;
    for (int i = 0; i < static_cast<int>(names_.size()); ++i)
        names_[static_cast<std::size_t>(i)]->setChecked(indices.contains(i));
    describe();
    emit changed();
}

/// At least one stays.
void SelectionButton::take(int index, bool checked) {
    if (chosen().isEmpty())
        names_[static_cast<std::size_t>(index)]->setChecked(!checked);
    describe();
    emit changed();
}

void SelectionButton::describe() {
    const auto indices = chosen();
    bool has_all = indices.size() == namesOfAll();
    for (const int index : indices)
        has_all = has_all && index < namesOfAll();
    if (all_)
        all_->setChecked(has_all);
    QStringList names;
    for (const int index : indices.mid(0, most_named))
        names << selection_.names[index];
    if (indices.size() > most_named)
        names << QStringLiteral("…");
    setText(menuText(all_ && has_all ? selection_.all : names.join(QStringLiteral(", "))));
    setAccessibleName(QStringLiteral("%1: %2").arg(withoutMnemonic(selection_.label), text()));
}

} // namespace attnlab::ui
