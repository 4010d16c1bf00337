#include "ui/document/samples.h"

#include "core/io/saved/workspace_file.h"

#include <array>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace attnlab::ui {
namespace {

const std::array sample_table = {
    Sample{SampleGroup::Start, "whose_hunger",
           QT_TRANSLATE_NOOP("Samples", "What “it” reads: The cat drank the milk because it was hungry"),
           QT_TRANSLATE_NOOP("Samples", "“it” reads “cat” (74%) and hardly “milk” (4%): its query asks for something "
                                        "that can be hungry")},
    Sample{SampleGroup::Start, "milk_or_cat_sweet", QT_TRANSLATE_NOOP("Samples", "Milk or cat? … because it was sweet"),
           QT_TRANSLATE_NOOP("Samples", "“it” reads all four words alike, and “sweet” among them brings its output "
                                        "nearer to “milk” than to “cat”")},
    Sample{SampleGroup::Start, "milk_or_cat_hungry",
           QT_TRANSLATE_NOOP("Samples", "Milk or cat? … because it was hungry"),
           QT_TRANSLATE_NOOP("Samples", "“it” reads all four words alike, and “hungry” among them brings its output "
                                        "nearer to “cat” than to “milk”")},
    Sample{SampleGroup::Start, "by_hand", QT_TRANSLATE_NOOP("Samples", "By hand: three rows of three whole numbers"),
           QT_TRANSLATE_NOOP("Samples",
                             "“c” scores 2 with “a” and 1 with “b” and “c”, easy to check on paper; put your "
                             "own numbers into Q, K and V"),
           true},
    Sample{SampleGroup::Start, "multi_head_fox", QT_TRANSLATE_NOOP("Samples", "Four heads: The quick brown fox"),
           QT_TRANSLATE_NOOP("Samples", "In head 0 every word but the first reads mostly the one before it"), false, 0},
    Sample{SampleGroup::Start, "cross_attention",
           QT_TRANSLATE_NOOP("Samples", "Cross-attention: three words read five"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "Each French word reads mostly the English word that it translates, although their order differs")},
    Sample{SampleGroup::Masks, "padding", QT_TRANSLATE_NOOP("Samples", "Padding: two sentences in one batch"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "No query of the second sentence reads keys 4 and 5: they only fill the batch up, and are masked")},
    Sample{SampleGroup::Start, "patches",
           QT_TRANSLATE_NOOP("Samples", "Patches of a picture: four words look for their colours"),
           QT_TRANSLATE_NOOP("Samples", "“sun” gives 98% of its weight to one patch of the picture; “sky” spreads its "
                                        "weight over all the blue ones")},
    Sample{SampleGroup::Faster, "flash_tiles", QT_TRANSLATE_NOOP("Samples", "Flash: twelve words in tiles"),
           QT_TRANSLATE_NOOP("Samples", "“maps” reads mostly “read”, in a softmax put together tile by tile; tiles "
                                        "above the diagonal are never read")},
    Sample{SampleGroup::Faster, "paged_cache", QT_TRANSLATE_NOOP("Samples", "Paged cache: three new words read ten"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "“slept” reads mostly “it”, although the words before it are scattered over the pages of a cache")},
    Sample{SampleGroup::Faster, "longformer_window",
           QT_TRANSLATE_NOOP("Samples", "Longformer: a word beyond the window"),
           QT_TRANSLATE_NOOP(
               "Samples", "“it” would read mostly “river”, but its window ends before: it reads mostly “of” instead")},
    Sample{SampleGroup::Faster, "linformer_pooled",
           QT_TRANSLATE_NOOP("Samples", "Linformer: twelve words pooled by threes"),
           QT_TRANSLATE_NOOP("Samples", "Pooled by threes, the first head still reads its neighbourhood, but the "
                                        "second can no longer single out words")},
    Sample{SampleGroup::Faster, "performer_features",
           QT_TRANSLATE_NOOP("Samples", "Performer: a flat head and a sharp one"),
           QT_TRANSLATE_NOOP(
               "Samples", "Sixty-four random features show the flat first head well and the sharp second one badly")},
    Sample{SampleGroup::Faster, "reformer_buckets",
           QT_TRANSLATE_NOOP("Samples", "Reformer: sixteen words of four kinds"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "Each word reads the other three of its kind, which the hash found without comparing all pairs")},
    Sample{SampleGroup::Models, "hierarchical_context",
           QT_TRANSLATE_NOOP("Samples", "Context: a cat in one paragraph, stocks in the other"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "“It” reads “cat” the most: 26%; without the context of sentences and paragraphs it would be 12%")},
    Sample{SampleGroup::Masks, "packed_documents", QT_TRANSLATE_NOOP("Samples", "Packed: three sentences in one row"),
           QT_TRANSLATE_NOOP("Samples",
                             "Without the mask of documents “she” would read mostly “Anna”, a word of another "
                             "sentence")},
    Sample{SampleGroup::Masks, "draft_tree", QT_TRANSLATE_NOOP("Samples", "Drafts: six words as a tree after three"),
           QT_TRANSLATE_NOOP("Samples", "“mat” and “table” end two branches: each reads the three words before all "
                                        "drafts and its own branch, never the other one")},
    Sample{SampleGroup::Masks, "image_neighborhood",
           QT_TRANSLATE_NOOP("Samples", "Neighbours: patches read the patches around them"),
           QT_TRANSLATE_NOOP("Samples",
                             "Each patch reads a box of 3 x 3 patches; at the edge of dark and bright it reads "
                             "almost only its own side")},
    Sample{SampleGroup::Masks, "reach_of_heads",
           QT_TRANSLATE_NOOP("Samples", "Expression: the first key and a reach for each head"),
           QT_TRANSLATE_NOOP("Samples", "The heads read 2, 4 and 8 keys back, and all of them the first key: one "
                                        "expression of q, k and h says so")},
    Sample{SampleGroup::Faster, "overwritten_facts",
           QT_TRANSLATE_NOOP("Samples", "Delta rule: five facts, two of which change"),
           QT_TRANSLATE_NOOP("Samples",
                             "“Anna?” reads “cola” and nothing of “tea”: the delta rule took the first drink "
                             "out of the state before it wrote the second")},
    Sample{SampleGroup::Start, "sparse_weights", QT_TRANSLATE_NOOP("Samples", "Sparsemax: keys without any weight"),
           QT_TRANSLATE_NOOP("Samples",
                             "The scores 3, 2.5, 1 and 0 become the weights 0.75, 0.25, 0 and 0: two of four "
                             "keys are not read at all")},
    Sample{SampleGroup::Start, "forgotten_sentence",
           QT_TRANSLATE_NOOP("Samples", "Forget gate: a full stop between two sentences"),
           QT_TRANSLATE_NOOP("Samples",
                             "“milk” scores as high with “tea” as with itself, but the gate of the full stop "
                             "is nearly closed: 1% of the weight is left for “tea”")},
    Sample{
        SampleGroup::Start, "differential_noise", QT_TRANSLATE_NOOP("Samples", "Differential: one word in the noise"),
        QT_TRANSLATE_NOOP("Samples", "The first half gives “noon” 37% of its weight, the second 12%; with 0.8 of the "
                                     "second taken away, only “noon” is left above 0")},
    Sample{SampleGroup::Faster, "mla_cache",
           QT_TRANSLATE_NOOP("Samples", "Latent keys and values: two heads, one narrow cache"),
           QT_TRANSLATE_NOOP("Samples", "A token leaves 6 numbers in the cache, 4 of its latent row and 2 of the key "
                                        "that the heads share; keys and values of both heads would be 20")},
    Sample{SampleGroup::Faster, "top_k_keys", QT_TRANSLATE_NOOP("Samples", "Top-k: three keys of eight"),
           QT_TRANSLATE_NOOP("Samples", "With three keys left “sharp” loses 2% of its weight, and “flat” loses 60%")},
    Sample{SampleGroup::Faster, "nsa_readings", QT_TRANSLATE_NOOP("Samples", "Native sparse: coarse, chosen and near"),
           QT_TRANSLATE_NOOP("Samples", "“t19” reads the first block, its own, and that of “t8” to “t11”, which its "
                                        "compressed reading found important")},
    Sample{SampleGroup::Models, "transformer",
           QT_TRANSLATE_NOOP("Samples", "Transformer: an untrained model, two layers each"),
           QT_TRANSLATE_NOOP("Samples", "Nobody has trained this model: follow what its layers compute, for what a "
                                        "word reads here has no meaning")},
};

} // namespace

