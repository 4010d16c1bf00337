// What a page that computes shows in a browser without JavaScript: the matrices of its first step, as pictures in HTML.
#pragma once

#include "core/lessons/lesson.h"

#include <QString>
#include <string>

namespace attnlab::ui {

/// The cards of the first step, and the costs of a cache, as HTML with SVG. Colours of letters and of blocked cells are
/// those of web/page.css, so that the picture fits a light and a dark page. `language`: "en" or "zh_CN"; empty: "en".
/// Matrices of more than 64 rows or columns are left out; where none remains, the text says what the page needs.
std::string pagePicture(const lessons::Lesson& lesson, const QString& language);

} // namespace attnlab::ui
