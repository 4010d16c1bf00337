#include "ui/learn/presenter_view.h"

#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QTime>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int tick_milliseconds = 250;
constexpr QSize beside_audience(960, 620); ///< with one screen

/// Minutes and seconds: "3:05".
QString minutesText(qint64 milliseconds) {
    const qint64 seconds = milliseconds / 1000;
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

qint64 millisecondsOf(double minutes) {
    constexpr double milliseconds = 60'000.0;
    return std::llround(minutes * milliseconds);
}

void enlarge(QLabel& label, double factor, bool bold) {
    QFont large = label.font();
    if (large.pointSizeF() > 0)
        large.setPointSizeF(large.pointSizeF() * factor);
    else
        large.setPixelSize(static_cast<int>(large.pixelSize() * factor));
    large.setBold(bold);
    label.setFont(large);
}

QLabel* wrapped(QWidget* parent, double factor, bool bold) {
    auto* label = new WrappedLabel(parent);
    label->setWordWrap(true);
    enlarge(*label, factor, bold);
    return label;
}

} // namespace

PresenterView::PresenterView(QWidget& window, const QList<QAction*>& commands, const QList<QAction*>& buttons)
    : QWidget(&window, Qt::Window), window_(window), commands_(commands), clock_(new Label(this)),
      running_(new Label(this)), pace_(new Label(this)), plan_(mutedLabel(this)), restart_(new RowButton(this)),
      position_(mutedLabel(this, true)), title_(wrapped(this, 1.3, true)),
      text_(new MarkdownLabel(this, TextSpacing::Reading)), next_(wrapped(this, 1.3, true)),
      press_(wrapped(this, 1.0, false)), keys_(new QGridLayout) {
    setWindowTitle(tr("Presenter view — AttnLab"));
    enlarge(*running_, 2.4, true);
    enlarge(*pace_, 1.3, true);
    enlarge(*clock_, 1.3, false);
    enlarge(*text_, 1.25, false);
    clock_->setAccessibleDescription(tr("Time of day"));
    running_->setAccessibleDescription(tr("Time since the clock was started"));
    restart_->setText(tr("Restart the clock"));
    restart_->setAutoDefault(true);
    connect(restart_, &QPushButton::clicked, this, [this] { startClock(); });

    auto* times = new QHBoxLayout;
    times->setSpacing(14);
    times->addWidget(running_);
    times->addWidget(pace_);
    times->addWidget(plan_);
    times->addStretch(1);
    times->addWidget(clock_);
    times->addWidget(restart_);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 6, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{position_, title_, text_})
        column->addWidget(part);
    column->addStretch(1);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    scroll_ = new FittingScrollArea(content, FittingScrollArea::Scrolls::Down, this);
    scroll_->setFocusPolicy(Qt::StrongFocus); // arrow keys scroll the notes
    scroll_->setAccessibleName(tr("Notes"));

    auto* beside = new QVBoxLayout;
    auto* next = mutedLabel(this, true);
    next->setText(tr("Next"));
    beside->addWidget(next);
    beside->addWidget(next_);
    beside->addWidget(press_);
    beside->addStretch(1);
    keys_->setHorizontalSpacing(10);
    keys_->setColumnStretch(1, 1);
    beside->addLayout(keys_);

    auto* parts = new QHBoxLayout;
    parts->setSpacing(18);
    parts->addWidget(scroll_, 3);
    parts->addLayout(beside, 2);

    auto* row = new QHBoxLayout;
    for (auto* action : buttons) {
        auto* button = new RowButton(this);
        button->setAutoDefault(true);
        setWords(*button, withoutMnemonic(action->text()));
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        const auto follow = [button, action] { button->setEnabled(action->isEnabled()); };
        connect(action, &QAction::changed, button, follow);
        follow();
        row->addWidget(button);
    }
    row->addStretch(1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(12);
    layout->addLayout(times);
    layout->addLayout(parts, 1);
    layout->addLayout(row);

    addActions(commands_);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(escape, &QShortcut::activated, this, &QWidget::close);
    tick_.setInterval(tick_milliseconds);
    connect(&tick_, &QTimer::timeout, this, &PresenterView::showTime);
    for (auto* action : commands_)
        connect(action, &QAction::changed, this, [this] {
            if (isVisible())
                listKeys();
        });
    showTime();
}

