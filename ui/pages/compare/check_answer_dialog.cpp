#include "ui/pages/compare/check_answer_dialog.h"

#include "core/io/csv.h"
#include "ui/document/local_files.h"
#include "ui/document/open_files.h"
#include "ui/document/settings.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QAbstractTableModel>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScreen>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

/// As of `attnlab grade`: answers are usually rounded.
constexpr double usual_tolerance = 1e-2;
/// More numbers than anybody computes by hand; the field stays quick.
constexpr std::int64_t most_numbers_of_an_answer = 20'000;

bool canCheck(const Stage& stage) {
    const auto is_schedule = [](Axis axis) { return axis == Axis::Tile || axis == Axis::Hash; };
    return (stage.role == StageRole::Step || stage.role == StageRole::Summary) && stage.value.size() > 0 &&
           std::ranges::none_of(stage.axes, is_schedule);
}

/// The numbers as nested lists, a row in each line.
QString listText(const Tensor& tensor, std::size_t axis = 0, std::int64_t first = 0) {
    const auto& shape = tensor.shape();
    const auto stride = element_count(Shape(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()));
    QStringList parts;
    for (std::int64_t k = 0; k < shape[axis]; ++k)
        parts << (axis + 1 == shape.size() ? textOf(to_text(tensor.value(first + k)))
                                           : listText(tensor, axis + 1, first + k * stride));
    const auto line = axis + 1 == shape.size() ? QString() : QLatin1Char('\n') + QString(qsizetype(axis) + 1, u' ');
    return QLatin1Char('[') + parts.join(QLatin1Char(',') + (line.isEmpty() ? QStringLiteral(" ") : line)) +
           QLatin1Char(']');
}

Shape withoutOnes(Shape shape) {
    std::erase(shape, 1);
    return shape;
}

/// A number as it was typed, unless it has many digits.
QString givenText(double value) {
    constexpr qsizetype most_letters = 9;
    const QString exact = exactText(value);
    return exact.size() <= most_letters ? exact : numberText(value, 6);
}

std::optional<double> toleranceOf(const QLineEdit& field) {
    if (field.text().trimmed().isEmpty())
        return usual_tolerance;
    bool is_number = false;
    const double number = QString(field.text()).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&is_number);
    return is_number && number >= 0.0 && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

/// One matrix of a graded answer. A wrong cell has a cross before its number, and a colour.
class AnswerTable : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void clear() {
        beginResetModel();
        exact_.reset();
        endResetModel();
    }

    void show(MatrixData exact, const verify::Grade& grade) {
        beginResetModel();
        exact_ = std::move(exact);
        given_ = grade.given;
        is_wrong_ = grade.is_wrong;
        endResetModel();
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || !exact_ ? 0 : clippedToInt(exact_->view().rows);
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || !exact_ ? 0 : clippedToInt(exact_->view().columns);
    }

    QVariant data(const QModelIndex& index, int role) const override {
        const auto view = exact_->view();
        const auto cell = (exact_->leading * view.rows + index.row()) * view.columns + index.column();
        const bool wrong = is_wrong_[static_cast<std::size_t>(cell)];
        const QString given = givenText(given_.value(cell));
        const QString right = numberText(view(index.row(), index.column()), 6);
        switch (role) {
        case Qt::DisplayRole:
            return wrong ? QStringLiteral("✗ %1").arg(given) : given;
        case Qt::AccessibleTextRole:
        case Qt::ToolTipRole:
            return wrong ? CheckAnswerDialog::tr("Wrong: %1, expected %2").arg(given, right)
                         : CheckAnswerDialog::tr("Right: %1, computed %2").arg(given, right);
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return wrong ? QVariant(theme().error_text) : QVariant();
        case Qt::BackgroundRole:
            return wrong ? QVariant(theme().error_soft) : QVariant();
        default:
            return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (role != Qt::DisplayRole || !exact_)
            return {};
        return orientation == Qt::Horizontal ? exact_->columnLabel(section) : exact_->rowLabel(section);
    }

private:
    std::optional<MatrixData> exact_;
    Tensor given_;
    std::vector<bool> is_wrong_;
};

struct CheckAnswerDialog::Outcome {
    std::string stage;
    double tolerance = usual_tolerance;
    bool is_one_matrix = false; ///< the answer is one of several matrices of the stage
    verify::Grade grade;
    std::optional<Message> error;
};

