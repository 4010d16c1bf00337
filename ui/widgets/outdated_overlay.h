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
/// no result, after 0.3 s while one is being computed.
class OutdatedOverlay : public QObject {
    Q_OBJECT
public:
    explicit OutdatedOverlay(QObject* parent = nullptr);

    /// Dims `widget` from now on, with or without a text across it.
    enum class Words { Shown, None };
    void cover(QWidget* widget, Words words);

    /// The problem has changed; its result is being computed.
    void wait();
    /// There is no result, and there will be none: `state` says why, and its button calls `to_do`.
    void abandon(StateBox::Words state = {}, std::function<void()> to_do = {});
    /// The displayed result belongs to the problem.
    void clear();

    /// False between wait() and clear(): the displayed result must not be exported.
    bool isCurrent() const { return is_current_; }
    bool isDimmed() const { return is_dimmed_; }

    /// Without a result there is no picture below, and nothing of it shows through.
    void setHasPicture(bool has_picture);

    /// "Not updated yet"
    static QString words();

signals:
    void dimmedChanged(bool dimmed);

private:
    void dim(bool dimmed);
    void say(StateBox::Words state);

    QTimer* delay_;
    StateBox::Words state_;
    std::function<void()> to_do_;
    std::vector<QPointer<OutdatedVeil>> veils_; ///< null where the widget is deleted
    bool is_current_ = true;
    bool is_dimmed_ = false;
    bool has_picture_ = true;
};

} // namespace attnlab::ui
