#include "ui/panels/mask/mask_layers.h"

#include "core/edit/painted_mask.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {

MaskLayers::MaskLayers(const AttentionProblem& problem, const MaskContext& context) : context_(context) {
    const auto cells = static_cast<double>(context.B) * static_cast<double>(context.H) *
                       static_cast<double>(context.L) * static_cast<double>(context.S);
    too_large_ = cells > static_cast<double>(largest);
    if (too_large_ || cells == 0.0)
        return;
    for (const auto& mask : problem.spec.masks) {
        try {
            const MaskKind& kind = mask_kind(mask.id);
            if (kind.adds)
                continue;
            Tensor blocked = blocked_by(mask, problem, context);
            if (blocked.rank() == 4)
                layers_.push_back({&kind, std::move(blocked)});
        } catch (const Error& error) {
            if (error_.isEmpty())
                error_ = translated(error.message());
        }
    }
    for (const auto& layer : layers_)
        combine(layer.blocked);
}

void MaskLayers::combine(const Tensor& blocked) {
    if (combined_.rank() != 4) {
        combined_ = blocked;
        return;
    }
    const auto values = combined_.mutable_values();
    std::ranges::transform(values, blocked.values(), values.begin(), [](double a, double b) { return std::max(a, b); });
}

Tensor MaskLayers::beyond(const Tensor& blocked) const {
    if (too_large_ || blocked.rank() != 4 || blocked.dim(0) != context_.B || blocked.dim(1) != context_.H ||
        blocked.dim(2) != context_.L || blocked.dim(3) < context_.S)
        return {};
    Tensor result(Shape{context_.B, context_.H, context_.L, context_.S}, 0.0, DType::Bool);
    const auto values = result.mutable_values();
    const auto columns = static_cast<std::size_t>(context_.S);
    const auto known = combined_.values();
    bool any = false;
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        const std::size_t in_trace = cell / columns * static_cast<std::size_t>(blocked.dim(3)) + cell % columns;
        if (blocked.values()[in_trace] != 0.0 && (known.empty() || known[cell] == 0.0)) {
            values[cell] = 1.0;
            any = true;
        }
    }
    return any ? result : Tensor();
}

void MaskLayers::addMechanism(const Tensor& blocked) {
    if (blocked.shape() != Shape{context_.B, context_.H, context_.L, context_.S})
        return;
    layers_.insert(layers_.begin(), {nullptr, blocked});
    combine(blocked);
}

bool MaskLayers::blocksAny() const {
    return std::ranges::any_of(combined_.values(), [](double cell) { return cell != 0.0; });
}

double MaskLayers::blockedShare(int batch, int head, Cell cell) const { return share(combined_, batch, head, cell); }

double MaskLayers::paintedShare(int batch, int head, Cell cell) const {
    for (const auto& layer : layers_)
        if (layer.kind && layer.kind->id == painted_mask::kind_id)
            return share(layer.blocked, batch, head, cell);
    return 0.0;
}

QStringList MaskLayers::blockers(int batch, int head, Cell cell) const {
    QStringList titles;
    for (const auto& layer : layers_)
        if (share(layer.blocked, batch, head, cell) > 0.0)
            titles << (layer.kind ? translated(layer.kind->title)
                                  : QCoreApplication::translate("MaskLayers", "the mechanism"));
    titles.removeDuplicates();
    return titles;
}

double MaskLayers::share(const Tensor& blocked, int batch, int head, Cell cell) const {
    if (blocked.rank() != 4 || cell.row < 0 || cell.row >= rows() || cell.column < 0 || cell.column >= columns())
        return 0.0;
    const std::int64_t in_matrix = cell.row * context_.S + cell.column;
    const std::int64_t matrix = context_.L * context_.S;
    // A view may still refer to a batch or head that the problem no longer has.
    const double* of_batch =
        blocked.data() + std::clamp<std::int64_t>(batch, 0, context_.B - 1) * context_.H * matrix + in_matrix;
    if (head != ViewState::mean_of_heads)
        return of_batch[std::clamp<std::int64_t>(head, 0, context_.H - 1) * matrix];
    double sum = 0.0;
    for (std::int64_t h = 0; h < context_.H; ++h)
        sum += of_batch[h * matrix];
    return sum / static_cast<double>(context_.H);
}

AttentionProblem maskPartOf(const AttentionProblem& problem) {
    AttentionProblem part;
    part.spec.masks = problem.spec.masks;
    part.spec.mask_true = problem.spec.mask_true;
    part.spec.query_offset = problem.spec.query_offset;
    for (const auto& mask : problem.spec.masks) {
        const auto kinds = mask_kinds();
        const auto kind = std::ranges::find(kinds, mask.id, &MaskKind::id);
        if (kind == kinds.end())
            continue;
        for (const Input& input : kind->inputs)
            if (const auto found = problem.tensors.find(input.name); found != problem.tensors.end())
                part.tensors.insert(*found);
    }
    return part;
}

} // namespace attnlab::ui
