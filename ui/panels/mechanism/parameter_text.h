// What a declared parameter is called, means and may be, in the current language.
#pragma once

#include "core/parameter.h"

#include <QString>

namespace attnlab::ui {

/// With a capital first letter: titles of the tables stand alone in forms and pickers.
QString capitalised(QString text);
/// "Heads", "Window (keys)".
QString parameterTitle(const Parameter& parameter);
/// Help and range, one line each.
QString parameterHelp(const Parameter& parameter);
/// A choice for people: translated where there is a translation, else the id with blanks.
QString choiceText(std::string_view choice);
/// A value among words: "0.7", "by row", "none" for an empty list.
QString valueText(const ParameterValue& value);
/// "Expected a whole number from 1 to 8."
QString rangeText(const Parameter& parameter);
/// A number as people here write it, exact: it reads back as the same value.
QString editableText(const ParameterValue& number);

} // namespace attnlab::ui
