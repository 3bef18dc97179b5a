// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/grounding.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "inference/answer.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "nn/engine.h"
#include "readings/head_reading.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::app {

namespace {

struct GroundArguments
{
    std::string scenes;
    std::string site;
    std::string output;
    bool all = false;
    RunRequest request;
};

// One picture with its caption, and where the objects of each word are.
struct Scene
{
    std::string image;
    std::string caption;
    std::vector<std::vector<PictureBox>> words; // boxes in pixels; empty: nothing that has a place
};

PictureBox boxOf(const JsonObject& object)
{
    constexpr auto expected = "left, top, right and bottom in pixels";
    const auto& box = object.requireList("box", expected);
    if (box.size() != 4 || !std::ranges::all_of(box, [](const auto& edge) { return edge.is_number(); }))
        object.refuse("box", expected);
    return {box[0].template get<float>(), box[1].template get<float>(), box[2].template get<float>(),
            box[3].template get<float>()};
}

Scene readScene(const std::string& line, const std::string& where, const std::filesystem::path& folder)
{
    constexpr std::size_t mostObjects = 10000;
    const JsonObject json = JsonObject::parse(line, where);
    Scene scene{(folder / json.requireString("image")).string(), json.requireString("caption"), {}};
    std::vector<PictureBox> boxes;
    for (const JsonObject& object : json.requireObjects("objects", mostObjects))
        boxes.push_back(boxOf(object));
    constexpr auto expected = "a list of objects for each word of the caption";
    for (const auto& word : json.requireList("words", expected)) {
        std::vector<PictureBox>& own = scene.words.emplace_back();
        if (!word.is_array())
            json.refuse("words", expected);
        for (const auto& object : word) {
            if (!object.is_number_integer())
                json.refuse("words", expected);
            if (object == -1)
                continue; // the background
            const auto number = indexIn(object, static_cast<int>(boxes.size()) - 1);
            if (!number)
                json.refuse("words", fmt::format("objects from 0 to {}, or -1", boxes.size() - 1));
            own.push_back(boxes[static_cast<std::size_t>(*number)]);
        }
    }
    return scene;
}

// Sums over words.
struct GroundedWords
{
    std::int64_t words = 0;
    Grounding sums;

    void add(const Grounding& one)
    {
        ++words;
        sums.inside += one.inside;
        sums.uniform += one.uniform;
        sums.hit += one.hit;
        sums.special += one.special;
    }
    double meanOf(double sum) const { return words > 0 ? sum / static_cast<double>(words) : 0; }
    std::string row(const std::string& site) const
    {
        return fmt::format("{}\t{}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\n", site, words, meanOf(sums.inside),
                           meanOf(sums.uniform), meanOf(sums.hit), meanOf(sums.special));
    }
};

class GroundRun
{
public:
    explicit GroundRun(GroundArguments& arguments)
        : m_arguments(arguments)
        , m_lines(readLines(arguments.scenes))
        , m_engine(arguments.request.threads, arguments.request.question.precision, arguments.request.weights)
        , m_model(loadModel(arguments.request.question.model, m_engine, {}, m_interrupt.token()))
    {
        const ModelInfo& info = m_model.model->info();
        if (!info.readsPictures() || info.crossHeads == 0)
            throw UsageError("this model has no attention from words to the places of a picture");
        if (!m_model.tokenizers.target)
            throw Error(ErrorKind::Input, m_model.name, "has no tokenizer files, so it reads no caption");
        for (int layer = 0; layer < info.crossLayers; ++layer) {
            const Site site{Stage::Cross, layer};
            for (int head = 0; m_arguments.all && head < info.heads(site); ++head)
                m_sites.push_back({site, head});
            if (m_arguments.all)
                m_sites.push_back({site, parseHead("mean", "mean")});
        }
        if (!m_arguments.all)
            m_sites.push_back(
                chooseSite(arguments.site, info.bestSite, [&info](Site site) { return info.heads(site); }));
        if (m_sites.front().site.stage != Stage::Cross)
            throw UsageError("--site: words look at a picture in cross attention");
        m_sums.resize(m_sites.size());
    }

    // Returns how many lines failed.
    int run()
    {
        int failed = 0;
        const std::filesystem::path folder = std::filesystem::path(m_arguments.scenes).parent_path();
        ProgressLine progress;
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            progress.show(i, m_lines.size());
            const std::string where = fmt::format("{}: line {}", m_arguments.scenes, i + 1);
            try {
                ground(readScene(m_lines[i], where, folder), i + 1);
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::Cancelled)
                    throw;
                std::cerr << fmt::format("attnscope: {}: {}\n", escaped(where), escaped(error.whole()));
                ++failed;
            }
        }
        progress.show(m_lines.size(), m_lines.size());
        return failed;
    }

    std::string table() const
    {
        std::string text = "site\twords\tinside\tuniform\thit\tspecial\n";
        std::size_t best = 0;
        for (std::size_t i = 0; i < m_sites.size(); ++i) {
            text += m_sums[i].row(siteText(m_sites[i]));
            if (m_sums[i].meanOf(m_sums[i].sums.inside) > m_sums[best].meanOf(m_sums[best].sums.inside))
                best = i;
        }
        return m_arguments.all ? text + m_sums[best].row(siteText(m_sites[best])) : text;
    }
    const std::string& words() const { return m_words; }

