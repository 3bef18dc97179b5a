// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/length/length_run.h"

#include "base/error.h"
#include "io/mapped_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <filesystem>
#include <fmt/format.h>

namespace attn::ui {

namespace {

QString text(const char* source)
{
    return QCoreApplication::translate("attn::ui::LengthRun", source);
}

// Throws what MappedFile and parseSentencePairs throw, naming the file.
std::vector<SentencePair> readPairs(const QString& path)
{
    const MappedFile file{std::filesystem::path(QFile::encodeName(path).toStdString())};
    const std::string name = QFileInfo(path).fileName().toStdString();
    if (file.bytes().size() > LengthRun::mostBytes)
        throw Error(
            ErrorKind::Input, name,
            fmt::format("has {} MB; at most {} are read", file.bytes().size() >> 20, LengthRun::mostBytes >> 20),
            "choose a smaller part of it");
    try {
        std::vector<SentencePair> pairs = parseSentencePairs(file.text(), LengthRun::mostPairs);
        if (pairs.empty())
            throw Error(ErrorKind::Input, "file", "has no sentences",
                        "write a source, a tab and a reference on each line");
        return pairs;
    } catch (const Error& error) {
        const std::string where = error.where() == "file" ? name : fmt::format("{}: {}", name, error.where());
        throw Error(error.kind(), where, error.problem(), error.advice());
    }
}

} // namespace

LengthRun::LengthRun(Plan plan, Sink sink)
    : m_plan(std::move(plan))
    , m_sink(std::move(sink))
{
}

bool LengthRun::step(JobTools& tools)
{
    if (m_pairs.empty())
        readFile();
    else if (m_readers.size() < static_cast<std::size_t>(m_plan.models.size()))
        load(tools);
    else
        measure(tools);
    const bool finished = m_done > 0 && m_done == m_pairs.size() * m_readers.size();
    publish(tools, finished);
    return !finished;
}

void LengthRun::readFile()
{
    m_pairs = readPairs(m_plan.file);
    if (m_plan.most > 0 && m_pairs.size() > static_cast<std::size_t>(m_plan.most))
        m_pairs.resize(static_cast<std::size_t>(m_plan.most));
    std::vector<int> lengths;
    for (const SentencePair& pair : m_pairs)
        lengths.push_back(wordCount(pair.source));
    m_bins = lengthBins(lengths, bins);
    m_binOf.resize(m_pairs.size());
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        for (const std::size_t sentence : m_bins[bin].sentences)
            m_binOf[sentence] = bin;
    }
}

void LengthRun::load(JobTools& tools)
{
    const QString wanted = m_plan.models[static_cast<qsizetype>(m_readers.size())];
    tools.progress(text("Loading %1").arg(QFileInfo(wanted).fileName()), 0);
    auto model = tools.models.load(wanted.toStdString(), tools.engine, {}, tools.stop);
    if (model->model->info().kind != ModelKind::EncoderDecoder)
        throw Error(ErrorKind::Unsupported, model->name, "does not turn one text into another",
                    "choose encoder-decoder models");
    if (!model->tokenizers.source || !model->tokenizers.target)
        throw Error(ErrorKind::Unsupported, model->name, "has no tokenizer files, so it cannot read text",
                    "choose another model");
    m_readers.push_back({std::move(model), std::vector<Sums>(m_bins.size()), {}});
}

void LengthRun::measure(JobTools& tools)
{
    const std::size_t sentence = m_done / m_readers.size();
    Reader& reader = m_readers[m_done % m_readers.size()];
    tools.progress(text("Sentence %1 of %2, %3")
                       .arg(sentence + 1)
                       .arg(m_pairs.size())
                       .arg(QString::fromStdString(reader.model->name)),
                   static_cast<double>(m_done) / static_cast<double>(m_pairs.size() * m_readers.size()));
    try {
        reader.latest = m_refused ? Sums{} : read(reader, m_pairs[sentence], tools);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input) // too long for this model, for example
            throw;
        m_refused = true;
        if (m_leftOut++ == 0)
            m_reason = QString::fromUtf8(error.what());
    }
    if (++m_done % m_readers.size() == 0)
        keepSentence(m_binOf[sentence]);
}

// A sentence counts for all models or for none: their curves are of the same sentences.
void LengthRun::keepSentence(std::size_t bin)
{
    for (Reader& reader : m_readers) {
        if (m_refused)
            break;
        Sums& sums = reader.sums[bin];
        ++sums.sentences;
        sums.counts += reader.latest.counts;
        sums.logProbability += reader.latest.logProbability;
        sums.tokens += reader.latest.tokens;
    }
    m_refused = false;
}

LengthRun::Sums LengthRun::read(const Reader& reader, const SentencePair& pair, JobTools& tools) const
{
    Question question;
    question.text = pair.source;
    question.sourceLanguage = m_plan.asked.sourceLanguage;
    question.targetLanguage = m_plan.asked.targetLanguage;
    question.capture.attention = false;
    question.decoding.candidates = 1;
    const bool forced = m_plan.measure == LengthMeasure::LogProbability;
    if (forced)
        question.targetText = pair.reference;
    const Trace trace = answer(fitted(question, *reader.model), *reader.model, tools.engine, {tools.stop});
    Sums sums;
    if (forced) {
        for (const auto& step : trace.path()) {
            sums.logProbability += static_cast<double>(step->step.logProbability);
            ++sums.tokens;
        }
    } else {
        sums.counts = bleuCounts(reader.model->tokenizers.target->decode(trace.target().ids), pair.reference);
    }
    return sums;
}

LengthCurves LengthRun::curves() const
{
    LengthCurves result;
    result.measure = m_plan.measure;
    result.origin = QFileInfo(m_plan.file).fileName();
    result.sentences = m_readers.empty() ? 0 : static_cast<int>(m_done / m_readers.size());
    result.leftOut = m_leftOut;
    result.reason = m_reason;
    for (std::size_t i = 0; i < m_readers.size(); ++i) {
        LengthCurve curve{m_plan.models[static_cast<qsizetype>(i)], static_cast<int>(i), {}};
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
            const Sums& sums = m_readers[i].sums[bin];
            if (sums.sentences == 0)
                continue;
            const double value = m_plan.measure == LengthMeasure::Bleu
                ? bleu(sums.counts)
                : sums.logProbability / static_cast<double>(std::max(1L, sums.tokens));
            curve.points.push_back({m_bins[bin].from, m_bins[bin].to, sums.sentences, value});
        }
        result.curves.push_back(std::move(curve));
    }
    return result;
}

void LengthRun::publish(JobTools& tools, bool finished)
{
    constexpr std::chrono::milliseconds interval(100);
    const auto now = std::chrono::steady_clock::now();
    if (m_done == 0 || (!finished && now - m_published < interval))
        return;
    m_published = now;
    tools.publish([sink = m_sink, result = curves()] { sink(result); });
}

} // namespace attn::ui
