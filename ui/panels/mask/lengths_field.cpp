#include "ui/panels/mask/lengths_field.h"

#include "core/edit/painted_mask.h"
#include "core/stages/mask.h"
#include "ui/widgets/text.h"

#include <optional>
#include <QRegularExpression>
#include <QStringList>
#include <QToolTip>
#include <utility>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_typed_lengths = 256;

QString typedLengths(const Tensor& lengths) {
    const auto columns = lengths.rank() == 2 ? lengths.dim(1) : lengths.size();
    QString text;
    for (std::int64_t k = 0; k < lengths.size(); ++k)
        text += (k == 0             ? QString()
                 : k % columns == 0 ? QStringLiteral("; ")
                                    : QStringLiteral(", ")) +
                QString::number(static_cast<qint64>(lengths.value(k)));
    return text;
}

/// nullopt for anything but whole numbers; brackets do not count.
std::optional<std::vector<double>> readLengths(const QString& text) {
    static const QRegularExpression between(QStringLiteral("[\\s,;，；、\\[\\]()]+"));
    std::vector<double> lengths;
    for (const auto& part : text.split(between, Qt::SkipEmptyParts)) {
        bool is_number = false;
        lengths.push_back(static_cast<double>(part.toLongLong(&is_number)));
        if (!is_number)
            return std::nullopt;
    }
    return lengths;
}

} // namespace

LengthsField::LengthsField(const ComparedSide& setting, std::string array, QWidget* parent)
    : QLineEdit(parent), setting_(setting), array_(std::move(array)) {
    setMinimumWidth(fontMetrics().averageCharWidth() * 9);
    setPlaceholderText(QStringLiteral("2, 3"));
    setAccessibleName(tr("Valid lengths"));
    connect(this, &QLineEdit::editingFinished, this, &LengthsField::store);
    connect(&setting_.document(), &Document::problemChanged, this, &LengthsField::showArray);
    showArray();
}

LengthsField::~LengthsField() {
    // A focused field finishes editing in its destructor.
    disconnect();
}

std::optional<MaskContext> LengthsField::sizes() const {
    AttentionProblem problem = setting_.document().problem();
    problem.spec = setting_.spec();
    return painted_mask::sizes_of(problem);
}

void LengthsField::showArray() {
    const auto& tensors = setting_.document().problem().tensors;
    const auto found = tensors.find(array_);
    const bool is_short = found != tensors.end() && found->second.size() <= most_typed_lengths;
    const auto known = sizes();
    setReadOnly(!is_short || !known);
    shown_ = is_short ? typedLengths(found->second) : QString();
    setText(shown_);
    setToolTip(!known ? tr("The inputs do not fit each other yet")
               : !is_short
                   ? tr("There are too many lengths to type here; edit %1 under Inputs").arg(textOf(array_))
                   : tr("How many of the first keys count: one number for each of %1 sequences, or one for each "
                        "query of them; from 0 to %2")
                         .arg(known->B)
                         .arg(known->S));
}

std::optional<Shape> LengthsField::shapeFor(std::size_t count, const MaskContext& sizes) const {
    const auto numbers = static_cast<std::int64_t>(count);
    if (numbers == sizes.B)
        return Shape{sizes.B};
    return numbers == sizes.B * sizes.L ? std::optional(Shape{sizes.B, sizes.L}) : std::nullopt;
}

void LengthsField::store() {
    if (isReadOnly() || text() == shown_)
        return;
    const auto known = sizes();
    const auto lengths = readLengths(text());
    if (!lengths || lengths->empty())
        return refuse(tr("“%1”: expected whole numbers, such as 2, 3").arg(text()));
    const auto shape = shapeFor(lengths->size(), *known);
    if (!shape)
        return refuse(
            tr("There are %1 numbers, expected %2: one for each sequence of the batch. “Resize…” under Inputs "
               "changes the batch.")
                .arg(lengths->size())
                .arg(known->B));
    for (const double length : *lengths)
        if (length < 0.0 || length > static_cast<double>(known->S))
            return refuse(tr("%1 is not a number of keys from 0 to %2").arg(static_cast<qint64>(length)).arg(known->S));
    AttentionProblem next = setting_.document().problem();
    next.tensors.insert_or_assign(array_, Tensor(*shape, *lengths, DType::Int64));
    setting_.document().edit(tr("Valid lengths %1").arg(text().trimmed()), std::move(next));
    showArray();
}

void LengthsField::refuse(const QString& why) {
    QToolTip::showText(mapToGlobal(QPoint(0, height())), why, this);
    setText(shown_);
}

} // namespace attnlab::ui
