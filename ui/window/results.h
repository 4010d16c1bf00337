// What the newest problem of a document comes to: all of its numbers, or a map where it is large.
#pragma once

#include "ui/document/computation.h"
#include "ui/matrix/map/large_inputs.h"

#include <QObject>

namespace attnlab::ui {

class Document;
class MessageBar;
class StaleMarks;
class StatusLine;
class ViewState;

/// Computes every problem that the document gets, fits the ViewState to its sizes, and reports progress, failures and
/// what is out of date.
class Results : public QObject {
    Q_OBJECT
public:
    /// Where it reports.
    struct Reports {
        StatusLine& status;
        StaleMarks& stale;
        MessageBar& messages;
    };
    /// Everything must outlive this object.
    Results(Document& document, ViewState& view, Backends backends, const Reports& reports, QObject* parent = nullptr);

    /// The newest one; null before the first, and while a map is shown.
    ComputedPtr computed() const { return computed_; }
    bool isComputing() const { return computation_.isRunning(); }
    LargeInputs& large() { return large_; }
    /// Heads to choose from; 0 while there is no result.
    int heads() const;
    void recompute();
    /// Says once more that the result has changed: the language has.
    void showAgain();

signals:
    /// Null: what was shown is of another problem.
    void changed(const attnlab::ui::ComputedPtr& computed);
    void mapShown(bool map);
    /// Every view shows the newest result, or that there is none.
    void settled();

private:
    void connectNumbers();
    void connectMap();
    void compute(const AttentionProblem& problem);
    void show(const ComputedPtr& computed);
    void fitView(const Trace& trace);
    void showMap(bool map);
    void mapFailed(const Message& why);
    void cancelMap();
    void offerInputsThatFit();

    Document& document_;
    ViewState& view_;
    Reports report_;
    Computation computation_;
    LargeInputs large_;
    ComputedPtr computed_;
};

} // namespace attnlab::ui
