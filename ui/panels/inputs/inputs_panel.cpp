#include "ui/panels/inputs/inputs_panel.h"

#include "core/edit/resize.h"
#include "core/inputs.h"
#include "ui/document/background_files.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inputs/token_groups.h"
#include "ui/panels/key_grid/key_picture.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/latest_job.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/style.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int gap_of_buttons = 4;

QToolButton* menuButton() {
    auto* button = new QToolButton;
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMenu(new QMenu(button));
    button->menu()->setToolTipsVisible(true);
    return button;
}

} // namespace

InputsPanel::InputsPanel(Document& document, ViewState& view, QWidget* parent)
    : QWidget(parent), document_(document), view_(view), model_(new TensorModel(document, this)),
      title_(mutedLabel(this, true)), shape_(mutedLabel(this, true)), tabs_(new QTabBar), unused_(menuButton()),
      unused_note_(mutedLabel(this)), slices_(new SlicePickers(view)), groups_(new TokenGroups),
      groups_room_(new FittingScrollArea(groups_, FittingScrollArea::Scrolls::Down, this)),
      table_(new TensorTable(*model_)), paste_(new QToolButton), fill_(new QToolButton), resize_(new QToolButton),
      add_(menuButton()), more_(menuButton()) {
    build();
    connect(&document_, &Document::problemChanged, this, &InputsPanel::follow);
    connect(tabs_, &QTabBar::currentChanged, this, &InputsPanel::showCurrent);
    connect(slices_, &SlicePickers::leadingChanged, this, &InputsPanel::showMatrix);
    connect(table_, &TensorTable::messageRaised, this, &InputsPanel::messageRaised);
    connect(table_, &TensorTable::fillRequested, this, &InputsPanel::openFillDialog);
    connect(groups_, &TokenGroups::idsEdited, this, [this](const std::vector<double>& ids) {
        document_.setTensor(currentTensor(), Tensor(model_->tensor().shape(), ids, model_->tensor().dtype()),
                            tr("Change the groups of %1").arg(shortNameOf(currentTensor())));
    });
    connect(paste_, &QToolButton::clicked, table_, &TensorTable::paste);
    connect(fill_, &QToolButton::clicked, this, &InputsPanel::openFillDialog);
    connect(resize_, &QToolButton::clicked, this, &InputsPanel::openResizeDialog);
    connect(add_->menu(), &QMenu::aboutToShow, this, &InputsPanel::listAdd);
    connect(more_->menu(), &QMenu::aboutToShow, this, &InputsPanel::listMore);
    connect(unused_->menu(), &QMenu::aboutToShow, this, &InputsPanel::listUnused);
    connect(&view_, &ViewState::pinnedChanged, this, &InputsPanel::updateMarks);
    connect(&view_, &ViewState::stageChanged, this, &InputsPanel::updateMarks);
    setTexts();
    follow();
}

