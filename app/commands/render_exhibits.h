// `attnlab render --view` of what a mechanism does and no matrix shows: tiles, pages, buckets, a curve.
#pragma once

#include "app/commands/render_run.h"

#include <memory>

namespace attnlab::app {

/// "tiles|page_table|page_reads|buckets|curve".
QStringList exhibitViews();
/// A picture, or all steps as an animation. Needs a QApplication. Throws UsageError, and Error where the mechanism has
/// no such view.
void writeExhibit(const RenderRun& run, Computed result, int batch, const QString& path);

} // namespace attnlab::app
