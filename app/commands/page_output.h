// Pages of HTML as an output of commands: --every-number, and the options that such a page does not have.
#pragma once

#include "app/command_parser.h"
#include "ui/export/web_page.h"

#include <optional>

namespace attnlab::app {

/// --every-number.
void addPageOptions(CommandParser& parser);

/// True for "html". Throws UsageError for --every-number with another type, and for options of figures that a page has
/// no use for.
bool isPage(const QCommandLineParser& parser, const QString& suffix);

/// The heads of all passes of a capture as a page, where the only file is a capture and no option chooses one of its
/// passes or stages; nullopt otherwise. Throws UsageError for options that apply to one pass alone, Error.
std::optional<io::AttentionPage> capturePage(const CommandParser& parser, const QStringList& files);

/// Of --title, --colormap, --log and --every-number, where the command has them.
ui::WebPageOptions readPageOptions(const CommandParser& parser);

} // namespace attnlab::app
