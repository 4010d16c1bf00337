#include "ui/window/large_inputs_dialog.h"

#include "ui/document/settings.h"
#include "ui/widgets/label.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int thousand = 1000;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

} // namespace

LargeInputsDialog::LargeInputsDialog(QWidget* parent) : QDialog(parent), cells_(new QSpinBox), memory_(new QSpinBox) {
    setWindowTitle(tr("Large inputs"));
    cells_->setRange(1, 100'000); // the stages of a larger matrix would take gigabytes
    cells_->setSuffix(tr(" thousand cells"));
    cells_->setValue(static_cast<int>(settings::mapFromCells() / thousand));
    memory_->setRange(16, 65'536);
    memory_->setSuffix(tr(" MiB"));
    memory_->setValue(static_cast<int>(settings::mapBytes() / mebibyte));
    auto* words = new Label(tr("A head with more cells (queries × keys) is drawn as a map: its weights are computed "
                               "tile by tile where you look, and never stored as a whole. A smaller one is drawn "
                               "with every stage of its computation."));
    words->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Draw as a map from"), cells_);
    form->addRow(tr("&Memory for tiles"), memory_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &LargeInputsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addLayout(form);
    layout->addStretch();
    layout->addWidget(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 64);
}

void LargeInputsDialog::accept() {
    settings::setMapFromCells(std::int64_t{cells_->value()} * thousand);
    settings::setMapBytes(static_cast<std::size_t>(memory_->value()) * mebibyte);
    QDialog::accept();
}

} // namespace attnlab::ui
