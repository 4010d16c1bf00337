#include "ui/panels/inputs/tensor_dialogs.h"

#include "core/edit/resize.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <span>

namespace attnlab::ui {
namespace {

QString titleOf(Fill::Kind kind) {
    switch (kind) {
    case Fill::Kind::Zeros:
        return FillDialog::tr("Zeros");
    case Fill::Kind::Ones:
        return FillDialog::tr("Ones");
    case Fill::Kind::Number:
        return FillDialog::tr("A number");
    case Fill::Kind::Identity:
        return FillDialog::tr("Identity");
    case Fill::Kind::OneHot:
        return FillDialog::tr("One-hot rows");
    case Fill::Kind::Normal:
        return FillDialog::tr("Normal random numbers");
    case Fill::Kind::Uniform:
        return FillDialog::tr("Uniform random numbers");
    case Fill::Kind::Counting:
        return FillDialog::tr("0, 1, 2, …");
    }
    return {};
}

} // namespace

FillDialog::FillDialog(const FillTarget& target, const Fill& initial, QWidget* parent)
    : QDialog(parent), target_(target), initial_(initial), form_(new QFormLayout), kind_(new QComboBox),
      scopes_(new QButtonGroup(this)), later_(new WrappedLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(titleText(tr("Fill %1").arg(target.tensor)));
    for (const auto kind : fill_kinds_of(target.dtype))
        kind_->addItem(titleOf(kind), static_cast<int>(kind));
    kind_->setCurrentIndex(std::max(0, kind_->findData(static_cast<int>(initial.kind))));
    kind_->setAccessibleName(tr("Fill with"));
    form_->addRow(tr("Fill with"), kind_);
    addFields();

    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form_);
    addScopes(*layout);
    later_->setText(tr("So many numbers are filled when you press OK, not before."));
    later_->hide();
    layout->addWidget(later_);
    layout->addStretch();
    layout->addWidget(buttons_);
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        showFields();
        settle();
    });
    connect(scopes_, &QButtonGroup::idToggled, this, [this](int, bool checked) {
        if (checked)
            settle();
    });
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showFields();
}

NumberLine* FillDialog::addNumber(const QString& label, double value) {
    auto* field = new NumberLine(value);
    field->setAccessibleName(label);
    form_->addRow(label, field);
    connect(field, &NumberLine::numberChanged, this, &FillDialog::settle);
    return field;
}

void FillDialog::addFields() {
    number_ = addNumber(tr("Number"), initial_.number);
    mean_ = addNumber(tr("Mean"), initial_.mean);
    deviation_ = addNumber(tr("Standard deviation"), initial_.deviation);
    low_ = addNumber(tr("From"), initial_.low);
    high_ = addNumber(tr("Below"), initial_.high);
    start_ = addNumber(tr("Start"), initial_.start);
    step_ = addNumber(tr("Step"), initial_.step);

    column_ = new QSpinBox;
    const int most = clippedToInt(target_.columns - 1);
    column_->setRange(-1, most);
    column_->setSpecialValueText(tr("row number (wraps around)"));
    column_->setValue(static_cast<int>(std::clamp<std::int64_t>(initial_.column.value_or(-1), -1, most)));
    column_->setAccessibleName(tr("Column of the one"));
    form_->addRow(tr("Column of the one"), column_);
    connect(column_, &QSpinBox::valueChanged, this, &FillDialog::settle);

    seed_ = new QSpinBox;
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setValue(static_cast<int>(initial_.seed));
    seed_->setAccessibleName(tr("Seed"));
    seed_->setToolTip(tr("The same seed draws the same numbers on every machine"));
    form_->addRow(tr("Seed"), seed_);
    connect(seed_, &QSpinBox::valueChanged, this, &FillDialog::settle);
    draw_again_ = new QPushButton(tr("&Draw again"));
    draw_again_->setAutoDefault(false);
    form_->addRow(QString(), draw_again_);
    connect(draw_again_, &QPushButton::clicked, this, &FillDialog::drawAgain);
}

void FillDialog::addScopes(QLayout& layout) {
    const auto add = [&](const QString& text, FillScope scope) {
        auto* button = new QRadioButton(text);
        scopes_->addButton(button, static_cast<int>(scope));
        layout.addWidget(button);
        if (!scopes_->checkedButton())
            button->setChecked(true);
    };
    if (target_.selected > 1)
        add(tr("The %n selected cells", nullptr, clippedToInt(target_.selected)), FillScope::Selection);
    if (target_.matrices > 1)
        add(tr("The matrix on show"), FillScope::Matrix);
    add(target_.matrices > 1 ? tr("The whole tensor, all %n matrices", nullptr, clippedToInt(target_.matrices))
                             : tr("The whole tensor"),
        FillScope::Tensor);
}

