// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs_model.h"

#include "state/run_words.h"
#include "state/strings.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

RunsModel::RunsModel(Study& study, QObject* parent)
    : QAbstractItemModel(parent)
    , m_study(study)
{
    m_rows = read(); // which looks for what it knows already
    connect(&study, &Study::runsChanged, this, &RunsModel::refresh);
    connect(&study, &Study::shownRunChanged, this, &RunsModel::tellAll);
}

std::vector<RunsModel::Row> RunsModel::read() const
{
    std::vector<Row> rows;
    for (const Run& run : m_study.runs().runs()) {
        Row row;
        row.id = run.id;
        row.parent = run.parent;
        row.name = runName(m_study.runs(), run);
        row.note = text(run.note);
        row.trace = &run.trace.provenance();
        row.steps = run.trace.stepCount();
        row.finished = run.finished();
        const Row* const before = find(run.id);
        if (before != nullptr && before->trace == row.trace && before->steps == row.steps
            && before->finished == row.finished) {
            row.output = before->output;
            row.logProbability = before->logProbability;
        } else {
            row.output = runOutput(run.trace);
            row.logProbability = runLogProbability(run.trace);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void RunsModel::refresh()
{
    std::vector<Row> rows = read();
    const auto sameRun = [](const Row& a, const Row& b) { return a.id == b.id && a.parent == b.parent; };
    const bool grew =
        rows.size() == m_rows.size() + 1 && std::equal(m_rows.begin(), m_rows.end(), rows.begin(), sameRun);
    if (grew) {
        const QModelIndex below = indexOf(rows.back().parent);
        const int row = rowCount(below);
        beginInsertRows(below, row, row);
        m_rows = std::move(rows);
        endInsertRows();
        tellAll();
    } else if (std::equal(m_rows.begin(), m_rows.end(), rows.begin(), rows.end(), sameRun)) {
        m_rows = std::move(rows);
        tellAll();
    } else {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
}

void RunsModel::tellAll()
{
    for (const Row& row : m_rows) {
        const QModelIndex index = indexOf(row.id);
        Q_EMIT dataChanged(index, index);
    }
}

const RunsModel::Row* RunsModel::find(std::optional<int> id) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [id](const Row& row) { return row.id == id; });
    return found == m_rows.end() ? nullptr : &*found;
}

std::vector<int> RunsModel::children(std::optional<int> parent) const
{
    std::vector<int> ids;
    for (const Row& row : m_rows) {
        if (row.parent == parent)
            ids.push_back(row.id);
    }
    return ids;
}

QModelIndex RunsModel::indexOf(std::optional<int> run) const
{
    const Row* const row = find(run);
    if (row == nullptr)
        return {};
    const std::vector<int> siblings = children(row->parent);
    const auto place = std::find(siblings.begin(), siblings.end(), row->id) - siblings.begin();
    return createIndex(static_cast<int>(place), 0, static_cast<quintptr>(row->id));
}

std::optional<int> RunsModel::runAt(const QModelIndex& index)
{
    return index.isValid() ? std::optional(static_cast<int>(index.internalId())) : std::nullopt;
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const
{
    const std::vector<int> ids = children(runAt(parent));
    if (row < 0 || row >= static_cast<int>(ids.size()) || column != 0)
        return {};
    return createIndex(row, 0, static_cast<quintptr>(ids[static_cast<std::size_t>(row)]));
}

QModelIndex RunsModel::parent(const QModelIndex& child) const
{
    const Row* const row = find(runAt(child));
    return row == nullptr ? QModelIndex() : indexOf(row->parent);
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return static_cast<int>(children(runAt(parent)).size());
}

int RunsModel::columnCount(const QModelIndex& /*parent*/) const
{
    return 1;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const Row* const row = find(runAt(index));
    if (row == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return row->name;
    case Qt::ToolTipRole:
        return toolTip(*row);
    case Qt::AccessibleTextRole:
        return accessibleText(*row);
    case IdRole:
        return row->id;
    case OutputRole:
        return m_study.growing() == row->id ? row->output + QStringLiteral(" …") : row->output;
    case LogProbabilityRole:
        return row->logProbability ? QVariant(*row->logProbability) : QVariant();
    case NoteRole:
        return row->note;
    case ShownRole:
        return m_study.shown() == row->id;
    case AgainstRole:
        return m_study.against() == row->id;
    default:
        return {};
    }
}

QString RunsModel::accessibleText(const Row& row) const
{
    QStringList parts{row.name, row.output};
    if (row.logProbability)
        parts << tr("log probability ") + logProbabilityText(*row.logProbability);
    parts << row.note << (m_study.shown() == row.id ? tr("on show") : QString())
          << (m_study.against() == row.id ? tr("compared with") : QString());
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

QString RunsModel::toolTip(const Row& row) const
{
    QString tip = QStringLiteral("<qt><b>") + row.name.toHtmlEscaped() + QStringLiteral("</b>");
    for (const QString& line : {row.output, row.note}) {
        if (!line.isEmpty())
            tip += QStringLiteral("<br>") + line.toHtmlEscaped();
    }
    return tip + QStringLiteral("</qt>");
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const auto run = runAt(index);
    if (!run || (role != Qt::EditRole && role != NoteRole))
        return false;
    if (role == Qt::EditRole)
        m_study.rename(*run, value.toString());
    else
        m_study.annotate(*run, value.toString());
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable : Qt::NoItemFlags;
}

} // namespace attn::ui
