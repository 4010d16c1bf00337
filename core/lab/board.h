// How a scene is displayed: plain data, written in lessons and used as the initial state of labs.
#pragma once

#include "core/lab/scene.h"
#include "core/lab/setting_numbers.h"

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lab {

struct BoardCell {
    std::int64_t query = 0;
    std::int64_t key = 0;
    bool operator==(const BoardCell&) const = default;
};

/// The ends of a histogram, which then stays where it is while scores grow.
struct HistogramAxis {
    double low = -1.0;
    double high = 1.0;
    bool operator==(const HistogramAxis&) const = default;
};

/// One matrix of a board.
struct Card {
    std::string id;      ///< its name in texts; that of the setting unless given
    std::string setting; ///< SceneSetting::id
    std::string stage;   ///< empty: that of the board
    std::int64_t batch = 0;
    std::optional<std::int64_t> head = 0;   ///< nullopt: the mean of the heads
    std::optional<HistogramAxis> axis = {}; ///< instead of that of the board
    bool operator==(const Card&) const = default;
};

/// A measure of every setting against the width or the number of keys of the draw.
struct BoardCurve {
    CurveMeasure measure = CurveMeasure::Entropy;
    DrawSize over = DrawSize::E;
    bool operator==(const BoardCurve&) const = default;
};

/// Plain matrices, the labs, a row step by step, arrows, costs, and from FirstExhibit on the kinds of Exhibit in their
/// order.
enum class BoardKind { Matrices, ScaleLab, MaskLab, StepThrough, Arrows, Costs, FirstExhibit };
/// Content of cards besides their matrices; there is one curve for all.
enum class BoardPart { Histogram, Numbers, Curve, Scores, Additive, Rows, Leak, Measures, Output };
/// Controls that a view may enable.
enum class BoardControl {
    E,
    S,
    Draw,
    Distribution,
    Scale,
    Masks,
    Fill,
    Precision,
    Cells,
    Token,
    Query,
    Stage,
    Head,
    Steps,
    Groups,
    Context,
    Readers
};

/// The file names of the values of one of these enums, DrawSize or CurveMeasure, in the order of the enum.
template <class Enum>
std::span<const std::string_view> ids_of();
template <>
std::span<const std::string_view> ids_of<BoardKind>();
template <>
std::span<const std::string_view> ids_of<BoardPart>();
template <>
std::span<const std::string_view> ids_of<BoardControl>();
template <>
std::span<const std::string_view> ids_of<DrawSize>();
template <>
std::span<const std::string_view> ids_of<CurveMeasure>();
template <class Enum>
std::string_view id_of(Enum value) {
    return ids_of<Enum>()[static_cast<std::size_t>(value)];
}

/// Part of one axis: [first, last), or the index `first` alone if `single`. Negative numbers count from the end.
struct CellRange {
    std::optional<std::int64_t> first = {};
    std::optional<std::int64_t> last = {};
    bool single = false;
    bool operator==(const CellRange&) const = default;
};

/// What a question asks for, covered until there is an answer. See core/lab/cover.h.
struct HiddenPart {
    std::string setting; ///< SceneSetting::id, or the card of "words"; empty: every one
    std::string part;    ///< a stage, "measure.NAME", or "words": the texts beside cards
    /// Of a stage, one for each axis, without batch and head if there is one of each; empty: all cells.
    std::vector<CellRange> cells = {};
    bool operator==(const HiddenPart&) const = default;
};

struct BoardSpec {
    BoardKind board = BoardKind::Matrices;
    std::vector<Card> cards; ///< empty: one for each setting
    std::string stage = "weights";
    std::set<BoardPart> show;
    BoardCurve curve;
    std::optional<HistogramAxis> axis; ///< nullopt: as wide as the scores
    bool shared_colors = true;
    std::set<BoardControl> live; ///< enabled controls
    std::optional<BoardCell> pin;
    std::vector<BoardCell> highlight;
    std::int64_t token = -1;             ///< of the leak test
    std::string setting;                 ///< of a step-through or an exhibit; empty: the first
    std::int64_t query = 0;              ///< row of a step-through
    std::string at = "products";         ///< the initial step
    std::optional<BoardCell> tile = {};  ///< of tiles, the tile to begin with, counted in tiles; nullopt: the first
    std::vector<std::string> costs;      ///< of a cache, each in a card
    std::optional<BoardControl> over;    ///< costs as curves over Context or Readers; nullopt: as bars
    std::vector<HiddenPart> hidden = {}; ///< while a question is open
    bool operator==(const BoardSpec&) const = default;

    bool shows(BoardPart part) const { return show.contains(part); }
    bool is_live(BoardControl control) const { return live.contains(control); }
    bool is_lab() const { return board == BoardKind::ScaleLab || board == BoardKind::MaskLab; }
};

/// The cards of a view, or one for each setting of the scene if it has none; each with its stage.
std::vector<Card> cards_of(const BoardSpec& view, const Scene& scene);

/// The kind of exhibit that the board shows, as Exhibit::index(); nullopt for other boards.
constexpr std::optional<std::size_t> exhibit_of(BoardKind board) {
    if (board < BoardKind::FirstExhibit)
        return std::nullopt;
    return static_cast<std::size_t>(board) - static_cast<std::size_t>(BoardKind::FirstExhibit);
}
/// The board that shows exhibits of a kind: exhibit_board<TileWalk>.
template <class Kind>
inline constexpr auto exhibit_board = static_cast<BoardKind>(static_cast<std::size_t>(BoardKind::FirstExhibit) +
                                                             exhibits::index_of<Kind>);

// The initial state of labs outside lessons: everything may be changed.

/// `board` is ScaleLab or MaskLab.
Scene free_lab_scene(BoardKind board);
BoardSpec free_lab_view(BoardKind board);

} // namespace attnlab::lab
