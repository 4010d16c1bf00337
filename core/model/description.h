// What a model computes, as data: one forward pass (forward.h) reads it, whatever the architecture is called.
#pragma once

#include "core/model/activation.h"
#include "core/model/rotary.h"
#include "core/model/unread.h"
#include "core/model/weights/weight_files.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::model {

/// (x - mean) / sqrt(var + epsilon) * weight + bias, or x / sqrt(mean(x^2) + epsilon) * weight, or x * weight + bias.
struct Norm {
    enum class Kind { Layer, Rms, None };
    Kind kind = Kind::Layer;
    double epsilon = 1e-5;
    bool adds_one = false;          ///< the weight is an offset from 1
    const Weight* weight = nullptr; ///< nullptr: 1
    const Weight* bias = nullptr;   ///< nullptr: 0
};

/// What products of activations and weights are computed in. BFloat16 rounds both to bfloat16, to the nearest, and adds
/// up in float32. All else is float32: embeddings, norms, activations, attention, and what is kept.
enum class Arithmetic { Float32, BFloat16 };

/// x W^T + b, or a part of such a matrix.
struct Linear {
    const Weight* weight = nullptr;
    const Weight* bias = nullptr;
    std::int64_t inputs = 0, outputs = 0;
    bool inputs_first = false; ///< W is (inputs, outputs), as Conv1D of GPT-2 has it
    std::int64_t first = 0;    ///< output of the matrix where this part begins
    /// Outputs come in groups of this many, each `stride` after the one before; 0: all of them together.
    std::int64_t group = 0, stride = 0;
    bool has_own_bias = false; ///< the bias has numbers for this part alone
    std::int64_t matrix = 0;   ///< of several (inputs, outputs) in one tensor
    Arithmetic arithmetic = Arithmetic::Float32;
};

/// Added to scaled scores by distance; Raffel et al. 2020, T5.
struct DistanceBuckets {
    const Weight* values = nullptr; ///< (buckets, heads)
    std::int64_t buckets = 0, largest_distance = 0;
    bool bidirectional = false;
};

/// What distances add is multiplied by a number for each query, from its part of the row that the block reads:
/// s(a) (s(b) c - 1) + 2, where a and b are sums of four outputs each, s the sigmoid; Chen et al. 2022, WavLM.
struct DistanceGate {
    Linear sums = {};                ///< from the width of a head to 8
    const Weight* factors = nullptr; ///< c: (1, heads, 1, 1)
};

/// Added to scaled scores by the rows and columns between two patches of an image; Bao et al. 2022, BEiT. The last
/// three rows are of the class token to patches, of patches to it, and of it to itself.
struct PatchDistances {
    const Weight* values = nullptr; ///< ((2 * rows - 1) * (2 * columns - 1) + 3, heads)
    std::int64_t rows = 0, columns = 0;
};

/// Only patches of the same square of `side` patches read one another; Qwen2.5-VL.
struct PatchWindows {
    std::int64_t side = 1;
    std::int64_t columns = 0; ///< of the image
};

/// Queries, keys and values from narrower rows, and a part of each key that all heads share; DeepSeek-AI 2024, MLA.
/// Attention::query reads what `query_down` returns, or the rows of the block if there is none. Attention::key and
/// Attention::value read what `key_value_down` returns, without its last `turned` numbers, which are the shared part.
struct Latent {
    std::vector<Linear> keys = {}; ///< one for each head, instead of Attention::key; GGUF
    std::optional<Linear> query_down = {};
    std::optional<Norm> query_norm = {};
    Linear key_value_down = {};
    std::optional<Norm> norm = {};
    std::int64_t turned = 0;        ///< the last numbers of each query and key: rotary positions turn these
    bool puts_halves_apart = false; ///< turned pairs are stored as all first numbers, then all second ones
};

/// Distances between tokens have keys and queries of their own; He et al. 2021, DeBERTa. Scores also have the products
/// of the query with the key of the distance, and of the key with the query of the distance.
struct Disentangled {
    const Weight* embeddings = nullptr; ///< (2 * span, width of the block)
    std::optional<Norm> norm = {};
    std::optional<Linear> key = {}, query = {}; ///< nullopt: no such products
    std::int64_t span = 0;
    std::int64_t buckets = 0, largest_distance = 0; ///< 0: each distance has its own row
};

