#include "app/commands/page_output.h"

#include "app/figure_choices.h"
#include "app/spec_options.h"
#include "core/io/file_formats.h"
#include "ui/document/local_files.h"
#include "ui/export/formats.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace attnlab::app {

void addPageOptions(CommandParser& parser) {
    parser.addOption({"every-number", "Of an .html: all numbers exact, however large it becomes. Otherwise as many as "
                                      "fit in 300 kB, and the page marks the others."});
}

namespace {

/// The options of figures without those that a page has too.
QStringList optionsOfPictures() {
    const QStringList of_pages{"title", "colormap", "log", "linear"};
    QStringList options{"row"};
    for (const auto& field : ui::figureFields())
        if (!of_pages.contains(QLatin1String(field.id)))
            options << QLatin1String(field.id);
    return options;
}

} // namespace

bool isPage(const QCommandLineParser& parser, const QString& suffix) {
    const bool is_page = ui::findFormat(ui::FormatKind::WebPage, suffix) != nullptr;
    if (!is_page && parser.isSet("every-number"))
        throw UsageError("--every-number: is for an .html, expected --out FILE.html");
    if (is_page)
        for (const auto& option : optionsOfPictures())
            if (parser.optionNames().contains(option))
                throw UsageError("--" + option.toStdString() + ": does not go with .html, whose reader chooses");
    return is_page;
}

std::optional<io::AttentionPage> capturePage(const CommandParser& parser, const QStringList& files) {
    if (files.size() != 1 || parser.isSet("pass") || parser.isSet("stage"))
        return std::nullopt;
    const std::filesystem::path path = ui::toPath(files.first());
    auto contents = io::read_contents(std::span(&path, 1));
    if (!contents.capture)
        return std::nullopt;
    for (const auto& option : parser.optionNames())
        if (!QStringList{"out", "format", "title", "colormap", "log", "linear", "batch", "head", "every-number"}
                 .contains(option))
            throw UsageError("--" + option.toStdString() + ": is for one pass of a capture, expected --pass too");
    const auto capture = std::make_shared<const Capture>(std::move(*contents.capture));
    const int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());
    std::vector<ui::WebPagePass> passes;
    for (const auto& pass : capture->passes) {
        const auto size = model::size_of(*capture, pass);
        if (batch >= size.batch)
            throw UsageError("--batch: has " + std::to_string(batch) + ", and pass " + pass.name + " has " +
                             std::to_string(size.batch));
        passes.push_back({pass.name, pass.heads, size.queries, size.keys,
                          [capture, &pass, batch] {
                              return std::make_shared<const model::Pass>(model::pass_of(*capture, pass, batch));
                          },
                          model::tokens_of(*capture, pass, batch)});
    }
    auto page = ui::modelPage(passes, readPageOptions(parser));
    if (page.title.empty())
        page.title = capture->title;
    const auto most = static_cast<int>(capture->passes.front().heads) - 1;
    page.head = static_cast<std::size_t>(readNumber(parser, "head", 0, most));
    return page;
}

ui::WebPageOptions readPageOptions(const CommandParser& parser) {
    const auto known = parser.declared().options;
    const auto has = [&](const char* name) {
        return std::ranges::any_of(known,
                                   [&](const auto& option) { return option.names().contains(QLatin1String(name)); });
    };
    ui::WebPageOptions options;
    if (has("title"))
        options.title = parser.value("title");
    if (has("colormap"))
        options.colormap = parser.value("colormap");
    options.logarithmic = has("log") && parser.isSet("log");
    options.every_number = parser.isSet("every-number");
    return options;
}

} // namespace attnlab::app
