// Title, help and range of a declared parameter, in the current language.
#pragma once

#include "core/parameter.h"

#include <QString>

namespace attnlab::ui {

/// With a capital first letter, for titles of the tables in forms and pickers.
QString capitalised(QString text);
/// "Heads", "Window (keys)".
QString parameterTitle(const Parameter& parameter);
/// Help and range, one line each.
QString parameterHelp(const Parameter& parameter);
/// A choice for display: translated if there is a translation, else the id with spaces.
QString choiceText(std::string_view choice);
/// A value for display: "0.7", "by row", "none" for an empty list.
QString valueText(const ParameterValue& value);
/// "Expected a whole number from 1 to 8."
QString rangeText(const Parameter& parameter);
/// An exact number in the notation of the locale: it reads back as the same value.
QString editableText(const ParameterValue& number);

} // namespace attnlab::ui