void InputsPanel::build() {
    shape_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* heading = new QHBoxLayout;
    heading->addWidget(title_);
    heading->addWidget(shape_, 1);

    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setElideMode(Qt::ElideNone);
    tabs_->setFocusPolicy(Qt::StrongFocus);
    unused_->setAutoRaise(true);
    auto* tab_row = new QHBoxLayout;
    tab_row->setSpacing(0);
    tab_row->addWidget(tabs_, 1);
    tab_row->addWidget(unused_);

    unused_note_->setWordWrap(true);
    constexpr int most_lines = 9; // of the groups; more scroll
    groups_room_->setMaximumHeight(most_lines * fontMetrics().height());
    auto as_high_as_needed = groups_room_->sizePolicy();
    as_high_as_needed.setHeightForWidth(true);
    groups_room_->setSizePolicy(as_high_as_needed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(11, 8, 11, 5);
    layout->addLayout(heading);
    layout->addLayout(tab_row);
    layout->addWidget(unused_note_);
    layout->addWidget(slices_);
    layout->addWidget(groups_room_);
    layout->addWidget(table_, 1); // no higher than its rows, so that its scroll bar is below the last
    layout->addStretch(0);
    layout->addWidget(buildButtons());
}

QWidget* InputsPanel::buildButtons() {
    auto* row = new QWidget;
    auto* layout = new FlowLayout(row, gap_of_buttons, gap_of_buttons); // no button is out of sight in a narrow panel
    layout->setContentsMargins(0, 0, 0, 0);
    // Tool buttons: the minimum width of push buttons would exceed a narrow panel.
    for (auto* button : {paste_, fill_, resize_}) {
        button->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(button);
    }
    add_->setText(QStringLiteral("+"));
    more_->setText(QStringLiteral("⋯"));
    for (auto* button : {add_, more_}) {
        Style::hideMenuArrow(*button);
        layout->addWidget(button);
    }
    new RovingFocus({paste_, fill_, resize_, add_, more_}, row);
    return row;
}

void InputsPanel::setTexts() {
    title_->setText(tr("Inputs"));
    tabs_->setAccessibleName(tr("Tensors"));
    table_->setAccessibleName(tr("Numbers of the tensor"));
    unused_->setAccessibleName(tr("Tensors that this mechanism does not use"));
    unused_->setToolTip(unused_->accessibleName());
    unused_note_->setText(tr("Not used by this mechanism"));
    paste_->setText(tr("Paste"));
    paste_->setToolTip(tr("Paste numbers from a spreadsheet at the selected cell"));
    fill_->setText(tr("Fill…"));
    fill_->setToolTip(tr("Fill with zeros, ones, identity, one-hot rows or random numbers"));
    resize_->setText(tr("Resize…"));
    resize_->setToolTip(tr("Change the number of rows, columns, heads or batches"));
    add_->setAccessibleName(tr("Add an input"));
    add_->setToolTip(tr("Add an optional input"));
    more_->setAccessibleName(tr("More actions on this tensor"));
    more_->setToolTip(tr("Copy, open, save, remove"));
}

void InputsPanel::paintEvent(QPaintEvent*) { paintCard(*this); }

void InputsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitButtons();
}

/// In one line: *Paste* is in the menu, too.
void InputsPanel::fitButtons() {
    const QMargins around = layout()->contentsMargins();
    int needed = -gap_of_buttons;
    for (const QToolButton* button : {paste_, fill_, resize_, add_, more_})
        needed += button->sizeHint().width() + gap_of_buttons;
    paste_->setVisible(needed <= width() - around.left() - around.right());
}

void InputsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitButtons();
    if (event->type() == QEvent::PaletteChange)
        rebuildTabs();
}

void InputsPanel::follow() {
    declared_ = declared_inputs(document_.problem().spec);
    rebuildTabs();
    showCurrent();
}

void InputsPanel::rebuildTabs() {
    const auto& tensors = document_.problem().tensors;
    QStringList names;
    for (const bool required : {true, false})
        for (const auto& input : declared_)
            if (input.required == required && tensors.contains(input.name))
                names << textOf(input.name);
    int unused = 0;
    for (const auto& [name, tensor] : tensors)
        unused += isUsed(name) ? 0 : 1;
    unused_->setVisible(unused > 0);
    unused_->setText(tr("%n unused", nullptr, unused));
    const bool keeps_unused =
        tensors.contains(unused_shown_.toStdString()) && !find_input(declared_, unused_shown_.toStdString());
    if (keeps_unused)
        names << unused_shown_;

    const auto current = currentTensor();
    const QSignalBlocker blocker(tabs_);
    while (tabs_->count() > names.size())
        tabs_->removeTab(tabs_->count() - 1);
    for (int i = 0; i < names.size(); ++i) {
        if (i == tabs_->count())
            tabs_->addTab({});
        const auto* input = find_input(declared_, names[i].toStdString());
        tabs_->setTabData(i, names[i]);
        tabs_->setTabText(i, menuText(shortNameOf(names[i])));
        tabs_->setTabToolTip(i, input && *input->help ? tr("%1: %2").arg(names[i], translated(input->help)) : names[i]);
        tabs_->setTabTextColor(i, input ? QColor() : theme().muted);
    }
    tabs_->setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(current))));
    tabs_->updateGeometry(); // a hidden QTabBar does not tell its layout that it has grown
}

QString InputsPanel::currentTensor() const {
    return tabs_->currentIndex() < 0 ? QString() : tabs_->tabData(tabs_->currentIndex()).toString();
}

const Input* InputsPanel::currentInput() const { return find_input(declared_, currentTensor().toStdString()); }

void InputsPanel::showTensor(const QString& name) {
    if (!document_.problem().tensors.contains(name.toStdString()))
        return;
    if (!find_input(declared_, name.toStdString())) {
        unused_shown_ = name;
        rebuildTabs();
    }
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->tabData(i) == name)
            tabs_->setCurrentIndex(i);
    showCurrent();
}

