#include "ui/export/web_page.h"

#include "core/io/file_bytes.h"
#include "ui/document/local_files.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QByteArray>
#include <QCryptographicHash>
#include <QFile>
#include <span>
#include <utility>

namespace attnlab::ui {
namespace {

std::string resourceText(const char* name) {
    QFile file(QStringLiteral(":/attnlab/page/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        throw Error({ATTNLAB_TEXT("%1: this build of the program lacks it"), {name}});
    return file.readAll().toStdString();
}

std::string policyHash(const std::string& text) {
    const auto hash = QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256);
    return "sha256-" + hash.toBase64().toStdString();
}

std::string colorBytes(const Colormap& map) {
    std::string bytes;
    for (const QRgb color : map.colors)
        for (const int part : {qRed(color), qGreen(color), qBlue(color)})
            bytes.push_back(static_cast<char>(part));
    return bytes;
}

io::PageViewer viewerWith(const QString& chosen) {
    io::PageViewer viewer;
    viewer.html = resourceText("page.html");
    viewer.style = resourceText("page.css");
    viewer.script = resourceText("page.js");
    viewer.style_hash = policyHash(viewer.style);
    viewer.script_hash = policyHash(viewer.script);
    const bool diverges = !chosen.isEmpty() && colormap(chosen).diverging;
    viewer.sequential = colorBytes(colormap(diverges ? QStringLiteral("viridis") : chosen));
    viewer.diverging = colorBytes(colormap(diverges ? chosen : QStringLiteral("blue_red")));
    viewer.diverging_dark = colorBytes(colormap(diverges ? chosen : QStringLiteral("blue_red_dark")));
    return viewer;
}

/// As the window shows them: without the space in front of a word, and "start" for the first token of a model.
std::vector<std::string> labelTexts(const QStringList& labels) {
    std::vector<std::string> texts;
    for (qsizetype i = 0; i < labels.size(); ++i)
        texts.push_back(shownLabel(labels, i).toStdString());
    return texts;
}

std::vector<std::string> labelTexts(std::span<const std::string> labels) {
    QStringList texts;
    for (const auto& label : labels)
        texts << textOf(label);
    return labelTexts(texts);
}

void addMatrix(io::PageGroup& group, const MatrixData& matrix) {
    const auto view = matrix.view();
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t column = 0; column < view.columns; ++column) {
            group.values.push_back(view(row, column));
            group.blocked.push_back(matrix.isBlocked(row, column));
        }
}

/// The group without matrices; the axes are those of `like`.
io::PageGroup groupLike(const MatrixData& like, const Stage& stage, const std::string& name) {
    io::PageGroup group;
    group.name = name;
    group.quantity = stageWords(stage.name).toStdString();
    group.names_heads = hasAxis(stage, Axis::Head);
    group.rows = like.view().rows;
    group.columns = like.view().columns;
    group.row_axis = {like.row_title.toStdString(), labelTexts(like.row_labels), like.first_row, like.row_step};
    group.column_axis = {like.column_title.toStdString(), labelTexts(like.column_labels), like.first_column,
                         like.column_step};
    return group;
}

/// All heads that the stage has, and their mean if it is shown.
std::vector<std::int64_t> headsFor(const Trace& trace, const Stage& stage, int shown) {
    std::vector<std::int64_t> heads;
    for (int head = 0; head < (hasAxis(stage, Axis::Head) ? sizeOf(trace).heads : 1); ++head)
        heads.push_back(head);
    if (shown == ViewState::mean_of_heads && hasAxis(stage, Axis::Head))
        heads.push_back(io::mean_of_page_heads);
    return heads;
}

std::size_t shownHead(const std::vector<std::int64_t>& heads, int shown) {
    const auto found = std::ranges::find(heads, shown == ViewState::mean_of_heads ? io::mean_of_page_heads : shown);
    return found == heads.end() ? 0 : static_cast<std::size_t>(found - heads.begin());
}

bool isDiverging(const Trace& trace, const Stage& stage, int batch, const WebPageOptions& options) {
    ColorChoice choice;
    choice.colormap = options.colormap;
    choice.logarithmic = options.logarithmic;
    return scaleFor(trace, stage, batch, choice).map->diverging;
}

/// Nothing where the stage has no matrix there.
std::optional<io::PageGroup> groupOf(const Trace& trace, const Stage& stage, const std::string& name,
                                     const WebPageStage& shown, const WebPageOptions& options) {
    std::optional<io::PageGroup> group;
    const auto heads = headsFor(trace, stage, shown.head);
    for (const auto head : heads) {
        const auto matrix = sliceOf(trace, stage, shown.batch, static_cast<int>(head));
        if (!matrix || matrix->axes().empty())
            return std::nullopt;
        if (!group)
            group = groupLike(*matrix, stage, name);
        addMatrix(*group, *matrix);
    }
    group->heads = heads;
    group->diverging = isDiverging(trace, stage, shown.batch, options);
    return group;
}

const Stage& stageOf(const Trace& trace, const std::string& name) {
    if (const Stage* stage = trace.find(name))
        return *stage;
    throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {name}});
}