/// Beside the heads, as many outputs from a window of rows, whose weights come from the query and a convolution; Jiang
/// et al. 2020, ConvBERT.
struct SpanConvolution {
    const Weight* depthwise = nullptr; ///< (width of the block, 1, rows)
    Linear pointwise = {}, kernel = {}, values = {};
    std::int64_t rows = 0; ///< odd; half of them on each side
};

struct Attention {
    std::int64_t heads = 1, key_value_heads = 1;
    std::int64_t width = 1;       ///< of one head
    std::int64_t value_width = 0; ///< of the values of one head, where it is another; 0: width
    double scale = 1.0;           ///< of the scores
    double query_scale = 1.0;     ///< of the query itself, before it is shown: OPT scales there
    Linear query = {}, key = {}, value = {}, output = {};
    std::optional<Norm> query_norm = {}, key_norm = {};
    bool norm_spans_heads = false; ///< over the full width instead of head by head
    std::optional<Rotary> rotary = {};
    std::optional<DistanceBuckets> buckets = {};
    std::optional<DistanceGate> distance_gate = {}; ///< of `buckets`
    std::optional<PatchDistances> patch_distances = {};
    std::optional<PatchWindows> patch_windows = {};
    std::optional<Disentangled> disentangled = {};
    std::optional<Latent> latent = {};
    std::vector<float> slopes =
        {};                  ///< a number a head, times j - i, is added to scaled scores: ALiBi, Press et al. 2022
    double clip = 0.0;       ///< queries, keys and values are clamped to -clip .. clip; 0: they are not
    double soft_cap = 0.0;   ///< cap * tanh(score / cap); 0: none
    bool causal = false;     ///< j <= i
    std::int64_t window = 0; ///< i - j < window, and j - i < window where not causal; 0: none
    /// Tokens that a causal decoder reads in both directions: those of an image among themselves, or all that the model
    /// did not write itself. Of these a window ends the first only, towards earlier keys.
    enum class BothWays { None, Image, Prompt };
    BothWays both_ways = BothWays::None;
    const Weight* sinks = nullptr;              ///< a logit a head, in the denominator alone
    std::optional<SpanConvolution> beside = {}; ///< its outputs follow those of the heads
    std::optional<Linear> gate = {};            ///< its sigmoid multiplies what the heads give

    std::int64_t width_of_values() const { return value_width > 0 ? value_width : width; }
};

/// Experts of which each row takes the best; OpenAI 2025, gpt-oss.
struct Experts {
    Linear router = {};
    std::int64_t count = 0, chosen = 0;
    Linear gate_up = {}, down = {}; ///< of the first expert; those of the next follow in the same tensors
    std::optional<Linear> up = {};  ///< gate_up has gates alone
    double alpha = 1.702, limit = 7.0;
};

/// down(act(gate x) * up x), or down(act(up x)).
struct GatedExpert {
    std::optional<Linear> gate = {};
    Linear up = {}, down = {};
};

/// Each of two experts is weighed by a softmax over those whose logits are close to the best; Liu et al. 2024,
/// SparseMixer.
struct CloseExperts {
    double tolerance = 0.0; ///< the largest share of the best logit that a close one is below it
};

/// The softmax of all logits weighs the best experts of each row; Jiang et al. 2024, Mixtral. Or the sigmoid of each,
/// and only the best groups of experts are chosen from; DeepSeek-AI 2024, DeepSeek-V3.
struct RoutedExperts {
    Linear router = {};
    std::int64_t chosen = 0;
    bool sums_to_one = true; ///< the weights of the chosen ones are divided by their sum
    bool by_sigmoid = false;
    const Weight* correction = nullptr; ///< added to scores for the choice alone
    std::int64_t groups = 1, chosen_groups = 1;
    bool groups_by_two = false;             ///< a group counts as its two best scores instead of its best one
    double factor = 1.0;                    ///< of the weights
    std::optional<CloseExperts> close = {}; ///< instead of these rules
    bool scales_input = false; ///< the weight of an expert multiplies what it reads instead of what it gives
    std::int64_t capacity = 0; ///< rows that an expert takes; what follows takes none; 0: any number
    std::vector<GatedExpert> each = {};
    std::optional<GatedExpert> shared = {}; ///< of all rows
    std::optional<Linear> shared_gate = {}; ///< its sigmoid multiplies what `shared` adds
};

