#include "ui/widgets/outdated_overlay.h"

#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <QWidget>
#include <utility>

namespace attnlab::ui {

/// Covers a widget, which remains usable below it.
class OutdatedVeil : public QWidget {
public:
    OutdatedVeil(QWidget* covered, OutdatedOverlay::Words words)
        : QWidget(covered), covered_(covered),
          box_(words == OutdatedOverlay::Words::Shown ? new StateBox(covered, StateBox::Place::Top) : nullptr) {
        setObjectName(QStringLiteral("staleVeil"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        covered->installEventFilter(this);
        hide();
    }

    StateBox* box() const { return box_; }

    void setShown(bool shown, bool has_picture, const StateBox::Words& state) {
        is_opaque_ = box_ && !has_picture;
        if (shown) {
            setGeometry(covered_->rect());
            raise();
        }
        setVisible(shown);
        if (box_ && shown)
            box_->setState(state);
        else if (box_)
            box_->setState(PictureState());
        if (box_)
            box_->raise();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == covered_ && event->type() == QEvent::Resize)
            setGeometry(covered_->rect());
        if (watched == covered_ && event->type() == QEvent::ChildAdded) {
            raise();
            if (box_)
                box_->raise();
        }
        return QWidget::eventFilter(watched, event);
    }

    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QColor fog = theme().window;
        constexpr int partly_covered = 102; // 60 % of the picture is left
        if (!is_opaque_)
            fog.setAlpha(partly_covered);
        painter.fillRect(rect(), fog);
    }

private:
    QWidget* covered_;
    StateBox* box_; ///< null: without words
    bool is_opaque_ = false;
};

OutdatedOverlay::OutdatedOverlay(QObject* parent) : QObject(parent), delay_(new QTimer(this)) {
    state_ = [] { return PictureState{PictureState::Look::Empty, words()}; };
    constexpr int delay_milliseconds = 1000;
    delay_->setSingleShot(true);
    delay_->setInterval(delay_milliseconds);
    connect(delay_, &QTimer::timeout, this, [this] { dim(true); });
}

void OutdatedOverlay::cover(QWidget* widget, Words words) {
    std::erase(veils_, nullptr);
    veils_.push_back(new OutdatedVeil(widget, words));
    if (StateBox* box = veils_.back()->box())
        connect(box, &StateBox::clicked, this, [this] {
            if (to_do_)
                to_do_();
        });
    veils_.back()->setShown(is_dimmed_, has_picture_, state_);
}

void OutdatedOverlay::wait() {
    is_current_ = false;
    to_do_ = {};
    say([] { return PictureState{PictureState::Look::Loading, words(), tr("The result is being computed.")}; });
    setAbandoned(false);
    if (!is_dimmed_ && !delay_->isActive())
        delay_->start();
}

void OutdatedOverlay::followed() {
    if (is_current_ || is_abandoned_)
        return;
    if (is_dimmed_)
        dim(false);
    delay_->start();
}

void OutdatedOverlay::abandon(StateBox::Words state, std::function<void()> to_do) {
    is_current_ = false;
    delay_->stop();
    to_do_ = std::move(to_do);
    say(state ? std::move(state) : [] { return PictureState{PictureState::Look::Empty, words()}; });
    dim(true);
    setAbandoned(true);
}

void OutdatedOverlay::clear() {
    is_current_ = true;
    delay_->stop();
    dim(false);
    setAbandoned(false);
}

QString OutdatedOverlay::words() { return tr("Not updated yet"); }

void OutdatedOverlay::setHasPicture(bool has_picture) {
    has_picture_ = has_picture;
    if (is_dimmed_)
        dim(true);
}

void OutdatedOverlay::say(StateBox::Words state) {
    state_ = std::move(state);
    if (is_dimmed_)
        dim(true);
}

void OutdatedOverlay::dim(bool dimmed) {
    const bool was_dimmed = std::exchange(is_dimmed_, dimmed);
    for (const auto& veil : veils_)
        if (veil)
            veil->setShown(dimmed, has_picture_, state_);
    if (was_dimmed != dimmed)
        emit dimmedChanged(dimmed);
}

void OutdatedOverlay::setAbandoned(bool abandoned) {
    if (std::exchange(is_abandoned_, abandoned) != abandoned)
        emit abandonedChanged(abandoned);
}

} // namespace attnlab::ui
