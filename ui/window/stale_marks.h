// Pictures of a result that is no longer the document's are dimmed and say so.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

class QTimer;
class QWidget;

namespace attnlab::ui {

class StaleVeil;

/// Knows whether what is on show belongs to the newest problem, and dims it where it does not: at once when there will
/// be no result, after 0.3 s when one is still being computed.
class StaleMarks : public QObject {
    Q_OBJECT
public:
    explicit StaleMarks(QObject* parent = nullptr);

    /// Dims `widget` from now on, with the words across it or without.
    enum class Words { Shown, None };
    void cover(QWidget* widget, Words words);

    /// The problem has changed; its result is being computed.
    void wait();
    /// There is none, and there will be none.
    void giveUp();
    /// What is on show is the problem's.
    void clear();

    /// False between wait() and clear(): what is on show must not leave the program.
    bool isCurrent() const { return is_current_; }
    bool isDimmed() const { return is_dimmed_; }

    /// "Out of date: …"
    static QString words();

private:
    void dim(bool dimmed);

    QTimer* patience_;
    std::vector<StaleVeil*> veils_;
    bool is_current_ = true;
    bool is_dimmed_ = false;
};

} // namespace attnlab::ui
