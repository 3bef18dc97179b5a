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
constexpr auto labelsName = "label_names";
constexpr auto tokensName = "token_logits";
constexpr auto spanName = "span_logits";

class SummaryReader
{
public:
    SummaryReader(ArchiveArrays& arrays, Index length, ClassReading reading)
        : m_arrays(arrays)
        , m_length(length)
        , m_reading(reading)
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
        readTokens(builder, TaskHead::Tokens, tokensName);
        readTokens(builder, TaskHead::Span, spanName);
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
        builder.classified(classification(labels(logits->shape()[0]), logits->floats(logits->size()), m_reading));
    }

    std::vector<std::string> labels(std::int64_t count) const
    {
        std::vector<std::string> result;
        for (const char* name : {labelsName, "class_names"}) {
            if (NpyStream* names = result.empty() ? m_arrays.find(name, {count}) : nullptr)
                result = names->all().texts();
        }
        for (auto i = std::ssize(result); i < count; ++i)
            result.push_back(fmt::format("LABEL_{}", i));
        return result;
    }

    void readTokens(TraceBuilder& builder, TaskHead task, const char* name) const
    {
        NpyStream* const logits = m_arrays.find(name, {m_length, "labels"});
        if (logits == nullptr)
            return;
        const std::int64_t width = logits->shape()[1];
        if (width < 1 || (task == TaskHead::Span && width != 2))
            m_arrays.refuse(
                name,
                fmt::format("has {} columns, expected {}", width, task == TaskHead::Span ? "2" : "one for each label"));
        TokenPredictions result;
        result.task = task;
        if (task == TaskHead::Tokens)
            result.labels = labels(width);
        result.logits = {m_length, static_cast<Index>(width), logits->floats(logits->size())};
        result.reading = m_reading;
        builder.labelled(result);
    }

    ArchiveArrays& m_arrays;
    Index m_length;
    ClassReading m_reading;
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
        arrays.emplace(labelsName, NpyArray::fromTexts(shape, result->labels));
    }
    if (const auto& result = trace.tokenPredictions()) {
        const Numbers& logits = result->logits;
        arrays.emplace(result->task == TaskHead::Span ? spanName : tokensName,
                       NpyArray::fromFloats({logits.rows, logits.columns}, logits.values));
        if (!result->labels.empty())
            arrays.emplace(labelsName, NpyArray::fromTexts({std::ssize(result->labels)}, result->labels));
    }
}

void readSummaries(ArchiveArrays& arrays, Index length, ClassReading reading, TraceBuilder& builder)
{
    SummaryReader(arrays, length, reading).read(builder);
}

} // namespace attn
