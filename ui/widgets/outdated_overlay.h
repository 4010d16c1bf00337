// Dims and marks pictures of an outdated result.
#pragma once

#include "ui/widgets/state_box.h"

#include <functional>
#include <QObject>
#include <QPointer>
#include <QString>
#include <vector>

class QTimer;
class QWidget;

namespace attnlab::ui {

class OutdatedVeil;

/// Tracks whether the displayed result belongs to the latest problem, and dims it otherwise: at once when there will be
/// no result, after one second without a newer one while it is being computed. So a picture that follows a drag is
/// never dimmed, however far behind.
class OutdatedOverlay : public QObject {
    Q_OBJECT
public:
    explicit OutdatedOverlay(QObject* parent = nullptr);

    /// Dims `widget` from now on, with or without a text across it.
    enum class Words { Shown, None };
    void cover(QWidget* widget, Words words);

    /// The problem has changed; its result is being computed.
    void wait();
    /// A result was displayed, but it is not that of the latest problem.
    void followed();
    /// There is no result, and there will be none: `state` says why, and its button calls `to_do`.
    void abandon(StateBox::Words state = {}, std::function<void()> to_do = {});
    /// The displayed result belongs to the problem.
    void clear();

    /// False between wait() and clear(): the displayed result must not be exported.
    bool isCurrent() const { return is_current_; }
    bool isDimmed() const { return is_dimmed_; }
    /// There will be no result of the problem.
    bool isAbandoned() const { return is_abandoned_; }

    /// Without a result there is no picture below, and nothing of it shows through.
    void setHasPicture(bool has_picture);

    /// "Not updated yet"
    static QString words();

signals:
    /// For pictures that dim themselves, and texts that say it.
    void dimmedChanged(bool dimmed);
    void abandonedChanged(bool abandoned);

private:
    void dim(bool dimmed);
    void setAbandoned(bool abandoned);
    void say(StateBox::Words state);

    QTimer* delay_;
    StateBox::Words state_;
    std::function<void()> to_do_;
    std::vector<QPointer<OutdatedVeil>> veils_; ///< null where the widget is deleted
    bool is_current_ = true;
    bool is_dimmed_ = false;
    bool is_abandoned_ = false;
    bool has_picture_ = true;
};

} // namespace attnlab::ui
