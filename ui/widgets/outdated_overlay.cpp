#include "ui/widgets/outdated_overlay.h"

#include "ui/widgets/theme.h"

#include <algorithm>
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
        : QWidget(covered), covered_(covered), has_words_(words == OutdatedOverlay::Words::Shown) {
        setObjectName(QStringLiteral("staleVeil"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        covered->installEventFilter(this);
        hide();
    }

    void setShown(bool shown) {
        if (shown) {
            setGeometry(covered_->rect());
            raise();
        }
        setVisible(shown);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == covered_ && event->type() == QEvent::Resize)
            setGeometry(covered_->rect());
        if (watched == covered_ && event->type() == QEvent::ChildAdded)
            raise();
        return QWidget::eventFilter(watched, event);
    }

    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QColor fog = theme().window;
        constexpr int mostly_covered = 185;
        fog.setAlpha(mostly_covered);
        painter.fillRect(rect(), fog);
        if (!has_words_)
            return;
        const int line = fontMetrics().height();
        const QString words = fontMetrics().elidedText(OutdatedOverlay::words(), Qt::ElideRight, width() - 2 * line);
        QRect box(0, 0, fontMetrics().horizontalAdvance(words) + 2 * line, 2 * line);
        box.moveCenter(QPoint(width() / 2, std::min(height() / 2, 3 * line)));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme().border);
        painter.setBrush(theme().warning_soft);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(theme().warning_text);
        painter.drawText(box, Qt::AlignCenter, words);
    }

private:
    QWidget* covered_;
    bool has_words_;
};

OutdatedOverlay::OutdatedOverlay(QObject* parent) : QObject(parent), delay_(new QTimer(this)) {
    constexpr int delay_milliseconds = 300;
    delay_->setSingleShot(true);
    delay_->setInterval(delay_milliseconds);
    connect(delay_, &QTimer::timeout, this, [this] { dim(true); });
}

void OutdatedOverlay::cover(QWidget* widget, Words words) {
    std::erase(veils_, nullptr);
    veils_.push_back(new OutdatedVeil(widget, words));
    veils_.back()->setShown(is_dimmed_);
}

void OutdatedOverlay::wait() {
    is_current_ = false;
    if (!is_dimmed_ && !delay_->isActive())
        delay_->start();
}

void OutdatedOverlay::abandon() {
    is_current_ = false;
    delay_->stop();
    dim(true);
}

void OutdatedOverlay::clear() {
    is_current_ = true;
    delay_->stop();
    dim(false);
}

QString OutdatedOverlay::words() { return tr("Not updated yet"); }

void OutdatedOverlay::dim(bool dimmed) {
    const bool changes = std::exchange(is_dimmed_, dimmed) != dimmed;
    for (const auto& veil : veils_)
        if (veil)
            veil->setShown(dimmed);
    if (changes)
        emit dimmedChanged(dimmed);
}

} // namespace attnlab::ui
