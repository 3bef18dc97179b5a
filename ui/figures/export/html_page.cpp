// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/html_page.h"

#include "analysis/words.h"
#include "base/error.h"
#include "base/thread_stop.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/style.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/no_numbers.h"

#include <QBuffer>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::ui {

namespace {

constexpr qsizetype mostPageNumbers = 4'000'000; // of one page

QJsonArray jsonTexts(const QStringList& texts)
{
    return QJsonArray::fromStringList(texts);
}

// Four digits are more than an eye tells apart; null is what is blank, a text says what is no number.
QJsonArray jsonNumbers(const MatrixContent& content)
{
    QJsonArray numbers;
    for (int row = 0; row < content.rows(); ++row) {
        ThreadStop::check();
        for (int column = 0; column < content.columns(); ++column) {
            const auto value = static_cast<double>(content.map.at(row, column));
            numbers.append(content.map.hasNumber(row, column)   ? QJsonValue(std::round(value * 1e4) / 1e4)
                               : content.map.isNaN(row, column) ? QJsonValue(numberText(value, decimal(value, 4)))
                                                                : QJsonValue());
        }
    }
    return numbers;
}

QJsonObject mapOf(const FigureSpec& spec, const Trace& trace, const QString& name)
{
    MatrixContent content = spec.kind->numbers(spec, trace);
    addNote(content.title, content.description, noNumbersNote(content.map));
    const FigureChoices& choices = spec;
    QJsonArray rowEnds;
    for (const double end : content.rowEnds)
        rowEnds.append(end);
    QJsonObject map{
        {QStringLiteral("name"), name},
        {QStringLiteral("title"), content.title.title},
        {QStringLiteral("subtitle"), content.title.subtitle},
        {QStringLiteral("rows"), jsonTexts(content.rowLabels)},
        {QStringLiteral("columns"), jsonTexts(content.columnLabels)},
        {QStringLiteral("rowAxis"), content.rowAxis},
        {QStringLiteral("columnAxis"), content.columnAxis},
        {QStringLiteral("valueName"), content.valueName},
        {QStringLiteral("least"), content.least},
        {QStringLiteral("most"), content.most},
        {QStringLiteral("scale"), QString::fromStdString(*optionText(optionRow(figureRows(), "scale"), choices))},
        {QStringLiteral("rowEnds"), rowEnds},
        {QStringLiteral("empty"), content.empty},
        {QStringLiteral("values"), jsonNumbers(content)}};
    if (content.markedRow)
        map.insert(QStringLiteral("marked"), *content.markedRow);
    return map;
}

// The picture that columns are patches of, and where they lie; empty: they are none.
QJsonObject pictureOf(const FigureSpec& spec, const Trace& trace)
{
    const auto& media = trace.media();
    const Encoding tokens = spec.kind->drawsSite ? trace.columnTokens(spec.site, spec.leaf) : Encoding();
    if (!media || !media->picture || tokens.boxes.empty())
        return {};
    const Picture& pixels = *media->picture;
    const QImage image(pixels.rgb.data(), pixels.width, pixels.height, qsizetype{3} * pixels.width,
                       QImage::Format_RGB888);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    constexpr int quality = 90;
    if (!image.save(&buffer, "JPEG", quality))
        throw Error(ErrorKind::Resource, "HTML", Figure::tr("the picture cannot be compressed").toStdString(),
                    Figure::tr("choose PDF").toStdString());
    QJsonObject boxes; // by the names of columns, which a page may have fewer of
    const QStringList names = axisLabels(MapAxis{.groups = tokenAxis(tokens)});
    for (qsizetype i = 0; i < names.size(); ++i) {
        const PictureBox& box = tokens.boxes[static_cast<std::size_t>(i)];
        if (!std::isnan(box.left))
            boxes.insert(names[i],
                         QJsonArray{static_cast<double>(box.left), static_cast<double>(box.top),
                                    static_cast<double>(box.right), static_cast<double>(box.bottom)});
    }
    return {{QStringLiteral("image"),
             QString(QStringLiteral("data:image/jpeg;base64,") + QString::fromLatin1(bytes.toBase64()))},
            {QStringLiteral("width"), pixels.width},
            {QStringLiteral("height"), pixels.height},
            {QStringLiteral("boxes"), boxes}};
}

// The chosen one first, then the others of its stage while there is room.
QJsonArray mapsOf(const FigureSpec& spec, const Trace& trace, bool& complete)
{
    QJsonArray maps;
    if (spec.kind->drawsPositions)
        return {mapOf(spec, trace, Figure::tr("positions"))};
    std::vector<std::pair<Site, HeadReading>> wanted{{spec.site, spec.head}};
    for (const Site& site : trace.sites()) {
        const int heads = site.stage == spec.site.stage ? trace.heads(site) : 0;
        if (heads > 0 && spec.kind->drawsExperts) {
            wanted.emplace_back(site, spec.head);
            continue;
        }
        for (const Reading* reading : offeredReadings(trace, site, heads))
            wanted.emplace_back(site, *reading);
        for (int head = 0; head < heads; ++head)
            wanted.emplace_back(site, head);
    }
    qsizetype numbers = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [site, head] = wanted[i];
        if (i > 0 && wanted[i] == wanted.front())
            continue;
        FigureSpec one = spec;
        one.site = site;
        one.head = head;
        const QJsonObject map =
            mapOf(one, trace,
                  spec.kind->drawsExperts ? Figure::tr("layer %1").arg(site.layer)
                                          : siteName(site, trace.kind()) + QStringLiteral(", ") + headName(head));
        numbers += map.value(QStringLiteral("values")).toArray().size();
        complete = numbers <= mostPageNumbers;
        if (i > 0 && !complete)
            break;
        maps.append(map);
    }
    return maps;
}

