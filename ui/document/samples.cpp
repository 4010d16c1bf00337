#include "ui/document/samples.h"

#include "core/io/workspace.h"

#include <QCoreApplication>
#include <QFile>

#include <array>

namespace attnlab::ui {
namespace {

const std::array sample_table = {
    Sample{
        "milk_or_cat_sweet", QT_TRANSLATE_NOOP("Samples", "Milk or cat? … because it was sweet"),
        QT_TRANSLATE_NOOP(
            "Samples", "The worked example: “it” is nearer to milk. Tick “After softmax” for the numbers as printed")},
    Sample{"milk_or_cat_hungry", QT_TRANSLATE_NOOP("Samples", "Milk or cat? … because it was hungry"),
           QT_TRANSLATE_NOOP(
               "Samples",
               "The worked example: “it” is nearer to the cat. Tick “After softmax” for the numbers as printed")},
    Sample{"multi_head_fox", QT_TRANSLATE_NOOP("Samples", "Four heads: The quick brown fox"),
           QT_TRANSLATE_NOOP("Samples", "The token before, nouns and verbs, neighbours, nearly uniform")},
    Sample{"cross_attention", QT_TRANSLATE_NOOP("Samples", "Cross-attention: three words read five"),
           QT_TRANSLATE_NOOP("Samples", "Queries and keys from different sentences, L ≠ S")},
    Sample{"padding", QT_TRANSLATE_NOOP("Samples", "Padding: two sentences in one batch"),
           QT_TRANSLATE_NOOP("Samples", "The shorter sentence is filled up, and the filling is masked")},
    Sample{"patches", QT_TRANSLATE_NOOP("Samples", "Patches of a picture: four words look for their colours"),
           QT_TRANSLATE_NOOP("Samples", "Keys are the cells of an image: the inspector shows on it what a word reads")},
    Sample{"flash_tiles", QT_TRANSLATE_NOOP("Samples", "Flash: twelve words in tiles"),
           QT_TRANSLATE_NOOP("Samples", "An online softmax tile by tile; tiles above the diagonal are not read")},
    Sample{"paged_cache", QT_TRANSLATE_NOOP("Samples", "Paged cache: three new words read ten"),
           QT_TRANSLATE_NOOP("Samples", "Keys and values scattered over a pool of pages, found by a table")},
    Sample{"longformer_window", QT_TRANSLATE_NOOP("Samples", "Longformer: a word beyond the window"),
           QT_TRANSLATE_NOOP("Samples", "“it” looks for “river”, which only a global token could carry so far")},
    Sample{"linformer_pooled", QT_TRANSLATE_NOOP("Samples", "Linformer: twelve words pooled by threes"),
           QT_TRANSLATE_NOOP("Samples", "A soft neighbourhood survives the pooling, a look at single words does not")},
    Sample{"performer_features", QT_TRANSLATE_NOOP("Samples", "Performer: a flat head and a sharp one"),
           QT_TRANSLATE_NOOP("Samples", "Sixty-four random features show the flat head well, the sharp one badly")},
    Sample{"reformer_buckets", QT_TRANSLATE_NOOP("Samples", "Reformer: sixteen words of four kinds"),
           QT_TRANSLATE_NOOP("Samples", "The hash puts words of a kind into a bucket without comparing all pairs")},
    Sample{"hierarchical_context", QT_TRANSLATE_NOOP("Samples", "Context: a cat in one paragraph, stocks in the other"),
           QT_TRANSLATE_NOOP("Samples", "Each key is read together with its sentence and its paragraph")},
    Sample{"transformer", QT_TRANSLATE_NOOP("Samples", "Transformer: an untrained model, two layers each"),
           QT_TRANSLATE_NOOP("Samples",
                             "Encoder and decoder with random weights: what each layer computes, not what one learns")},
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

} // namespace attnlab::ui
