#include "ui/window/top_bar.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"

#include <algorithm>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <utility>

namespace attnlab::ui {

/// A long name ends in an ellipsis.
class ChooserButton : public RowButton {
public:
    explicit ChooserButton(QWidget* parent) : RowButton(parent) {
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }

    void setTitle(const QString& title, const QString& longer) {
        title_ = title;
        longer_ = longer;
        updateGeometry();
        update();
    }

    void setCompact(bool compact) {
        if (std::exchange(compact_, compact) != compact)
            updateGeometry();
    }

    QSize sizeHint() const override { return sizeWith(compact_ ? letters_if_compact : most_letters); }
    QSize minimumSizeHint() const override { return sizeWith(fewest_letters); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintFrame(painter);
        paintArrow(painter);
        const QRect room = contentRect().adjusted(0, 0, -metrics::gap - arrowWidth(), 0);
        painter.setPen(textColor());
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(title_, Qt::ElideRight, room.width()));
    }

private:
    static constexpr int most_letters = 40, letters_if_compact = 16, fewest_letters = 12;

    QSize sizeWith(int letters) const {
        const QSize empty = RowButton::sizeHint();
        const int title = std::max(fontMetrics().horizontalAdvance(title_), fontMetrics().horizontalAdvance(longer_));
        const int most = letters * fontMetrics().averageCharWidth();
        return {empty.width() + std::min(title, most) + 1, empty.height()};
    }

    bool compact_ = false;
    QString title_; ///< not the button's text, in which & would be a key
    QString longer_;
};

namespace {

constexpr int side_margin = 12, margin_above = 6, low_margin_above = 1, spacing = 8;
constexpr int letters_of_tools = 20; ///< what a row with words leaves free for texts of the page

} // namespace

TopBar::TopBar(const Actions& actions)
    : row_(new QWidget), layout_(new QHBoxLayout(row_)), chooser_(new ChooserButton(row_)),
      tools_(new PageStack(row_)) {
    setObjectName(QStringLiteral("mechanism")); // as it is called in saved arrangements
    setWindowTitle(tr("What is open"));
    setMovable(false);
    layout_->setContentsMargins(side_margin, margin_above, side_margin, margin_above);
    layout_->setSpacing(spacing);
    layout_->setSizeConstraint(QLayout::SetNoConstraint);
    layout_->addWidget(chooser_);
    layout_->addWidget(tools_, 1);
    for (QAction* action : {actions.undo, actions.redo})
        addIcon(action);
    addButton(actions.compare, new BarButton(row_));
    for (QAction* action : {actions.export_shown, actions.export_step})
        addButton(action, new BarButton(row_, RowButton::Style::Accent));
    row_->setMinimumWidth(1); // what does not fit is cut; a tool bar would leave the whole row out
    addWidget(row_);
    layout()->setContentsMargins(QMargins());
    row_->installEventFilter(this);
    showActions();
}

void TopBar::addIcon(QAction* action) {
    auto* button = new QToolButton(row_);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(action, &QAction::changed, this, &TopBar::showActions);
    layout_->addWidget(button);
    icons_.emplace_back(action, button);
}

void TopBar::addButton(QAction* action, BarButton* button) {
    connect(action, &QAction::changed, this, &TopBar::showActions);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    layout_->addWidget(button);
    buttons_.push_back({action, button});
}

/// Undo and Redo are grey while there is no step; what does not apply otherwise is hidden.
void TopBar::showActions() {
    for (const auto& [action, button] : icons_)
        button->setVisible(action->isVisible());
    for (const auto& [action, button] : buttons_) {
        // The button has no room for a mnemonic besides the menu's.
        button->setContent(withoutMnemonic(action->text()), action->icon());
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible() && action->isEnabled());
    }
}

TopBar::Entry* TopBar::entryOf(const QWidget* page) {
    const auto found = std::ranges::find(entries_, page, &Entry::page);
    return found == entries_.end() ? nullptr : &*found;
}

void TopBar::addPage(const QWidget* page, QMenu* menu, QWidget* tools) {
    if (!tools)
        tools = new QWidget;
    menu->setParent(this, menu->windowFlags());
    tools_->addWidget(tools);
    entries_.push_back({page, menu, tools, {}, {}, {}});
    if (entries_.size() == 1)
        showPage(page);
}

void TopBar::showPage(const QWidget* page) {
    const Entry* entry = entryOf(page);
    if (!entry)
        return;
    shown_ = page;
    chooser_->setMenu(entry->menu);
    tools_->setCurrentWidget(entry->tools);
    showTitle(*entry);
}

void TopBar::setTitle(const QWidget* page, const QString& title, const QString& help, const QString& longer) {
    Entry* entry = entryOf(page);
    if (!entry)
        return;
    entry->title = title;
    entry->help = help;
    entry->longer = longer;
    if (page == shown_)
        showTitle(*entry);
}

void TopBar::showTitle(const Entry& entry) {
    chooser_->setTitle(entry.title, entry.longer);
    chooser_->setAccessibleName(tr("Open: %1").arg(entry.title));
    chooser_->setToolTip(entry.help.isEmpty() ? entry.title : entry.help);
}

void TopBar::setLow(bool low) {
    const int above = low ? low_margin_above : margin_above;
    if (layout_->contentsMargins().top() != above)
        layout_->setContentsMargins(side_margin, above, side_margin, above);
}

QPushButton* TopBar::chooser() const { return chooser_; }

QPushButton* TopBar::button(const QAction* action) const {
    const auto found = std::ranges::find(buttons_, action, &Button::action);
    return found == buttons_.end() ? nullptr : found->button;
}

bool TopBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == row_ && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        fit();
    return QToolBar::eventFilter(watched, event);
}

void TopBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::StyleChange) // with another theme, a tool bar takes its margins from the style again
        layout()->setContentsMargins(QMargins());
}

/// Depends on the width alone, not on which buttons have words now.
void TopBar::fit() {
    std::vector<BarButton*> all;
    if (const QWidget* tools = tools_->currentWidget())
        for (BarButton* button : tools->findChildren<BarButton*>())
            all.push_back(button);
    for (const Button& each : buttons_)
        all.push_back(each.button);
    std::erase_if(all, [](const BarButton* button) { return button->isHidden(); });
    int needed = layout_->minimumSize().width() + letters_of_tools * fontMetrics().averageCharWidth();
    for (const BarButton* button : all)
        if (button->text().isEmpty())
            needed += button->widthOfWords();
    chooser_->setCompact(needed > row_->width());
    for (BarButton* button : all) {
        const bool without = needed > row_->width() && button->widthOfWords() > 0;
        if (without)
            needed -= button->widthOfWords();
        button->setWithoutWords(without);
    }
}

} // namespace attnlab::ui
