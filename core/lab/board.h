// How a scene is shown: plain data, which lessons write down and labs start from.
#pragma once

#include "core/lab/scene.h"

#include <optional>
#include <set>
#include <string>
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
    std::string measure = "entropy"; ///< entropy, effective_keys, max_weight, jacobian_norm, variance
    std::string over = "E";          ///< E or S
    bool operator==(const BoardCurve&) const = default;
};

struct BoardView {
    /// matrices, scale_lab, mask_lab, step_through, or the exhibit tiles, page_table, page_reads, buckets, curve.
    std::string board = "matrices";
    std::vector<Card> cards; ///< empty: one for each setting
    std::string stage = "weights";
    std::set<std::string, std::less<>>
        show; ///< histogram, numbers, curve, scores, additive, rows, leak, measures, output
    BoardCurve curve;
    bool shared_colors = true;
    /// Controls that may be moved: E, S, draw, distribution, scale, masks, fill, precision, cells, token, query, stage,
    /// head.
    std::set<std::string, std::less<>> live;
    std::optional<BoardCell> pin;
    std::vector<BoardCell> highlight;
    std::int64_t token = -1;     ///< of the leak test
    std::string setting;         ///< of a step-through or an exhibit; empty: the first
    std::int64_t query = 0;      ///< row of a step-through
    std::string at = "products"; ///< the step that it begins with
    bool operator==(const BoardView&) const = default;

    bool shows(std::string_view part) const { return show.contains(part); }
    bool is_live(std::string_view control) const { return live.contains(control); }
};

/// The cards of a view, or one for each setting of the scene where it names none; each with its stage.
std::vector<Card> cards_of(const BoardView& view, const Scene& scene);

} // namespace attnlab::lab
