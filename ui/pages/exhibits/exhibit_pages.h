// The step-through and every kind of exhibit as pages of the window's centre.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/page.h"

#include <vector>

namespace attnlab::ui {

class CentrePages;
class ExhibitPage;

/// An exhibit as a page of the centre: exports pictures of the exhibit and numbers of the chosen stage.
class ExhibitRoom : public Page {
    Q_OBJECT
public:
    /// `id` is the prefix of file names.
    ExhibitRoom(const QString& id, ExhibitPage* exhibit, ViewState& view);

    QString title() const override;
    void setTrace(ComputedPtr computed) override;

    ExhibitPage* exhibit() const { return exhibit_; }

protected:
    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;

private:
    const Stage* stage() const;

    QString id_;
    ExhibitPage* exhibit_;
    ViewState& view_;
    ComputedPtr computed_;
};

/// Adds the pages to `centre` and makes those available that have something to show for the latest trace.
class ExhibitPages : public QObject {
    Q_OBJECT
public:
    /// `steps` precedes the pages made here.
    ExhibitPages(ViewState& view, CentrePages& centre, ExhibitPage* steps);

    void setTrace(const ComputedPtr& computed);
    /// The displayed exhibit; null while another page is shown.
    ExhibitPage* current() const;

private:
    void add(const char* id, const char* title, ExhibitPage* page);

    ViewState& view_;
    CentrePages& centre_;
    struct Room {
        QString id;
        ExhibitRoom* page;
    };
    std::vector<Room> rooms_;
};

} // namespace attnlab::ui