io::AttentionPage emptyPage(const WebPageOptions& options) {
    io::AttentionPage page;
    page.title = options.title.toStdString();
    page.logarithmic = options.logarithmic;
    page.every_number = options.every_number;
    page.low = options.low;
    page.high = options.high;
    return page;
}

/// Before the numbers are copied.
void requireCells(const std::vector<const Stage*>& stages) {
    std::int64_t cells = 0;
    for (const Stage* stage : stages)
        cells += stage->value.size();
    if (cells > io::most_page_cells) // of all batches, of which one is shown
        for (const Stage* stage : stages)
            if (!stage->axes.empty() && stage->axes.front() == Axis::Batch && stage->value.dim(0) > 0)
                cells -= stage->value.size() - stage->value.size() / stage->value.dim(0);
    io::require_page_cells(cells);
}

} // namespace

io::AttentionPage stagePage(const Trace& trace, const WebPageStage& shown, const WebPageOptions& options) {
    const Stage& stage = stageOf(trace, shown.stage);
    std::vector<const Stage*> stages;
    for (const auto& other : trace.stages) // the same of each layer
        if (&other == &stage || (shortNameOf(other) == shortNameOf(stage) && !prefix_of(stage.name).empty() &&
                                 !prefix_of(other.name).empty()))
            stages.push_back(&other);
    requireCells(stages);
    auto page = emptyPage(options);
    for (const Stage* other : stages)
        if (auto group = groupOf(trace, *other, passWords(other->name).toStdString(), shown, options)) {
            if (other == &stage) {
                page.group = page.groups.size();
                page.head = shownHead(group->heads, shown.head);
            }
            page.groups.push_back(std::move(*group));
        }
    if (page.groups.empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {shown.stage}});
    return page;
}

io::AttentionPage comparisonPage(const Trace& a, const Trace& b, const WebPageStage& shown,
                                 const WebPageOptions& options) {
    const Stage& of_a = stageOf(a, shown.stage);
    const Stage& of_b = stageOf(b, shown.stage);
    requireCells({&of_a, &of_a, &of_b});
    const auto comparison = compare(a, b, shown.stage);
    auto page = emptyPage(options);
    auto group_a = groupOf(a, of_a, "A", shown, options);
    auto group_b = groupOf(b, of_b, "B", shown, options);
    auto difference = groupOf(a, comparison.difference, "B − A", shown, options);
    if (!group_a || !group_b || !difference)
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {shown.stage}});
    for (std::size_t cell = 0; cell < difference->blocked.size(); ++cell)
        difference->blocked[cell] = group_a->blocked[cell] && group_b->blocked[cell];
    difference->diverging = true;
    page.head = shownHead(group_a->heads, shown.head);
    page.groups = {std::move(*group_a), std::move(*group_b), std::move(*difference)};
    return page;
}