private:
    void ground(const Scene& scene, std::size_t line)
    {
        Question question = m_arguments.request.question;
        question.image = scene.image;
        question.targetText = scene.caption;
        const Trace trace = answer(question, m_model, m_engine,
                                   {.stop = m_interrupt.token(), .picture = pictureReader()}, EditsFit::WherePossible);
        const JsonObject about = JsonObject::parse(trace.media()->about, "image");
        constexpr int most = 1 << 20;
        const auto width = static_cast<float>(about.requireInt("width", 1, most));
        const auto height = static_cast<float>(about.requireInt("height", 1, most));
        const Encoding caption = m_model.tokenizers.target->encode(scene.caption);
        std::vector<int> wordOf = blankWords(caption);
        const std::size_t steps = trace.target().size();
        if (wordOf.size() > steps) // a start token is not written
            wordOf.erase(wordOf.begin(), wordOf.end() - static_cast<std::ptrdiff_t>(steps));
        for (std::size_t i = 0; i < m_sites.size(); ++i) {
            const Numbers weights = readWeights(trace, m_sites[i]);
            for (std::size_t word = 0; word < scene.words.size(); ++word) {
                std::vector<PictureBox> boxes;
                for (const PictureBox& box : scene.words[word])
                    boxes.push_back({box.left / width, box.top / height, box.right / width, box.bottom / height});
                if (boxes.empty())
                    continue;
                const Grounding found =
                    groundingOf(rowOf(weights, wordOf, static_cast<int>(word)), trace.source(), boxes);
                m_sums[i].add(found);
                if (!m_arguments.output.empty())
                    m_words += wordLine(line, m_sites[i], static_cast<int>(word), found);
            }
        }
    }

    // The sum over a word's tokens.
    static std::vector<float> rowOf(const Numbers& weights, const std::vector<int>& wordOf, int word)
    {
        std::vector<float> sums(static_cast<std::size_t>(weights.columns), 0.0F);
        for (Index row = 0; row < std::min(weights.rows, indexSize(wordOf)); ++row) {
            if (wordOf[static_cast<std::size_t>(row)] == word)
                std::ranges::transform(sums, weights.row(row), sums.begin(), std::plus<>());
        }
        return sums;
    }

    static std::string wordLine(std::size_t line, const SiteChoice& site, int word, const Grounding& found)
    {
        const nlohmann::ordered_json json{{"line", line},
                                          {"site", siteText(site)},
                                          {"word", word},
                                          {"inside", found.inside},
                                          {"uniform", found.uniform},
                                          {"hit", found.hit},
                                          {"special", found.special}};
        return json.dump() + '\n';
    }

    GroundArguments& m_arguments;
    std::vector<std::string> m_lines;
    InterruptWatch m_interrupt; // after the lines are read
    Engine m_engine;
    LoadedModel m_model;
    std::vector<SiteChoice> m_sites;
    std::vector<GroundedWords> m_sums;
    std::string m_words;
};

// Returns how many lines failed.
int ground(GroundArguments& arguments)
{
    if (arguments.all && !arguments.site.empty())
        throw UsageError("give --site or --all, not both");
    if (!arguments.output.empty()) {
        requireOtherOutput("--scenes", arguments.scenes, arguments.output);
        requireOtherThanModel(arguments.request.question.model, {"--output", arguments.output});
        requireWritable({"--output", arguments.output});
    }
    if (holdsRuns(arguments.request.question.model))
        throw UsageError("ground runs a model; an archive or session is the result of a run");
    GroundRun run(arguments);
    const int failed = run.run();
    std::cout << run.table();
    if (!arguments.output.empty()) {
        AtomicFile output(arguments.output);
        output.write(run.words());
        output.commit();
    }
    return failed;
}

} // namespace

void addGroundCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand("ground", "whether words look where the things are that they speak of");
    auto arguments = std::make_shared<GroundArguments>();
    addModel(*command, arguments->request.question.model, "bundled name, checkpoint directory or file");
    arguments->request.addTo(*command, editAndRun);
    command->add_option("--scenes", arguments->scenes, "a picture a line, with caption, objects and words as JSON")
        ->required()
        ->type_name("FILE");
    command->add_option("--site", arguments->site, "cross:LAYER:HEAD; without, the model's best")->type_name("SITE");
    command->add_flag("--all", arguments->all, "every head and every layer's mean, and last the best");
    command->add_option("--output", arguments->output, "what was found word by word, JSON lines")->type_name("FILE");
    command->callback([arguments, &status] {
        if (ground(*arguments) > 0)
            status = Failed;
    });
}

} // namespace attn::app
