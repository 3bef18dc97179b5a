// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A reading of a site: the head that it is of, and what it explains, where it has such.
class HeadReading
{
public:
    HeadReading(int head = 0) // NOLINT(google-explicit-constructor)
        : m_head(head)
    {
    }
    HeadReading(const Reading& reading, std::optional<int> head = {}, // NOLINT(google-explicit-constructor)
                const ReadingAbout& about = {})
        : m_reading(&reading)
        , m_head(headOf(reading, head))
        , m_about(explainsOutput(reading) ? about : ReadingAbout())
    {
    }

    const Reading& reading() const { return *m_reading; }
    std::optional<int> head() const { return m_head; }
    const ReadingAbout& about() const { return m_about; }
    // The same of a head; where the reading has no numbers for each head, that head's weights.
    HeadReading ofHead(int head) const
    {
        return m_reading->of == ReadingOf::EachHead ? HeadReading(*m_reading, head, m_about) : HeadReading(head);
    }
    HeadReading withAbout(const ReadingAbout& about) const { return {*m_reading, m_head, about}; }

    friend bool operator==(const HeadReading&, const HeadReading&) = default;

private:
    // The head given, where the reading has one.
    static std::optional<int> headOf(const Reading& reading, std::optional<int> head);

    const Reading* m_reading = &oneHead; // never null
    std::optional<int> m_head;
    ReadingAbout m_about;
};

// Heads of a stage that were picked: some of the layer that is shown, whichever that is, and some of other layers.
struct HeadSet
{
    std::vector<int> ofLayer;
    std::vector<HeadPlace> elsewhere;

    static HeadSet of(const std::vector<HeadPlace>& places, int layer);

    bool empty() const { return ofLayer.empty() && elsewhere.empty(); }
    // By layer and head.
    std::vector<HeadPlace> places(int layer) const;
    std::vector<HeadPlace> existing(const Trace& trace, Site site) const;

    friend bool operator==(const HeadSet&, const HeadSet&) = default;
};

// An attention, and how it is read.
struct SiteChoice
{
    Site site;
    HeadReading head;
};

// Readings of more than one head that are made of maps: those of heads where there are several, those of layers where
// the run lacks nothing.
std::vector<const Reading*> offeredReadings(const Trace& trace, Site site, int heads);

// The heads of `choice`; of those of the layer the picked ones, if there are any.
ReadingInput readingInput(const Trace& trace, const SiteChoice& choice, std::optional<StepId> leaf = {},
                          const HeadSet& picked = {});
// The numbers of a whole run, or some of its rows. Throws Error{Input} for a head that does not exist or a reading that
// the run lacks something for, Error{Cancelled} by ThreadStop.
Numbers readWeights(const Trace& trace, const SiteChoice& choice, std::optional<StepId> leaf = {}, RowSpan rows = {});

// As commands, settings and sessions write them: "3", "mean", "cross:2:mean"; of a head "norms:3"; about position 4 of
// the output, not its token but the token 17, "lrp@4-17", about all of them "lrp@all".
std::string headText(const HeadReading& head);
std::string siteText(const SiteChoice& choice);

// A missing layer or head is 0. READING:LAYER or READING:LAYER:HEAD is an attention of the stage `usual`, where there
// is one. Each throws Error{Input} that names `where`, or the part of it.
SiteChoice parseSite(std::string_view text, const std::string& where, std::optional<Stage> usual = {});
HeadReading parseHead(std::string_view text, const std::string& where);
// "a number, mean or max".
std::string headForms();

} // namespace attn
