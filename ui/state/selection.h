// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/head_reading.h"
#include "state/appearance.h"
#include "trace/trace.h"

#include <QFlags>
#include <QObject>

#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

// Selection: what is being looked at, shared by all views: they listen here and never know each other.
class Selection : public QObject
{
    Q_OBJECT

public:
    enum Field {
        SiteField = 1,
        HeadField = 2,
        LeafField = 4,
        StepField = 8,
        CellField = 16,
        PlayField = 32,
        AboutField = 64,
        MomentField = 128
    };
    Q_DECLARE_FLAGS(Fields, Field)

    using QObject::QObject;

    Site site() const { return m_site; }
    HeadReading head() const { return m_head; }
    // Output position that readings explain; they are of the best output.
    const ReadingAbout& about() const { return m_about; }
    std::optional<StepId> leaf() const { return m_leaf; } // last step of the hypothesis; none: the best
    std::optional<int> step() const { return m_step; } // position in the target
    bool plays() const { return m_plays; } // the output is written once more: steps after this one are still to come
    // While it plays, how far the step has come to be written, 0 to 1; none: it is written.
    std::optional<double> moment() const { return m_moment; }
    std::optional<int> row() const { return m_row; } // under the pointer or the keyboard
    std::optional<int> column() const { return m_column; }
    // Likewise, by what is looked at: the step, and the token of what was read.
    struct Pointed
    {
        std::optional<int> step = {};
        std::optional<int> token = {};

        friend bool operator==(const Pointed&, const Pointed&) = default;
    };
    const Pointed& pointed() const { return m_pointed; }

    void setSite(Site site) { setSiteAndHead(site, m_head); }
    void setHead(HeadReading head) { setSiteAndHead(m_site, head); }
    void setSiteAndHead(Site site, HeadReading head)
    {
        tell(set(m_site, site, SiteField) | set(m_head, head, HeadField));
    }
    void setAbout(const ReadingAbout& about) { tell(set(m_about, about, AboutField)); }
    void setLeaf(std::optional<StepId> leaf) { tell(set(m_leaf, leaf, LeafField)); }
    void setStep(std::optional<int> step) { tell(set(m_step, step, StepField)); }
    void setPlays(bool plays) { tell(set(m_plays, plays, PlayField)); }
    void setMoment(std::optional<double> moment) { tell(set(m_moment, moment, MomentField)); }
    void setCell(std::optional<int> row, std::optional<int> column)
    {
        tell(set(m_row, row, CellField) | set(m_column, column, CellField));
    }

    void setPointed(const Pointed& pointed) { tell(set(m_pointed, pointed, CellField)); }

Q_SIGNALS:
    void changed(attn::ui::Selection::Fields fields);

private:
    // The field if this is new.
    template<class Value>
    static Fields set(Value& value, Value next, Field field)
    {
        return std::exchange(value, next) != next ? Fields(field) : Fields();
    }
    void tell(Fields fields)
    {
        if (fields)
            Q_EMIT changed(fields);
    }

    Site m_site{Stage::Cross, 0};
    HeadReading m_head;
    ReadingAbout m_about;
    std::optional<StepId> m_leaf;
    std::optional<int> m_step;
    bool m_plays = false;
    std::optional<double> m_moment;
    std::optional<int> m_row;
    std::optional<int> m_column;
    Pointed m_pointed;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(Selection::Fields)

// Heads of one stage are looked at together: which they are is in the choices of figures, and what of them is shown in
// the selection, the mean unless it is another reading of several heads already. A single one is shown itself; none: no
// head is picked. The site becomes that of `at`, if it is one of them.
void pickHeads(Selection& selection, Appearance& appearance, std::vector<HeadPlace> picked, HeadPlace at);
// The selection stays.
void pickNone(Appearance& appearance);

} // namespace attn::ui
