// Pages of HTML (core/io/saved/attention_page.h) of what the program shows: a stage, two compared traces, a map, a
// model's heads.
#pragma once

#include "core/compare.h"
#include "core/io/saved/attention_page.h"
#include "core/map/attention_map.h"
#include "core/model/one_head.h"
#include "ui/document/view_state.h"

#include <functional>
#include <memory>
#include <optional>
#include <QString>
#include <span>
#include <string>
#include <vector>

namespace attnlab::ui {

/// What a page looks like, apart from its numbers.
struct WebPageOptions {
    QString title;    ///< a heading; empty: none
    QString colormap; ///< empty: as the window picks
    bool logarithmic = false;
    bool every_number = false;                                     ///< see io::AttentionPage
    std::optional<double> low = std::nullopt, high = std::nullopt; ///< ends of the colours; nullopt: of the numbers
};

/// One head of a trace, or ViewState::mean_of_heads, which is shown first. The page has all heads, and the same stage
/// of all passes of the trace.
struct WebPageStage {
    std::string stage;
    int batch = 0;
    int head = 0;
};
/// Throws Error where the stage has nothing to show or there are too many numbers.
io::AttentionPage stagePage(const Trace& trace, const WebPageStage& shown, const WebPageOptions& options);
/// A, B and B - A.
io::AttentionPage comparisonPage(const Trace& a, const Trace& b, const WebPageStage& shown,
                                 const WebPageOptions& options);

/// Throws Error where a map of these bins has too many for a page.
void requirePageBins(const BinGrid& grid);
/// The bins, and coarser ones down to 64 a side. Tokens are those of all rows and columns, or none.
io::AttentionPage mapPage(const MapBins& bins, const BinGrid& grid, Pool pool,
                          std::span<const std::string> query_tokens, std::span<const std::string> key_tokens,
                          const WebPageOptions& options);

/// The heads of one layer of a model or a capture; `pass` is called when they are read. Throws Error.
struct WebPagePass {
    std::string name;
    std::int64_t heads = 0, queries = 0, keys = 0;
    std::function<std::shared_ptr<const model::Pass>()> pass;
    model::PassTokens tokens;
};
/// Throws Cancelled, too.
io::AttentionPage modelPage(const std::vector<WebPagePass>& passes, const WebPageOptions& options,
                            const RunControl& control = {});

/// Writes atomically. Throws Error, Cancelled.
void writePage(const QString& path, const io::AttentionPage& page, const WebPageOptions& options,
               const RunControl& control = {});

} // namespace attnlab::ui
