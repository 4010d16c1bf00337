#include "ui/document/array_picker.h"

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/recognition/array_names.h"
#include "core/recognition/layout.h"
#include "core/recognition/mask_arrays.h"
#include "core/recognition/projections.h"
#include "core/resolved_problem.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <set>
#include <utility>

namespace attnlab::ui {
namespace {

struct Usual {
    const char* role;
    const char* hint; ///< in names: parts between dots, underscores and other separators
};

constexpr Usual usual[] = {{"query", "q|qs|query|queries"},
                           {"key", "k|ks|key|keys"},
                           {"value", "v|vs|value|values"},
                           {"attn_mask", "mask|causal"},
                           {"key_padding_mask", "padding|pad|valid|lengths"},
                           {"attn_bias", "bias|additive|alibi"},
                           {"weights", "weights|weight|attn|attention|attentions|probs|probabilities|softmax|p"},
                           {"x", "x|hidden|states|input|tokens|embedding|embeddings"}};

bool hints(const QString& name, const char* pattern) {
    const QRegularExpression part(QStringLiteral("(^|[^a-z])(%1)([^a-z]|$)").arg(QLatin1String(pattern)));
    return part.match(name).hasMatch();
}

/// A score of 0 to 3 for the role, by shape and numbers.
int fitOf(const HeldArray& array, std::string_view role, bool weights) {
    const auto& tensor = array.tensor;
    const bool flags = tensor.dtype() == DType::Bool || tensor.dtype() == DType::Int64;
    const bool square = tensor.rank() >= 2 && tensor.dim(-1) == tensor.dim(-2);
    if (role == "weights")
        return weights ? 3 : 0;
    if (role == "attn_mask")
        return flags && tensor.rank() >= 2 ? (square || tensor.rank() > 2 ? 3 : 2) : 0;
    if (role == "key_padding_mask")
        return flags && tensor.rank() <= 2 ? (square ? 2 : 3) : 0;
    if (role == "attn_bias")
        return !flags && !weights && square && tensor.rank() >= 3 ? 1 : 0;
    return !flags && !weights && tensor.rank() >= 2 ? 1 : 0;
}

} // namespace

RoleList rolesFor(const HeldArray& array) {
    const auto name = QString::fromStdString(array.name).toLower();
    const auto known = known_name(array.name);
    bool weights = false;
    try {
        weights = looks_like_weights(array.tensor);
    } catch (const Error&) { // its numbers cannot be read: reported when they are tried
    }
    std::vector<std::pair<int, const char*>> ranked;
    for (const auto& [role, hint] : usual)
        ranked.emplace_back(
            (known && known->role == role ? 8 : 0) + (hints(name, hint) ? 4 : 0) + fitOf(array, role, weights), role);
    std::ranges::stable_sort(ranked, std::ranges::greater(), &std::pair<int, const char*>::first);
    RoleList roles;
    for (const auto& [points, role] : ranked)
        roles.likely << QString::fromLatin1(role);
    std::set<QString> others;
    for (const auto& variant : mechanisms())
        for (const auto& input : variant.inputs)
            others.insert(QString::fromUtf8(input.name.data(), static_cast<qsizetype>(input.name.size())));
    for (const auto& other : others)
        if (!roles.likely.contains(other))
            roles.others << other;
    return roles;
}

namespace {

enum Column { Name, Size, Type, Role, Columns };

/// A file may contain thousands of arrays; the first ones are enough to decide by.
constexpr std::size_t most_rows = 500;
constexpr int preview_rows = 4, preview_columns = 8;

QString asText(const std::string& text) { return QString::fromStdString(text); }

Bindings boundSizes(const AttentionProblem& problem) { return resolve(problem).sizes; }

/// "B 1 · H 3 · L 5 · S 5 · E 4", as far as known.
QString sizesText(const AttentionProblem& problem) {
    QStringList sizes;
    const auto bound = boundSizes(problem);
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
      heads_(new QComboBox), kv_heads_(new QComboBox), form_(new QFormLayout), summary_(new WrappedLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel)),
      trying_([this](const Tried& tried) { showTried(tried); }, {{}, WorkPool::Files, reading_failed}) {
    setWindowTitle(tr("Match the arrays"));
    connect(&trying_, &LatestJobBase::failed, this, &ArrayPicker::showRefusal);
    fillTable();
    addLayouts();
    addHeads();
    form_->addRow(tr("Layer"), prefix_);
    form_->addRow(tr("Axes of query, key and value"), layout_);
    form_->addRow(tr("Heads"), heads_);
    form_->addRow(tr("Key heads"), kv_heads_);
    form_->setRowVisible(prefix_, false);

    summary_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(table_, 1);
    layout->addWidget(preview_title_);
    layout->addWidget(preview_);
    layout->addLayout(form_);
    layout->addWidget(summary_);
    layout->addWidget(buttons_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout_->setObjectName(QStringLiteral("layout"));
    heads_->setObjectName(QStringLiteral("heads"));
    kv_heads_->setObjectName(QStringLiteral("kv_heads"));
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
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
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
        const auto roles = rolesFor(array);
        role->insertSeparator(role->count());
        for (const auto& name : roles.likely)
            role->addItem(name, name);
        role->insertSeparator(role->count());
        for (const auto& name : roles.others)
            role->addItem(name, name);
        role->setMaxVisibleItems(16);
        if (const auto given = choices_.roles.find(array.name); given != choices_.roles.end())
            role->setCurrentIndex(std::max(0, role->findData(asText(given->second))));
        auto* cell = fixedItem({}); // below the list
        table_->setItem(row, Role, cell);
        const auto say = [role, cell] { cell->setData(Qt::AccessibleTextRole, role->currentText()); };
        connect(role, &QComboBox::currentIndexChanged, this, say);
        say();
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

/// Shows the beginning of the last two axes, at index 0 of the others.
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

/// Shows the layers of the files, the first of them chosen unless another one was.
void ArrayPicker::addPrefixes(const std::vector<std::string>& prefixes) {
    for (const auto& prefix : prefixes)
        prefix_->addItem(asText(prefix), asText(prefix));
    if (choices_.group)
        prefix_->setCurrentIndex(std::max(0, prefix_->findData(asText(*choices_.group))));
    else if (!prefixes.empty())
        choices_.group = prefixes.front();
    form_->setRowVisible(prefix_, prefix_->count() > 1);
    connect(prefix_, &QComboBox::currentIndexChanged, this, [this] {
        choices_.group = prefix_->currentData().toString().toStdString();
        tryChoices();
    });
}

void ArrayPicker::addLayouts() {
    layout_->addItem(tr("guess from the number of axes: (B, H, L, E), (B, L, E), (L, E)"), QString());
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
    kv_heads_->setAccessibleName(tr("Number of key heads"));
    for (auto [box, choice] : {std::pair{heads_, &choices_.num_heads}, {kv_heads_, &choices_.num_kv_heads}})
        connect(box, &QComboBox::currentIndexChanged, this, [this, box = box, choice = choice] {
            bool whole = false;
            const auto count = box->currentData().toLongLong(&whole);
            *choice = whole ? std::optional<std::int64_t>(count) : std::nullopt;
            if (box == heads_)
                choices_.num_kv_heads.reset(); // it must divide num_heads
            tryChoices();
        });
}

/// Shows the number of heads that splits the last axis of weights, or of queries without a head axis.
void ArrayPicker::showHeads(const Recognition& recognition) {
    std::vector<std::int64_t> counts;
    if (const auto* question = recognition.question(Question::Kind::Heads))
        for (const auto& answer : question->answers)
            counts.push_back(asText(answer).toLongLong());
    else
        counts = divisors(headsWidth(recognition).value_or(0));
    if (choices_.num_heads && std::ranges::find(counts, *choices_.num_heads) == counts.end())
        counts.push_back(*choices_.num_heads); // unchanged where the width is unknown
    std::vector<std::int64_t> kv_counts;
    if (choices_.num_heads)
        kv_counts = divisors(*choices_.num_heads);
    const auto show = [this](QComboBox* box, const auto& numbers, const std::optional<std::int64_t>& chosen) {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItem(tr("as the files have it"), QVariant());
        for (const auto count : numbers)
            box->addItem(QString::number(count), QVariant::fromValue<qlonglong>(count));
        box->setCurrentIndex(chosen ? std::max(0, box->findData(QVariant::fromValue<qlonglong>(*chosen))) : 0);
        form_->setRowVisible(box, box->count() > 2);
    };
    show(heads_, counts, choices_.num_heads);
    show(kv_heads_, kv_counts, choices_.num_kv_heads);
}

/// The total width of all heads; nullopt where the arrays have a head axis.
std::optional<std::int64_t> ArrayPicker::headsWidth(const Recognition& recognition) const {
    const auto& tensors = recognition.problem.tensors;
    if (const auto w_q = tensors.find("w_q"); w_q != tensors.end() && w_q->second.rank() == 2)
        return w_q->second.dim(1);
    for (const auto& use : recognition.used)
        if (use.role == "query" && use.shape.size() < 4 &&
            (choices_.layout.empty() || !has_heads(attnlab::layout(choices_.layout))))
            return use.shape.back();
    return std::nullopt;
}

/// Recognises the arrays, in the background if that reads many numbers.
void ArrayPicker::tryChoices() {
    const auto work = [contents = contents_, choices = choices_, first = !shows_prefixes_](const RunControl& control) {
        return tried(*contents, choices, first, control);
    };
    std::int64_t numbers = 0;
    for (const auto& array : contents_->arrays)
        numbers += array.tensor.size();
    trying_.cancel();
    if (numbers <= most_numbers_at_once) {
        showTried(work({}));
        return;
    }
    buttons_->button(QDialogButtonBox::Open)->setEnabled(false);
    summary_->setText(tr("Reading…"));
    trying_.request(work);
}

ArrayPicker::Tried ArrayPicker::tried(const Contents& contents, Choices choices, bool first,
                                      const RunControl& control) {
    Tried result;
    if (first) {
        auto open = choices;
        open.group.reset();
        try {
            const auto recognition = recognise(contents, open, &control);
            if (const auto* question = recognition.question(Question::Kind::Group))
                result.prefixes = question->answers;
        } catch (const Error&) { // reported below
        }
        if (!choices.group && !result.prefixes.empty())
            choices.group = result.prefixes.front();
    }
    try {
        result.recognition = recognise(contents, choices, &control);
    } catch (const Error& error) {
        result.refusal = error.message();
    }
    return result;
}

void ArrayPicker::showTried(const Tried& tried) {
    if (!std::exchange(shows_prefixes_, true))
        addPrefixes(tried.prefixes);
    if (!tried.recognition) {
        showRefusal(tried.refusal);
        return;
    }
    try {
        showRecognition(*tried.recognition);
    } catch (const Error& error) {
        showRefusal(error.message());
    }
}

void ArrayPicker::showRefusal(const Message& why) {
    summary_->setText(translated(why));
    buttons_->button(QDialogButtonBox::Open)->setEnabled(false);
}

void ArrayPicker::showRecognition(const Recognition& recognition) {
    showHeads(recognition);
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
        for (const auto& name : outline_inputs(problem, input_seed))
            made << asText(name);
    const QString sizes = sizesText(problem); // throws for arrays that do not fit
    QString text = tr("Opens as %1 (%2), with %3 arrays used and %4 not used")
                       .arg(translated(mechanism_of(problem.spec.variant).title), sizes)
                       .arg(recognition.used.size())
                       .arg(recognition.unused.size());
    if (!made.isEmpty())
        text += QLatin1Char('\n') +
                tr("Random numbers stand in for %1, which the files lack").arg(made.join(QStringLiteral(", ")));
    summary_->setText(text + ignoredHeads(problem));
    open->setEnabled(true);
}

/// Reports a chosen number of heads that the problem does not use.
QString ArrayPicker::ignoredHeads(const AttentionProblem& problem) const {
    QStringList ignored;
    const auto bound = boundSizes(problem);
    const auto has = [&](const char* symbol, const char* parameter, std::int64_t count) {
        const auto found = bound.find(symbol);
        const auto* value = problem.spec.parameters.find(parameter);
        return (found != bound.end() && found->second == count) ||
               (value && std::holds_alternative<std::int64_t>(*value) && std::get<std::int64_t>(*value) == count);
    };
    if (choices_.num_heads && !has("H", "num_heads", *choices_.num_heads))
        ignored << tr("Heads");
    if (choices_.num_kv_heads && !has("Hkv", "num_kv_heads", *choices_.num_kv_heads))
        ignored << tr("Key heads");
    return ignored.isEmpty()
               ? QString()
               : QLatin1Char('\n') + tr("%1: changes nothing for these arrays").arg(ignored.join(QStringLiteral(", ")));
}

/// Shows the role of each array by name as the current choices give it.
void ArrayPicker::showRoles(const Recognition& recognition) {
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        QString role;
        for (const auto& use : recognition.used)
            if (use.name == contents_->arrays[i].name && use.file == contents_->arrays[i].file)
                role = asText(use.role);
        if (roles_[i]->currentIndex() == 0)
            roles_[i]->setItemText(0, role.isEmpty() ? tr("ignored (by its name)") : tr("by its name: %1").arg(role));
    }
}

QString ArrayPicker::summary() const { return summary_->text(); }
bool ArrayPicker::canAccept() const { return buttons_->button(QDialogButtonBox::Open)->isEnabled(); }

} // namespace attnlab::ui
