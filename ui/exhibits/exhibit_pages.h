// The step-through and every kind of exhibit as pages of the window's centre.
#pragma once

#include "ui/computation.h"
#include "ui/view_state.h"

#include <QObject>

#include <vector>

namespace attnlab::ui {

class CentrePages;
class ExhibitPage;

/// Adds the pages to `centre` and keeps those available for which the newest trace has something to show.
class ExhibitPages : public QObject {
    Q_OBJECT
public:
    ExhibitPages(ViewState& view, CentrePages& centre);

    void setTrace(const ComputedPtr& computed);
    /// The exhibit on show; null while another page is.
    ExhibitPage* current() const;

signals:
    /// The steps of the page on show are to be written as an animated picture.
    void animationRequested();

private:
    void add(const char* id, const char* title, ExhibitPage* page);

    struct Page {
        QString id;
        ExhibitPage* page;
    };
    CentrePages& centre_;
    std::vector<Page> pages_;
};

} // namespace attnlab::ui
