#include "ui/stages/stage_title.h"

#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"
#include "ui/view_state.h"

#include <QCoreApplication>

namespace attnlab::ui {
namespace {

struct Titles {
    Q_DECLARE_TR_FUNCTIONS(StageView)
};

} // namespace

QString stageTitle(const Trace& trace, const Stage& stage, int batch, int head) {
    const TraceSize size = sizeOf(trace);
    const QString name = QString::fromStdString(stage.name);
    if (size.heads < 2 || !hasAxis(stage, Axis::Head))
        return size.batches > 1 ? Titles::tr("%1 · batch %2").arg(name).arg(batch + 1) : name;
    if (head == ViewState::MeanOfHeads)
        return size.batches > 1 ? Titles::tr("%1 · batch %2 · mean of heads").arg(name).arg(batch + 1)
                                : Titles::tr("%1 · mean of heads").arg(name);
    return size.batches > 1 ? Titles::tr("%1 · batch %2 · head %3").arg(name).arg(batch + 1).arg(head + 1)
                            : Titles::tr("%1 · head %2").arg(name).arg(head + 1);
}

} // namespace attnlab::ui