void FillDialog::showFields() {
    const auto kind = static_cast<Fill::Kind>(kind_->currentData().toInt());
    const bool random = kind == Fill::Kind::Normal || kind == Fill::Kind::Uniform;
    const std::pair<QWidget*, bool> fields[] = {{number_, kind == Fill::Kind::Number},
                                                {mean_, kind == Fill::Kind::Normal},
                                                {deviation_, kind == Fill::Kind::Normal},
                                                {low_, kind == Fill::Kind::Uniform},
                                                {high_, kind == Fill::Kind::Uniform},
                                                {start_, kind == Fill::Kind::Counting},
                                                {step_, kind == Fill::Kind::Counting},
                                                {column_, kind == Fill::Kind::OneHot},
                                                {seed_, random},
                                                {draw_again_, random}};
    for (const auto& [field, shown] : fields) {
        field->setVisible(shown);
        if (auto* label = form_->labelForField(field))
            label->setVisible(shown);
    }
}

bool FillDialog::isComplete() const {
    // These are written to cells; the others only control random numbers.
    for (const auto* field : {number_, start_, step_})
        if (!field->isHidden() && (!field->number() || !refusal_of(*field->number(), target_.dtype).empty()))
            return false;
    for (const auto* field : {mean_, deviation_, low_, high_})
        if (!field->isHidden() && !std::isfinite(field->number().value_or(std::nan(""))))
            return false;
    return true;
}

void FillDialog::settle() {
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(isComplete());
    if (isComplete())
        emit changed();
}

Fill FillDialog::fill() const {
    Fill fill;
    fill.kind = static_cast<Fill::Kind>(kind_->currentData().toInt());
    fill.number = number_->number().value_or(initial_.number);
    fill.mean = mean_->number().value_or(initial_.mean);
    fill.deviation = deviation_->number().value_or(initial_.deviation);
    fill.low = low_->number().value_or(initial_.low);
    fill.high = high_->number().value_or(initial_.high);
    fill.start = start_->number().value_or(initial_.start);
    fill.step = step_->number().value_or(initial_.step);
    if (column_->value() >= 0)
        fill.column = column_->value();
    fill.seed = static_cast<std::uint64_t>(seed_->value());
    return fill;
}

FillScope FillDialog::scope() const { return static_cast<FillScope>(scopes_->checkedId()); }

void FillDialog::setPreviewed(bool previewed) { later_->setVisible(!previewed); }

void FillDialog::drawAgain() { seed_->setValue(seed_->value() + 1); }

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
    : QDialog(parent), problem_(problem), with_all_axes_(with_leading_axes(problem)), tensor_(tensor),
      along_(new QCheckBox(tr("Also resize inputs that share this &size"))), others_(new Label),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(titleText(tr("Resize %1").arg(tensor)));
    auto* form = new QFormLayout;
    const auto shape = with_all_axes_.tensors.find(tensor.toStdString())->second.shape();
    const int rank = static_cast<int>(shape.size());
    added_axes_ = shape.size() - problem.tensors.find(tensor.toStdString())->second.shape().size();
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
    if (added_axes_ < sizes_.size()) { // to be typed over
        sizes_[added_axes_]->setFocus();
        sizes_[added_axes_]->selectAll();
    }
}

Shape ResizeDialog::shape() const {
    Shape shape;
    for (const auto* size : sizes_)
        shape.push_back(size->value());
    if (&base() == &problem_)
        shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(added_axes_));
    return shape;
}

const AttentionProblem& ResizeDialog::base() const {
    const auto added = std::span(sizes_).first(added_axes_);
    return std::ranges::all_of(added, [](const QSpinBox* size) { return size->value() == 1; }) ? problem_
                                                                                               : with_all_axes_;
}

std::function<void(AttentionProblem&, const RunControl&)> ResizeDialog::edit() const {
    return [name = tensor_.toStdString(), shape = shape(), along = along_->isChecked(),
            adds_axes = &base() != &problem_](AttentionProblem& problem, const RunControl& control) {
        if (adds_axes)
            problem = with_leading_axes(problem);
        problem = along ? resized(problem, name, shape, control) : resized_alone(problem, name, shape, control);
    };
}

double ResizeDialog::newNumbers() const {
    double count = 0.0;
    for (const auto& [name, next] : resized_shapes(base(), tensor_.toStdString(), shape()))
        if (along_->isChecked() || name == tensor_.toStdString())
            count += next == base().tensors.find(name)->second.shape() ? 0.0 : cellCount(next);
    return count;
}

void ResizeDialog::settle() {
    // Reports dependent changes even if they are disabled: then as a warning.
    QStringList changes;
    double largest = cellCount(shape());
    for (const auto& [name, next] : resized_shapes(base(), tensor_.toStdString(), shape())) {
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
