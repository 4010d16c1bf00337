#include "ui/map/map_export.h"

#include "core/io/file_formats.h"
#include "ui/export/picture_page.h"
#include "ui/label.h"
#include "ui/map/map_colors.h"
#include "ui/settings.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <atomic>
#include <thread>

namespace attnlab::ui {

MatrixData matrixOfBins(const MapBins& bins, const BinGrid& grid, Pool pool) {
    MatrixData data;
    data.values = Tensor({bins.rows, bins.columns}, 0.0, DType::Float32);
    data.blocked = Tensor({bins.rows, bins.columns}, 0.0, DType::Bool);
    const auto values = data.values.mutable_values();
    const auto blocked = data.blocked.mutable_values();
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
        values[bin] = binValue(bins, bin, pool);
        blocked[bin] = bins.masked(bin) ? 1.0 : 0.0;
    }
    for (std::int64_t row = 0; row < bins.rows; ++row)
        data.row_labels << QString::number(grid.cells.first_row + row * grid.bin_rows);
    for (std::int64_t column = 0; column < bins.columns; ++column)
        data.column_labels << QString::number(grid.cells.first_column + column * grid.bin_columns);
    data.row_title = translated(title_of(Axis::Query));
    data.column_title = translated(title_of(Axis::Key));
    return data;
}

void exportMap(const QString& path, const AttentionMap& map, const MapPicture& picture, const RunControl& control) {
    const auto grid = grid_of(picture.cells, picture.rows, picture.columns);
    const auto bins = map.pool(grid, picture.pool, control);
    const auto matrix = matrixOfBins(bins, grid, picture.pool);
    if (!figureSuffixes().contains(QFileInfo(path).suffix().toLower())) {
        io::write_tensors(path.toStdString(), {{"weights", matrix.values}});
        return;
    }
    ValueRange range;
    includeBins(range, bins, picture.pool);
    writeFigure(path, matrix, mapScale(picture.colors, range), picture.figure);
}

/// The thread that computes, and how it is stopped.
struct MapExportDialog::Job {
    std::atomic<bool> stopped = false;
    std::jthread thread;
};

MapExportDialog::MapExportDialog(std::shared_ptr<const AttentionMap> map, const CellRect& viewport,
                                 const MapPicture& like, const QString& path, QWidget* parent)
    : QDialog(parent), map_(std::move(map)), viewport_(viewport), like_(like), extent_(new QComboBox),
      rows_(new QSpinBox), columns_(new QSpinBox), page_(new PicturePage), path_(new QLineEdit(path)),
      progress_(new QProgressBar), complaint_(new Label),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Export the map"));
    build();
}

MapExportDialog::~MapExportDialog() {
    if (job_)
        job_->stopped = true; // the thread is joined with it
}

