#include "ui/panels/inputs/tensor_axes.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>

namespace attnlab::ui {
namespace {

struct AxisNames {
    Q_DECLARE_TR_FUNCTIONS(AxisNames)
};

QString dimText(const Dim& dim) {
    QString text;
    for (const auto factor : dim.factors)
        text += (text.isEmpty() ? QString() : QStringLiteral(" × ")) +
                QString::fromUtf8(factor.data(), static_cast<qsizetype>(factor.size()));
    return text;
}

} // namespace

QString axisTitle(int axis, int rank, const std::vector<Dim>& dims) {
    const bool declared = axis < static_cast<int>(dims.size());
    const Dim dim = declared ? dims[static_cast<std::size_t>(axis)] : Dim();
    QString title;
    if (axis == rank - 1)
        title = rank == 1 ? AxisNames::tr("Length") : AxisNames::tr("Columns");
    else if (axis == rank - 2)
        title = AxisNames::tr("Rows");
    else if (isBatch(dim))
        title = AxisNames::tr("Batch");
    else if (isHead(dim))
        title = AxisNames::tr("Head");
    else
        title = AxisNames::tr("Axis %1").arg(axis);
    return declared ? AxisNames::tr("%1 (%2)").arg(title, dimText(dim)) : title;
}

bool isBatch(const Dim& dim) { return is_symbol(dim, "B"); }
bool isHead(const Dim& dim) { return is_symbol(dim, "H") || is_symbol(dim, "Hkv"); }

QStringList tokenLabels(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    const bool of_queries = axis == Axis::Query || keys_are_queries(problem, declared);
    return textsOf(of_queries ? problem.query_tokens : problem.key_tokens);
}

QString shortNameOf(const QString& tensor) {
    if (tensor == QLatin1String("query"))
        return QStringLiteral("Q");
    if (tensor == QLatin1String("key"))
        return QStringLiteral("K");
    if (tensor == QLatin1String("value"))
        return QStringLiteral("V");
    return tensor;
}

SlicePickers::SlicePickers(ViewState& view, QWidget* parent) : QWidget(parent), view_(view) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&view_, &ViewState::sliceChanged, this, &SlicePickers::readView);
    hide();
}

void SlicePickers::setAxes(const Shape& leading, const std::vector<Dim>& dims, std::int64_t query_heads) {
    query_heads_ = std::max<std::int64_t>(1, query_heads);
    std::vector<Kind> kinds;
    for (std::size_t axis = 0; axis < leading.size(); ++axis) {
        const bool declared = axis < dims.size();
        kinds.push_back(declared && isBatch(dims[axis])  ? Kind::Batch
                        : declared && isHead(dims[axis]) ? Kind::Head
                                                         : Kind::Other);
    }
    if (leading != sizes_ || kinds != kinds_) {
        sizes_ = leading;
        kinds_ = kinds;
        dims_ = dims;
        rebuild();
    }
    readView();
}

void SlicePickers::rebuild() {
    removeSafely(row_);
    pickers_.clear();
    row_ = new QWidget;
    auto* layout = new QHBoxLayout(row_);
    layout->setContentsMargins(0, 0, 0, 0);
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
        const auto title = kinds_[axis] == Kind::Batch  ? tr("Batch")
                           : kinds_[axis] == Kind::Head ? tr("Head")
                                                        : tr("Axis %1").arg(axis);
        auto* label = new Label(title);
        auto* picker = new QSpinBox;
        picker->setRange(0, clippedToInt(sizes_[axis] - 1));
        picker->setEnabled(sizes_[axis] > 1);
        picker->setWrapping(true);
        picker->setAccessibleName(title);
        picker->setToolTip(tr("%1: 0 to %2").arg(title).arg(sizes_[axis] - 1));
        label->setBuddy(picker);
        layout->addWidget(label);
        layout->addWidget(picker);
        pickers_.push_back(picker);
        connect(picker, &QSpinBox::valueChanged, this, [this, axis] { picked(axis); });
    }
    layout->addStretch();
    this->layout()->addWidget(row_);
    setVisible(!sizes_.empty());
}

void SlicePickers::readView() {
    const auto before = leading();
    for (std::size_t axis = 0; axis < pickers_.size(); ++axis) {
        const QSignalBlocker blocker(pickers_[axis]);
        if (kinds_[axis] == Kind::Batch)
            pickers_[axis]->setValue(view_.batch());
        else if (kinds_[axis] == Kind::Head && view_.head() != ViewState::mean_of_heads)
            pickers_[axis]->setValue(clippedToInt(view_.head() * sizes_[axis] / query_heads_));
    }
    if (leading() != before)
        emit leadingChanged(leading());
}

void SlicePickers::picked(std::size_t axis) {
    // The view state emits sliceChanged, for which the picker is already up to date.
    const int value = pickers_[axis]->value();
    if (kinds_[axis] == Kind::Batch)
        view_.setBatch(value);
    else if (kinds_[axis] == Kind::Head)
        view_.setHead(static_cast<int>(value * query_heads_ / sizes_[axis]));
    emit leadingChanged(leading());
}

std::int64_t SlicePickers::leading() const {
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < pickers_.size(); ++axis)
        index = index * sizes_[axis] + pickers_[axis]->value();
    return index;
}

QString SlicePickers::text() const {
    QStringList parts;
    for (std::size_t axis = 0; axis < pickers_.size(); ++axis) {
        if (sizes_[axis] < 2)
            continue;
        const int value = pickers_[axis]->value();
        parts << (kinds_[axis] == Kind::Batch  ? tr("batch %1").arg(value)
                  : kinds_[axis] == Kind::Head ? tr("head %1").arg(value)
                                               : tr("axis %1: %2").arg(axis).arg(value));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace attnlab::ui
