#include "ui/export/export.h"

#include "core/edit/resize.h"
#include "core/io/file_formats.h"
#include "core/io/saved/result_file.h"
#include "core/lookup.h"
#include "core/message.h"
#include "ui/document/local_files.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figures/figure.h"
#include "ui/drawing/figures/figure_margins.h"
#include "ui/drawing/matrix_data.h"
#include "ui/export/formats.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <QClipboard>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QPainter>
#include <QPrinter>

namespace attnlab::ui {

FigureOrigin originOf(AttentionProblem problem, const ViewState& view) {
    if (io::fits_figure(problem.tensors))
        return {std::move(problem), viewToJson(view)};
    // The head on show is enough to draw it again.
    if (view.head() >= 0)
        if (auto part = only_head(problem, view.batch(), view.head(), io::largest_figure_arrays);
            part && io::fits_figure(part->tensors)) {
            auto json = QJsonDocument::fromJson(QByteArray::fromStdString(viewToJson(view))).object();
            json["batch"] = json["head"] = 0;
            return {*std::move(part), QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString()};
        }
    auto left_out = io::left_out_of(problem.tensors);
    problem.tensors.clear();
    return {std::move(problem), viewToJson(view), false, std::move(left_out)};
}

FigureOrigin drawnAs(FigureOrigin origin, const DrawnHead& drawn) {
    auto json = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
    json["drawn"] = QJsonObject{{"view", QLatin1String(drawn.drawing->id)},
                                {"query", drawn.query ? QJsonValue(*drawn.query) : QJsonValue()},
                                {"answer", drawn.answer.isEmpty() ? QJsonValue() : QJsonValue(drawn.answer)}};
    origin.view_json = QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
    return origin;
}

namespace {

constexpr int most_answer_letters = 80; // of a file, which anyone may have written

} // namespace

DrawnHead drawnIn(const std::string& view_json) {
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(view_json)).object()["drawn"].toObject();
    DrawnHead drawn{findHeadDrawing(json["view"].toString())};
    if (json["query"].isDouble())
        drawn.query = std::max(0, json["query"].toInt());
    drawn.answer = json["answer"].toString().left(most_answer_letters);
    return drawn;
}

namespace {

/// What a figure of this view is of, whose title and range apply to nothing else.
QJsonObject matrixIn(const QJsonObject& view) {
    return {{"page", view["page"]}, {"stage", view["stage"]}, {"batch", view["batch"]}, {"head", view["head"]}};
}

} // namespace

bool isOfSameMatrix(const QJsonObject& view) { return view["figure"].toObject()["of"].toObject() == matrixIn(view); }

std::string settingsText(const FigureOrigin& origin, const FigureOptions& options) {
    auto view = QJsonDocument::fromJson(QByteArray::fromStdString(origin.view_json)).object();
    auto figure = figureToJson(options);
    figure["of"] = matrixIn(view);
    view["figure"] = figure;
    const auto colors = colorsOf(options);
    view["colormap"] = colors.colormap;
    view["logarithmic"] = colors.logarithmic;
    view["locked"] = options.low && options.high;
    view["low"] = options.low.value_or(0.0);
    view["high"] = options.high.value_or(1.0);
    return io::figure_settings_text(origin.problem, QJsonDocument(view).toJson(QJsonDocument::Compact).toStdString(),
                                    origin.left_out);
}

