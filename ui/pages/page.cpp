#include "ui/pages/page.h"

#include "ui/drawing/figures/figure.h"
#include "ui/drawing/matrix_data.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace attnlab::ui {

QString Page::copyMatrix() {
    const auto shown = shownMatrix();
    if (!shown)
        return {};
    if (const auto view = shown->matrix.view(); view.rows * view.columns > most_copied_cells)
        return tr("%1 has %L2 × %L3 cells, and at most %L4 can be copied: export it instead.")
            .arg(shown->name)
            .arg(view.rows)
            .arg(view.columns)
            .arg(most_copied_cells);
    ui::copyMatrix(shown->matrix);
    return tr("%1 is on the clipboard").arg(shown->name);
}

QString Page::copyPicture() {
    auto shown = shownFigure();
    if (!shown)
        return {};
    shown->options.title = RandomNumbers::marked(shown->options.title, mark());
    ui::copyPicture(shown->figure, shown->options);
    return pictureCopied();
}

std::optional<StyledFigure> Page::figureToPrint() const {
    auto shown = shownFigure();
    if (!shown)
        if (const auto subject = exportSubject())
            for (const auto& output : subject->outputs)
                if (output.kind == FormatKind::Picture && output.figure && !shown)
                    shown = StyledFigure{output.figure({nullptr, subject->figure}), subject->figure};
    if (shown && shown->options.title.isEmpty())
        shown->options.title = title();
    if (shown)
        shown->options.title = RandomNumbers::marked(shown->options.title, mark());
    return shown;
}

bool Page::askForExport(const QString& output, std::shared_ptr<const FigureOrigin> origin) {
    auto subject = exportSubject();
    if (!subject)
        return false;
    subject->figure.title = RandomNumbers::marked(subject->figure.title, mark());
    for (auto& each : subject->outputs)
        if (each.title_of)
            each.title_of = [of = each.title_of, mark = mark()](const ExportSettings& settings) {
                return RandomNumbers::marked(of(settings), mark);
            };
    if (origin) {
        const auto view = QJsonDocument::fromJson(QByteArray::fromStdString(origin->view_json)).object();
        const auto look = view["figure"].toObject();
        figureFromJson(look, subject->figure, isOfSameMatrix(view));
        subject->has_dpi = !look.isEmpty();
        subject->origin = std::move(origin);
    }
    auto* dialog = openExport(std::move(*subject), window());
    dialog->choose(output);
    connect(dialog, &ExportDialog::exported, this, &Page::exported);
    return true;
}

QString Page::pictureCopied() { return tr("The picture is on the clipboard"); }

} // namespace attnlab::ui
