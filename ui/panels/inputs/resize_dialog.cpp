#include "ui/panels/inputs/resize_dialog.h"

#include "core/edit/resize.h"
#include "ui/panels/inputs/axis_names.h"
#include "ui/widgets/label.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int longest_axis = 1 << 20;
constexpr double most_cells = 1 << 26; // half a gigabyte of doubles

double cellCount(const Shape& shape) {
    double count = 1.0;
    for (const auto size : shape)
        count *= static_cast<double>(size);
    return count;
}

} // namespace

ResizeDialog::ResizeDialog(const AttentionProblem& problem, const QString& tensor, QWidget* parent)
    : QDialog(parent), problem_(problem), tensor_(tensor),
      along_(new QCheckBox(tr("Resize other inputs of the same size &along"))), others_(new Label),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(titleText(tr("Resize %1").arg(tensor)));
    auto* form = new QFormLayout;
    const auto shape = problem.tensors.find(tensor.toStdString())->second.shape();
    const int rank = static_cast<int>(shape.size());
    const auto declared = declared_inputs(problem.spec);
    const auto* input = find_input(declared, tensor.toStdString());
    const auto dims = input ? dims_at(*input, rank) : std::vector<Dim>();
    for (int axis = 0; axis < rank; ++axis) {
        auto* size = new QSpinBox;
        // An axis that is longer already is not shortened unasked.
        const int now = clippedToInt(shape[static_cast<std::size_t>(axis)]);
        size->setRange(1, std::max(longest_axis, now));
        size->setValue(now);
        const auto title = axisTitle(axis, rank, dims);
        size->setAccessibleName(title);
        form->addRow(title, size);
        sizes_.push_back(size);
        connect(size, &QSpinBox::valueChanged, this, &ResizeDialog::settle);
    }
    auto* kept = new Label(tr("Contents are kept; new cells are zero."));
    kept->setForegroundRole(QPalette::PlaceholderText);
    along_->setChecked(true);
    along_->setVisible(input != nullptr);
    others_->setWordWrap(true);
    others_->setMinimumWidth(fontMetrics().averageCharWidth() * 48);

    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(kept);
    layout->addWidget(along_);
    layout->addWidget(others_);
    layout->addStretch();
    layout->addWidget(buttons_);
    connect(along_, &QCheckBox::toggled, this, &ResizeDialog::settle);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    settle();
    if (!sizes_.empty()) { // to be typed over
        sizes_.front()->setFocus();
        sizes_.front()->selectAll();
    }
}

Shape ResizeDialog::shape() const {
    Shape shape;
    for (const auto* size : sizes_)
        shape.push_back(size->value());
    return shape;
}

AttentionProblem ResizeDialog::result() const {
    const auto name = tensor_.toStdString();
    return along_->isChecked() ? resized(problem_, name, shape()) : resized_alone(problem_, name, shape());
}

void ResizeDialog::settle() {
    // Reports dependent changes even if they are disabled: then as a warning.
    QStringList changes;
    double largest = cellCount(shape());
    for (const auto& [name, next] : resized_shapes(problem_, tensor_.toStdString(), shape())) {
        const auto text = QString::fromStdString(name);
        if (text == tensor_ || next == problem_.tensors.find(name)->second.shape())
            continue;
        changes << tr("%1 to %2").arg(text, shapeText(next));
        if (along_->isChecked())
            largest = std::max(largest, cellCount(next));
    }
    const bool fits = largest <= most_cells;
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(fits);
    others_->setForegroundRole(fits ? QPalette::WindowText : QPalette::BrightText);

    const auto list = changes.join(tr(", "));
    if (!fits)
        others_->setText(tr("This is too large to edit; open it from a file instead."));
    else if (changes.isEmpty())
        others_->setText(tr("No other input changes."));
    else if (along_->isChecked())
        others_->setText(tr("Also resized: %1").arg(list));
    else
        others_->setText(tr("These will no longer fit: %1").arg(list));
}

} // namespace attnlab::ui