InputsPanel::State InputsPanel::saveState() const {
    State state{currentTensor(), {}, table_->currentIndex().row(), table_->currentIndex().column(), last_fills_};
    for (int axis = 0; axis < slices_->count(); ++axis)
        state.slices.push_back(slices_->picker(axis)->value());
    return state;
}

void InputsPanel::restoreState(const State& state) {
    last_fills_ = state.last_fills;
    showTensor(state.tensor);
    for (int axis = 0; axis < std::min(slices_->count(), static_cast<int>(state.slices.size())); ++axis)
        slices_->picker(axis)->setValue(state.slices[static_cast<std::size_t>(axis)]);
    table_->setCurrentIndex(model_->index(state.row, state.column));
}

std::int64_t InputsPanel::queryHeads() const {
    std::int64_t heads = 1;
    for (const auto& input : declared_) {
        const auto tensor = document_.problem().tensors.find(input.name);
        if (tensor == document_.problem().tensors.end())
            continue;
        const auto dims = dims_at(input, tensor->second.rank());
        for (std::size_t axis = 0; axis < dims.size(); ++axis)
            if (isHead(dims[axis]))
                heads = std::max(heads, tensor->second.shape()[axis]);
    }
    return heads;
}

void InputsPanel::showCurrent() {
    const auto name = currentTensor();
    const auto found = document_.problem().tensors.find(name.toStdString());
    const bool there = found != document_.problem().tensors.end();
    Shape leading;
    std::vector<Dim> dims;
    if (there && found->second.rank() > 2) {
        leading.assign(found->second.shape().begin(), found->second.shape().end() - 2);
        if (const auto* input = currentInput())
            dims = dims_at(*input, found->second.rank());
    }
    slices_->setAxes(leading, dims, queryHeads());
    showMatrix();
    unused_note_->setVisible(there && !currentInput());
    for (QWidget* control : {static_cast<QWidget*>(paste_), static_cast<QWidget*>(fill_)})
        control->setEnabled(there);
    resize_->setEnabled(there && found->second.rank() > 0);
    more_->setEnabled(there);
    const auto& tensors = document_.problem().tensors;
    add_->setEnabled(std::any_of(declared_.begin(), declared_.end(),
                                 [&](const Input& input) { return !tensors.contains(input.name); }));
}

/// For integers, one for each token, that number its group.
void InputsPanel::showGroups() {
    constexpr std::int64_t most_tokens = 400; // for more tokens, use the table
    const auto& tensor = model_->tensor();
    const auto* input = currentInput();
    const bool labels = input && input->dtype == DType::Int64 && input->fill != InputFill::Ids && tensor.rank() == 1 &&
                        tensor.size() <= most_tokens;
    const auto axis = labels ? tokens_along(dims_at(*input, 1).front()) : std::nullopt;
    groups_room_->setVisible(axis.has_value());
    if (axis)
        groups_->setTokens(tokenLabels(document_.problem(), declared_, *axis), tensor);
}

void InputsPanel::showMatrix() {
    model_->show(currentTensor(), slices_->leading());
    showGroups();
    updateHeading();
    updateMarks();
}

void InputsPanel::updateHeading() {
    const auto& tensor = model_->tensor();
    const Shape matrix(tensor.rank() > 2 ? tensor.shape().end() - 2 : tensor.shape().begin(), tensor.shape().end());
    const auto size = matrix.empty() ? tr("one number") : shapeText(matrix);
    const auto slice = slices_->text();
    shape_->setText(currentTensor().isEmpty() ? QString() : slice.isEmpty() ? size : tr("%1 · %2").arg(size, slice));
    shape_->setToolTip(
        tr("%1: shape %2, %3").arg(currentTensor(), shapeText(tensor.shape()), textOf(name_of(tensor.dtype()))));
}

void InputsPanel::updateMarks() {
    const auto pinned = view_.pinned();
    const auto mark = [&](TokenHeader* header, std::optional<Axis> tokens) {
        std::optional<int> section;
        if (pinned && tokens == Axis::Query)
            section = pinned->row;
        // The columns of the output are features, not keys.
        if (pinned && tokens == Axis::Key && view_.stage() != QLatin1String("output"))
            section = pinned->column;
        header->setMarked(section);
    };
    mark(table_->rowHeader(), model_->rowTokens());
    mark(table_->columnHeader(), model_->columnTokens());
}