/// a x^2 + b x of positive x, c (e^min(x, epsilon) - 1 - x) + b x of others, where a = softplus(positive) and
/// c = b + softplus(negative); Huang & Schlag 2024, xIELU.
struct Xielu {
    double positive = 0.0, negative = 0.0;
    double slope = 0.5, epsilon = -1e-6; ///< b, and the largest x of the exponential
};

/// down(act(up x)), or down(act(gate x) * up x).
struct FeedForward {
    const Activation* activation = nullptr;
    std::optional<Xielu> xielu = {}; ///< instead of the activation
    std::optional<Linear> gate = {};
    Linear up = {}, down = {};
    std::optional<Experts> experts = {};              ///< instead of all of the above
    std::optional<RoutedExperts> routed_experts = {}; ///< instead of gate, up and down
};

/// x + factor * after(f(before(x))), then sum(): Norms around a sublayer.
struct Norms {
    std::optional<Norm> before = {}, after = {}, sum = {};
    double factor = 1.0;
    const Weight* factors = nullptr; ///< one for each number of a row: LayerScale, Touvron et al. 2021
};

/// A layer that reads earlier tokens without attention: out(C * conv(B * x)), where (B, C, x) = in(x) and each column
/// is the weighted sum of its last few rows; LFM 2.
struct ShortConvolution {
    Linear in = {}, out = {};
    const Weight *weight = nullptr, *bias = nullptr; ///< (width, 1, rows), (width)
    std::int64_t rows = 0;
};

/// Each column u of a convolution has a state s, a row of numbers: s = e^(a d) s + d b u, and it gives s c + D u, times
/// silu of a gate. d, b and c come from u; Gu & Dao 2023, Mamba.
struct StateSpace {
    Linear in = {}, out = {};                        ///< in: u and the gate
    const Weight *weight = nullptr, *bias = nullptr; ///< of the convolution: (inner, 1, rows), (inner)
    std::int64_t inner = 0, rows = 0, rank = 0, state = 0;
    Linear parts = {}, step = {}; ///< d before `step`, b and c; step: to the inner width
    std::optional<Norm> step_norm = {}, b_norm = {}, c_norm = {};
    const Weight *log_a = nullptr, *skip = nullptr; ///< log(-a): (inner, state), and D: (inner)
    bool has_plain_a = false;                       ///< `log_a` is a itself; GGUF
    const Activation* activation = nullptr;         ///< of the convolution
};

/// Each head has a state S: it decays, and what it has for a key is moved towards a value: S = e^g S,
/// S += k (v - S^T k)^T b, and it gives S^T q. Queries, keys and values come from convolutions; Yang et al. 2024.
struct DeltaRule {
    Linear in = {}, rates = {}, out = {}; ///< in: query, key, values and gates of each head of keys; rates: b and g
    const Weight* weight = nullptr;       ///< of the convolution: (queries, keys and values, 1, rows)
    std::int64_t rows = 0, key_heads = 0, value_heads = 0, key_width = 0, value_width = 0;
    const Weight *step_bias = nullptr, *log_decay = nullptr; ///< (value_heads)
    Norm norm = {};                                          ///< of what a head gives, before its gate
    const Activation* activation = nullptr;                  ///< of the convolution
};

/// A block within narrower rows: queries and keys read one projection, values read the block's input, the sum begins
/// with another projection, and what comes out is added to the input; Sun et al. 2020, MobileBERT.
struct Bottleneck {
    Linear in = {}, shared = {}, out = {};
    Norm in_norm = {}, shared_norm = {}, out_norm = {};
    std::vector<FeedForward> first = {}; ///< in front of the block's own
    std::vector<Norm> first_norms = {};  ///< of their sums
};

struct Block {
    Attention self = {};
    std::optional<Bottleneck> bottleneck = {};
    std::optional<ShortConvolution> convolution = {}; ///< instead of attention, as the next two
    std::optional<StateSpace> state_space = {};
    std::optional<DeltaRule> delta_rule = {};
    Norms self_norms = {};
    std::optional<Attention> cross = {};
    Norms cross_norms = {};
    FeedForward feed_forward = {};
    Norms feed_forward_norms = {};
    bool parallel = false; ///< attention and feed-forward both read the block's input

