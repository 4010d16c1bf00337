// How a scene is shown: plain data, which lessons write down and labs start from.
#pragma once

#include "core/lab/numbers.h"
#include "core/lab/scene.h"

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

/// One matrix of a board.
struct Card {
    std::string id;      ///< what texts call it; that of the setting unless given
    std::string setting; ///< SceneSetting::id
    std::string stage;   ///< empty: that of the board
    std::int64_t batch = 0;
    std::optional<std::int64_t> head = 0; ///< none: the mean of the heads
    bool operator==(const Card&) const = default;
};

/// A measure of every setting against the width or the number of keys of the draw.
struct BoardCurve {
    CurveMeasure measure = CurveMeasure::Entropy;
    DrawSize over = DrawSize::E;
    bool operator==(const BoardCurve&) const = default;
};

/// Plain matrices, the labs, a row step by step, and the exhibits.
enum class BoardKind { Matrices, ScaleLab, MaskLab, StepThrough, Tiles, PageTable, PageReads, Buckets, Curve };
/// What cards show beside their matrices; the curve is one for all.
enum class BoardPart { Histogram, Numbers, Curve, Scores, Additive, Rows, Leak, Measures, Output };
/// What a view may leave to be changed.
enum class BoardControl { E, S, Draw, Distribution, Scale, Masks, Fill, Precision, Cells, Token, Query, Stage, Head };

/// What files call each value of one of these enums, DrawSize or CurveMeasure, in the order of the enum.
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

struct BoardSpec {
    BoardKind board = BoardKind::Matrices;
    std::vector<Card> cards; ///< empty: one for each setting
    std::string stage = "weights";
    std::set<BoardPart> show;
    BoardCurve curve;
    bool shared_colors = true;
    std::set<BoardControl> live; ///< may be moved
    std::optional<BoardCell> pin;
    std::vector<BoardCell> highlight;
    std::int64_t token = -1;     ///< of the leak test
    std::string setting;         ///< of a step-through or an exhibit; empty: the first
    std::int64_t query = 0;      ///< row of a step-through
    std::string at = "products"; ///< the step that it begins with
    bool operator==(const BoardSpec&) const = default;

    bool shows(BoardPart part) const { return show.contains(part); }
    bool is_live(BoardControl control) const { return live.contains(control); }
    bool is_lab() const { return board == BoardKind::ScaleLab || board == BoardKind::MaskLab; }
};

/// The cards of a view, or one for each setting of the scene where it names none; each with its stage.
std::vector<Card> cards_of(const BoardSpec& view, const Scene& scene);

} // namespace attnlab::lab
