#include "ui/panels/key_grid/key_grid_dialog.h"

#include "ui/panels/key_grid/key_picture.h"
#include "ui/widgets/label.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QImageReader>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

KeyGrid squarestGrid(std::int64_t keys) {
    auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(1, keys))));
    while (rows > 1 && keys % rows != 0)
        --rows;
    return {std::max<std::int64_t>(1, rows), std::max<std::int64_t>(1, keys / std::max<std::int64_t>(1, rows))};
}

KeyGridDialog::KeyGridDialog(const AttentionProblem& problem, std::int64_t keys, QWidget* parent)
    : QDialog(parent), problem_(problem), keys_(keys),
      enabled_(new QCheckBox(tr("The &keys are the cells of a picture, row by row"))), rows_(new QSpinBox),
      columns_(new QSpinBox), verdict_(new Label), image_(new Label),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Keys as a picture"));
    const KeyGrid grid = problem.key_grid.value_or(squarestGrid(keys));
    for (auto* size : {rows_, columns_})
        size->setRange(1, 1 << 20);
    rows_->setValue(static_cast<int>(grid.rows));
    columns_->setValue(static_cast<int>(grid.columns));
    enabled_->setChecked(true);
    build();
    settle();
}

void KeyGridDialog::build() {
    auto* form = new QFormLayout;
    form->addRow(tr("&Rows"), rows_);
    form->addRow(tr("&Columns"), columns_);
    auto* choose = new QPushButton(tr("Picture &behind the keys…"));
    auto* remove = new QPushButton(tr("Re&move the picture"));
    auto* line = new QHBoxLayout;
    line->addWidget(choose);
    line->addWidget(remove);
    line->addStretch();
    image_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(enabled_);
    layout->addLayout(form);
    layout->addWidget(verdict_);
    layout->addLayout(line);
    layout->addWidget(image_);
    layout->addStretch();
    layout->addWidget(buttons_);
    setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    connect(enabled_, &QCheckBox::toggled, this, &KeyGridDialog::settle);
    connect(rows_, &QSpinBox::valueChanged, this, &KeyGridDialog::settle);
    connect(columns_, &QSpinBox::valueChanged, this, &KeyGridDialog::settle);
    connect(choose, &QPushButton::clicked, this, &KeyGridDialog::chooseImage);
    connect(remove, &QPushButton::clicked, this, [this] {
        problem_.tensors.erase(key_image_name);
        settle();
    });
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void KeyGridDialog::settle() {
    const bool on = enabled_->isChecked();
    const auto cells = std::int64_t{rows_->value()} * columns_->value();
    rows_->setEnabled(on);
    columns_->setEnabled(on);
    verdict_->setText(!on              ? tr("The weights of a row are shown as bars alone.")
                      : cells == keys_ ? tr("%1 cells, one for each key.").arg(cells)
                                       : tr("%1 cells, but there are %2 keys.").arg(cells).arg(keys_));
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(!on || cells == keys_);
    const auto found = problem_.tensors.find(key_image_name);
    image_->setText(found == problem_.tensors.end()
                        ? tr("No picture: the weights alone are drawn.")
                        : tr("A picture of %1 × %2 pixels.").arg(found->second.dim(1)).arg(found->second.dim(0)));
}

void KeyGridDialog::chooseImage() {
    QStringList patterns;
    for (const auto& format : QImageReader::supportedImageFormats())
        patterns << QStringLiteral("*.") + QString::fromLatin1(format);
    const auto path = QFileDialog::getOpenFileName(this, tr("Picture behind the keys"), {},
                                                   tr("Pictures (%1)").arg(patterns.join(QLatin1Char(' '))));
    if (!path.isEmpty())
        readImage(path);
}

void KeyGridDialog::readImage(const QString& path) {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    const QImage image = reader.read();
    if (image.isNull()) {
        image_->setText(tr("%1 could not be read as a picture: %2").arg(path, reader.errorString()));
        return;
    }
    problem_.tensors.insert_or_assign(key_image_name, tensorOf(image));
    settle();
}

AttentionProblem KeyGridDialog::result() const {
    auto problem = problem_;
    problem.key_grid.reset();
    if (enabled_->isChecked())
        problem.key_grid = KeyGrid{rows_->value(), columns_->value()};
    return problem;
}

} // namespace attnlab::ui
