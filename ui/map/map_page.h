// The large map with what goes with it: heads, pooling, colours, zoom, a field to jump to a cell.
#pragma once

#include "ui/map/map_view.h"
#include "ui/map/row_reader.h"
#include "ui/page.h"
#include "ui/view_state.h"

#include <QTimer>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace attnlab::ui {

class RangeBar;

/// "1200, 34" or "1200" (a row), or labels of tokens in the place of numbers: the cell meant; nothing where a number is
/// outside or no token is called so.
std::optional<Cell> cellOfText(const QString& text, std::int64_t rows, std::int64_t columns,
                               const QStringList& row_labels, const QStringList& column_labels);

class MapPage : public Page {
    Q_OBJECT
public:
    MapPage(MapSession& session, ViewState& view, QWidget* parent = nullptr);

    /// A problem whose maps can be had (MapInputs::why_not): its sizes and labels; the session opens it.
    void open(const AttentionProblem& problem);
    void close();

    MapView* map() const { return map_; }
    QComboBox* poolPicker() const { return pool_; }
    QLineEdit* jumpField() const { return jump_; }
    QString title() const override;
    /// A map follows its session.
    void setTrace(ComputedPtr) override {}
    bool canZoom() const override { return true; }
    void zoom(Zoom how) override { Page::zoom(*map_, how); }
    QString copyMatrix() override;
    QString copyPicture() override;
    int heads() const { return static_cast<int>(heads_); }

signals:
    void rowRead(attnlab::ui::ComputedPtr computed, const attnlab::AttentionProblem& problem, int row);

protected:
    std::optional<ExportSubject> exportSubject() const override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void refreshPickers();
    void refreshColors();
    void refreshTitle();
    void showChoice();
    void jump();
    void readRow();

    MapSession& session_;
    ViewState& view_;
    RowReader* rows_;
    std::int64_t batches_ = 1, heads_ = 1;
    QStringList row_labels_, column_labels_;
    QTimer rest_; ///< the row under a resting mouse is read
    QLabel* title_;
    QLabel* cell_;
    QComboBox* batch_;
    QComboBox* head_;
    QComboBox* pool_;
    RangeBar* range_bar_;
    QLineEdit* jump_;
    QToolButton* zoom_out_;
    QToolButton* fit_;
    QToolButton* zoom_in_;
    MapView* map_;
};

} // namespace attnlab::ui
