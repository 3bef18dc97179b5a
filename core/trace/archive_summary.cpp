// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

namespace attn {

namespace {

constexpr auto summary = "summary";
constexpr auto sentence = "sentence";

class SummaryReader
{
public:
    SummaryReader(ArchiveArrays& arrays, Index length)
        : m_arrays(arrays)
        , m_length(length)
    {
    }

    void read(TraceBuilder& builder) const
    {
        NpyStream* sentences = m_arrays.find("sentence_attentions");
        std::int64_t rows = 0;
        if (NpyStream* weights = m_arrays.find("summary_attentions", {"rows", m_length})) {
            rows = weights->shape()[0];
            if (rows < 1)
                m_arrays.refuse("summary_attentions", "has no rows");
            AttentionBlock block = blockOf(0);
            block.rowAxis = sentences != nullptr ? AttentionAxis::Sentences
                : rows > 1                       ? AttentionAxis::Hops
                                                 : AttentionAxis::Text;
            report(builder, block, summary, *weights, rows);
        }
        if (sentences != nullptr) {
            if (rows == 0)
                m_arrays.refuse("sentence_attentions", "is there without summary_attentions");
            m_arrays.find("sentence_attentions", {rows}); // one for each row of summary_attentions
            AttentionBlock block = blockOf(1);
            block.rowAxis = AttentionAxis::Text;
            block.columnAxis = AttentionAxis::Sentences;
            report(builder, block, sentence, *sentences, 1);
        }
        readClasses(builder);
    }

private:
    static AttentionBlock blockOf(int layer)
    {
        AttentionBlock block;
        block.site = {Stage::Encoder, layer};
        return block;
    }

    void report(TraceBuilder& builder, AttentionBlock block, const std::string& name, NpyStream& weights,
                std::int64_t rows) const
    {
        NumberVector<float> before;
        if (NpyStream* scores = m_arrays.find(name + "_scores")) {
            if (scores->shape() != weights.shape())
                m_arrays.refuse(name + "_scores", "has another shape than the weights");
            before = scores->floats(scores->size());
        }
        const auto values = weights.floats(weights.size());
        const auto rowCount = static_cast<Index>(rows);
        const Index columns = indexSize(values) / rowCount;
        block.weights = {values.data(), rowCount, columns};
        if (!before.empty())
            block.scores = {before.data(), rowCount, columns};
        builder.attention(block);
    }

    void readClasses(TraceBuilder& builder) const
    {
        NpyStream* logits = m_arrays.find("class_logits", {"classes"});
        if (logits == nullptr)
            return;
        if (logits->size() == 0)
            m_arrays.refuse("class_logits", "has no classes");
        std::vector<std::string> labels;
        if (NpyStream* names = m_arrays.find("class_names", {logits->shape()[0]}))
            labels = names->all().texts();
        for (std::size_t i = labels.size(); i < logits->size(); ++i)
            labels.push_back(fmt::format("class {}", i));
        builder.classified(classification(std::move(labels), logits->floats(logits->size())));
    }

    ArchiveArrays& m_arrays;
    Index m_length;
};

} // namespace

void addSummaries(WrittenArrays& arrays, const Trace& trace, bool scores)
{
    for (const Site& site : trace.sites()) {
        const AttentionAxis axis = trace.rowAxis(site);
        if (site.stage != Stage::Encoder || axis == AttentionAxis::Tokens)
            continue;
        const bool ofSentences = trace.columnAxis(site) == AttentionAxis::Sentences;
        const auto add = [&](const char* what, const Numbers& matrix) {
            const NpyArray::Shape shape =
                ofSentences ? NpyArray::Shape{matrix.columns} : NpyArray::Shape{matrix.rows, matrix.columns};
            if (!matrix.values.empty())
                arrays.emplace(fmt::format("{}_{}", ofSentences ? sentence : summary, what),
                               NpyArray::fromFloats(shape, matrix.values));
        };
        add("attentions", trace.matrix(site, 0));
        if (scores)
            add("scores", trace.scores(site, 0));
    }
    if (const auto& result = trace.classification()) {
        const NpyArray::Shape shape{std::ssize(result->logits)};
        arrays.emplace("class_logits", NpyArray::fromFloats(shape, result->logits));
        arrays.emplace("class_names", NpyArray::fromTexts(shape, result->labels));
    }
}

void readSummaries(ArchiveArrays& arrays, Index length, TraceBuilder& builder)
{
    SummaryReader(arrays, length).read(builder);
}

} // namespace attn
