#include "ui/learn/lab/mask_editor.h"

#include "core/stages/mask.h"
#include "ui/panels/mask/mask_chips.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_tools.h"
#include "ui/panels/mechanism/choices.h"
#include "ui/widgets/text.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_in_a_line = 64; ///< numbers of an array
constexpr QSize room_in_lines(22, 25);

/// "3, 5": the numbers of a small array.
QString editorText(const Tensor& array) {
    QStringList numbers;
    for (const double value : array.values())
        numbers << exactText(value);
    return numbers.join(QStringLiteral(", "));
}

/// nullopt unless there are as many numbers as the array has.
std::optional<Tensor> readInto(const Tensor& array, const QString& text) {
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    const QStringList parts = text.split(between, Qt::SkipEmptyParts);
    if (parts.size() != array.size())
        return std::nullopt;
    Tensor result = array;
    const auto values = result.mutable_values();
    for (qsizetype k = 0; k < parts.size(); ++k) {
        bool read = false;
        const double value = parts[k].toDouble(&read);
        if (!read || !std::isfinite(value))
            return std::nullopt;
        values[static_cast<std::size_t>(k)] = value;
    }
    return result;
}

} // namespace

MaskEditor::MaskEditor(QWidget* parent)
    : QFrame(parent, Qt::Popup), painter_(document_, view_), panel_(new MaskPanel(painter_, this)),
      arrays_(new QFormLayout) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    // There is no large heatmap to paint on here, and files are opened by the window.
    panel_->tools()->hideWindowActions();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 6);
    column->addWidget(panel_, 1);
    arrays_->setContentsMargins(10, 0, 10, 4);
    column->addLayout(arrays_);
    connect(&document_, &Document::problemChanged, this, &MaskEditor::takeEdit);
}

QLineEdit* MaskEditor::line(const std::string& array) const {
    const auto found = lines_.find(array);
    return found == lines_.end() ? nullptr : found->second;
}

void MaskEditor::follow(const lab::Scene& scene, const lab::SceneSetting& setting, const TensorMap& drawn,
                        const Trace* trace) {
    if (painter_.isStroking())
        return; // the edit came from this stroke
    setting_ = setting;
    shared_ = scene.tensors;
    shared_.insert(drawn.begin(), drawn.end());
    auto problem = lab::problem_of(scene, setting, drawn);
    following_ = true;
    if (!(problem == document_.problem()))
        document_.reset(std::move(problem));
    following_ = false;
    if (trace && isVisible()) {
        auto computed = std::make_shared<Computed>();
        computed->trace = *trace;
        painter_.setTrace(computed);
    }
    showArrays();
}

void MaskEditor::takeEdit() {
    if (following_)
        return;
    auto next = setting_;
    next.spec = document_.problem().spec;
    next.tensors.clear();
    for (const auto& [name, tensor] : document_.problem().tensors) {
        const auto shared = shared_.find(name);
        if (shared == shared_.end() || !(shared->second == tensor))
            next.tensors[name] = tensor;
    }
    showArrays();
    if (next == setting_)
        return;
    setting_ = next;
    emit edited(next);
}

void MaskEditor::showArrays() {
    const auto& problem = document_.problem();
    std::map<std::string, Tensor> wanted;
    for (const auto& mask : problem.spec.masks)
        if (const auto* kind = rowOf(mask_kinds(), mask.id))
            for (const auto& input : kind->inputs)
                if (const auto found = problem.tensors.find(input.name);
                    found != problem.tensors.end() && found->second.rank() <= 2 &&
                    found->second.size() <= most_in_a_line && !kind->adds && input.name != "painted_mask" &&
                    input.name != "attn_mask")
                    wanted[std::string(input.name)] = found->second;
    std::erase_if(lines_, [&](const auto& entry) {
        if (wanted.contains(entry.first))
            return false;
        arrays_->removeRow(entry.second);
        return true;
    });
    for (const auto& [name, array] : wanted) {
        auto*& line = lines_[name];
        if (!line) {
            line = new QLineEdit(this);
            line->setAccessibleName(QString::fromStdString(name));
            arrays_->addRow(QString::fromStdString(name), line);
            connect(line, &QLineEdit::textEdited, this, [this, name = name, line] { applyArray(name, line); });
        }
        if (const auto read = readInto(array, line->text()); !read || !(*read == array))
            line->setText(editorText(array));
    }
}

void MaskEditor::applyArray(const std::string& name, QLineEdit* line) {
    const Tensor& array = document_.problem().tensors.at(name);
    if (auto next = readInto(array, line->text()))
        document_.setTensor(QString::fromStdString(name), std::move(*next), QString());
}

void MaskEditor::open(const QWidget& anchor) {
    const int line = fontMetrics().height();
    const QRect screen = anchor.screen()->availableGeometry();
    const QSize size = (room_in_lines * line).boundedTo(screen.size());
    QPoint corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 3));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - size.width())));
    corner.setY(std::clamp(corner.y(), screen.top(), std::max(screen.top(), screen.bottom() - size.height())));
    setGeometry(QRect(corner, size));
    show();
    panel_->setFocus(Qt::PopupFocusReason);
}

} // namespace attnlab::ui
