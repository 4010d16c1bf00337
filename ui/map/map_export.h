// A map as a figure or as numbers, at any resolution, with its colour bar.
#pragma once

#include "core/map/attention_map.h"
#include "ui/plot/figure.h"
#include "ui/view_state.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSpinBox;

namespace attnlab::ui {

class PicturePage;

struct MapPicture {
    CellRect cells;
    std::int64_t rows = 512; ///< bins, at most one a cell
    std::int64_t columns = 512;
    Pool pool = Pool::Max;
    ColorChoice colors;
    FigureOptions figure;
};

/// The bins as a matrix whose labels are the numbers of their first cells.
MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool);

/// Writes by extension: .png, .svg, .pdf a figure, .npy, .npz, .csv, .tsv the pooled weights. Blocks while it computes.
/// Throws Error, Cancelled.
void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control = {});

/// Asks what and where; computes off the GUI thread with progress and Cancel.
class MapExportDialog : public QDialog {
    Q_OBJECT
public:
    MapExportDialog(std::shared_ptr<const AttentionMap> map, const CellRect& viewport, const MapPicture& like,
                    const QString& path, QWidget* parent = nullptr);
    ~MapExportDialog() override;

    MapPicture picture() const;
    QComboBox* extent() const { return extent_; }
    QSpinBox* rows() const { return rows_; }
    QSpinBox* columns() const { return columns_; }
    /// How the figure looks; of no use for a file of numbers.
    PicturePage* page() const { return page_; }
    QLineEdit* path() const { return path_; }
    /// What went wrong; empty while nothing did.
    QString complaint() const;

    void accept() override;
    void reject() override;

signals:
    void exported(const QString& path);

private:
    struct Job;
    void build();
    void browse();
    void showFormat();
    void finished(const QString& why);

    std::shared_ptr<const AttentionMap> map_;
    CellRect viewport_;
    MapPicture like_;
    std::unique_ptr<Job> job_;
    QComboBox* extent_;
    QSpinBox* rows_;
    QSpinBox* columns_;
    PicturePage* page_;
    QLineEdit* path_;
    QProgressBar* progress_;
    QLabel* complaint_;
    QDialogButtonBox* buttons_;
};

} // namespace attnlab::ui