/// True when the mechanism reads it, or the picture of the keys uses it.
bool InputsPanel::isUsed(std::string_view name) const {
    return find_input(declared_, name) || (name == key_image_name && document_.problem().key_grid);
}

namespace {

/// True where a preview would take too long.
bool isLong(const Tensor& tensor, const FillArea& area) { return cell_count(tensor, area) > most_numbers_at_once; }

/// The step of undo: "Fill K with normal numbers".
QString fillText(const QString& tensor, const Fill& fill) {
    const auto text = [&fill] {
        switch (fill.kind) {
        case Fill::Kind::Zeros:
            return InputsPanel::tr("Fill %1 with zeros");
        case Fill::Kind::Ones:
            return InputsPanel::tr("Fill %1 with ones");
        case Fill::Kind::Number:
            return InputsPanel::tr("Fill %1 with %2");
        case Fill::Kind::Identity:
            return InputsPanel::tr("Fill %1 with the identity");
        case Fill::Kind::OneHot:
            return InputsPanel::tr("Fill %1 with one-hot rows");
        case Fill::Kind::Normal:
            return InputsPanel::tr("Fill %1 with normal random numbers");
        case Fill::Kind::Uniform:
            return InputsPanel::tr("Fill %1 with uniform random numbers");
        case Fill::Kind::Counting:
            return InputsPanel::tr("Fill %1 by counting");
        }
        return InputsPanel::tr("Fill %1");
    }();
    const QString name = shortNameOf(tensor);
    return fill.kind == Fill::Kind::Number ? text.arg(name, exactText(fill.number)) : text.arg(name);
}

QString nameOf(const Input& input) { return QString::fromStdString(std::string(input.name)); }

} // namespace