namespace {

const Stage& stageIn(const Trace& trace, const std::string& name) {
    if (const Stage* stage = trace.find(name))
        return *stage;
    throw Error(
        {ATTNLAB_TEXT("Stage '%1' is not in this result; there are %2"), {name, listed(trace.stages, &Stage::name)}});
}

/// Makes a column of a stage with one number a row (lse, entropy).
Tensor withColumns(const Stage& stage) {
    if (stage.axes.empty() || stage.axes.back() == Axis::Feature || stage.axes.back() == Axis::Key ||
        endsWithAxes(stage, Axis::Query, Axis::Query))
        return stage.value;
    Shape shape = stage.value.shape();
    shape.push_back(1);
    return stage.value.reshaped(shape);
}

QString letterOf(Axis axis) {
    switch (axis) {
    case Axis::Batch:
        return QStringLiteral("b");
    case Axis::Head:
        return QStringLiteral("h");
    case Axis::Query:
        return QStringLiteral("q");
    case Axis::Key:
        return QStringLiteral("k");
    case Axis::Feature:
        return QStringLiteral("f");
    case Axis::Tile:
        return QStringLiteral("t");
    case Axis::Hash:
        return QStringLiteral("r");
    case Axis::Vocabulary:
        return QStringLiteral("v");
    }
    return {};
}

/// "_b0_h1" for matrix `index` of a stage; empty when it has one matrix.
QString matrixSuffix(const Stage& stage, const Tensor& values, std::int64_t index) {
    if (matrix_count(values) <= 1)
        return {};
    QString suffix;
    for (int axis = values.rank() - 3; axis >= 0; --axis) {
        const auto size = values.dim(axis);
        suffix.prepend(
            QStringLiteral("_%1%2").arg(letterOf(stage.axes[static_cast<std::size_t>(axis)])).arg(index % size));
        index /= size;
    }
    return suffix;
}

/// One file of exportStages.
struct Piece {
    QString path;
    const Stage* stage = nullptr;       ///< null for all stages
    std::optional<std::int64_t> matrix; ///< nullopt: the whole tensor
};

std::vector<Piece> piecesOf(const QString& path, const Trace& trace, std::span<const std::string> names) {
    using Holds = io::TensorFormat::Holds;
    const auto holds = formatOf(FormatKind::Numbers, path).tensors->holds;
    if (names.empty())
        throw Error(ATTNLAB_TEXT("No stage was chosen to write"));
    for (const auto& name : names)
        stageIn(trace, name);
    if (holds == Holds::Tensors)
        return {{path, nullptr, std::nullopt}};
    const QFileInfo info(path);
    const auto named = [&](const QString& addition) {
        return addition.isEmpty() ? path
                                  : info.path() + QLatin1Char('/') + info.completeBaseName() + addition +
                                        QLatin1Char('.') + info.suffix();
    };
    std::vector<Piece> pieces;
    for (const auto& name : names) {
        const Stage& stage = stageIn(trace, name);
        const QString of_stage = names.size() > 1 ? QLatin1Char('_') + QString::fromStdString(name) : QString();
        if (holds == Holds::Tensor) {
            pieces.push_back({named(of_stage), &stage, std::nullopt});
            continue;
        }
        const Tensor values = withColumns(stage);
        for (std::int64_t i = 0; i < matrix_count(values); ++i)
            pieces.push_back({named(of_stage + matrixSuffix(stage, values, i)), &stage, i});
    }
    return pieces;
}

/// Labels of an axis, empty if it has no tokens or too few.
std::vector<std::string> labelsAlong(const Trace& trace, Axis axis, std::int64_t size) {
    const auto* tokens = axis == Axis::Query ? &trace.query_tokens : axis == Axis::Key ? &trace.key_tokens : nullptr;
    return tokens && static_cast<std::int64_t>(tokens->size()) == size ? *tokens : std::vector<std::string>();
}

void writeMatrix(const Piece& piece, const Trace& trace, bool with_labels, const RunControl& control) {
    const Stage& stage = *piece.stage;
    const Tensor values = withColumns(stage);
    const MatrixView view = matrix_at(values, *piece.matrix);
    const Tensor matrix({view.rows, view.columns}, {view.data, view.data + view.rows * view.columns}, values.dtype());
    io::MatrixLabels labels;
    if (with_labels && !stage.axes.empty()) {
        const auto row_axis = static_cast<std::size_t>(values.rank() - 2);
        if (row_axis < stage.axes.size())
            labels.rows = labelsAlong(trace, stage.axes[row_axis], view.rows);
        labels.columns = labelsAlong(trace, stage.axes.back(), view.columns);
    }
    io::write_tensors(toPath(piece.path), {{stage.name, matrix}}, control, labels);
}

} // namespace

MatrixData matrixOf(const Trace& trace, const FigureSubject& subject) {
    const Stage& stage = stageIn(trace, subject.stage);
    const TraceSize size = sizeOf(trace);
    if (subject.batch < 0 || subject.batch >= size.batches)
        throw Error({ATTNLAB_TEXT("Batch %1 is not there: the result has %2"),
                     {std::to_string(subject.batch), std::to_string(size.batches)}});
    if (subject.head >= size.heads || subject.head < ViewState::mean_of_heads)
        throw Error({ATTNLAB_TEXT("Head %1 is not there: the result has %2"),
                     {std::to_string(subject.head), std::to_string(size.heads)}});
    auto matrix = sliceOf(trace, stage, subject.batch, subject.head);
    if (!matrix)
        throw Error({ATTNLAB_TEXT("Stage '%1' has no matrix to show: its shape is %2"),
                     {subject.stage, to_string(stage.value.shape())}});
    return std::move(*matrix);
}

namespace {

struct FigureParts {
    Q_DECLARE_TR_FUNCTIONS(FigureParts)
};

} // namespace