namespace {

constexpr std::int64_t coarsest_bins = 64;

io::PageAxis binAxis(Axis axis, std::span<const std::string> tokens, std::int64_t first, std::int64_t last,
                     std::int64_t bin) {
    io::PageAxis made{translated(title_of(axis)).toStdString(), {}, first, bin, last};
    const auto count = static_cast<std::int64_t>(tokens.size());
    if (bin == 1 && first < count) {
        const auto shown = labelTexts(tokens);
        made.labels.assign(shown.begin() + first, shown.begin() + std::min(last, count));
    }
    return made;
}

} // namespace

void requirePageBins(const BinGrid& grid) {
    io::require_page_cells(grid.rows() * grid.columns() + grid.rows() * grid.columns() / 2);
}

io::AttentionPage mapPage(const MapBins& bins, const BinGrid& grid, Pool pool,
                          std::span<const std::string> query_tokens, std::span<const std::string> key_tokens,
                          const WebPageOptions& options) {
    requirePageBins(grid);
    auto page = emptyPage(options);
    page.is_map = true;
    auto level = bins;
    auto cells = grid;
    for (;;) {
        io::PageGroup group;
        group.quantity = stageWords("weights").toStdString();
        group.heads = {0};
        group.names_heads = false;
        group.rows = level.rows;
        group.columns = level.columns;
        const auto values = level.values(pool);
        group.values.assign(values.begin(), values.end());
        for (std::size_t bin = 0; bin < values.size(); ++bin)
            group.blocked.push_back(level.masked(bin));
        group.row_axis =
            binAxis(Axis::Query, query_tokens, cells.cells.first_row, cells.cells.last_row, cells.bin_rows);
        group.column_axis =
            binAxis(Axis::Key, key_tokens, cells.cells.first_column, cells.cells.last_column, cells.bin_columns);
        group.diverging = !options.colormap.isEmpty() && colormap(options.colormap).diverging;
        page.groups.push_back(std::move(group));
        if (std::max(level.rows, level.columns) <= coarsest_bins)
            return page;
        level = coarser(level, 2, 2);
        cells.bin_rows *= 2;
        cells.bin_columns *= 2;
    }
}

io::AttentionPage modelPage(const std::vector<WebPagePass>& passes, const WebPageOptions& options,
                            const RunControl& control) {
    std::int64_t cells = 0;
    for (const auto& pass : passes)
        cells += pass.heads * pass.queries * pass.keys;
    io::require_page_cells(cells);
    auto page = emptyPage(options);
    for (const auto& from : passes) {
        if (from.heads * from.queries * from.keys == 0)
            continue;
        control.report(static_cast<double>(&from - passes.data()) / static_cast<double>(passes.size()) / 2);
        io::PageGroup group;
        group.name = from.name;
        group.quantity = stageWords("weights").toStdString();
        group.rows = from.queries;
        group.columns = from.keys;
        group.row_axis = {translated(title_of(Axis::Query)).toStdString(), labelTexts(from.tokens.queries)};
        group.column_axis = {translated(title_of(Axis::Key)).toStdString(), labelTexts(from.tokens.keys)};
        if (from.tokens.keys.empty() && from.tokens.keys_are_queries)
            group.column_axis.labels = group.row_axis.labels;
        group.diverging = !options.colormap.isEmpty() && colormap(options.colormap).diverging;
        const auto pass = from.pass();
        std::vector<double> blocked(static_cast<std::size_t>(from.keys));
        for (std::int64_t head = 0; head < from.heads; ++head) {
            control.checkpoint();
            group.heads.push_back(head);
            const auto weights = pass->weights(head);
            group.values.insert(group.values.end(), weights.begin(), weights.end());
            for (std::int64_t row = 0; row < from.queries; ++row) {
                pass->blocked(head, row, blocked);
                for (const double cell : blocked)
                    group.blocked.push_back(cell != 0.0);
            }
        }
        page.groups.push_back(std::move(group));
    }
    return page;
}

void writePage(const QString& path, const io::AttentionPage& page, const WebPageOptions& options,
               const RunControl& control) {
    io::write_file(toPath(path), io::attention_page(page, viewerWith(options.colormap), control), control);
}

} // namespace attnlab::ui