void InputsPanel::openFillDialog() {
    const auto name = currentTensor();
    if (name.isEmpty())
        return;
    const auto original = document_.problem();
    const auto tensor = model_->tensor();
    FillArea area{FillScope::Tensor, model_->place().leading, table_->selectedRanges()};
    std::int64_t selected = 0;
    for (const auto& range : area.cells)
        selected += range.rows * range.columns;
    const FillTarget target{name, tensor.dtype(), all_cells(tensor).columns, matrix_count(tensor), selected};
    auto* dialog = new FillDialog(target, last_fills_.value(name).fill, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto chosen = [dialog, area] {
        auto now = area;
        now.scope = dialog->scope();
        return LastFill{dialog->fill(), now};
    };
    // The dialog shows its changes in the document; Cancel ends the gesture where it began, which leaves no undo step.
    const int gesture = Document::newGesture();
    const auto preview = [=, this] {
        const bool previewed = !isLong(tensor, chosen().area);
        dialog->setPreviewed(previewed);
        if (previewed)
            fill(name, tensor, chosen(), gesture);
        else
            document_.edit(fillText(name, chosen().fill), original, gesture);
    };
    connect(dialog, &FillDialog::changed, this, preview);
    connect(dialog, &QDialog::accepted, this, [=, this] {
        const auto last = chosen();
        if (!isLong(tensor, last.area) || fill(name, tensor, last, gesture))
            last_fills_.insert(name, last);
    });
    connect(dialog, &QDialog::rejected, this,
            [=, this] { document_.edit(fillText(name, chosen().fill), original, gesture); });
    preview();
    dialog->open();
}

void InputsPanel::drawAgain() {
    const auto last = last_fills_.find(currentTensor());
    if (last == last_fills_.end() || !last->fill.is_random())
        return;
    auto next = *last;
    ++next.fill.seed;
    const auto name = currentTensor();
    if (!fill(name, model_->tensor(), next, 0))
        return;
    last_fills_.insert(name, next);
    emit messageRaised(tr("%1 drawn with seed %2").arg(name, QString::number(next.fill.seed)));
}

/// False when cancelled or failed, which is reported.
bool InputsPanel::fill(const QString& name, const Tensor& tensor, const LastFill& how, int gesture) {
    Tensor result;
    const auto work = [&](const RunControl& control) {
        result = filled(tensor, how.area, how.fill, control, name.toStdString());
    };
    WriteOutcome outcome;
    if (isLong(tensor, how.area))
        outcome = workInBackground(window(), tr("Filling %1…").arg(name), work, handling_failed);
    else
        outcome.error = caughtFailure([&] { work({}); }, handling_failed);
    if (outcome.error)
        emit messageRaised(translated(*outcome.error));
    if (!outcome.ok())
        return false;
    document_.setTensor(name, std::move(result), fillText(name, how.fill), gesture);
    return true;
}

void InputsPanel::openResizeDialog() {
    const auto name = currentTensor();
    if (name.isEmpty() || model_->tensor().rank() == 0)
        return;
    auto* dialog = new ResizeDialog(document_.problem(), name, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [=, this] {
        document_.editBy(tr("Resize %1 to %2").arg(shortNameOf(name), shapeText(dialog->shape())), document_.problem(),
                         dialog->newNumbers(), dialog->edit());
    });
    dialog->open();
}

void InputsPanel::listAdd() {
    auto* menu = add_->menu();
    menu->clear();
    for (const auto& input : declared_) {
        if (document_.problem().tensors.contains(input.name))
            continue;
        auto* action = menu->addAction(nameOf(input), this, [this, input] { addInput(input); });
        action->setToolTip(translated(input.help));
    }
}

void InputsPanel::addInput(const Input& input) {
    try {
        const auto name = nameOf(input);
        const auto& problem = document_.problem();
        double numbers = 1.0;
        for (const auto size : shape_of_new_input(problem, input))
            numbers *= static_cast<double>(size);
        const auto add = [input](AttentionProblem& next, const RunControl& control) {
            next.tensors.insert_or_assign(std::string(input.name), make_input(next, input, input_seed, control));
        };
        if (document_.editBy(tr("Add %1").arg(shortNameOf(name)), problem, numbers, add))
            showTensor(name);
    } catch (const Error& error) {
        emit messageRaised(translated(error.message()));
    }
}

void InputsPanel::removeCurrent() {
    const auto name = currentTensor();
    auto next = document_.problem();
    next.tensors.erase(name.toStdString());
    document_.edit(tr("Remove %1").arg(shortNameOf(name)), std::move(next));
}

void InputsPanel::listMore() {
    auto* menu = more_->menu();
    menu->clear();
    const auto name = currentTensor();
    menu->addAction(tr("&Copy selection"), table_, &TensorTable::copy);
    menu->addAction(tr("Copy with &labels"), table_, &TensorTable::copyWithLabels);
    menu->addAction(tr("&Paste"), table_, &TensorTable::paste);
    menu->addAction(tr("Paste as the &whole of %1").arg(menuText(name)), table_, &TensorTable::pasteAsTensor);
    menu->addAction(tr("Re&name word"), table_, &TensorTable::renameCurrentRow)
        ->setEnabled(model_->rowTokens().has_value());
    if (model_->rowTokens() == Axis::Key || model_->columnTokens() == Axis::Key) {
        auto* own = menu->addAction(tr("&Keys have labels of their own"), this, [this](bool checked) {
            document_.edit(checked ? tr("Label keys on their own") : tr("Label keys as queries"),
                           with_own_key_labels(document_.problem(), declared_, checked));
        });
        own->setCheckable(true);
        own->setChecked(!document_.problem().key_tokens.empty());
    }
    if (const auto last = last_fills_.find(name); last != last_fills_.end() && last->fill.is_random())
        menu->addAction(tr("&Draw again with seed %1").arg(last->fill.seed + 1), this, &InputsPanel::drawAgain);
    menu->addSeparator();
    menu->addAction(tr("L&oad a file into %1…").arg(menuText(name)), this, [=, this] { emit openFileRequested(name); });
    menu->addAction(tr("&Save %1 to file…").arg(menuText(name)), this, [=, this] { emit saveFileRequested(name); });
    menu->addSeparator();
    const auto* input = currentInput();
    auto* remove = menu->addAction(tr("&Remove %1").arg(menuText(name)), this, &InputsPanel::removeCurrent);
    remove->setEnabled(!input || !input->required);
    if (!remove->isEnabled())
        remove->setToolTip(tr("This mechanism needs %1").arg(name));
}

void InputsPanel::listUnused() {
    auto* menu = unused_->menu();
    menu->clear();
    menu->addSection(tr("Not used by this mechanism"));
    for (const auto& [name, tensor] : document_.problem().tensors) {
        if (isUsed(name))
            continue;
        const auto text = QString::fromStdString(name);
        menu->addAction(tr("%1 (%2)").arg(menuText(text), shapeText(tensor.shape())), this,
                        [this, text] { showTensor(text); });
    }
}

} // namespace attnlab::ui
