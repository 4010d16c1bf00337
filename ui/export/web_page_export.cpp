#include "ui/export/web_page_export.h"

#include "core/mechanisms.h"
#include "ui/document/local_files.h"
#include "ui/export/live_page.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCoreApplication>
#include <utility>

namespace attnlab::ui {
namespace {

struct WebPageExport {
    Q_DECLARE_TR_FUNCTIONS(WebPageExport)
};

constexpr QLatin1String page_id("page"), every_number("every_number");

WebPageOptions pageOptions(const ExportSettings& settings) {
    WebPageOptions options;
    options.colormap = settings.figure.colormap;
    options.logarithmic = settings.figure.logarithmic;
    options.low = settings.figure.low;
    options.high = settings.figure.high;
    options.every_number = settings.choices.value(every_number) > 0;
    return options;
}

QString pageWords(const ExportSettings&) {
    return WebPageExport::tr(
        "Writes one file that opens in any browser, without a network: heatmaps, lines and numbers.");
}

ExportOutput pageOutput(const QString& title, const QString& name) {
    ExportOutput output{page_id, FormatKind::WebPage, title, name};
    output.words = pageWords;
    return output;
}

} // namespace

ExportChoice everyNumberChoice() {
    ExportChoice choice{every_number,
                        WebPageExport::tr("Every number exact, also if the file becomes larger than 300 kB")};
    choice.fits = [](const Format& format) { return format.kind == FormatKind::WebPage; };
    choice.outputs = {page_id};
    return choice;
}

ExportOutput stagePageOutput(const ComputedPtr& computed, const WebPageStage& shown) {
    auto output = pageOutput(WebPageExport::tr("A page of HTML with all heads of %1").arg(stageWords(shown.stage)),
                             QString::fromStdString(shown.stage));
    output.write = [computed, shown](const QString& path, const ExportSettings& settings, const RunControl& control) {
        auto options = pageOptions(settings);
        if (settings.origin)
            options.title = translated(mechanism_of(settings.origin->problem.spec.variant).title);
        writePage(path, stagePage(computed->trace, shown, options), options, control);
    };
    return output;
}

ExportOutput mapPageOutput(const std::shared_ptr<const AttentionMap>& map, Pool pool,
                           std::function<BinGrid(const ExportSettings&)> grid) {
    auto output = pageOutput(WebPageExport::tr("A page of HTML with the map"), QStringLiteral("weights"));
    output.write = [map, pool, grid = std::move(grid)](const QString& path, const ExportSettings& settings,
                                                       const RunControl& control) {
        const auto options = pageOptions(settings);
        const auto bins = grid(settings);
        requirePageBins(bins);
        writePage(path, mapPage(map->pool(bins, pool, control.part(0.0, 0.9)), bins, pool, {}, {}, options), options,
                  control.part(0.9, 1.0));
    };
    return output;
}

ExportOutput livePageOutput(const QString& title, const QString& name,
                            std::function<QByteArray(const RunControl&)> page) {
    ExportOutput output{QStringLiteral("live_page"), FormatKind::WebPage, title, name};
    output.words = [](const ExportSettings&) {
        return WebPageExport::tr("Writes one file that computes in any browser, without a network: a reader changes "
                                 "numbers and settings.");
    };
    output.write = [page = std::move(page)](const QString& path, const ExportSettings&, const RunControl& control) {
        writeBytes(path, page(control), control);
    };
    return output;
}

void addLivePage(ExportSubject& subject) {
    const auto* origin = subject.origin.get();
    if (!origin || !origin->has_arrays || !origin->left_out.empty() || livePageUnsupportedReason(origin->problem))
        return;
    subject.outputs.push_back(livePageOutput(
        WebPageExport::tr("A page of HTML that computes"), QStringLiteral("live"),
        [shown = subject.origin, title = subject.figure.title](const RunControl& control) {
            LivePageOptions options;
            options.title = title.isEmpty() ? translated(mechanism_of(shown->problem.spec.variant).title) : title;
            return livePage(shown->problem, options, control);
        }));
}

void setModelPage(ExportSubject& subject, std::vector<WebPagePass> passes) {
    auto output = pageOutput(WebPageExport::tr("A page of HTML with all heads of all layers"), QStringLiteral("heads"));
    output.write = [passes = std::move(passes)](const QString& path, const ExportSettings& settings,
                                                const RunControl& control) {
        const auto options = pageOptions(settings);
        writePage(path, modelPage(passes, options, control.part(0.0, 0.5)), options, control.part(0.5, 1.0));
    };
    const auto found = std::ranges::find(subject.outputs, page_id, &ExportOutput::id);
    if (found == subject.outputs.end())
        subject.outputs.push_back(std::move(output));
    else
        *found = std::move(output);
}

} // namespace attnlab::ui