QString cssColor(const QColor& color)
{
    return color.name();
}

// What may stand in a script element of any kind.
QByteArray inScript(const QJsonObject& data)
{
    QByteArray json = QJsonDocument(data).toJson(QJsonDocument::Compact);
    json.replace('<', "\\u003c");
    json.replace('>', "\\u003e");
    return json;
}

constexpr const char* pageScript = R"js(
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const element = (tag, text) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    return made;
};
const byId = (id) => document.getElementById(id);
// As the figure's own colour scale: see ValueScale.
const colorOf = (map, row, value) => {
    const shares = map.rowEnds.length > 0;
    const most = shares ? 1 : map.most;
    const least = shares ? (map.least < 0 ? -1 : 0) : map.least;
    const faintest = least > 0 ? least : Math.max(-least, most) * 1e-4;
    const shaped = (x) => {
        const size = Math.abs(x);
        if (map.scale === "sqrt") return Math.sign(x) * Math.sqrt(size);
        if (map.scale === "log") return size > faintest ? Math.sign(x) * Math.log10(size / faintest) : 0;
        return x;
    };
    const span = shaped(most) - shaped(least);
    const part = span > 0 ? (shaped(shares ? value / map.rowEnds[row] : value) - shaped(least)) / span : 0;
    return data.colors[Math.round(255 * Math.min(1, Math.max(0, part)))];
};
let current = null;
let chosen = null;

