#include "ui/panels/mask/mask_import.h"

#include "core/lookup.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QDialogButtonBox>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace attnlab::ui {
namespace {

void apply(AttentionSpec& spec, std::string_view kind) {
    if (!lookup(spec.masks, kind))
        spec.masks.push_back({std::string(kind), {}});
}

} // namespace

MaskReading readingOf(const Tensor& mask, const RunControl& control) {
    MaskReading reading{true, mask.dtype() != DType::Bool, 0, mask.size()};
    constexpr std::int64_t piece = 1 << 16; // a mask may lie in a file that is larger than memory
    std::vector<double> values(static_cast<std::size_t>(std::min(piece, mask.size())));
    for (std::int64_t first = 0; first < mask.size(); first += piece) {
        control.checkpoint();
        control.report(static_cast<double>(first) / static_cast<double>(mask.size()));
        const auto part = std::span(values).first(static_cast<std::size_t>(std::min(piece, mask.size() - first)));
        mask.read(first, part);
        for (const double value : part) {
            reading.ones += value != 0.0 ? 1 : 0;
            reading.can_be_boolean = reading.can_be_boolean && (value == 0.0 || value == 1.0);
            reading.can_be_bias =
                reading.can_be_bias && !std::isnan(value) && value < std::numeric_limits<double>::infinity();
        }
    }
    return reading;
}

bool suits(const Shape& shape, const MaskContext& context) { return cell_strides(shape, context).has_value(); }

void importMask(Document& document, const Tensor& mask, MaskTrue meaning) {
    AttentionProblem next = document.problem();
    next.tensors.insert_or_assign("attn_mask", mask.with_dtype(DType::Bool));
    next.spec.mask_true = meaning;
    apply(next.spec, "attn_mask");
    document.edit(MaskImportDialog::tr("Import mask"), std::move(next));
}

void importBias(Document& document, const Tensor& bias) {
    AttentionProblem next = document.problem();
    next.tensors.insert_or_assign("attn_bias", bias.with_dtype(DType::Float64));
    apply(next.spec, "attn_bias");
    document.edit(MaskImportDialog::tr("Import additive bias"), std::move(next));
}

/// The first matrix of the array as cells that it would block, or as the numbers of a bias.
class MaskImportDialog::Preview : public QWidget, public AccessibleTable {
public:
    Preview(const Tensor& mask, QWidget* parent) : QWidget(parent) {
        setAccessibleRole(*this, QAccessible::Graphic);
        setMinimumSize(180, 140);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        if (mask.rank() < 1 || mask.size() == 0)
            return;
        // Of a large one so many rows and columns, evenly spread: no more pixels are there to show them.
        constexpr std::int64_t most_shown = 512;
        all_rows_ = mask.rank() > 1 ? mask.dim(-2) : 1;
        all_columns_ = mask.dim(-1);
        const auto rows = std::min(all_rows_, most_shown), columns = std::min(all_columns_, most_shown);
        std::vector<double> cells;
        cells.reserve(static_cast<std::size_t>(rows * columns));
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column)
                cells.push_back(mask.value(row * all_rows_ / rows * all_columns_ + column * all_columns_ / columns));
        matrix_.values = Tensor({rows, columns}, std::move(cells));
    }

    void show(std::optional<Choice> choice) {
        choice_ = choice;
        matrix_.blocked = {};
        if (choice && matrix_.values.rank() == 2) {
            matrix_.blocked = Tensor(matrix_.values.shape(), 0.0, DType::Bool);
            const auto cells = matrix_.blocked.mutable_values();
            std::ranges::transform(matrix_.values.values(), cells.begin(), [&](double value) {
                const bool blocked = choice == Choice::TrueBlocks  ? value != 0.0
                                     : choice == Choice::TrueKeeps ? value == 0.0
                                                                   : std::isinf(value);
                return blocked ? 1.0 : 0.0;
            });
        }
        update();
        sayTableCells(*this);
    }

    int tableRows() const override { return isMatrix() ? static_cast<int>(matrix_.view().rows) : 0; }
    int tableColumns() const override { return isMatrix() ? static_cast<int>(matrix_.view().columns) : 0; }
    QString tableRowName(int row) const override { return QString::number(row * all_rows_ / tableRows()); }
    QString tableColumnName(int column) const override {
        return QString::number(column * all_columns_ / tableColumns());
    }
    QString tableCellText(int row, int column) const override {
        const QString what = choice_ && matrix_.isBlocked(row, column) ? MaskImportDialog::tr("blocked")
                             : !choice_ || choice_ == Choice::Bias     ? exactText(matrix_.view()(row, column))
                                                                       : MaskImportDialog::tr("kept");
        return MaskImportDialog::tr("%1 → %2: %3").arg(tableRowName(row), tableColumnName(column), what);
    }
    QRect tableCellRect(int row, int column) const override {
        const QRectF all = area();
        const double width = all.width() / tableColumns(), height = all.height() / tableRows();
        return QRectF(all.left() + column * width, all.top() + row * height, width, height).toAlignedRect();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!isMatrix())
            return;
        const QRectF area = this->area();
        QPainter painter(this);
        MatrixData shown = matrix_;
        Colormap kept{QString(), false, {}};
        kept.colors.fill(theme().card.rgb());
        ColorScale scale{&kept, 0.0, 1.0, false};
        if (choice_ == Choice::Bias) {
            ValueRange range;
            for (const double value : shown.values.values())
                if (std::isfinite(value))
                    range.include(value);
            scale = colorScale({}, range, true);
        }
        paintMatrix(painter, area, shown, scale);
        painter.setPen(theme().outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area);
    }