    bool has_attention() const { return !convolution && !state_space && !delta_rule; }
};

struct Positions {
    /// Sinusoidal: sines of frequencies 10000^(-2i / E), then cosines. Fairseq: 10000^(-i / (E / 2 - 1)) instead.
    enum class Kind { None, Learned, Sinusoidal, Fairseq };
    Kind kind = Kind::None;
    const Weight* table = nullptr;
    std::int64_t offset = 0;
    std::optional<std::int64_t> padding = {}; ///< only ids other than this one count: RoBERTa
};

/// Tokens in front of the patches of an image, each with its own vector.
struct LeadingTokens {
    std::string_view name = "CLS";
    const Weight* vectors = nullptr; ///< `count` rows
    std::int64_t count = 1;
    bool has_position = true; ///< the table of positions has a row for each
};

/// An image in patches, behind a few tokens of the model; Dosovitskiy et al. 2021, ViT.
struct Patches {
    /// How the table of positions is fitted to another grid: not at all, or by interpolation. AlignedBilinear: the
    /// corners of both grids are the same.
    enum class Resize { No, Bicubic, SmoothBicubic, AlignedBilinear };

    std::int64_t channels = 3, image_height = 0, image_width = 0, height = 0, width = 0;
    std::int64_t frames = 1; ///< times that each channel of a patch is repeated: frames of a film
    Linear projection = {};  ///< of the values of a patch, by channel, frame, row and column
    std::vector<LeadingTokens> leading = {};
    Resize resize = Resize::No;
    std::int64_t table_rows = 0, table_columns = 0; ///< the grid of the table of positions

    std::int64_t rows() const { return image_height / height; }
    std::int64_t columns() const { return image_width / width; }
    std::int64_t leading_count() const {
        std::int64_t count = 0;
        for (const auto& tokens : leading)
            count += tokens.count;
        return count;
    }
    std::int64_t count() const { return leading_count() + rows() * columns(); }
};

/// A convolution along time: each row from a window of rows, `stride` rows after the window before.
struct TimeConvolution {
    Linear window = {}; ///< weight (outputs, inputs / groups, rows); inputs / groups * rows inputs
    std::int64_t rows = 1, stride = 1;
    std::int64_t before = 0, after = 0; ///< rows of zeros in front and behind
    std::int64_t groups = 1;            ///< of columns, each with a convolution of its own
    /// (1, 1, rows): the length that all weights of a row of the window have together; Salimans & Kingma 2016.
    const Weight* lengths = nullptr;
    std::optional<Norm> norm = {};
    bool norm_spans_time = false; ///< over all rows of a column instead of over a row
    const Activation* activation = nullptr;

    std::int64_t rows_of(std::int64_t given) const {
        return std::max<std::int64_t>(0, given + before + after - rows + stride) / stride;
    }
};

/// A sound in frames: convolutions of its samples (Baevski et al. 2020, wav2vec 2.0), or of its log-mel spectrogram
/// (Radford et al. 2022, Whisper).
struct Frames {
    std::int64_t channels = 1; ///< of what the convolutions read: 1, or the bands of a spectrogram
    std::int64_t steps = 0;    ///< in time that they read, always as many; 0: any number
    std::int64_t rate = 16000; ///< samples a second
    std::int64_t hop = 1;      ///< samples from one step to the next
    std::int64_t window = 0;   ///< samples that a step of a spectrogram is made of; 0: steps are samples
    bool standardizes = false; ///< samples get mean 0 and variance 1
    std::vector<TimeConvolution> convolutions = {};
    std::optional<Norm> norm = {};
    std::optional<TimeConvolution> positions = {}; ///< behind the projection; its rows are added

    std::int64_t rows_of(std::int64_t given) const {
        for (const auto& convolution : convolutions)
            given = convolution.rows_of(given);
        return given;
    }
    /// From one row to the next.
    double seconds() const {
        double samples = static_cast<double>(hop);
        for (const auto& convolution : convolutions)
            samples *= static_cast<double>(convolution.stride);
        return samples / static_cast<double>(rate);
    }
};

