// What a board shows, as a lesson of one step: saved, sent, and opened again with every control where it was.
#pragma once

#include "core/lab/board.h"

#include <filesystem>
#include <string>

namespace attnlab::lessons {

struct BoardText {
    std::string language; ///< one of `languages`
    std::string title;    ///< one line
    std::string words;    ///< Markdown, below the title
};

/// scene.json of a lesson with this step. Controls and parts that need a draw or a training are left out where the
/// scene has none; arrays that no setting reads, too. Of a scene about a model the arrays remain. Throws Error for what
/// a lesson cannot hold: arrays without cells, with NaN, or of more than four axes.
std::string scene_json_of(const lab::Scene& scene, const lab::BoardSpec& view);

/// Writes an archive (core/lessons/lesson_files.h) of it. Throws Error as above, and where the file cannot be written.
void save_board(const std::filesystem::path& archive, const lab::Scene& scene, const lab::BoardSpec& view,
                const BoardText& text);

} // namespace attnlab::lessons