private:
    bool isMatrix() const { return matrix_.values.rank() == 2; }
    QRectF area() const {
        const MatrixView view = matrix_.view();
        const double cell = std::min({(width() - 2.0) / static_cast<double>(view.columns),
                                      (height() - 2.0) / static_cast<double>(view.rows), 28.0});
        const QSizeF size(cell * static_cast<double>(view.columns), cell * static_cast<double>(view.rows));
        return {QPointF((width() - size.width()) / 2.0, 1.0), size};
    }

    MatrixData matrix_;
    std::int64_t all_rows_ = 0, all_columns_ = 0; ///< of the array
    std::optional<Choice> choice_;
};

MaskImportDialog::MaskImportDialog(Tensor mask, const QString& name, const std::optional<MaskContext>& context,
                                   const MaskReading& reading, QWidget* parent)
    : QDialog(parent), mask_(std::move(mask)), name_(name), context_(context), reading_(reading),
      complaint_label_(new Label(this)), preview_(new Preview(mask_, this)),
      box_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    const QString dtype = QString::fromLatin1(name_of(mask_.dtype()).data());
    auto* summary = new Label(tr("%1: %2, %3").arg(name_, shapeText(mask_.shape()), dtype), this);
    auto* question =
        new Label(reading_.can_be_boolean ? tr("PyTorch has two senses. What does True (1) mean in this array?")
                                          : tr("It holds other numbers than 0 and 1, so they are no True and False."),
                  this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(summary);
    layout->addWidget(question);
    for (auto& button : buttons_) {
        button = new QRadioButton(this);
        layout->addWidget(button);
        connect(button, &QRadioButton::toggled, this, &MaskImportDialog::showChoice);
    }
    layout->addWidget(complaint_label_);
    layout->addWidget(preview_, 1);
    layout->addWidget(box_);
    for (QLabel* label : std::initializer_list<QLabel*>{summary, question, complaint_label_})
        label->setWordWrap(true);
    button(Choice::TrueBlocks)->setEnabled(reading_.can_be_boolean);
    button(Choice::TrueKeeps)->setEnabled(reading_.can_be_boolean);
    button(Choice::Bias)->setEnabled(reading_.can_be_bias);
    // The user chooses the meaning of True; with a single possible reading there is no question.
    if (!reading_.can_be_boolean && reading_.can_be_bias)
        setChoice(Choice::Bias);
    connect(box_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setWindowTitle(tr("Import a mask"));
    const QLocale locale;
    button(Choice::TrueBlocks)
        ->setText(tr("True is blocked, as in nn.MultiheadAttention: blocks %1 of %2 cells")
                      .arg(locale.toString(static_cast<qlonglong>(reading_.ones)),
                           locale.toString(static_cast<qlonglong>(reading_.cells))));
    button(Choice::TrueKeeps)
        ->setText(tr("True is kept, as in scaled_dot_product_attention: blocks %1 of %2 cells")
                      .arg(locale.toString(static_cast<qlonglong>(reading_.cells - reading_.ones)),
                           locale.toString(static_cast<qlonglong>(reading_.cells))));
    button(Choice::Bias)->setText(tr("Neither: add these numbers to the scaled scores (additive mask)"));
    preview_->setAccessibleName(tr("The first matrix as it would block"));
    complaint_label_->setText(complaint());
    showChoice();
}

std::optional<MaskImportDialog::Choice> MaskImportDialog::choice() const {
    if (!complaint().isEmpty())
        return std::nullopt;
    for (const Choice one : {Choice::TrueBlocks, Choice::TrueKeeps, Choice::Bias})
        if (button(one)->isChecked())
            return one;
    return std::nullopt;
}

void MaskImportDialog::setChoice(Choice choice) {
    if (button(choice)->isEnabled())
        button(choice)->setChecked(true);
}

void MaskImportDialog::apply(Document& document) const {
    const auto chosen = choice();
    if (chosen == Choice::Bias)
        importBias(document, mask_);
    else if (chosen)
        importMask(document, mask_, chosen == Choice::TrueBlocks ? MaskTrue::Blocks : MaskTrue::Keeps);
}

QString MaskImportDialog::complaint() const {
    if (!reading_.can_be_boolean && !reading_.can_be_bias)
        return tr("This array holds NaN or +∞: it is neither a mask nor an additive bias.");
    if (context_ && !suits(mask_.shape(), *context_))
        return tr("Its shape is %1. Expected %2 × %3, %4 × %2 × %3 or %5 × %6 × %2 × %3, as the scores have. Any size "
                  "may be 1 instead.")
            .arg(shapeText(mask_.shape()))
            .arg(context_->L)
            .arg(context_->S)
            .arg(context_->B * context_->H)
            .arg(context_->B)
            .arg(context_->H);
    return {};
}

void MaskImportDialog::showChoice() {
    std::optional<Choice> marked;
    for (const Choice one : {Choice::TrueBlocks, Choice::TrueKeeps, Choice::Bias})
        if (button(one)->isChecked())
            marked = one;
    preview_->show(marked);
    complaint_label_->setText(complaint());
    complaint_label_->setVisible(!complaint().isEmpty());
    complaint_label_->setForegroundRole(QPalette::BrightText);
    box_->button(QDialogButtonBox::Ok)->setEnabled(choice().has_value());
}

} // namespace attnlab::ui
