// The models shipped with the program.
#pragma once

#include <filesystem>

namespace attnlab::ui {

/// The folder of the program's models (resources/models), in the build tree or where the program is installed.
std::filesystem::path modelsFolder();
/// The folder of the sample model; empty where it is missing.
std::filesystem::path sampleModelFolder();

} // namespace attnlab::ui
