// The page of a model or of a capture, and its panel while none is open.
#pragma once

#include "ui/document/view_state.h"
#include "ui/model/head_view.h"
#include "ui/model/model_session.h"
#include "ui/pages/page.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/state_box.h"

#include <optional>
#include <QWidget>
#include <vector>

class QAction;
class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace attnlab::ui {

class Badge;
class BarButton;
struct WallEffects;
class ElidedLabel;
class PredictionsPanel;
class HeadEffects;
class HeadPanel;
class HeadsPanel;
class HeadsWall;
class HeatmapView;
class OutcomeBars;
class PageStack;
class SentencePanel;
class Splitter;
class OutdatedOverlay;
class StartPanel;
class TextPanel;
class TokenArcs;
class TryThis;

class ModelPage : public Page {
    Q_OBJECT
public:
    explicit ModelPage(ModelSession& session, QWidget* parent = nullptr);

    QString title() const override;
    void setTrace(ComputedPtr) override {}
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override;

    /// What stands in the row above the page: where the numbers are from, the state of the text, and what can be done.
    /// Its new parent owns it.
    QWidget* tools() const { return tools_; }
    /// What is open: "sample · gpt2 · 3 layers × 4 heads".
    QString contents() const;

    /// Whether there is a result to copy or export.
    bool canExport() const;
    void exportShown();
    /// Chooses another head, in the order of the wall.
    void stepHead(int by);
    /// Shows the head in another way: as matrix, lines, rollout.
    void stepView(int by);
    /// The widget that gets the focus: the text, or the button that opens a model.
    void takeFocus();

    /// The user's choices that are in no control: the head, and the token that reads.
    struct State {
        std::optional<HeadIndex> head;
        std::optional<int> query;
    };
    /// Of this text, once there is a result of it: the word that ends behind so many letters. nullopt: none. `is_open`:
    /// of the model that is open, not of the next one.
    void chooseWord(const QString& text, std::optional<qsizetype> end, bool is_open = false);
    State saveState() const;
    void restoreState(const State& state);

    /// Parts, for tests.
    StartPanel* start() const { return start_; }
    TextPanel* texts() const { return texts_; }
    QPlainTextEdit* text() const;
    HeadsPanel* heads() const { return heads_; }
    HeadsWall* wall() const;
    HeadPanel* head() const { return head_; }
    HeadEffects* effects() const { return effects_; }
    SentencePanel* sentence() const { return sentence_; }
    /// Of the second text, where two are compared.
    SentencePanel* second() const { return second_; }
    /// Null before the first, and while it is read.
    const SelectedHeadPtr& headOnShow() const { return shown_; }
    HeatmapView* heatmap() const;
    TokenArcs* arcs() const;
    PredictionsPanel* guesses() const { return guesses_; }
    TryThis* tryThis() const { return try_; }
    /// The first; null while the model expects nothing.
    OutcomeBars* outcomes() const;
    /// What of the model's files is not read; hidden without any.
    ElidedLabel* notes() const { return notes_; }
    /// "real model", or that it was recorded.
    Badge* kind() const { return kind_; }
    /// "bfloat16" while the numbers on show were computed in it; hidden in float32.
    Badge* precision() const { return precision_; }
    /// Computes in bfloat16; hidden for a capture.
    QAction* bfloat16() const { return bfloat16_; }
    QPushButton* workspaceButton() const;
    QPushButton* offButton() const;
    QComboBox* order() const;

signals:
    void recentChosen(const QString& path);
    void imageRequested();
    void soundRequested();
    void leaveRequested();
    /// The head as a document; of a capture all heads of its pass. `cell`: what the chosen token reads most.
    void taken(const attnlab::AttentionProblem& problem, const QString& title, int batch, int head,
               std::optional<attnlab::ui::Cell> cell);
    void failed(const attnlab::Message& why);
    /// Of what was done, for the user.
    void said(const QString& words);

protected:
    void resizeEvent(QResizeEvent* event) override;
    std::optional<NamedMatrix> shownMatrix() const override;
    std::optional<StyledFigure> shownFigure() const override;
    std::optional<ExportSubject> exportSubject() const override;

private:
    void makeTools();
    void build();
    void divide();
    void connectParts();

    void showModel();
    void showResult();
    void showNotes();
    void showPrecision();
    /// What figures of the weights carry; null: nothing.
    std::shared_ptr<const FigureOrigin> origin() const;
    void showHead();
    void show(SelectedHeadPtr head);
    void showBusy();
    /// "gpt2-layer2-head0": begins the names of files. `with_head`: of the head on show.
    QString fileStem(bool with_head) const;
    WallEffects wallEffects() const;
    PictureState stateWithoutResult() const;
    void openHeadInWorkspace();
    void connectTexts();
    void showSecond();
    void askForChange();
    void expectAskedWord();
    void showAskedWord();

    /// Of the workspace, to be chosen here.
    struct AskedWord {
        QString text;
        qsizetype end = 0;
        bool is_open = false; ///< the model that is to read it
    };

    ModelSession& session_;
    std::optional<AskedWord> asked_word_; ///< until there is a result of its text
    SelectedHeadPtr shown_;
    LatestJob<SelectedHeadPtr> reading_;
    OutdatedOverlay* overlay_;
    PageStack* stack_;
    Splitter* body_ = nullptr;
    bool low_ = false;
    bool can_export_ = false;
    bool asks_for_change_ = false; ///< of a word in the second text
    bool user_divides_ = false;    ///< has moved a divider
    StartPanel* start_;
    QWidget *tools_, *tools_of_open_ = nullptr;
    ElidedLabel* notes_;
    Badge *kind_, *precision_;
    QAction *bfloat16_, *copy_;
    BarButton* take_;
    HeadEffects* effects_;
    TextPanel* texts_;
    SentencePanel *sentence_, *second_;
    HeadsPanel* heads_;
    HeadPanel* head_;
    PredictionsPanel* guesses_;
    TryThis* try_;
};

} // namespace attnlab::ui

// The model page while no model is open.

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace attnlab::ui {

/// Opens a model, or one that was open before.
class StartPanel : public QWidget {
    Q_OBJECT
public:
    explicit StartPanel(QWidget* parent = nullptr);

    QPushButton* openButton() const { return open_; }
    /// One for each recent model, the newest first.
    const std::vector<QPushButton*>& recent() const { return recent_; }

signals:
    void openRequested();
    void leaveRequested();
    void chosen(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();

    QPushButton* open_;
    QPushButton* leave_;
    QLabel* heading_;
    QVBoxLayout* column_;
    std::vector<QPushButton*> recent_;
};

} // namespace attnlab::ui