struct Embedding {
    const Weight* tokens = nullptr; ///< (vocabulary, width)
    double factor = 1.0;
    /// This token is a vector of zeros, and the others are divided by their share of the text: ESM.
    std::optional<std::int64_t> dropped = {};
    std::optional<Patches> patches = {}; ///< instead of tokens
    std::optional<Frames> frames = {};   ///< the same
    Positions positions = {};
    const Weight* types = nullptr;
    bool has_neighbours = false; ///< each row has the next token, the token itself and the one before: MobileBERT
    std::vector<const Weight*> constants = {}; ///< tables whose first row is added to each token
    std::optional<Linear> projection = {};     ///< to the width of the blocks
    std::optional<Norm> norm = {};
    std::optional<Linear> widening = {}; ///< the same behind the norm: ELECTRA, ALBERT

    bool reads_tokens() const { return !patches && !frames; }
};

struct Stack {
    std::string name = {}; ///< "encoder" or "decoder"
    std::int64_t width = 0;
    Embedding embedding = {};
    std::vector<Block> blocks = {};
    std::optional<Norm> norm = {};
    std::optional<Linear> projection = {}; ///< after the norm
    bool shows_norm = true;                ///< the last hidden state is the normalized one

    /// The first attention; that of the first block where none has any.
    const Attention& attention() const {
        for (const auto& block : blocks)
            if (block.has_attention())
                return block.self;
        return blocks.front().self;
    }
};

/// From hidden states to logits.
struct Head {
    /// What a head for the whole input reads: one position, or a mean of some. FirstTwo is the mean of the logits of
    /// the first two positions; FirstAndPatchMean is the class token and, behind it, the mean of the patches.
    enum class Pooling { None, First, Last, Mean, PatchMean, FirstTwo, FirstAndPatchMean };

    std::optional<Linear> transform = {};
    const Activation* activation = nullptr;
    std::optional<Norm> norm = {};
    double factor = 1.0;
    Linear output = {};
    std::optional<Linear> second_output = {}; ///< of FirstTwo: that of the second position
    double soft_cap = 0.0;
    Pooling pooling = Pooling::None;          ///< None: logits for each position
    std::optional<std::int64_t> padding = {}; ///< Last is the last position with another id
    /// The decoder reads the text itself, and Last is the last position of this id in it: classes of BART.
    std::optional<std::int64_t> ending = {};
    enum class Outcomes { Tokens, Classes, Span }; ///< Span: two logits a position, for where an answer begins and ends
    Outcomes outcomes = Outcomes::Tokens;
    bool is_independent = false; ///< probabilities by the sigmoid of each logit instead of softmax

    bool is_of_whole_input() const { return pooling != Pooling::None; }
};

/// An image in tiles of the size that the tower reads, beside the whole in one tile.
struct ImageTiles {
    /// Canvas: the picture keeps its shape within one of `sizes`, and the frame around it is left out of the rows; Liu
    /// et al. 2024, LLaVA-NeXT. Shape: it is stretched to the grid of tiles whose shape is closest; Chen et al. 2024,
    /// InternVL. Side: its longer side is stretched to whole tiles; Laurencon et al. 2024, Idefics3.
    enum class Kind { Canvas, Shape, Side };
    Kind kind = Kind::Canvas;
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes = {}; ///< height and width
    const Weight* row_end = nullptr; ///< the row behind each row of the picture: (width of the decoder)
    std::int64_t most = 0;           ///< the picture is shrunk to about the patches of as many tiles; 0: it is not
    /// Texts in front of each tile ("%r", "%c", "%n": its row, column and number), behind each row of tiles, between
    /// them and the whole, in front of the whole and behind it.
    std::string_view tile = {}, row = {}, between = {}, whole = {}, behind = {};

    // Of one image, by fitted().
    std::int64_t rows = 0, columns = 0;             ///< of tiles beside the whole; 0: there is the whole alone
    std::int64_t top = 0, left = 0;                 ///< patches of the frame
    std::int64_t shown_rows = 0, shown_columns = 0; ///< patches within the frame; of the shrunk picture `kept_`
    std::int64_t kept_rows = 0, kept_columns = 0;
};

/// An image among the tokens of a decoder: rows that a tower makes of its patches take the place of tokens; Liu et al.
/// 2023, LLaVA.
struct ImageTokens {
    /// How the patches of a square become one row: their mean, or side by side, patch by patch or number by number.
    enum class Merge { Mean, ByPatch, ByNumber };