void MapExportDialog::build() {
    extent_->addItem(tr("What is in sight: %1 × %2 cells").arg(viewport_.rows()).arg(viewport_.columns()));
    extent_->addItem(tr("The whole map: %1 × %2 cells").arg(map_->rows()).arg(map_->columns()));
    for (auto* bins : {rows_, columns_}) {
        bins->setRange(1, 8192);
        bins->setValue(1024);
    }
    page_->setTitle(like_.figure.title);
    page_->setPoints(like_.figure.size_points);
    page_->setColors(like_.colors);
    page_->setDark(like_.figure.dark);
    const auto pair = [](QWidget* first, QWidget* second) {
        auto* line = new QHBoxLayout;
        line->addWidget(first, 1);
        line->addWidget(new Label(QStringLiteral("×")));
        line->addWidget(second, 1);
        return line;
    };
    auto* browse = new QToolButton;
    browse->setText(QStringLiteral("…"));
    browse->setAccessibleName(tr("Choose the file"));
    auto* file = new QHBoxLayout;
    file->addWidget(path_, 1);
    file->addWidget(browse);
    auto* form = new QFormLayout;
    form->addRow(tr("&Extent"), extent_);
    const auto labelled = [&](const QString& text, QLayout* line, QWidget* buddy) {
        auto* label = new Label(text);
        label->setBuddy(buddy);
        form->addRow(label, line);
    };
    labelled(tr("&Resolution, rows × columns"), pair(rows_, columns_), rows_);
    labelled(tr("&File"), file, path_);
    rows_->setAccessibleName(tr("Rows of the picture"));
    columns_->setAccessibleName(tr("Columns of the picture"));
    complaint_->setWordWrap(true);
    QPalette red;
    red.setColor(QPalette::WindowText, theme().error_text);
    complaint_->setPalette(red);
    progress_->setRange(0, 100);
    progress_->hide();
    auto* words = new Label(tr("Pictures: .png, .svg, .pdf. Numbers: .npy, .npz, .csv, .tsv."));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(words);
    layout->addWidget(page_);
    layout->addWidget(complaint_);
    layout->addWidget(progress_);
    layout->addStretch();
    layout->addWidget(buttons_);
    setMinimumWidth(fontMetrics().averageCharWidth() * 70);
    connect(path_, &QLineEdit::textChanged, this, &MapExportDialog::showFormat);
    showFormat();
    connect(browse, &QToolButton::clicked, this, &MapExportDialog::browse);
    connect(buttons_, &QDialogButtonBox::accepted, this, &MapExportDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &MapExportDialog::reject);
}

void MapExportDialog::browse() {
    const auto chosen = QFileDialog::getSaveFileName(this, tr("Export the map"), path_->text());
    if (!chosen.isEmpty())
        path_->setText(chosen);
}

void MapExportDialog::showFormat() {
    const auto format = figureSuffixes().indexOf(QFileInfo(path_->text()).suffix().toLower());
    page_->setEnabled(format >= 0);
    if (format >= 0)
        page_->setFormat(static_cast<FigureFormat>(format));
}

MapPicture MapExportDialog::picture() const {
    MapPicture picture = like_;
    picture.cells = extent_->currentIndex() == 0 ? viewport_ : map_->all();
    picture.rows = rows_->value();
    picture.columns = columns_->value();
    picture.figure = page_->options();
    picture.colors.logarithmic = picture.figure.logarithmic;
    picture.colors.locked = false; // the ends are those of the figure
    return picture;
}

QString MapExportDialog::complaint() const { return complaint_->text(); }

void MapExportDialog::accept() {
    if (job_ || path_->text().isEmpty())
        return;
    complaint_->clear();
    progress_->setValue(0);
    progress_->show();
    buttons_->button(QDialogButtonBox::Save)->setEnabled(false);
    job_ = std::make_unique<Job>();
    job_->thread = std::jthread([this, job = job_.get(), path = path_->text(), wanted = picture(), map = map_] {
        RunControl control;
        control.cancelled = [job] { return job->stopped.load(); };
        control.progress = [this](double fraction) {
            QMetaObject::invokeMethod(
                this, [this, fraction] { progress_->setValue(static_cast<int>(fraction * 100.0)); },
                Qt::QueuedConnection);
        };
        QString why;
        try {
            exportMap(path, *map, wanted, control);
        } catch (const Cancelled&) {
            why = QStringLiteral("cancelled");
        } catch (const Error& error) {
            why = translated(error.message());
        } catch (const std::exception& error) {
            why = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [this, why] { finished(why); }, Qt::QueuedConnection);
    });
}

void MapExportDialog::finished(const QString& why) {
    const bool stopped = job_->stopped;
    job_.reset();
    progress_->hide();
    buttons_->button(QDialogButtonBox::Save)->setEnabled(true);
    if (stopped)
        return;
    if (!why.isEmpty()) {
        complaint_->setText(why);
        return;
    }
    emit exported(path_->text());
    QDialog::accept();
}

/// Stops what is being computed; with nothing to stop, closes.
void MapExportDialog::reject() {
    if (job_)
        job_->stopped = true;
    else
        QDialog::reject();
}

} // namespace attnlab::ui
