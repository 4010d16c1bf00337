#include "ui/arrays/array_picker.h"

#include "core/binder.h"
#include "core/inputs.h"
#include "core/recognition/layout.h"
#include "core/variants.h"
#include "ui/elided_label.h"
#include "ui/text.h"
#include "ui/wrapped_label.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace attnlab::ui {
namespace {

enum Column { Name, Size, Type, Role, Columns };

/// A file may hold thousands of arrays; the first of them are enough to decide by.
constexpr std::size_t most_rows = 500;
constexpr int preview_rows = 4, preview_columns = 8;

QString asText(const std::string& text) { return QString::fromStdString(text); }

/// Every input that some mechanism, mask, scale or position reads, the usual ones first.
QStringList inputNames() {
    QStringList names{QStringLiteral("query"),
                      QStringLiteral("key"),
                      QStringLiteral("value"),
                      QStringLiteral("weights"),
                      QStringLiteral("attn_mask"),
                      QStringLiteral("attn_bias"),
                      QStringLiteral("key_padding_mask"),
                      QStringLiteral("x")};
    std::set<QString> others;
    for (const auto& variant : variants())
        for (const auto& input : variant.inputs)
            others.insert(QString::fromUtf8(input.name.data(), static_cast<qsizetype>(input.name.size())));
    for (const auto& name : others)
        if (!names.contains(name))
            names << name;
    return names;
}

/// "B 1 · H 3 · L 5 · S 5 · E 4", as far as it is known.
QString sizesText(const AttentionProblem& problem) {
    QStringList sizes;
    auto tensors = problem;
    tensors.tensors = adopted_tensors(problem);
    const auto bound = bind(tensors);
    for (const char* symbol : {"layers", "B", "H", "L", "S", "E", "Ev"})
        if (const auto found = bound.find(symbol); found != bound.end())
            sizes << QString::fromLatin1(symbol) + QLatin1Char(' ') + QString::number(found->second);
    return sizes.join(QStringLiteral(" · "));
}

QTableWidgetItem* fixedItem(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(text);
    return item;
}

} // namespace

ArrayPicker::ArrayPicker(std::shared_ptr<const Contents> contents, Choices choices, QWidget* parent)
    : QDialog(parent), contents_(std::move(contents)), choices_(std::move(choices)), table_(new QTableWidget),
      preview_(new QTableWidget), preview_title_(new ElidedLabel), prefix_(new QComboBox), layout_(new QComboBox),
      heads_(new QComboBox), summary_(new WrappedLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("What these arrays are"));
    fillTable();
    auto* form = new QFormLayout;
    addPrefixes();
    addLayouts();
    addHeads();
    form->addRow(tr("Layer"), prefix_);
    form->addRow(tr("Axes of query, key and value"), layout_);
    form->addRow(tr("Heads"), heads_);
    form->setRowVisible(prefix_, prefix_->count() > 1);

    summary_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(table_, 1);
    layout->addWidget(preview_title_);
    layout->addWidget(preview_);
    layout->addLayout(form);
    layout->addWidget(summary_);
    layout->addWidget(buttons_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout_->setObjectName(QStringLiteral("layout"));
    resize(760, 620);
    table_->selectRow(0);
    tryChoices();
}