CheckAnswerDialog::CheckAnswerDialog(AttentionProblem problem, ComputedPtr computed, const QString& stage, int batch,
                                     int head, QWidget* parent)
    : QDialog(parent), problem_(std::move(problem)), computed_(std::move(computed)), stages_(new QComboBox(this)),
      tolerance_(new QLineEdit(this)), open_(new QPushButton(this)), answer_(new TextEdit(this)),
      error_(new ErrorLabel(this)), verdict_(new WrappedLabel(this)), explanation_(new WrappedLabel(this)),
      matrices_(new QComboBox(this)), table_(new QTableView(this)), cells_(new AnswerTable(this)),
      compare_(new QPushButton(this)),
      job_([this](std::shared_ptr<const Outcome> outcome) { showOutcome(std::move(outcome)); }) {
    build();
    setTexts();
    addStages();
    choose(stage);
    addMatrices(batch, head);
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        auto failed = std::make_shared<Outcome>();
        failed->error = why;
        showOutcome(failed);
    });
    connect(open_, &QPushButton::clicked, this, &CheckAnswerDialog::chooseFile);
    connect(answer_, &QPlainTextEdit::textChanged, this, [this] {
        if (!is_taking_)
            file_.reset();
        check();
    });
    connect(tolerance_, &QLineEdit::textChanged, this, &CheckAnswerDialog::check);
    connect(stages_, &QComboBox::currentIndexChanged, this, [this] {
        const QPoint before = matrices_->currentData().toPoint();
        showOutcome(nullptr); // that of the stage before
        addMatrices(before.x(), before.y());
        file_ ? takeArray() : check();
    });
    connect(matrices_, &QComboBox::currentIndexChanged, this,
            [this] { outcome_ && outcome_->is_one_matrix ? check() : showMatrix(); });
    connect(compare_, &QPushButton::clicked, this, &CheckAnswerDialog::requestComparison);
    answer_->setFocus();
    check();
}

