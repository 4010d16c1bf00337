// The result of a document's latest problem: all of its numbers, or a map if it is large.
#pragma once

#include "core/message.h"
#include "ui/document/computation.h"
#include "ui/matrix/map/large_inputs.h"

#include <QObject>

namespace attnlab::ui {

class Document;
class MessageBar;
class OutdatedOverlay;
class StatusLine;
class ViewState;

/// Computes every new problem of the document, fits the ViewState to its sizes, and reports progress, errors and
/// outdated results.
class Results : public QObject {
    Q_OBJECT
public:
    /// The widgets that it reports to.
    struct Reports {
        StatusLine& status;
        OutdatedOverlay& overlay;
        MessageBar& messages;
    };
    /// Everything must outlive this object.
    Results(Document& document, ViewState& view, Backends backends, const Reports& reports, QObject* parent = nullptr);

    /// The latest one; null before the first, and while a map is shown.
    ComputedPtr computed() const { return computed_; }
    bool isComputing() const { return computation_.isRunning(); }
    LargeInputs& large() { return large_; }
    /// The number of heads; 0 without a result.
    int heads() const;
    void recompute();
    /// The latest computation was cancelled, and no other has begun.
    bool isCancelled() const { return cancelled_; }
    /// Computes after all what was cancelled.
    void resume();
    /// Shows the result, or the map, in views that are made anew.
    void showAgain();

signals:
    /// Null: the displayed result is of another problem.
    void changed(const attnlab::ui::ComputedPtr& computed);
    void mapShown(bool map);
    /// Every view shows the latest result, or that there is none.
    void settled();
    void cancelledChanged(bool cancelled);

private:
    void connectNumbers();
    void connectMap();
    void compute(const AttentionProblem& problem);
    void show(const ComputedPtr& computed, const AttentionProblem& problem);
    void holdColors(const AttentionProblem& problem);
    void fitView(const Trace& trace);
    void showMap(bool map);
    void mapFailed(const Message& why);
    void setCancelled(bool cancelled);
    QString stateWords() const;
    void showFailure(const Message& why);
    void offerInputsThatFit();

    Document& document_;
    ViewState& view_;
    Reports report_;
    Computation computation_;
    LargeInputs large_;
    ComputedPtr computed_;
    AttentionProblem computed_from_; ///< the problem of computed_
    bool cancelled_ = false;
    Message failure_; ///< the latest
};

} // namespace attnlab::ui
