// Implements the buttons and menus of the inputs.
#include "ui/panels/inputs/inputs_panel.h"

#include "core/edit/declared_inputs.h"
#include "core/input_seed.h"
#include "ui/document/background_write.h"
#include "ui/panels/inputs/axis_names.h"
#include "ui/panels/inputs/fill_dialog.h"
#include "ui/panels/inputs/resize_dialog.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/widgets/failure.h"
#include "ui/widgets/text.h"

#include <QMenu>
#include <QToolButton>

namespace attnlab::ui {
namespace {

/// True where a preview would take too long.
bool isLong(const Tensor& tensor, const FillArea& area) {
    constexpr std::int64_t most_cells = 1 << 20;
    return cell_count(tensor, area) > most_cells;
}

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
        outcome.error = failureOf([&] { work({}); }, handling_failed);
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
        document_.edit(tr("Resize %1 to %2").arg(shortNameOf(name), shapeText(dialog->shape())), dialog->result());
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
        document_.setTensor(name, make_input(document_.problem(), input, input_seed),
                            tr("Add %1").arg(shortNameOf(name)));
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
    menu->addAction(tr("&Name token"), table_, &TensorTable::renameCurrentRow)
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
    menu->addAction(tr("&Open file into %1…").arg(menuText(name)), this, [=, this] { emit openFileRequested(name); });
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
