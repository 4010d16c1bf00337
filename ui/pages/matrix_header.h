// The row above the large matrix: its title, its controls, the field that jumps to a cell, and the chip of its
// colours.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/role_color.h"
#include "ui/matrix/matrix_source.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/page.h"
#include "ui/widgets/controls.h"

#include <optional>
#include <QLineEdit>
#include <QList>
#include <QStringList>
#include <QWidget>
#include <string_view>

class QComboBox;
class QToolButton;

namespace attnlab::ui {

class ColorsButton;
class ElidedLabel;
class JumpField;
class NotationLabel;

/// A title with a formula, and controls for batch, head, pooling, a cell to jump to, colours and zoom.
class MatrixHeader : public QWidget {
    Q_OBJECT
public:
    MatrixHeader(ViewState& view, QWidget* parent);

    /// In the colour of the role of what is shown.
    void setTitle(const QString& title, std::optional<AttentionRole> role);
    /// Beside the title: the cell in words, or where there are none the formula, which is the tooltip of both.
    void setSubtitle(const QString& formula, const QString& cell);
    QString subtitle() const;

    /// Fills the pickers of batch and head, which are hidden where there is no choice.
    void offer(const TraceSize& size, bool mean_of_heads, bool heads_beside);
    void choose(int batch, int head);

    /// One way to show the weights; a reason (translated) disables it.
    struct WeightsChoice {
        QString id, title, help, refusal;
    };
    /// Empty: none are offered.
    void offerViews(const QList<WeightsChoice>& choices, const QString& current);

    void setZoomEnabled(bool enabled);
    void setZoomVisible(bool visible);

    ColorsButton* colorsButton() const { return colors_; }
    QComboBox* batchPicker() const { return batch_; }
    QComboBox* headPicker() const { return head_; }
    QComboBox* poolPicker() const { return pool_; }
    QComboBox* viewPicker() const { return weights_as_; }
    JumpField* jumpField() const { return jump_; }
    /// The controls from left to right.
    QList<QWidget*> tools() const;

signals:
    void zoomClicked(Page::Zoom how);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitViews();
    void layOut();
    void keepHeight();
    void setTexts();
    void colorTitle();
    QList<QToolButton*> zoomButtons() const { return {zoom_out_, fit_, zoom_in_}; }
    QToolButton* zoomButton(const QString& icon_name, Page::Zoom how);

    ElidedLabel* title_;
    std::optional<AttentionRole> role_;
    NotationLabel* formula_;
    ColorsButton* colors_;
    QComboBox* batch_;
    QComboBox* head_;
    QComboBox* pool_;
    QComboBox* weights_as_;
    JumpField* jump_;
    QToolButton* zoom_out_;
    QToolButton* fit_;
    QToolButton* zoom_in_;
};

// Where the user writes which cell to go to.

/// "1200, 34" or "1200" (a row), or token labels instead of numbers; nullopt for a number out of range or an unknown
/// token.
std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes);

class JumpField : public QLineEdit {
    Q_OBJECT
public:
    explicit JumpField(QWidget* parent);

    /// The cell of the text, which is marked as wrong where there is none.
    std::optional<Cell> cellIn(const MatrixAxes& axes);
};

// The chip beside a colour bar whose colours are not the usual ones.

class ViewState;

/// "Range held from 1/√d", the setting that the range is from; a click fits the colours to the present numbers. Or
/// "Log colours" where linear ones would hide the numbers; a click makes them linear, and logarithmic again. Hidden
/// where there is nothing to say.
class ScaleChip : public Chip {
    Q_OBJECT
public:
    explicit ScaleChip(ViewState& view, QWidget* parent = nullptr);

    enum class Settings { A, Both };
    /// The displayed scale, of the stage in one or in both settings.
    void setScale(const ColorScale& scale, std::string_view stage = {}, Settings settings = Settings::A);

    /// That of the longest text; with less, the text is shorter.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showHeld(const ColorScale& scale, std::string_view stage, Settings settings);
    void showLogarithm(bool logarithmic);
    void say(const QString& name, const QStringList& help);
    void act();
    int widthOf(const QString& text) const;
    void fitText();

    ViewState& view_;
    ColorScale scale_;
    QStringList texts_; ///< the longest first
};

} // namespace attnlab::ui