void CheckAnswerDialog::build() {
    QFont bold = font();
    bold.setBold(true);
    verdict_->setFont(bold);
    for (QLabel* label : std::initializer_list<QLabel*>{verdict_, explanation_, error_})
        label->setWordWrap(true);
    tolerance_->setPlaceholderText(exactText(usual_tolerance));
    tolerance_->setFixedWidth(fontMetrics().averageCharWidth() * 10);
    answer_->setLineWrapMode(QPlainTextEdit::NoWrap);
    answer_->setTabChangesFocus(true);
    answer_->setMinimumHeight(fontMetrics().lineSpacing() * 5);
    table_->setModel(cells_);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    table_->setTabKeyNavigation(false);
    auto* above = new QHBoxLayout;
    auto* stage_label = new Label(tr("&Stage"), this);
    stage_label->setBuddy(stages_);
    auto* tolerance_label = new Label(tr("&Tolerance"), this);
    tolerance_label->setBuddy(tolerance_);
    above->addWidget(stage_label);
    above->addWidget(stages_, 1);
    above->addWidget(matrices_);
    above->addWidget(tolerance_label);
    above->addWidget(tolerance_);
    auto* heading = new QHBoxLayout;
    auto* answer_label = new Label(tr("&Your answer"), this);
    answer_label->setBuddy(answer_);
    heading->addWidget(answer_label, 1);
    heading->addWidget(open_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(compare_, QDialogButtonBox::ActionRole);
    for (auto* button : {open_, compare_, buttons->button(QDialogButtonBox::Close)})
        button->setAutoDefault(false); // Enter in the tolerance does not close
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(above);
    column->addLayout(heading);
    column->addWidget(answer_, 2);
    column->addWidget(error_);
    column->addWidget(verdict_);
    column->addWidget(explanation_);
    column->addWidget(table_, 3);
    column->addWidget(buttons);
    const QSize usual(fontMetrics().averageCharWidth() * 84, fontMetrics().lineSpacing() * 34);
    resize(usual.boundedTo(screen()->availableSize() * 0.9));
}

void CheckAnswerDialog::setTexts() {
    setWindowTitle(tr("Check my answer"));
    answer_->setAccessibleName(tr("Your answer"));
    answer_->setPlaceholderText(tr("Paste or type a matrix, in any of these forms:") + QStringLiteral("\n0.5  0.5\n") +
                                QStringLiteral("[[0.5, 0.5], [0.25, 0.75]]\n0.5 & 0.5 \\\\ 0.25 & 0.75"));
    stages_->setAccessibleName(tr("Stage"));
    tolerance_->setAccessibleName(tr("Tolerance"));
    tolerance_->setToolTip(tr("A cell is right if |given − exact| ≤ T + T |exact|"));
    open_->setText(tr("&Open a file…"));
    open_->setToolTip(tr("Arrays, tables, lists, LaTeX or Markdown"));
    matrices_->setAccessibleName(tr("Batch and head"));
    table_->setAccessibleName(tr("Cells of your answer"));
    compare_->setText(tr("Sho&w beside the stage"));
    compare_->setToolTip(tr("Shows your answer, the stage and their difference in the window"));
}

void CheckAnswerDialog::addStages() {
    for (const auto& stage : computed_->trace.stages)
        if (canCheck(stage))
            stages_->addItem(QStringLiteral("%1  %2").arg(stageWordsInPass(stage.name), shapeText(stage.value.shape())),
                             textOf(stage.name));
}

void CheckAnswerDialog::choose(const QString& stage) {
    for (const QString& name : {stage, QStringLiteral("weights"), QStringLiteral("output")})
        if (const int found = stages_->findData(name); found >= 0)
            return stages_->setCurrentIndex(found);
}

const Stage* CheckAnswerDialog::stage() const {
    return computed_->trace.find(stages_->currentData().toString().toStdString());
}

QString CheckAnswerDialog::verdict() const { return verdict_->isHidden() ? QString() : verdict_->text(); }
QString CheckAnswerDialog::explanation() const { return explanation_->isHidden() ? QString() : explanation_->text(); }
QString CheckAnswerDialog::error() const { return error_->said(); }

void CheckAnswerDialog::chooseFile() {
    const auto path = QFileDialog::getOpenFileName(this, tr("Open an answer"), settings::lastFolder());
    if (!path.isEmpty())
        readFile(path);
}

void CheckAnswerDialog::readFile(const QString& path) {
    const auto why = caughtFailure(
        [&] {
            auto contents = std::make_shared<Contents>(readHandIn(toPath(path)));
            if (contents->arrays.empty())
                throw Error({ATTNLAB_TEXT("%1: holds no matrix"), {toPath(path).string()}});
            file_ = std::move(contents);
        },
        reading_failed);
    if (why) {
        auto failed = std::make_shared<Outcome>();
        failed->error = *why;
        return showOutcome(failed);
    }
    // A file with one stage chooses it.
    if (file_->arrays.size() == 1)
        if (const int named = stages_->findData(textOf(file_->arrays.front().name)); named >= 0) {
            const QSignalBlocker quiet(stages_);
            stages_->setCurrentIndex(named);
        }
    takeArray();
}

void CheckAnswerDialog::takeArray() {
    const auto why = caughtFailure(
        [&] {
            const auto& array = verify::array_for(*file_, *stage());
            if (array.tensor.size() > most_numbers_of_an_answer)
                throw Error(
                    {ATTNLAB_TEXT("%1: has %2 numbers, expected at most %3; “Compare with a file…” takes more"),
                     {array.name, std::to_string(array.tensor.size()), std::to_string(most_numbers_of_an_answer)}});
            const QScopedValueRollback taking(is_taking_, true);
            answer_->setPlainText(array.tensor.rank() == 0 ? textOf(to_text(array.tensor.value(0)))
                                                           : listText(array.tensor));
        },
        reading_failed);
    if (why) {
        auto failed = std::make_shared<Outcome>();
        failed->error = *why;
        showOutcome(failed);
    }
}

void CheckAnswerDialog::check() {
    job_.cancel();
    const auto text = answer_->toPlainText().trimmed();
    const auto tolerance = toleranceOf(*tolerance_);
    if (text.isEmpty() || !stage())
        return showOutcome(nullptr);
    if (!tolerance) {
        auto failed = std::make_shared<Outcome>();
        failed->error = Message(ATTNLAB_TEXT("Tolerance: expected a number from 0, such as 0.01"));
        return showOutcome(failed);
    }
    const auto exact = exactMatrix();
    if (!exact)
        return showOutcome(nullptr);
    const Shape one{exact->view().rows, exact->view().columns};
    job_.request([problem = problem_, computed = computed_, name = stage()->name, text = text.toStdString(),
                  tolerance = *tolerance, called = tr("Your answer").toStdString(), one, leading = exact->leading,
                  is_one_of_several = matrices_->count() > 1](const RunControl& control) {
        auto outcome = std::make_shared<Outcome>();
        outcome->stage = name;
        outcome->tolerance = tolerance;
        outcome->error = caughtFailure(
            [&] {
                const auto answer = io::read_table(text, called).values;
                outcome->is_one_matrix = is_one_of_several && withoutOnes(answer.shape()) == withoutOnes(one);
                outcome->grade = verify::grade(problem, computed->trace, name, answer, called, tolerance, control,
                                               outcome->is_one_matrix ? std::optional(leading) : std::nullopt);
            },
            computing_failed);
        if (!outcome->error && outcome->grade.misfit)
            outcome->error = outcome->grade.misfit;
        return std::shared_ptr<const Outcome>(std::move(outcome));
    });
}

void CheckAnswerDialog::showOutcome(std::shared_ptr<const Outcome> outcome) {
    outcome_ = std::move(outcome);
    const bool graded = outcome_ && !outcome_->error;
    error_->say(outcome_ ? outcome_->error : std::nullopt);
    QStringList reasons;
    if (outcome_) {
        const auto& grade = outcome_->grade;
        for (const auto& one : grade.explanations)
            reasons << (one.id == "rounded" || grade.misfit
                            ? tr("Reason: %1.").arg(translated(one.words))
                            : tr("Every cell agrees with this mistake: %1.").arg(translated(one.words)));
        if (grade.misfit && matrices_->count() > 1)
            if (const auto exact = exactMatrix())
                reasons << tr("%1 alone is %2.")
                               .arg(matrices_->currentText(), shapeText({exact->view().rows, exact->view().columns}));
        const bool unread = outcome_->error && !grade.misfit && !outcome_->stage.empty();
        if (unread)
            reasons << tr("A matrix is rows of numbers alone, such as [[0.5, 0.5], [0.25, 0.75]].");
        if (graded && grade.differing > 0 && reasons.isEmpty())
            reasons << (grade.not_looked ? translated(*grade.not_looked)
                                         : tr("No known mistake gives the whole matrix."));
    }
    explanation_->setText(reasons.join(QLatin1Char('\n')));
    explanation_->setVisible(!reasons.isEmpty());
    if (graded) {
        const auto& grade = outcome_->grade;
        const QString which = outcome_->is_one_matrix ? matrices_->currentText() + QStringLiteral(": ") : QString();
        verdict_->setText(which + (grade.is_right() ? tr("All cells are right: %1.").arg(grade.cells)
                                                    : tr("%1 of %2 cells are right; ✗ marks the wrong ones.")
                                                          .arg(grade.cells - grade.differing)
                                                          .arg(grade.cells)));
    }
    verdict_->setVisible(graded);
    compare_->setEnabled(graded);
    if (graded && !outcome_->is_one_matrix && !outcome_->grade.is_right()) { // the matrix of the first wrong cell
        const auto& wrong = outcome_->grade.is_wrong;
        const auto first = std::ranges::find(wrong, true) - wrong.begin();
        const QSignalBlocker quiet(matrices_);
        matrices_->setCurrentIndex(static_cast<int>(first * matrices_->count() / std::ssize(wrong)));
    }
    showMatrix();
    emit checked();
}

/// Of the stage; begins with that of batch and head.
void CheckAnswerDialog::addMatrices(int batch, int head) {
    const QSignalBlocker quiet(matrices_);
    matrices_->clear();
    if (const Stage* chosen = stage()) {
        const auto size = sizeOf(computed_->trace);
        const int heads = hasAxis(*chosen, Axis::Head) ? size.heads : 1;
        const int batches = hasAxis(*chosen, Axis::Batch) ? size.batches : 1;
        for (int b = 0; b < batches; ++b)
            for (int h = 0; h < heads; ++h)
                matrices_->addItem(stageTitle(computed_->trace, *chosen, b, h), QPoint(b, h));
        matrices_->setCurrentIndex(std::clamp(batch, 0, batches - 1) * heads + std::clamp(head, 0, heads - 1));
    }
    matrices_->setVisible(matrices_->count() > 1);
}

std::optional<MatrixData> CheckAnswerDialog::exactMatrix() const {
    const QPoint place = matrices_->currentData().toPoint();
    return stage() ? sliceOf(computed_->trace, *stage(), place.x(), place.y()) : std::nullopt;
}

void CheckAnswerDialog::showMatrix() {
    auto exact = outcome_ && !outcome_->error ? exactMatrix() : std::nullopt;
    table_->setVisible(exact.has_value());
    if (exact)
        cells_->show(*std::move(exact), outcome_->grade);
    else
        cells_->clear();
    table_->resizeColumnsToContents();
}

void CheckAnswerDialog::requestComparison() {
    auto contents = std::make_shared<Contents>();
    contents->arrays.push_back({outcome_->stage, outcome_->grade.given, {}, false});
    const auto stage = textOf(outcome_->stage);
    accept();
    emit comparisonRequested(contents, stage, outcome_->tolerance);
}

} // namespace attnlab::ui
