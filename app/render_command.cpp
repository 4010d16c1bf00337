#include "app/commands.h"
#include "app/figure_choices.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "app/step_render.h"
#include "ui/compare/compared_matrices.h"
#include "ui/plot/figure.h"
#include "ui/slice.h"
#include "ui/stages/stage_colors.h"
#include "ui/text.h"

namespace attnlab::app {
namespace {

using namespace attnlab::ui;

const Stage& findStage(const Trace& trace, const QString& name) {
    if (const Stage* stage = trace.find(name.toStdString()))
        return *stage;
    std::string known;
    for (const auto& stage : trace.stages)
        known += (known.empty() ? "" : ", ") + stage.name;
    throw Error({ATTNLAB_TEXT("stage: '%1' is not one of %2"), {name.toStdString(), known}});
}

/// The heads to draw: one, their mean, or all.
std::vector<int> readHeads(const QString& text, int count) {
    if (text == QLatin1String("mean"))
        return {ViewState::MeanOfHeads};
    std::vector<int> heads;
    for (int head = 0; head < count; ++head)
        if (text == QLatin1String("all") || text == QString::number(head))
            heads.push_back(head);
    if (heads.empty())
        throw UsageError("--head: has '" + text.toStdString() + "', expected mean, all or 0 to " +
                         std::to_string(count - 1));
    return heads;
}

/// One row of a query x key matrix laid out as the image that the keys came from.
MatrixData onKeyGrid(const MatrixData& slice, int row, KeyGrid grid) {
    const auto view = slice.view();
    if (row >= view.rows)
        throw UsageError("--row: has " + std::to_string(row) + ", expected 0 to " + std::to_string(view.rows - 1));
    if (grid.rows * grid.columns != view.columns)
        throw UsageError("--key-grid: has " + std::to_string(grid.rows) + " x " + std::to_string(grid.columns) +
                         " cells, expected " + std::to_string(view.columns) + ", one for each key");
    const auto cells = view.row(row);
    MatrixData picture;
    picture.values = Tensor({grid.rows, grid.columns}, {cells.begin(), cells.end()});
    if (slice.blocked.size() > 0) {
        picture.blocked = Tensor({grid.rows, grid.columns}, 0.0, DType::Bool);
        for (std::int64_t key = 0; key < view.columns; ++key)
            picture.blocked.set({key / grid.columns, key % grid.columns}, slice.isBlocked(row, key) ? 1.0 : 0.0);
    }
    return picture;
}

/// A panel for each chosen head: the stage, or one of its rows as a picture.
FigurePanels panelsOf(const QCommandLineParser& parser, const AttentionProblem& problem, const Trace& trace,
                      const Stage& stage, int batch) {
    const bool one_row = parser.isSet("row");
    const int row = one_row ? readNumber(parser, "row", 0, std::numeric_limits<int>::max()) : 0;
    if (one_row && !problem.key_grid)
        throw UsageError("--row: expected --key-grid ROWSxCOLUMNS with it");
    FigurePanels panels;
    for (const int head : readHeads(parser.value("head"), sizeOf(trace).heads))
        if (const auto slice = sliceOf(trace, stage, batch, head))
            panels.push_back({one_row ? onKeyGrid(*slice, row, *problem.key_grid) : *slice,
                              QStringLiteral("Head %1").arg(head + 1)});
    return panels;
}

/// What goes into the figure.
struct Drawing {
    FigurePanels panels;
    ColorScale scale;
};

/// A, B and A - B of a stage, for one head.
Drawing comparisonOf(const QCommandLineParser& parser, const Computed& result, const Stage& stage, int batch,
                     const ColorChoice& colors) {
    if (parser.isSet("row"))
        throw UsageError("--row: is for one setting, expected no --with beside it");
    const auto heads = readHeads(parser.value("head"), sizeOf(result.trace).heads);
    if (heads.size() > 1)
        throw UsageError("--head: all heads of two settings are too many for one picture, expected one or mean");
    const auto& other = compared_trace_of(result);
    const auto comparison = compare(result.trace, other, stage.name);
    const auto matrices = comparedMatrices(result.trace, other, comparison, batch, heads.front(), colors);
    if (!matrices)
        return {};
    return {matrices->panels(QStringLiteral("A"), QStringLiteral("B")), matrices->values};
}

} // namespace

int renderCommand(const QStringList& arguments, Backends backends) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Draws one stage of a mechanism as a heatmap, or of two settings side by side, or "
                                     "one row step by step.");
    parser.addPositionalArgument("INPUT", "Arrays: .npz, .npy, .safetensors, .pt, .csv, .tsv or a workspace.",
                                 "render INPUT...");
    addSpecOptions(parser);
    addCompareOption(parser);
    parser.addOptions({{"backend", "How to compute: auto (default), reference or cpu.", "B", "auto"},
                       {"stage", "Which stage: scores, scaled, masked, weights, output, ...", "NAME"},
                       {"batch", "Which batch entry.", "B", "0"},
                       {"head", "Which head; mean for their mean, all for every head.", "H|mean|all", "0"},
                       {"row", "One query's row alone, as a picture of the key grid.", "I"},
                       {"out", "The picture; of all --steps an animation.", "FILE.png|svg|pdf|webp|gif"}});
    addStepOptions(parser);
    addFigureOptions(parser);
    if (!parse(parser, arguments))
        return 0;
    const bool steps = parser.isSet("steps");
    const auto stage_name = steps ? QString() : required(parser, "stage");
    const auto out = required(parser, "out");
    checkStepOptions(parser);
    const auto backend = parser.value("backend").toStdString();
    checkBackend(backend, backends);
    auto options = readFigureOptions(parser);
    if (parser.isSet("with") && !parser.isSet("size"))
        options.size_points = QSizeF(900, 320); // room for three pictures side by side
    const auto colors = readColors(parser);
    const int batch = readNumber(parser, "batch", 0, std::numeric_limits<int>::max());

    const OffscreenApplication application(arguments.first());

    auto problem = readProblem(parser, parser.positionalArguments());
    if (!parser.isSet("with"))
        problem.compared_with.reset();
    checkOutput("out", out, parser.positionalArguments());
    const auto result = compute(problem, backends, backend);
    const auto size = sizeOf(result.trace);
    if (batch >= size.batches)
        throw UsageError("--batch: has " + std::to_string(batch) + ", expected 0 to " +
                         std::to_string(size.batches - 1));
    if (steps) {
        renderSteps(parser, result, batch, options);
        printWarnings(result.trace.notes);
        return 0;
    }
    const auto& stage = findStage(result.trace, stage_name);
    const Drawing drawing = parser.isSet("with") ? comparisonOf(parser, result, stage, batch, colors)
                                                 : Drawing{panelsOf(parser, problem, result.trace, stage, batch),
                                                           scaleFor(result.trace, stage, batch, colors)};
    if (drawing.panels.empty())
        throw Error({ATTNLAB_TEXT("stage: '%1' has nothing to draw"), {stage.name}});
    writeFigure(out, drawing.panels, drawing.scale, options);
    printWarnings(result.trace.notes);
    return 0;
}

} // namespace attnlab::app