// A row's weights as light over the picture that its columns are patches of.
const picture = data.picture.image ? new Image() : null;
const canvas = picture ? element("canvas") : null;
let lit = 0;
function light(row) {
    if (!picture || !picture.complete || !current.rows.length) return;
    lit = Math.max(0, Math.min(current.rows.length - 1, row));
    const width = current.columns.length;
    const values = current.values.slice(lit * width, (lit + 1) * width);
    const at = current.columns.map((name) => data.picture.boxes[name]);
    const most = Math.max(...values.filter((value, i) => at[i] && typeof value === "number"), 1e-9);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    values.forEach((value, i) => {
        if (!at[i]) return;
        const [left, top, right, bottom] = at[i];
        pen.fillStyle = "rgba(0,0,0," + 0.75 * (1 - Math.max(0, value) / most) + ")";
        pen.fillRect(left * canvas.width, top * canvas.height, (right - left) * canvas.width, (bottom - top) * canvas.height);
    });
    byId("words").childNodes.forEach((word, i) => word.setAttribute("aria-pressed", i === lit));
}
function showWords(map) {
    if (!picture) return;
    byId("words").replaceChildren(...map.rows.map((label, row) => {
        const word = element("button", label);
        word.addEventListener("click", () => light(row));
        word.addEventListener("mouseover", () => light(row));
        return word;
    }));
    light(map.marked ?? lit);
}
if (picture) {
    canvas.width = data.picture.width;
    canvas.height = data.picture.height;
    byId("picture").append(canvas);
    picture.onload = () => light(lit);
    picture.src = data.picture.image;
}

function say(cell) {
    if (chosen) chosen.classList.remove("chosen");
    chosen = cell;
    if (!cell) return;
    cell.classList.add("chosen");
    byId("said").textContent = cell.title;
    light(cell.parentNode.sectionRowIndex);
}

function show(map) {
    current = map;
    chosen = null;
    byId("title").textContent = map.title;
    byId("subtitle").textContent = map.subtitle;
    byId("said").textContent = map.empty;
    const table = element("table");
    const head = table.createTHead().insertRow();
    const corner = element("th", map.rowAxis + " \u2193  " + map.columnAxis + " \u2192");
    corner.className = "corner";
    head.append(corner);
    for (const label of map.columns) {
        const th = element("th");
        th.scope = "col";
        th.append(element("span", label));
        head.append(th);
    }
    const body = table.createTBody();
    map.rows.forEach((label, row) => {
        const line = body.insertRow();
        const th = element("th", label);
        th.scope = "row";
        if (row === map.marked) th.className = "marked";
        line.append(th);
        map.columns.forEach((column, at) => {
            const value = map.values[row * map.columns.length + at];
            const cell = line.insertCell();
            const isNumber = typeof value === "number";
            cell.title = label + " \u2190 " + column + "   " + (isNumber ? value.toFixed(4).replace(".", data.point) : value ?? "\u2013");
            if (value !== null && !isNumber) cell.classList.add("crossed");
            if (isNumber) cell.style.backgroundColor = colorOf(map, row, value);
        });
    });
    table.addEventListener("mouseover", (event) => {
        if (event.target.tagName === "TD") say(event.target);
    });
    table.tabIndex = 0;
    table.addEventListener("keydown", (event) => {
        const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
        if (!step || !map.rows.length) return;
        event.preventDefault();
        const row = chosen ? chosen.parentNode.sectionRowIndex + step[0] : 0;
        const column = chosen ? chosen.cellIndex + step[1] : 1;
        const line = body.rows[row];
        if (line && column > 0 && line.cells[column]) say(line.cells[column]);
    });
    byId("map").replaceChildren(table);
    showWords(map);
}

const menu = byId("head");
data.maps.forEach((map, index) => {
    const option = element("option", map.name);
    option.value = index;
    menu.append(option);
});
menu.addEventListener("change", () => show(data.maps[menu.value]));
show(data.maps[0]);
)js";

// A name in a style sheet, without what could end it.
QString cssFamily(const FigureSpec& spec)
{
    static const QRegularExpression other(QStringLiteral("[^\\w .+-]"), QRegularExpression::UseUnicodePropertiesOption);
    QString family = spec.fontFamily.isEmpty() ? usualFontFamily() : spec.fontFamily;
    return family.remove(other);
}