QScreen* PresenterView::otherScreen(const QList<QScreen*>& screens, const QScreen* audience) {
    const auto other = std::ranges::find_if(screens, [&](const QScreen* one) { return one != audience; });
    return other == screens.end() ? nullptr : *other;
}

void PresenterView::open() {
    if (isVisible()) {
        raise();
        activateWindow();
        return;
    }
    if (auto* other = otherScreen(QGuiApplication::screens(), window_.screen())) {
        setGeometry(other->availableGeometry());
        showMaximized();
    } else {
        const QRect room = window_.screen()->availableGeometry();
        QRect place(QPoint(), beside_audience.boundedTo(room.size()));
        place.moveCenter(room.center());
        setGeometry(place);
        show();
    }
    activateWindow();
    scroll_->setFocus();
}

void PresenterView::setNotes(const PresenterNotes& notes) {
    if (notes == notes_)
        return;
    const bool another = notes.title != notes_.title;
    notes_ = notes;
    position_->setText(notes.position);
    title_->setText(notes.title);
    text_->setSource(notes.text);
    text_->setAccessibleName(plainText(notes.text));
    next_->setText(notes.next.isEmpty() ? tr("This is the end.") : notes.next);
    press_->setText(notes.press.isEmpty() ? QString() : tr("The next press shows: %1").arg(notes.press));
    if (another)
        scroll_->verticalScrollBar()->setValue(0);
    showTime();
}

void PresenterView::startClock(qint64 milliseconds) {
    started_.start();
    before_ = milliseconds;
    showTime();
}

QString PresenterView::pace(const PresenterNotes& notes, qint64 milliseconds) {
    if (notes.all <= 0.0 || milliseconds < 0)
        return {};
    const qint64 from = millisecondsOf(notes.from), to = millisecondsOf(notes.to);
    constexpr qint64 second = 1000;
    if (milliseconds + second <= from)
        return tr("%1 ahead", "minutes").arg(minutesText(from - milliseconds));
    if (milliseconds >= to + second)
        return tr("%1 behind", "minutes").arg(minutesText(milliseconds - to));
    return tr("on time");
}

void PresenterView::showTime() {
    clock_->setText(QTime::currentTime().toString(QStringLiteral("HH:mm")));
    const qint64 now = elapsed();
    running_->setText(now < 0 ? QStringLiteral("–:––") : minutesText(now));
    pace_->setText(pace(notes_, now));
    const auto at = [](double minutes) { return minutesText(millisecondsOf(minutes)); };
    plan_->setText(notes_.all > 0.0 ? tr("planned: %1 to %2 of %3").arg(at(notes_.from), at(notes_.to), at(notes_.all))
                                    : QString());
}

void PresenterView::listKeys() {
    while (auto* item = keys_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const auto* action : commands_) {
        QStringList keys;
        for (const auto& one : action->shortcuts().mid(0, 2))
            keys << one.toString(QKeySequence::NativeText);
        if (keys.isEmpty())
            continue;
        auto* key = mutedLabel(this);
        key->setText(keys.join(QStringLiteral(", ")));
        auto* does = new ElidedLabel(this);
        does->setText(withoutMnemonic(action->text()));
        keys_->addWidget(key, row, 0);
        keys_->addWidget(does, row++, 1);
    }
}

QString PresenterView::runningText() const { return running_->text(); }
QString PresenterView::paceText() const { return pace_->text(); }
QString PresenterView::notesText() const { return plainText(text_->source()); }
QString PresenterView::nextText() const { return next_->text(); }

void PresenterView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    listKeys();
    showTime();
    tick_.start();
    emit shownChanged(true);
}

void PresenterView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    tick_.stop();
    emit shownChanged(false);
}

} // namespace attnlab::ui
