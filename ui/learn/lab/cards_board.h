// Cards side by side with controls above and curves below: plain matrices, the scale lab and the mask lab.
#pragma once

#include "ui/learn/cards/card_content.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/scene_model.h"

#include <optional>
#include <QSet>
#include <QWidget>

class QLabel;
class QPushButton;

namespace attnlab::ui {

class CardControls;
class CardsAndCurve;
class CardsArea;
class ColorLegend;
class CurveCard;
class ErrorLabel;
class LabControls;
class SceneModel;

/// Its content depends on the parts and controls that the view enables, not on the kind of board.
class CardsBoard : public Board {
    Q_OBJECT
public:
    explicit CardsBoard(SceneModel& model, QWidget* parent = nullptr);

    void setWords(const QMap<QString, QString>& words) override;
    std::shared_ptr<const Drawing> picture() const override;

    LabControls* controls() const { return controls_; }
    CardsArea* area() const { return area_; }
    CurveCard* curve() const { return curve_; }
    CardsAndCurve* pages() const { return lower_; }
    QPushButton* pager() const { return pager_; }
    /// Shows and hides the controls where a presentation folds them.
    QPushButton* folder() const { return folder_; }
    ColorLegend* legend() const { return legend_; }
    QString caption() const;
    /// The error of the scene itself; empty if none.
    QString error() const;
    /// The latest scene and everything derived from it are shown.
    bool isSettled() const override;
    void setFitting(bool on) override;
    bool turnPage(int by) override;
    bool hasNextPage() const override;
    void turnToCards(const QSet<QString>& ids) override;

signals:
    /// A text that a control rejected; an explanation.
    void refused(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Leaks {
        SceneResultPtr result; ///< the result that they belong to
        std::int64_t token = 0;
        std::vector<SettingLeak> settings;
    };

    void build();
    void refresh();
    void refreshControls();
    void foldControls();
    void orderTabs();
    void refreshLeaks();
    /// The view of the model, whose histograms keep their axis while only the draw changes.
    lab::BoardSpec viewWithAxis();
    void seekCards();
    void showLegend(const std::vector<CardContent>& contents);
    void addCard();
    void removeCard(std::size_t card);
    CardControls* controlsOf(std::size_t card);

    SceneModel& model_;
    QMap<QString, QString> words_;
    QSet<QString> sought_; ///< cards whose page is shown until another page is
    bool fitting_ = false;
    QWidget* controls_room_;
    LabControls* controls_;
    QPushButton* folder_;
    QLabel* caption_;
    ColorLegend* legend_;
    QPushButton* pager_; ///< to the next page of a presentation
    ErrorLabel* error_;
    CardsAndCurve* lower_;
    CardsArea* area_;
    CurveCard* curve_;
    /// Of a view without one, and what it belongs to.
    struct KeptAxis {
        std::vector<lab::SceneSetting> settings;
        lab::Distribution distribution = lab::Distribution::Normal;
        lab::HistogramAxis axis;
    };
    std::optional<KeptAxis> kept_axis_;
    Leaks leaks_;
    LatestJob<Leaks> leak_job_;
};

/// The cards of a board above their curves.
/// Cards get the height that fills their width, curves the rest, but at least their share. Laid out by hand: these
/// heights must not become the board's minimum. In a presentation, and where not even one row of cards has room above
/// them, curves are the last page.
class CardsAndCurve : public QWidget {
    Q_OBJECT
public:
    explicit CardsAndCurve(SceneModel& model, QWidget* parent = nullptr);

    CardsArea* area() const { return area_; }
    CurveCard* curve() const { return curve_; }
    /// The cards were replaced.
    void place();
    void setFitting(bool on);
    int pageCount() const { return pages_; }
    int page() const { return page_; }
    /// After the last page comes the first.
    void turnPage();
    void turnTo(int page);
    /// Shows the page of a card, also after a change of the pages, until another page is chosen.
    void seek(std::size_t card);

    QSize minimumSizeHint() const override;

signals:
    void pagesChanged();
    /// By turnPage() or turnTo().
    void turned();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    CardsArea* area_;
    CurveCard* curve_;
    QWidget* curve_room_; ///< hidden on the pages of the cards
    bool fitting_ = false;
    int pages_ = 1;
    int page_ = 0;
    std::optional<std::size_t> sought_;
    QSize least_; ///< the minimum size known to the surrounding layout
};

} // namespace attnlab::ui
