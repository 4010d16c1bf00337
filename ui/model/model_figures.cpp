#include "ui/model/model_figures.h"

#include "ui/matrix/stages/stage_title.h"
#include "ui/model/answers_view.h"
#include "ui/model/effect_marks.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <QCoreApplication>
#include <QStringList>
#include <utility>

namespace attnlab::ui {
namespace {

struct HeadsExport {
    Q_DECLARE_TR_FUNCTIONS(HeadsExport)
};

constexpr QLatin1String effects_id("effects");

/// A picture of 8 bits as numbers: 0 is `low`, 255 is `high`. `ahead` as in PassHeads.
MatrixData numbersIn(const QImage& picture, double low, double high, const std::vector<int>& ahead) {
    MatrixData matrix;
    matrix.values = Tensor({picture.height(), picture.width()});
    for (int row = 0; row < picture.height(); ++row)
        for (int column = 0; column < picture.width(); ++column)
            matrix.values.set({row, column}, low + (high - low) * picture.pixelIndex(column, row) / 255.0);
    if (std::ssize(ahead) == picture.height()) {
        matrix.blocked = Tensor({picture.height(), picture.width()}, 0.0, DType::Bool);
        for (int row = 0; row < picture.height(); ++row)
            for (int column = ahead[static_cast<std::size_t>(row)]; column < picture.width(); ++column)
                matrix.blocked.set({row, column}, 1.0);
    }
    return matrix;
}

Figure figureOf(FigurePanels panels, const ColorChoice& colors, double low, double high) {
    ValueRange range;
    range.include(low);
    range.include(high);
    Figure figure(std::move(panels), colorScale(colors, range, low < 0.0, low == 0.0));
    figure.quantity = stageWords("weights");
    return figure;
}

/// Without labels, which have no room, and a row for each layer.
FigureOptions ofWall(FigureOptions options, const ModelResult& result) {
    options.labels = options.numbers = false;
    std::int64_t widest = 1;
    for (const auto& pass : result.passes)
        widest = std::max(widest, pass.heads);
    constexpr std::int64_t most_columns = 64;
    if (options.columns == 0)
        options.columns = static_cast<int>(std::min(widest, most_columns));
    return options;
}

/// The marks are of all heads on; the pictures may not be. Empty: they are.
QString noteOfHeadsOff(const ModelResult& result) {
    constexpr int most_names = 6;
    QStringList names;
    for (int pass = 0; pass < static_cast<int>(result.passes.size()); ++pass)
        for (int head = 0; head < static_cast<int>(result.heads({pass, 0}).heads); ++head)
            if (result.isOff({pass, head}))
                names << (result.are_layers ? HeadsExport::tr("layer %1 head %2") : HeadsExport::tr("%1 head %2"))
                             .arg(passTitle(result, pass))
                             .arg(head);
    if (names.isEmpty())
        return {};
    if (names.size() > most_names)
        return HeadsExport::tr("The pictures have %n heads off.", nullptr, static_cast<int>(names.size()));
    return HeadsExport::tr("The pictures have %1 off.").arg(names.join(HeadsExport::tr(", ", "between heads")));
}

ExportOutput wallOutput(const QString& id, const QString& title, const ModelResultPtr& result,
                        const std::function<Figure(const ModelResult&, const ExportSettings&)>& figure) {
    auto output = pictureOutput(title, id,
                                [result, figure](const ExportSettings& settings) { return figure(*result, settings); });
    output.id = id;
    output.has_origin = false;
    output.title_of = [title = markedTitle(*result, title)](const ExportSettings&) { return title; };
    output.adjusted = [result](FigureOptions options) { return ofWall(std::move(options), *result); };
    return output;
}

} // namespace

Figure wallFigure(const ModelResult& result, const ColorChoice& colors, const EffectMarks* marks) {
    FigurePanels panels;
    for (int pass = 0; pass < static_cast<int>(result.passes.size()); ++pass)
        for (int head = 0; head < static_cast<int>(result.heads({pass, 0}).pictures.size()); ++head) {
            const auto& picture = result.heads({pass, 0}).pictures[static_cast<std::size_t>(head)];
            panels.push_back(
                {numbersIn(picture, 0.0, 1.0, result.heads({pass, 0}).ahead), shortTitle(result, {pass, head})});
            panels.back().is_crossed_out = result.isOff({pass, head});
            if (marks)
                panels.back().mark = marks->of[static_cast<std::size_t>(pass)][static_cast<std::size_t>(head)];
        }
    Figure figure = figureOf(std::move(panels), colors, 0.0, 1.0);
    if (marks) {
        const QString off = noteOfHeadsOff(result);
        figure.note = off.isEmpty() ? marks->note : HeadsExport::tr("%1 %2", "two sentences").arg(marks->note, off);
    }
    return figure;
}

bool answerFollows(const ModelResult& result, std::string_view pass) {
    const auto parts = parts_of_pass_name(pass);
    const bool is_of_encoder = parts && parts->stack == "encoder";
    return !is_of_encoder || !result.model || !result.model->description().decoder;
}

Figure differencesFigure(const ModelResult& result, const ColorChoice& colors) {
    const double end = result.compared->largest > 0.0 ? result.compared->largest : 1.0;
    FigurePanels panels;
    for (int pass = 0; pass < static_cast<int>(result.compared->passes.size()); ++pass)
        for (int head = 0; const auto& picture : result.comparedHeads({pass, 0})->pictures)
            panels.push_back({numbersIn(picture, -end, end, result.comparedHeads({pass, 0})->ahead),
                              shortTitle(result, {pass, head++})});
    return figureOf(std::move(panels), colors, -end, end);
}

DotsDrawing dotsOf(const ModelResult& result, const HeadFigure& x, const HeadFigure& y,
                   std::vector<HeadIndex>* places) {
    DotsDrawing drawing;
    drawing.x_title = markedTitle(result, x.displayTitle());
    drawing.y_title = y.displayTitle();
    for (int pass = 0; pass < static_cast<int>(result.passes.size()); ++pass)
        for (int head = 0; head < result.heads({pass, 0}).heads; ++head) {
            const HeadIndex place{pass, head};
            const auto along_x = x.of(result, place), along_y = y.of(result, place);
            if (!along_x || !along_y)
                continue;
            drawing.dots.push_back({{*along_x, *along_y}, headTitle(result, place), result.isOff(place)});
            if (places)
                places->push_back(place);
        }
    return drawing;
}

void addHeadsOutputs(ExportSubject& subject, const ModelResultPtr& result, const QString& stem, const DotsDrawing& plot,
                     const WallEffects& effects, std::span<const std::shared_ptr<const AnswerRows>> answers) {
    auto place = std::ranges::find_if(subject.outputs,
                                      [](const ExportOutput& output) { return output.kind != FormatKind::Picture; });
    const auto insert = [&](ExportOutput output) {
        output.name = stem + QLatin1Char('-') + output.name;
        place = std::next(subject.outputs.insert(place, std::move(output)));
    };
    const auto wall = [marks = effects.marks](const ModelResult& of, const ExportSettings& settings) {
        const bool with_effects = settings.choices.value(effects_id) > 0;
        return wallFigure(of, colorsOf(settings.figure), with_effects ? marks.get() : nullptr);
    };
    auto all = wallOutput(QStringLiteral("wall"), HeadsExport::tr("All heads of all layers"), result, wall);
    all.name_of = [stem](const ExportSettings& settings) {
        return stem +
               (settings.choices.value(effects_id) > 0 ? QStringLiteral("-heads-changes") : QStringLiteral("-heads"));
    };
    insert(std::move(all));
    if (effects.marks) {
        ExportChoice with_effects{effects_id, HeadsExport::tr("What becomes of the answer &without each head"),
                                  effects.is_shown ? 1 : 0};
        with_effects.outputs = {QStringLiteral("wall")};
        subject.choices.push_back(std::move(with_effects));
    }
    if (result->compared && result->compared->largest > 0.0)
        insert(wallOutput(QStringLiteral("differences"), HeadsExport::tr("The differences of all heads"), result,
                          [](const ModelResult& of, const ExportSettings& settings) {
                              return differencesFigure(of, colorsOf(settings.figure));
                          }));
    for (const auto& table : answers) {
        if (!table || table->result != result)
            continue;
        const auto id = table->of == AnswerRows::Of::Layers ? QStringLiteral("layers") : QStringLiteral("words");
        const auto title = AnswerRows::title(table->of);
        auto output = pictureOutput(title, id, [table](const ExportSettings&) { return table->figure(); });
        output.id = id;
        output.has_origin = false;
        output.title_of = [marked = markedTitle(*result, title)](const ExportSettings&) { return marked; };
        insert(std::move(output));
    }
    auto output = pictureOutput(HeadsExport::tr("All heads as dots: %1, %2").arg(plot.x_title, plot.y_title),
                                QStringLiteral("heads"),
                                [shown = std::make_shared<const DotsDrawing>(plot)](const ExportSettings&) {
                                    return Figure(std::shared_ptr<const Drawing>(shown));
                                });
    output.id = QStringLiteral("plot");
    output.is_drawing = true;
    output.has_origin = false;
    output.title_of = [](const ExportSettings&) { return QString(); };
    insert(std::move(output));
}

} // namespace attnlab::ui
