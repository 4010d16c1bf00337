#include "ui/panels/inputs/tensor_model.h"

#include "core/message.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

namespace {

/// Accepts "true" and "false" for a tensor of booleans.
std::optional<double> typedTruth(const QString& text) {
    const auto plain = text.trimmed().toLower();
    if (plain == QLatin1String("true"))
        return 1.0;
    if (plain == QLatin1String("false"))
        return 0.0;
    return std::nullopt;
}

} // namespace

TensorModel::TensorModel(Document& document, QObject* parent) : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &Document::problemChanged, this, &TensorModel::follow);
}

void TensorModel::show(const QString& tensor, std::int64_t leading) {
    if (tensor.toStdString() == place_.tensor && leading == place_.leading)
        return;
    beginResetModel();
    place_ = {tensor.toStdString(), leading};
    const auto& problem = document_.problem();
    const auto found = problem.tensors.find(tensor.toStdString());
    tensor_ = found == problem.tensors.end() ? Tensor() : found->second;
    if (place_.leading >= matrix_count(tensor_))
        place_.leading = 0;
    readLabels(problem);
    endResetModel();
}

void TensorModel::follow(const AttentionProblem& problem) {
    const auto found = problem.tensors.find(place_.tensor);
    const Tensor next = found == problem.tensors.end() ? Tensor() : found->second;
    if (next.shape() != tensor_.shape() || next.dtype() != tensor_.dtype()) {
        beginResetModel();
        tensor_ = next;
        if (place_.leading >= matrix_count(tensor_))
            place_.leading = 0;
        readLabels(problem);
        endResetModel();
        return;
    }
    const bool same_cells = next.shares_storage_with(tensor_);
    tensor_ = next;
    if (!same_cells && rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    const auto rows = row_labels_, columns = column_labels_;
    readLabels(problem);
    if (rows != row_labels_ && rowCount() > 0)
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    if (columns != column_labels_ && columnCount() > 0)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void TensorModel::readLabels(const AttentionProblem& problem) {
    row_tokens_.reset();
    column_tokens_.reset();
    const auto declared = declared_inputs(problem.spec);
    if (const auto* input = find_input(declared, place_.tensor)) {
        const auto dims = dims_at(*input, tensor_.rank());
        // A single row that is broadcast to all queries is none of them.
        const auto tokens_of = [&](std::size_t from_end) -> std::optional<Axis> {
            const auto axis = dims.size() - from_end;
            const auto tokens = tokens_along(dims[axis]);
            const bool stands_for_all = tokens && dims[axis].or_one && tensor_.shape()[axis] == 1;
            return stands_for_all && token_count(problem, declared, *tokens) != 1 ? std::nullopt : tokens;
        };
        if (dims.size() >= 2)
            row_tokens_ = tokens_of(2);
        if (!dims.empty())
            column_tokens_ = tokens_of(1);
    }
    row_labels_ = row_tokens_ ? tokenLabels(problem, declared, *row_tokens_) : QStringList();
    column_labels_ = column_tokens_ ? tokenLabels(problem, declared, *column_tokens_) : QStringList();
}

double TensorModel::number(const QModelIndex& index) const {
    const auto all = all_cells(tensor_); // rowCount() is clipped
    return tensor_.value((place_.leading * all.rows + index.row()) * all.columns + index.column());
}

void TensorModel::setDigits(int digits) {
    if (digits == digits_)
        return;
    digits_ = digits;
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
}

int TensorModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || tensor_.size() == 0)
        return 0;
    return clippedToInt(tensor_.rank() > 1 ? tensor_.dim(-2) : 1);
}

int TensorModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || tensor_.size() == 0)
        return 0;
    return clippedToInt(tensor_.rank() > 0 ? tensor_.dim(-1) : 1);
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    try {
        return cellData(index, role);
    } catch (const Error& error) { // the file of the numbers has changed
        return role == Qt::DisplayRole                                     ? QStringLiteral("–")
               : role == Qt::ToolTipRole || role == Qt::AccessibleTextRole ? translated(error.message())
                                                                           : QVariant();
    }
}

