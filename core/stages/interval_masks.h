// Masks whose rule relates the place of a query to an interval of each key: blocks of tokens, documents, trees of
// drafts and neighbourhoods of an image.
#pragma once

#include "core/stages/mask.h"

namespace attnlab {

KeyIntervals dilated_intervals(const IntervalSource& source);
std::string dilated_python(const IntervalCode& code);
std::string dilated_latex(const IntervalCode& code);

KeyIntervals chunked_intervals(const IntervalSource& source);
std::string chunked_python(const IntervalCode& code);
std::string chunked_latex(const IntervalCode& code);

KeyIntervals block_causal_intervals(const IntervalSource& source);
std::string block_causal_python(const IntervalCode& code);
std::string block_causal_latex(const IntervalCode& code);

KeyIntervals document_intervals(const IntervalSource& source);
std::string document_python(const IntervalCode& code);
std::string document_latex(const IntervalCode& code);

KeyIntervals tree_intervals(const IntervalSource& source);
std::string tree_python(const IntervalCode& code);
std::string tree_latex(const IntervalCode& code);

KeyIntervals neighborhood_intervals(const IntervalSource& source);
std::string neighborhood_python(const IntervalCode& code);
std::string neighborhood_latex(const IntervalCode& code);

inline constexpr Input interval_position_inputs[] = {query_offset_input};

inline constexpr Parameter dilated_parameters[] = {
    {.name = "w",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("width w"),
     .help = ATTNLAB_TEXT("How many keys beside its own a query reads: w/2 on either side"),
     .minimum = 0,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "d",
     .type = ParameterType::Integer,
     .default_text = "2",
     .title = ATTNLAB_TEXT("step d"),
     .help = ATTNLAB_TEXT("The distance from one key that is read to the next"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "keys"}};
inline constexpr MaskKind dilated_mask{
    .id = "dilated",
    .title = ATTNLAB_TEXT("dilated"),
    .rule = "|i − j| ≤ d w/2 and (i − j) mod d = 0",
    .help = ATTNLAB_TEXT("A window with gaps: a token reads every d-th neighbour."),
    .parameters = dilated_parameters,
    .inputs = interval_position_inputs,
    .intervals = dilated_intervals,
    .python_of = dilated_python,
    .latex_of = dilated_latex,
    .source = "Beltagy, Peters, Cohan: Longformer: The Long-Document Transformer (2020), section 3.1",
    .aside = true};

inline constexpr Parameter chunked_parameters[] = {{.name = "n",
                                                    .type = ParameterType::Integer,
                                                    .default_text = "2",
                                                    .title = ATTNLAB_TEXT("chunk n"),
                                                    .help = ATTNLAB_TEXT("The number of tokens in a chunk"),
                                                    .minimum = 1,
                                                    .maximum = 1e9,
                                                    .unit = "tokens"}};
inline constexpr MaskKind chunked_mask{
    .id = "chunked",
    .title = ATTNLAB_TEXT("chunked"),
    .rule = "⌊i/n⌋ = ⌊j/n⌋",
    .help = ATTNLAB_TEXT("A token reads its own chunk of n tokens. Language models combine it with causal."),
    .parameters = chunked_parameters,
    .inputs = interval_position_inputs,
    .intervals = chunked_intervals,
    .python_of = chunked_python,
    .latex_of = chunked_latex,
    .source = "Meta: Llama 4 (2025); attention_chunk_size of Hugging Face's transformers",
    .aside = true};

inline constexpr Parameter block_causal_parameters[] = {{.name = "n",
                                                         .type = ParameterType::Integer,
                                                         .default_text = "2",
                                                         .title = ATTNLAB_TEXT("block n"),
                                                         .help = ATTNLAB_TEXT("The number of tokens in a block"),
                                                         .minimum = 1,
                                                         .maximum = 1e9,
                                                         .unit = "tokens"}};
inline constexpr MaskKind block_causal_mask{
    .id = "block_causal",
    .title = ATTNLAB_TEXT("block causal"),
    .rule = "⌊j/n⌋ ≤ ⌊i/n⌋",
    .help = ATTNLAB_TEXT("A token reads its own block of n tokens and the blocks before it (block diffusion)."),
    .parameters = block_causal_parameters,
    .inputs = interval_position_inputs,
    .intervals = block_causal_intervals,
    .python_of = block_causal_python,
    .latex_of = block_causal_latex,
    .source = "Arriola et al.: Block Diffusion: Interpolating Between Autoregressive and Diffusion Language Models "
              "(2025), section 3",
    .aside = true};

inline constexpr Input document_inputs[] = {
    {.name = "segment_ids",
     .dims = "B? S | S",
     .fill = InputFill::RowHalves,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("The document of each key, as any whole number; a negative number marks padding")},
    {.name = "query_segment_ids",
     .dims = "B? L | L",
     .fill = InputFill::RowHalves,
     .dtype = DType::Int64,
     .required = false,
     .help = ATTNLAB_TEXT("The document of each query; without it, that of the key at the position of the query")},
    query_offset_input};
inline constexpr MaskKind documents_mask{
    .id = "documents",
    .title = ATTNLAB_TEXT("documents"),
    .rule = "segment_ids[i] = segment_ids[j]",
    .help =
        ATTNLAB_TEXT("A token reads its own document only, where several are packed into one sequence for training. "
                     "The input segment_ids has the documents."),
    .inputs = document_inputs,
    .intervals = document_intervals,
    .python_of = document_python,
    .latex_of = document_latex,
    .source = "Krell et al.: Efficient Sequence Packing without Cross-contamination (2021)",
    .aside = true};

inline constexpr Input tree_inputs[] = {
    {.name = "parents",
     .dims = "B? L | L",
     .fill = InputFill::Tree,
     .dtype = DType::Int64,
     .help = ATTNLAB_TEXT("The token before each drafted token, counted from 0; -1 for a root. A parent is before its "
                          "children")},
    query_offset_input};
inline constexpr MaskKind tree_mask{
    .id = "tree",
    .title = ATTNLAB_TEXT("tree"),
    .rule = "j < c or i → … → j − c",
    .help = ATTNLAB_TEXT("Drafted tokens form a tree: each reads itself, the tokens on its way to the root, and the c "
                         "keys before all drafts (speculative decoding). c is the query offset, or S - L without one. "
                         "The input parents has the tree."),
    .inputs = tree_inputs,
    .intervals = tree_intervals,
    .python_of = tree_python,
    .latex_of = tree_latex,
    .source = "Miao et al.: SpecInfer (2023); Cai et al.: Medusa (2024)",
    .aside = true};

inline constexpr std::string_view neighborhood_borders[] = {"shift", "clip"};
inline constexpr Parameter neighborhood_parameters[] = {
    {.name = "w",
     .type = ParameterType::Integer,
     .default_text = "3",
     .title = ATTNLAB_TEXT("width w"),
     .help = ATTNLAB_TEXT("The width and height of the box of keys, an odd number"),
     .minimum = 1,
     .maximum = 1e9,
     .unit = "keys"},
    {.name = "border",
     .type = ParameterType::Choice,
     .default_text = "shift",
     .title = ATTNLAB_TEXT("at the border"),
     .help = ATTNLAB_TEXT("shift: the box moves inside the image, so that every query reads w x w keys. clip: the part "
                          "outside is cut off"),
     .choices = neighborhood_borders}};
inline constexpr MaskKind neighborhood_mask{
    .id = "neighborhood",
    .title = ATTNLAB_TEXT("2-D neighbours"),
    .rule = "(y_j, x_j) ∈ W_i",
    .help = ATTNLAB_TEXT(
        "The tokens are the patches of an image: each reads W_i, a box of w x w patches around itself. The "
        "arrangement of the keys gives rows and columns."),
    .parameters = neighborhood_parameters,
    .intervals = neighborhood_intervals,
    .python_of = neighborhood_python,
    .latex_of = neighborhood_latex,
    .needs_key_grid = true,
    .source = "Hassani et al.: Neighborhood Attention Transformer (2022), section 3",
    .aside = true};

} // namespace attnlab
