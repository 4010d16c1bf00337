// What the model predicts.
#pragma once

#include "core/model/model_results.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/model/head_effects.h"
#include "ui/model/model_result.h"
#include "ui/model/model_session.h"

#include <algorithm>
#include <optional>
#include <QWidget>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace attnlab::ui {

class ElidedLabel;
class OutcomeBars;
class WrappedLabel;

/// The next token, masked tokens, or a class; of both texts where two are compared.
class PredictionsPanel : public QWidget {
    Q_OBJECT
public:
    explicit PredictionsPanel(QWidget* parent = nullptr);

    /// Null, or a model that expects nothing: the panel is hidden.
    void setResult(const ModelResultPtr& result);
    void addBelow(QWidget* part);
    /// The titles say that they are of the text before.
    void setOutdated(bool outdated);
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
    void showTitles();
    void togglePin(const model::Outcome& outcome);
    void showPins();

    struct Section {
        ElidedLabel* title;
        OutcomeBars* bars;
        QString name = {}; ///< its title
    };
    void show(std::size_t index, const QString& title, const ModelPredictions& guesses);
    QString titleOf(const ModelResult& result, const std::vector<std::string>& tokens,
                    const ModelPredictions& guesses) const;

    QVBoxLayout* column_;
    WrappedLabel* hint_;
    std::vector<Section> sections_;
    std::size_t shown_ = 0;
    bool is_outdated_ = false;
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