void ArrayPicker::fillTable() {
    const auto count = std::min(contents_->arrays.size(), most_rows);
    table_->setColumnCount(Columns);
    table_->setRowCount(static_cast<int>(count));
    table_->setHorizontalHeaderLabels({tr("Array"), tr("Shape"), tr("Type"), tr("Read as")});
    table_->horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    table_->verticalHeader()->hide();
    table_->setAccessibleName(tr("Arrays of the files"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    const auto names = inputNames();
    for (std::size_t i = 0; i < count; ++i) {
        const auto& array = contents_->arrays[i];
        const int row = static_cast<int>(i);
        table_->setItem(row, Name, fixedItem(asText(array.name)));
        table_->setItem(row, Size, fixedItem(asText(to_string(array.tensor.shape()))));
        table_->setItem(row, Type, fixedItem(asText(std::string(name_of(array.tensor.dtype())))));
        auto* role = new QComboBox;
        role->setAccessibleName(tr("What %1 is").arg(asText(array.name)));
        role->addItem(tr("by its name"), QVariant());
        role->addItem(tr("not used"), QString());
        for (const auto& name : names)
            role->addItem(name, name);
        if (const auto given = choices_.roles.find(array.name); given != choices_.roles.end())
            role->setCurrentIndex(std::max(0, role->findData(asText(given->second))));
        table_->setCellWidget(row, Role, role);
        roles_.push_back(role);
        connect(role, &QComboBox::currentIndexChanged, this, [this, role, name = array.name] {
            if (role->currentIndex() == 0)
                choices_.roles.erase(name);
            else
                choices_.roles[name] = role->currentData().toString().toStdString();
            tryChoices();
        });
    }
    table_->resizeColumnsToContents();
    preview_->setAccessibleName(tr("The first numbers of the chosen array"));
    preview_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    preview_->setSelectionMode(QAbstractItemView::NoSelection);
    preview_->setFixedHeight(preview_->verticalHeader()->defaultSectionSize() * (preview_rows + 1) + 8);
    connect(table_, &QTableWidget::currentCellChanged, this, &ArrayPicker::showPreview);
}

/// The beginning of the last two axes, at the beginning of the others.
void ArrayPicker::showPreview() {
    const int row = table_->currentRow();
    preview_->clear();
    preview_->setRowCount(0);
    preview_->setColumnCount(0);
    preview_title_->clear();
    if (row < 0)
        return;
    const auto& array = contents_->arrays[static_cast<std::size_t>(row)];
    const auto& tensor = array.tensor;
    const auto columns = tensor.rank() > 0 ? tensor.dim(-1) : 1, rows = tensor.rank() > 1 ? tensor.dim(-2) : 1;
    const int shown_rows = static_cast<int>(std::min<std::int64_t>(rows, preview_rows)),
              shown_columns = static_cast<int>(std::min<std::int64_t>(columns, preview_columns));
    if (tensor.size() == 0)
        return;
    QString index;
    for (int axis = 2; axis < tensor.rank(); ++axis)
        index += QStringLiteral("0, ");
    preview_title_->setText(
        QStringLiteral("%1[%2:%3, :%4]").arg(asText(array.name), index).arg(shown_rows).arg(shown_columns));
    preview_->setRowCount(shown_rows);
    preview_->setColumnCount(shown_columns);
    QStringList row_names, column_names;
    try {
        std::vector<double> numbers(static_cast<std::size_t>(shown_columns));
        for (int i = 0; i < shown_rows; ++i) {
            row_names << QString::number(i);
            tensor.read(i * columns, std::span(numbers));
            for (int j = 0; j < shown_columns; ++j)
                preview_->setItem(i, j, fixedItem(QString::number(numbers[static_cast<std::size_t>(j)], 'g', 5)));
        }
    } catch (const Error& error) {
        preview_title_->setText(translated(error.message()));
    }
    for (int j = 0; j < shown_columns; ++j)
        column_names << QString::number(j);
    preview_->setVerticalHeaderLabels(row_names);
    preview_->setHorizontalHeaderLabels(column_names);
}

void ArrayPicker::addPrefixes() {
    auto open = choices_;
    open.group.reset();
    try {
        const auto recognition = recognise(*contents_, open);
        if (const auto* question = recognition.question(Question::Kind::Group))
            for (const auto& prefix : question->answers)
                prefix_->addItem(asText(prefix), asText(prefix));
    } catch (const Error&) { // tryChoices says what is wrong
    }
    if (choices_.group)
        prefix_->setCurrentIndex(std::max(0, prefix_->findData(asText(*choices_.group))));
    else if (prefix_->count() > 0)
        choices_.group = prefix_->itemData(0).toString().toStdString();
    connect(prefix_, &QComboBox::currentIndexChanged, this, [this] {
        choices_.group = prefix_->currentData().toString().toStdString();
        tryChoices();
    });
}

void ArrayPicker::addLayouts() {
    layout_->addItem(tr("by their number: (B, H, L, E), (B, L, E), (L, E)"), QString());
    for (const auto& known : layouts())
        layout_->addItem(asText(axes_text(known)), asText(std::string(known.id)));
    layout_->setCurrentIndex(std::max(0, layout_->findData(asText(choices_.layout))));
    connect(layout_, &QComboBox::currentIndexChanged, this, [this] {
        choices_.layout = layout_->currentData().toString().toStdString();
        tryChoices();
    });
}

void ArrayPicker::addHeads() {
    heads_->setAccessibleName(tr("Number of heads"));
    connect(heads_, &QComboBox::currentIndexChanged, this, [this] {
        bool whole = false;
        const auto count = heads_->currentData().toLongLong(&whole);
        choices_.num_heads = whole ? std::optional<std::int64_t>(count) : std::nullopt;
        tryChoices();
    });
}

void ArrayPicker::tryChoices() {
    try {
        showRecognition(recognise(*contents_, choices_));
    } catch (const Error& error) {
        summary_->setText(translated(error.message()));
        buttons_->button(QDialogButtonBox::Open)->setEnabled(false);
    }
}

void ArrayPicker::showRecognition(const Recognition& recognition) {
    if (const auto* question = recognition.question(Question::Kind::Heads)) {
        const QSignalBlocker quiet(heads_);
        heads_->clear();
        heads_->addItem(tr("choose"), QVariant());
        for (const auto& answer : question->answers)
            heads_->addItem(asText(answer), asText(answer).toLongLong());
    }
    heads_->setEnabled(heads_->count() > 0);
    showRoles(recognition);
    auto* open = buttons_->button(QDialogButtonBox::Open);
    open->setEnabled(false);
    const auto* heads = recognition.question(Question::Kind::Heads);
    const bool begun = std::any_of(recognition.used.begin(), recognition.used.end(),
                                   [](const UsedArray& use) { return use.begins_problem(); });
    const auto missing = lacking(recognition, recognition.problem);
    if (heads || (missing && !begun)) {
        summary_->setText(translated(heads ? heads->text : *missing));
        return;
    }
    auto problem = recognition.problem;
    QStringList made;
    if (missing)
        for (const auto& name : complete_inputs(problem, 1))
            made << asText(name);
    const QString sizes = sizesText(problem); // throws for what does not fit
    QString text = tr("Opens as %1 (%2), with %3 arrays used and %4 not used")
                       .arg(translated(variant(problem.spec.variant).title), sizes)
                       .arg(recognition.used.size())
                       .arg(recognition.unused.size());
    if (!made.isEmpty())
        text += QLatin1Char('\n') +
                tr("Random numbers stand in for %1, which the files lack").arg(made.join(QStringLiteral(", ")));
    summary_->setText(text);
    open->setEnabled(true);
}

/// What each array is by its name stands in its own list, as the choices have it now.
void ArrayPicker::showRoles(const Recognition& recognition) {
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        QString role;
        for (const auto& use : recognition.used)
            if (use.name == contents_->arrays[i].name && use.file == contents_->arrays[i].file)
                role = asText(use.role);
        if (roles_[i]->currentIndex() == 0)
            roles_[i]->setItemText(0, role.isEmpty() ? tr("by its name: not used") : tr("by its name: %1").arg(role));
    }
}

QString ArrayPicker::summary() const { return summary_->text(); }
bool ArrayPicker::canAccept() const { return buttons_->button(QDialogButtonBox::Open)->isEnabled(); }

} // namespace attnlab::ui