FigurePanels panelsOf(const Trace& trace, std::span<const Stage* const> stages, std::span<const int> heads, int batch,
                      const std::function<ColorScale(const Stage&)>& scale) {
    FigurePanels panels;
    for (const int head : heads)
        for (const Stage* stage : stages) {
            const bool has_heads = hasAxis(*stage, Axis::Head);
            if (!has_heads && head != heads.front())
                continue;
            auto slice = sliceOf(trace, *stage, batch, head);
            if (!slice)
                continue;
            const QString of_head = !has_heads                         ? QString()
                                    : head == ViewState::mean_of_heads ? FigureParts::tr("Mean of the heads")
                                                                       : headTitle(head);
            const QString words = stageWordsInPass(stage->name);
            FigurePanel panel{*std::move(slice), stages.size() == 1 ? of_head
                                                 : heads.size() > 1 && !of_head.isEmpty()
                                                     ? words + QStringLiteral(" · ") + of_head
                                                     : words};
            if (stages.size() > 1)
                panel.scale = scale(*stage);
            if (holdsWeights(*stage))
                panel.margins = [weights = panel.matrix] { return marginsOfWeights(weights); };
            panels.push_back(std::move(panel));
        }
    return panels;
}

FigurePanels allHeadsOf(const Trace& trace, const FigureSubject& subject) {
    FigurePanels panels;
    FigureSubject one = subject;
    for (one.head = 0; one.head < sizeOf(trace).heads; ++one.head)
        panels.push_back({matrixOf(trace, one), headTitle(one.head)});
    return panels;
}

ColorScale scaleOf(const Trace& trace, const FigureSubject& subject) {
    return scaleFor(trace, stageIn(trace, subject.stage), subject.batch, subject.colors);
}

void writeFigure(const QString& path, Figure figure, const FigureOptions& options, const FigureOrigin* origin,
                 const RunControl& control) {
    if (origin && options.keeps_inputs)
        figure.settings = settingsText(*origin, options);
    // In memory first, since Qt's writers do not report errors of the device.
    const QByteArray data = formatOf(FormatKind::Picture, path).draw(figure, options);
    writeBytes(path, data, control);
}

QStringList stageFiles(const QString& path, const Trace& trace, std::span<const std::string> names) {
    QStringList files;
    for (const auto& piece : piecesOf(path, trace, names))
        files << piece.path;
    return files;
}

QStringList exportStages(const QString& path, const Trace& trace, std::span<const std::string> names, bool labels,
                         const RunControl& control, const std::string& settings) {
    QStringList files;
    const auto pieces = piecesOf(path, trace, names);
    for (const auto& piece : pieces) {
        const auto count = static_cast<double>(pieces.size());
        const auto part =
            control.part(static_cast<double>(files.size()) / count, static_cast<double>(files.size() + 1) / count);
        if (piece.matrix) {
            writeMatrix(piece, trace, labels, part);
        } else if (piece.stage) {
            io::write_tensors(toPath(piece.path), {{piece.stage->name, piece.stage->value}}, part);
        } else {
            std::vector<const Stage*> stages;
            for (const auto& name : names)
                stages.push_back(&stageIn(trace, name));
            const QString program = QStringLiteral("AttnLab ") + QCoreApplication::applicationVersion();
            io::write_result(toPath(piece.path), stages,
                             {program.toStdString(), settings, trace.query_tokens, trace.key_tokens}, part);
        }
        files << piece.path;
    }
    return files;
}

void copyMatrix(const MatrixData& matrix) {
    QGuiApplication::clipboard()->setMimeData(mimeOf(matrix.view()).release());
}

void copyPicture(const Figure& figure, const FigureOptions& options) {
    auto* data = new QMimeData;
    data->setImageData(figureImage(figure, options));
    data->setData(QStringLiteral("image/svg+xml"), svgData(figure, options));
    QGuiApplication::clipboard()->setMimeData(data);
}

namespace {

/// Whether a painter can begin on it: Qt only prints a warning where it cannot.
bool canBegin(const QPrinter& printer) {
    const QString path = printer.outputFileName();
    if (path.isEmpty())
        return printer.isValid();
    QFile file(path);
    const bool is_new = !file.exists();
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append))
        return false;
    file.close();
    return !is_new || file.remove();
}

} // namespace

void printFigure(QPrinter& printer, const Figure& figure, FigureOptions options) {
    options.dark = options.transparent = false;
    options.size_points = printer.pageRect(QPrinter::Point).size();
    checkFigure(options); // before a page is begun
    printer.setDocName(options.title);
    QPainter painter;
    if (!canBegin(printer) || !painter.begin(&printer))
        throw Error(ATTNLAB_TEXT("The printer, or the file to print to, cannot be opened"));
    const double dots = printer.resolution() / points_per_inch;
    painter.scale(dots, dots);
    paintFigure(painter, figure, options);
    if (!painter.end() || printer.printerState() == QPrinter::Error)
        throw Error(ATTNLAB_TEXT("Printing failed"));
}

} // namespace attnlab::ui