std::span<const Sample> samples() { return sample_table; }

QString Sample::displayTitle() const { return QCoreApplication::translate("Samples", title); }
QString Sample::displayHelp() const { return QCoreApplication::translate("Samples", help); }

AttentionProblem Sample::read(std::string* view_json) const {
    const QString name = QLatin1String(id) + QStringLiteral(".npz");
    QFile file(QStringLiteral(":/attnlab/samples/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("a sample is missing: %s", id);
    const QByteArray bytes = file.readAll();
    return io::read_workspace(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))),
                              name.toStdString(), view_json);
}

namespace {

/// Only an application knows where the program is, and commands run without one.
QString programFolder() {
    if (QCoreApplication::instance())
        return QCoreApplication::applicationDirPath();
    int count = 1;
    char name[] = "attnlab";
    char* words[] = {name, nullptr};
    const QCoreApplication application(count, words);
    return QCoreApplication::applicationDirPath();
}

} // namespace

std::filesystem::path modelsFolder() {
    const QDir program(programFolder());
    return QFileInfo(QDir::cleanPath(program.filePath(QStringLiteral(ATTNLAB_DATA_DIR "/models"))))
        .filesystemFilePath();
}

std::filesystem::path sampleModelFolder() {
    const auto folder = modelsFolder() / "sample";
    std::error_code ignored;
    return std::filesystem::is_directory(folder, ignored) ? folder : std::filesystem::path();
}

QString modelName(const QString& path) {
    const QFileInfo file(path);
    return !path.isEmpty() && file.filesystemFilePath() == sampleModelFolder()
               ? QCoreApplication::translate("Samples", "sample model")
               : file.fileName();
}

} // namespace attnlab::ui
