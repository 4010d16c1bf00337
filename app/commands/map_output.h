// The bins of a map as a file of numbers, a picture, a page of HTML or JSON: what `map` and `merge` write.
#pragma once

#include "app/command_parser.h"
#include "app/commands/render_run.h"
#include "app/streams.h"
#include "core/map/attention_map.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"
#include "ui/export/web_page.h"

#include <optional>
#include <span>
#include <string>

namespace attnlab::app {

/// The pooled weights of one head. The tokens are those of all its rows and columns, or none.
struct MapResult {
    const MapBins& bins;
    const BinGrid& grid;
    Pool pool = Pool::Max;
    std::span<const std::string> query_tokens, key_tokens;
    const ui::FigureOrigin* origin = nullptr; ///< that a picture carries; null: none
    bool is_difference = false;               ///< `bins` are of difference_of()
};

/// --out, --format, --json and the options of figures.
void addMapOutput(CommandParser& parser);

/// Where a map goes, checked before anything is computed.
class MapOutput {
public:
    /// Throws UsageError, also without --out and --json.
    explicit MapOutput(const CommandParser& parser);

    /// Pictures are as a saved view shows them, unless options replace that.
    void drawLike(const CommandParser& parser, const Shown& shown);
    bool isJson() const { return json_; }
    bool isPicture() const;
    /// Throws UsageError for a page of HTML, which makes coarser bins of these.
    void takeDifference() const;
    /// Throws as checkOutput().
    void check(const QStringList& inputs) const;
    /// Throws Error for more bins than the output takes.
    void checkBins(const BinGrid& grid) const;
    /// Throws Error; nothing is written by halves.
    void write(const MapResult& result, const QString& program);

private:
    bool json_;
    ui::FigureOptions options_;
    std::optional<OutputFile> out_;
    std::optional<ui::WebPageOptions> page_; ///< of an .html
};

} // namespace attnlab::app
