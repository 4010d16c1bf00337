// What the model reads (a text or two, the decoder's text, an image, a sound), and what it predicts.
#pragma once

#include "core/model/model_results.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_result.h"
#include "ui/model/model_session.h"

#include <algorithm>
#include <optional>
#include <QPointer>
#include <QWidget>
#include <vector>

class QBoxLayout;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace attnlab::ui {

class BarButton;
class ElidedLabel;
class OutcomeBars;
class WrappedLabel;

class TextPanel : public QWidget {
    Q_OBJECT
public:
    explicit TextPanel(ModelSession& session, QWidget* parent = nullptr);

    /// Hint, counter and buttons, for the row above the page; the panel has the fields. The new parent owns it, as it
    /// does compareButton().
    QWidget* tools() const { return tools_; }
    /// The texts have one line instead of two, and `answer` has the place of the hint, unless there is a problem.
    void setLow(bool low, QWidget* answer);
    /// Puts the line of what the model wrote into the place of the hint, while it is shown.
    void placeWritten(QWidget* line);
    /// The fields of the text and of the second one belong where their tokens are, and are not here.
    bool isFieldElsewhere() const { return field_is_elsewhere_; }

    QPlainTextEdit* text() const { return text_; }
    QPlainTextEdit* other() const { return other_; }
    QLineEdit* target() const { return target_; }
    /// Takes the image out of a text; hidden without one.
    QPushButton* withoutImageButton() const { return without_image_; }
    /// Chooses a sound; hidden unless the model reads one.
    QPushButton* soundButton() const { return sound_; }
    QPushButton* compareButton() const;
    /// Hidden while the field is here.
    QPushButton* editButton() const { return edit_; }
    /// Cuts a text that is too long; hidden for others.
    QPushButton* cutButton() const { return cut_; }
    QToolButton* cancelButton() const { return cancel_; }
    QSpinBox* sequence() const { return sequence_; }
    /// Why a text is not read as a whole; empty if it is.
    QString problem() const { return counter_problem_; }
    /// "15 of 128 tokens".
    QString counter() const;
    /// What to do with the tokens, or what the model does not read.
    ElidedLabel* hint() const { return hint_; }

signals:
    void imageRequested();
    void soundRequested();
    void editRequested();
    /// The second text is to be typed, where its field is elsewhere.
    void otherRequested();
    /// The field of the text is here again, or belongs elsewhere.
    void fieldMoved();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showModel();
    void showImage();
    void placeField();
    void placeHint();
    void showPanel();
    void showProgress();
    void showSizes();
    bool isSample() const;
    void showSound();
    void showHint(const QString& problem, const QString& surplus, const QString& words = {});
    void takeWritten();
    void compare(bool on);

    ModelSession& session_;
    QPlainTextEdit *text_, *other_;
    QLineEdit* target_;
    QPushButton *image_, *without_image_, *sound_, *edit_, *cut_;
    BarButton* compare_;
    QWidget* tools_;
    QBoxLayout *line_, *both_; ///< of the tools, and of the fields of the texts
    bool field_is_elsewhere_ = false, low_ = false;
    int field_height_ = 0;      ///< here
    QSpinBox* sequence_;        ///< of a capture of several
    QWidget* busy_;             ///< progress and Cancel
    ElidedLabel* hint_;         ///< what to do with the tokens
    QPointer<QWidget> written_; ///< takes the place of the hint while it is shown
    QProgressBar* progress_;
    QToolButton* cancel_;
    QTimer* busy_delay_;
    ElidedLabel* counter_; ///< in the place of the progress
    QString counter_problem_;
};

/// The next token, masked tokens, or a class; of both texts where two are compared.
class PredictionsPanel : public QWidget {
    Q_OBJECT
public:
    explicit PredictionsPanel(QWidget* parent = nullptr);

    /// Null, or a model that expects nothing: the panel is hidden.
    void setResult(const ModelResultPtr& result);
    void addBelow(QWidget* part);
    /// Those in sight, from above.
    std::vector<OutcomeBars*> bars() const;
    QStringList titles() const;
    /// How to see guesses where there are none.
    QString hint() const;
    /// Two outcomes that were pinned, the first one against the second.
    std::optional<NamedPair> pair() const;
    /// No outcome is pinned any more.
    QPushButton* unpinButton() const { return unpin_; }
    /// How the model writes on.
    QPushButton* writeButton() const { return write_; }
    QSpinBox* writeCount() const { return count_; }
    QComboBox* writeHow() const { return how_; }
    QDoubleSpinBox* temperature() const { return temperature_; }
    QSpinBox* seed() const { return seed_; }

signals:
    void pairChanged();
    void appendRequested(std::int64_t token);
    void writeRequested(const attnlab::ui::WritingRequest& writing);

private:
    QWidget* makeWriting();
    void togglePin(const model::Outcome& outcome);
    void showPins();

    struct Section {
        ElidedLabel* title;
        OutcomeBars* bars;
    };
    void show(std::size_t index, const QString& title, const ModelPredictions& guesses);
    QString titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                    const ModelPredictions& guesses) const;

    QVBoxLayout* column_;
    WrappedLabel* hint_;
    std::vector<Section> sections_;
    std::size_t shown_ = 0;
    ModelResultPtr result_;
    std::vector<NamedOutcome> pins_; ///< at most two
    ElidedLabel* pinned_;
    QPushButton* unpin_;
    QWidget* writing_; ///< for models that predict the next token
    QPushButton* write_;
    QSpinBox *count_, *seed_;
    QComboBox* how_;
    QDoubleSpinBox* temperature_;
};

/// The probabilities of the likeliest next tokens as bars. While heads are switched off, a frame on each bar shows the
/// probability with all heads on. The accessible name has all numbers. A click pins an outcome, or Space on the one
/// that Up and Down have chosen. A double click, or Enter, takes it as the next token of the text.
class OutcomeBars : public QWidget {
    Q_OBJECT
public:
    explicit OutcomeBars(QWidget* parent = nullptr);

    /// `title` says what they are of. `before` is of the same input with all heads on. As many have rows as there is
    /// room for, whatever heads are off: those that are, or were, the likeliest.
    void setOutcomes(const QString& title, const std::vector<model::Outcome>& outcomes,
                     const std::vector<model::Outcome>& before);
    /// Where the bar of a probability of 1 is in this row; empty for rows that do not exist.
    QRectF wholeBar(int row) const;
    QStringList names() const;
    /// Those of all bars in sight, which begin at one place.
    void setAllNames(const QStringList& names);
    /// Their names and bars have two colours.
    void setPinned(const std::vector<NamedOutcome>& pins);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void outcomeClicked(const attnlab::model::Outcome& outcome);
    void outcomeTaken(const attnlab::model::Outcome& outcome);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// An outcome that may have a row.
    struct Candidate {
        model::Outcome outcome;
        double now = 0.0;                            ///< its probability
        std::optional<double> before = std::nullopt; ///< of a comparison
        double largest() const { return std::max(now, before.value_or(0.0)); }
    };
    void choose(int row);
    int mostRows() const;
    int rowsIn(int height) const;
    void showRows();
    int heightWith(int rows, double row_lines) const;
    void shareRoom();
    void colorRows();

    QString title_;
    std::vector<Candidate> candidates_; ///< the likeliest first
    std::vector<NamedOutcome> pins_;
    BarsDrawing bars_;
    std::vector<model::Outcome> outcomes_; ///< by row
};

} // namespace attnlab::ui