QByteArray styleSheet(const ThemeColors& colors, const FigureSpec& spec)
{
    return QStringLiteral(
               "body{background:%1;color:%2;font:%6pt '%7',sans-serif;margin:1.5em}"
               "h1{font-size:1.15em;margin:0}p{color:%3;margin:.3em 0}table{border-collapse:collapse;margin-top:.6em}"
               "td{width:1.6em;min-width:.5em;height:1.6em;background:%5;border:0;padding:0}"
               ".crossed{background:linear-gradient(to top right,transparent 47%,%3 47% 53%,transparent 53%),"
               "linear-gradient(to bottom right,transparent 47%,%3 47% 53%,transparent 53%),%5}"
               "th{font-weight:normal;text-align:right;padding:0 .4em;white-space:nowrap}"
               "thead th{vertical-align:bottom;text-align:left;padding:.3em 0}"
               "thead th span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:9em;overflow:hidden;"
               "text-overflow:ellipsis}"
               ".corner{color:%3;font-size:.85em}.marked{color:%4;font-weight:bold}"
               ".chosen{outline:2px solid %4}#said{min-height:1.4em;white-space:pre;color:%2}"
               "canvas{max-width:28em;max-height:28em;display:block;margin:.6em 0}#words button{font:inherit;color:%2;"
               "background:%1;border:1px solid %3;margin:.1em}#words "
               "button[aria-pressed=true]{border-color:%4;color:%4}"
               "select{font:inherit;color:%2;background:%1}svg{max-width:100%;height:auto}")
        .arg(cssColor(colors.background), cssColor(colors.ink), cssColor(colors.muted), cssColor(colors.accent),
             cssColor(colors.blank), QString::number(spec.baseFontPoints), cssFamily(spec))
        .toUtf8();
}

} // namespace

QByteArray htmlPage(const FigureSpec& spec, const Trace& trace, const QByteArray& drawing,
                    const FigureProvenance& provenance)
{
    const FigureStyle style(spec);
    ColorMapName map = style.colorMap;
    if (spec.kind->drawsPositions)
        map = divergingColors();
    QJsonArray colors;
    for (const QRgb color : colorTable(map))
        colors.append(QColor(color).name());
    bool complete = true;
    const QJsonArray maps = mapsOf(spec, trace, complete);
    const QString title = maps.first().toObject().value(QStringLiteral("title")).toString();
    const QString note =
        complete ? QString() : Figure::tr("Not all heads: there would be more numbers than a browser shows.");
    return "<!DOCTYPE html>\n<!--\n" + provenanceLines(provenance) + "-->\n<html lang=\""
        + languageRows[static_cast<int>(spec.language)].id + "\"><head><meta charset=\"utf-8\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\""
        + (spec.theme == Theme::Dark ? "dark" : "light") + "\">\n<title>" + title.toHtmlEscaped().toUtf8()
        + "</title>\n<style>" + styleSheet(style.colors, spec) + "</style></head>\n<body>\n"
        + (drawing.isEmpty() ? QByteArray() : "<figure>" + drawing + "</figure>\n")
        + "<h1 id=\"title\"></h1><p id=\"subtitle\"></p>\n<label>"
        + (spec.kind->drawsExperts ? Figure::tr("Layer") : Figure::tr("Head")).toHtmlEscaped().toUtf8()
        + " <select id=\"head\"></select></label>\n<p>" + note.toHtmlEscaped().toUtf8()
        + "</p>\n<div id=\"picture\"></div><div id=\"words\"></div><div id=\"map\"></div>\n<p id=\"said\" "
          "role=\"status\" aria-live=\"polite\"></p>\n"
        + R"(<script type="application/json" id="data">)"
        + inScript({{QStringLiteral("colors"), colors},
                    {QStringLiteral("point"), QLocale().decimalPoint()},
                    {QStringLiteral("picture"), pictureOf(spec, trace)},
                    {QStringLiteral("maps"), maps}})
        + "</script>\n<script>" + pageScript + "</script>\n</body></html>\n";
}

} // namespace attn::ui