QVariant TensorModel::cellData(const QModelIndex& index, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return isBool() ? QVariant() : cellText(number(index), digits_);
    case Qt::EditRole:
        return ui::editText(number(index));
    case Qt::ToolTipRole:
        return exactText(number(index), tensor_.dtype());
    case Qt::CheckStateRole:
        return isBool() ? QVariant(number(index) != 0.0 ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
        return tr("%1, %2: %3")
            .arg(headerData(index.row(), Qt::Vertical).toString(),
                 headerData(index.column(), Qt::Horizontal).toString(), exactText(number(index), tensor_.dtype()));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

std::optional<Axis> TensorModel::tokensOf(Qt::Orientation orientation) const {
    return orientation == Qt::Vertical ? row_tokens_ : column_tokens_;
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const auto& labels = orientation == Qt::Vertical ? row_labels_ : column_labels_;
    const QString label = section >= 0 && section < labels.size() ? labels[section] : QString();
    switch (role) {
    case Qt::DisplayRole:
        return label.isEmpty() ? QString::number(section) : label;
    case Qt::EditRole:
        return label;
    case Qt::ToolTipRole: {
        const auto tokens = tokensOf(orientation);
        if (!tokens)
            return {};
        const auto name = translated(title_of(*tokens));
        return label.isEmpty() ? tr("%1 %2: double-click to name it").arg(name).arg(section)
                               : tr("%1 %2, “%3”: double-click to rename it").arg(name).arg(section).arg(label);
    }
    default:
        return {};
    }
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const {
    auto flags = QAbstractTableModel::flags(index);
    if (index.isValid())
        flags |= isBool() ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable;
    return flags;
}

bool TensorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid())
        return false;
    const CellRange cell{index.row(), index.column(), 1, 1};
    if (role == Qt::CheckStateRole)
        return setCells({cell}, value.toInt() == Qt::Checked ? 1.0 : 0.0);
    if (role != Qt::EditRole)
        return false;
    const QString text = value.toString();
    // Leaving a cell unchanged must not edit it, whatever text its editor shows.
    if (text == ui::editText(number(index)))
        return true;
    auto typed = typedNumber(text);
    if (!typed && isBool())
        typed = typedTruth(text);
    if (!typed) {
        emit inputRefused(text.trimmed().isEmpty() ? tr("An empty cell is not a number; type 0 for zero")
                                                   : tr("“%1” is not a number").arg(text.trimmed()));
        return false;
    }
    return setCells({cell}, *typed);
}

bool TensorModel::setHeaderData(int section, Qt::Orientation orientation, const QVariant& value, int role) {
    const auto tokens = tokensOf(orientation);
    if (role != Qt::EditRole || !tokens || section < 0)
        return false;
    const auto& problem = document_.problem();
    const QString label = value.toString().trimmed();
    const QString text = label.isEmpty() ? tr("Remove the name of token %1").arg(section)
                                         : tr("Name token %1 “%2”").arg(QString::number(section), label);
    document_.edit(text,
                   with_token_labels(problem, declared_inputs(problem.spec), *tokens, section, {label.toStdString()}));
    return true;
}

bool TensorModel::setCells(const CellRanges& ranges, double value, QString text, int gesture) {
    if (text.isEmpty() && !ranges.empty())
        text = editText(ranges, value);
    if (tensor_.size() == 0)
        return false;
    if (const auto why = refusal_of(value, tensor_.dtype()); !why.empty()) {
        emit inputRefused(translated(why));
        return false;
    }
    try {
        document_.setTensor(tensorName(), with_cells(tensor_, place_.leading, ranges, value), text, gesture);
    } catch (const Error& error) { // its file is no longer readable
        emit inputRefused(translated(error.message()));
        return false;
    }
    return true;
}

QString TensorModel::cellName(const CellRange& cell) const {
    std::vector<std::int64_t> indices;
    if (tensor_.rank() > 0)
        indices.push_back(cell.left);
    if (tensor_.rank() > 1)
        indices.push_back(cell.top);
    auto rest = place_.leading;
    for (int axis = tensor_.rank() - 3; axis >= 0; --axis) {
        indices.push_back(rest % tensor_.dim(axis));
        rest /= tensor_.dim(axis);
    }
    QStringList texts;
    for (const auto index : indices)
        texts.prepend(QString::number(index));
    const QString name = shortNameOf(tensorName());
    return texts.isEmpty() ? name : QStringLiteral("%1[%2]").arg(name, texts.join(QStringLiteral(", ")));
}

QString TensorModel::editText(const CellRanges& ranges, double value) const {
    std::int64_t count = 0;
    for (const auto& range : ranges)
        count += range.rows * range.columns;
    const QString number = isBool() ? (value != 0.0 ? QStringLiteral("True") : QStringLiteral("False"))
                                    : exactText(value, tensor_.dtype());
    if (count == 1)
        return tr("Set %1 to %2").arg(cellName(ranges.front()), number);
    return tr("Set %n cells of %1 to %2", nullptr, clippedToInt(count)).arg(shortNameOf(tensorName()), number);
}

namespace {

constexpr QChar typographic_minus(0x2212);

std::optional<double> plainNumber(const QString& text, QLocale locale) {
    locale.setNumberOptions(QLocale::RejectGroupSeparator);
    for (const auto& reader : {QLocale::c(), locale}) {
        bool understood = false;
        const double value = reader.toDouble(text, &understood);
        // QLocale::c() reads "1,000" as a thousand: its comma is a group separator.
        if (understood && (reader.language() != QLocale::C || !text.contains(QLatin1Char(','))))
            return value;
    }
    return std::nullopt;
}

} // namespace

std::optional<double> typedNumber(const QString& text, const QLocale& locale) {
    QString plain = text.trimmed().toLower();
    plain.replace(typographic_minus, QLatin1Char('-'));
    const bool negative = plain.startsWith(QLatin1Char('-'));
    const QString magnitude = negative || plain.startsWith(QLatin1Char('+')) ? plain.mid(1) : plain;
    if (magnitude == QLatin1String("inf") || magnitude == QLatin1String("infinity") || magnitude == QStringLiteral("∞"))
        return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (magnitude == QLatin1String("nan"))
        return std::numeric_limits<double>::quiet_NaN();
    const auto slash = plain.indexOf(QLatin1Char('/'));
    if (slash < 0)
        return plainNumber(plain, locale);
    const auto above = plainNumber(plain.left(slash).trimmed(), locale);
    const auto below = plainNumber(plain.mid(slash + 1).trimmed(), locale);
    if (!above || !below || *below == 0.0)
        return std::nullopt;
    return *above / *below;
}

QString editText(double value) { return QString::fromStdString(to_text(value)); }

QString cellText(double value, int digits) {
    const int short_enough = digits + 1; // digits and point of "12.25": no longer than the rounded number
    const QString exact = exactText(value);
    const auto width = exact.startsWith(typographic_minus) ? exact.size() - 1 : exact.size();
    return width <= short_enough ? exact : numberText(value, digits);
}

NumberLine::NumberLine(double value, QWidget* parent) : QLineEdit(editText(value), parent) {
    connect(this, &QLineEdit::textChanged, this, [this] {
        mark();
        emit numberChanged();
    });
}

std::optional<double> NumberLine::number() const { return typedNumber(text()); }

void NumberLine::mark() {
    if (number()) {
        setPalette({});
        setToolTip({});
        return;
    }
    auto marked = palette();
    marked.setColor(QPalette::Text, theme().error_text);
    setPalette(marked);
    setToolTip(tr("This is not a number"));
}

namespace {

struct Paste {
    Q_DECLARE_TR_FUNCTIONS(Paste)
};

} // namespace

io::Table tableFrom(const QString& text, const RunControl& control) {
    // A lone "0,5" is one number for users with a decimal comma, not a row of two.
    if (const auto number = typedNumber(text))
        return {Tensor({1, 1}, *number), {}, {}};
    return io::read_table(text.toStdString(), Paste::tr("Clipboard").toStdString(), {.control = &control});
}

} // namespace attnlab::ui
