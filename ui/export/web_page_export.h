// Pages of HTML among the outputs of an export.
#pragma once

#include "core/map/attention_map.h"
#include "ui/document/computation.h"
#include "ui/export/export_subject.h"
#include "ui/export/web_page.h"

#include <functional>
#include <memory>
#include <vector>

namespace attnlab::ui {

/// A yes or no, for pages alone: all numbers exact.
ExportChoice everyNumberChoice();

/// All heads of a stage, and the same stage of all passes.
ExportOutput stagePageOutput(const ComputedPtr& computed, const WebPageStage& shown);
/// Bins of the cells that `cells` selects, and coarser ones.
ExportOutput mapPageOutput(const std::shared_ptr<const AttentionMap>& map, Pool pool,
                           std::function<BinGrid(const ExportSettings&)> grid);
/// A page that computes: `page` makes its bytes, in a worker thread.
ExportOutput livePageOutput(const QString& title, const QString& name,
                            std::function<QByteArray(const RunControl&)> page);
/// Adds a page that computes the problem of the subject's origin, if there is one, the engine for pages is here and the
/// problem fits.
void addLivePage(ExportSubject& subject);
/// All heads of all layers of a model or a capture, instead of the page that `subject` has.
void setModelPage(ExportSubject& subject, std::vector<WebPagePass> passes);

} // namespace attnlab::ui
