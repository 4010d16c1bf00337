// The layout of a RecoveryCopy folder, shared by its writer and reader.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace attnlab::io::recovery {

/// A workspace without the arrays that are stored elsewhere; written last.
inline constexpr const char* work_file = "work.npz";
inline constexpr const char* about_file = "about.json"; ///< the document's title and file
inline constexpr const char* workspace_member = "workspace.json";
inline constexpr const char* arrays_member = "arrays.json"; ///< the position of each array
inline constexpr int version = 1;

/// A large array that is in no other file.
inline std::string array_file(int number) { return "array-" + std::to_string(number) + ".npy"; }
inline bool is_array_file(const std::filesystem::path& name) { return name.string().starts_with("array-"); }
/// The numbers written on top of the array with this index in the list.
inline std::string edits_member(std::size_t number) { return "edits-" + std::to_string(number); }

/// Names of files and arrays may hold any bytes; JSON holds UTF-8. Bytes beyond ASCII, and %, become %41.
std::string escaped(std::string_view bytes);
/// Throws Error for text that escaped() does not produce.
std::string unescaped(std::string_view text);

} // namespace attnlab::io::recovery
