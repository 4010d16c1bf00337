// The content of each card of a board for windows and pictures, computed from a scene's result.
#pragma once

#include "core/lab/board.h"
#include "core/lab/leak.h"
#include "core/lab/scene.h"
#include "ui/drawing/role_color.h"
#include "ui/learn/cards/card_part.h"

#include <QCoreApplication>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::ui {

struct CardContent {
    QString id;      ///< of the card; empty for the shared scores
    QString setting; ///< id of the setting; empty as above
    QString title;
    QString stage;                                    ///< "exact weights · head 2"
    QString stage_kind;                               ///< "exact weights"; "weights" for all on the scale of weights
    std::optional<AttentionRole> role = std::nullopt; ///< of the stage, where the title names it
    QString error;                                    ///< why there is no matrix; empty if there is one
    std::optional<MatrixData> matrix;
    ColorScale scale;
    int color = 0;
    std::vector<PartPtr> above; ///< the matrix
    std::vector<PartPtr> below;

    /// The part of a kind; null if it is not shown.
    template <class Kind>
    const Kind* part() const {
        for (const auto* parts : {&above, &below})
            for (const auto& part : *parts)
                if (const auto* found = dynamic_cast<const Kind*>(part.get()))
                    return found;
        return nullptr;
    }
};

/// The change of the outputs of one setting when the token of the view is edited, or an error.
struct SettingLeak {
    lab::TokenEffect effect;
    QString error;
};

class CardContents {
    Q_DECLARE_TR_FUNCTIONS(CardContents)
public:
    /// `scene` must be that of `result`. `leaks` has one entry for each setting, or is empty while unknown.
    CardContents(const lab::Scene& scene, const lab::BoardSpec& view, const lab::SceneResult& result,
                 const std::vector<SettingLeak>& leaks);

    std::vector<CardContent> make() const;
    /// The axis of the histograms of a view without one: all finite scaled scores of all cards.
    lab::HistogramAxis scoreAxis() const;
    /// Texts that distinguish the settings, one for each: their choices, and the text of those with tokens of their
    /// own.
    static QStringList settingTitles(const lab::Scene& scene);
    /// The same of a part of them, by their indices; the others have empty texts.
    static QStringList settingTitles(const lab::Scene& scene, const std::set<std::size_t>& shown);
    /// The same for a scene with a cache.
    static QStringList sharingTitles(const lab::Scene& scene);
    /// "d = 64, 10 keys, normal"; empty for a scene without a draw.
    static QString ofDraw(const lab::Scene& scene);
    static QString distributionTitle(lab::Distribution distribution);
    static QString measureTitle(lab::CurveMeasure measure);

private:
    struct Source;
    std::vector<Source> sources() const;
    std::vector<std::span<const double>> scoresOf(const std::vector<Source>& sources) const;
    void addTitles(std::vector<CardContent>& cards, const std::vector<Source>& sources) const;
    void addMatrices(std::vector<CardContent>& cards, const std::vector<Source>& sources) const;
    void addHistograms(std::vector<CardContent>& cards, const std::vector<Source>& sources) const;
    void addOutputs(std::vector<CardContent>& cards, const std::vector<Source>& sources) const;
    void addLeaks(std::vector<CardContent>& cards, const std::vector<Source>& sources) const;
    PartPtr numbersOf(const Source& source) const;
    PartPtr rowsOf(const Source& source) const;
    PartPtr additiveOf(const Source& source) const;
    PartPtr measuresOf(const Source& source) const;
    PartPtr leakOf(const Source& source, double longest) const;
    /// Describes the bars in a sentence: the outputs that may change and do, and those that must not and do.
    static QString leakWords(const QString& token, const QStringList& moving, const QStringList& leaking,
                             std::size_t outputs);
    /// What moves the output of the edited token itself, where that needs words; empty elsewhere.
    static QString ownWords(const lab::TokenEffect& effect, const QString& token);
    static bool addsBiasAlone(const Source& source);
    /// Whether a stage is covered, and whether a part is left out for that.
    bool hides(const Source& source, std::string_view stage) const;
    bool covers(lab::BoardPart part, const Source& source) const;
    std::optional<CardContent> sharedScores(const std::vector<Source>& sources) const;

    const lab::Scene& scene_;
    const lab::BoardSpec& view_;
    const lab::SceneResult& result_;
    const std::vector<SettingLeak>& leaks_;
};

// One colour for one setting, in every lesson and lab.

/// An index of seriesColor() for each setting: the colour of its scale. Where another setting has that colour, a free
/// one, if possible of a scale that is seldom compared.
std::vector<int> settingColors(const lab::Scene& scene);

} // namespace attnlab::ui