    Stack tower = {};
    std::vector<std::size_t> layers = {}; ///< hidden states of the tower that are read, side by side
    std::int64_t dropped = 0;             ///< first rows of them that are not read
    std::optional<Norm> norm = {};
    std::int64_t side = 1; ///< patches of a square
    Merge merge = Merge::Mean;
    std::optional<Norm> merged_norm = {};
    std::vector<Linear> projections = {};
    const Activation* activation = nullptr; ///< in front of the last projection; null: none
    bool is_gated = false;                  ///< it multiplies the first half of the numbers by act(second half)
    double factor = 1.0;                    ///< of the rows
    /// Rows of another layer of the tower: merged and projected alike, with a norm of what is merged.
    struct Deep {
        std::size_t layer = 0; ///< hidden state
        Norm merged_norm = {};
        std::vector<Linear> projections = {};
    };
    std::vector<Deep> deep = {}; ///< added to the rows behind each of the first blocks; Meng et al. 2024, DeepStack

    std::int64_t token = 0;                   ///< the id in whose places the rows stand
    std::optional<std::int64_t> row_end = {}; ///< the id behind each row of the image but the last
    std::optional<std::int64_t> last = {};    ///< the id behind the last row
    /// The id of a text that stands for `opening`, `before`, the image, `after` and `closing`. Without one `token`
    /// stands for the image, and `before` and `after` are added where a text does not have it.
    std::optional<std::int64_t> placeholder = {};
    std::string_view placeholder_text = {}; ///< the same, where it is no token
    std::vector<std::int64_t> before = {}, after = {};
    std::string_view opening = {}, closing = {}; ///< texts in front of `before` and behind `after`
    /// The image leads the text, then comes this id; a new line ends the text: PaliGemma.
    std::optional<std::int64_t> behind = {};
    /// The size of an image: always the same, within a longest side, or within numbers of pixels.
    enum class Sizes { One, LongestSide, PixelCount };
    Sizes sizes = Sizes::One;

    std::optional<ImageTiles> tiles = {};
    bool reads_several = true; ///< a text may have several images, each read as one alone is

    const Patches& patches() const { return *tower.embedding.patches; }
    // What the tower makes of one tile, or of the image where there are no tiles.
    std::int64_t rows() const { return patches().rows() / side; }
    std::int64_t columns() const { return patches().columns() / side; }
    /// Rows in front of the grid: those of a class token.
    std::int64_t leading() const { return patches().leading_count() - dropped; }
    std::int64_t count() const { return leading() + rows() * columns(); }
};

struct Description {
    std::string type = {};      ///< model_type
    std::string text_type = {}; ///< that of text_config, where the file also has parts that are not read
    /// Of other parts of the configuration with settings of their own: "encoder.", "bert".
    std::vector<std::pair<std::string, std::string>> part_types = {};
    std::vector<std::shared_ptr<const Weight>> own_weights = {}; ///< that are made of tensors of the files
    std::optional<Stack> encoder = {}, decoder = {};
    std::optional<ImageTokens> image_tokens = {}; ///< of the decoder; nullopt: it reads no images
    std::optional<Head> head = {};
    std::vector<std::string> labels = {}; ///< of the classes, where the head gives classes
    std::int64_t vocabulary = 0;          ///< 0: takes an image, or gives no tokens of a sound
    std::int64_t longest = 0;             ///< positions that a learned table has; 0: any number
    std::optional<std::int64_t> decoder_start = {};
    std::vector<std::int64_t> prompt = {}; ///< behind decoder_start, in front of each text: language and task
    /// Of outcomes for each frame: the one without a letter. Outcomes that repeat between two of it are one letter.
    std::optional<std::int64_t> blank = {};
    std::vector<std::int64_t> ends = {};         ///< tokens that end a text
    Unread unread = {};                          ///< what the files hold beside all this
    Arithmetic arithmetic = Arithmetic::Float32; ///< of every Linear: Model::in()

    /// The stack that has the head; a decoder if there is one.
    const Stack& last() const { return decoder ? *decoder : *encoder; }
    const Stack& first() const { return encoder ? *encoder : *decoder; }
    bool predicts_next() const {
        return head && decoder && !head->is_of_whole_input() && head->outcomes == Head::Outcomes::Tokens;
    }
};

} // namespace attnlab::model
