// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/error.h"
#include "base/progress.h"
#include "figures/export/export_forms.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/style.h"
#include "figures/look/token_label.h"
#include "figures/look/word_times.h"
#include "figures/parts/heard_sound.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/no_numbers.h"

#include <QBuffer>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace attn::ui {

extern const FigureKind arcsKind;

namespace {

constexpr qsizetype mostPageNumbers = 4'000'000; // of one page

QJsonArray jsonTexts(const QStringList& texts)
{
    return QJsonArray::fromStringList(texts);
}

// Ten-thousandths, which are more than an eye tells apart; null is what is blank, a text says what is no number.
QJsonArray jsonNumbers(const MatrixContent& content)
{
    QJsonArray numbers;
    for (int row = 0; row < content.rows(); ++row) {
        ThreadStop::check();
        for (int column = 0; column < content.columns(); ++column) {
            const auto value = static_cast<double>(content.map.at(row, column));
            numbers.append(content.map.hasNumber(row, column)   ? QJsonValue(std::round(value * 1e4))
                               : content.map.isNaN(row, column) ? QJsonValue(numberText(value, decimal(value, 4)))
                                                                : QJsonValue());
        }
    }
    return numbers;
}

// Places of a sound that begin before it ends: a model may read on in silence.
int heardColumns(const SourceMedia& media, const Encoding& tokens)
{
    const double seconds = media.audio && media.rate > 0 ? static_cast<double>(media.audio->size()) / media.rate : 0;
    const auto end = std::ranges::find_if(
        tokens.times, [seconds](const TimeSpan& time) { return static_cast<double>(time.begin) >= seconds; });
    return static_cast<int>(end - tokens.times.begin());
}

QJsonObject mapOf(FigureSpec spec, const Trace& trace, const QString& name)
{
    if (const auto& media = trace.media(); media && media->audio && !spec.kind->drawsExperts && !spec.columns) {
        if (const int heard = heardColumns(*media, trace.columnTokens(spec.site, spec.leaf)); heard > 0)
            spec.columns = ShownSpan{0, heard - 1};
    }
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
    if (!content.queries.isEmpty()) {
        QStringList asked;
        for (int row = 0; row < content.rows(); ++row)
            asked << content.askedBy(row);
        map.insert(QStringLiteral("asked"), jsonTexts(asked));
    }
    if (const int first = firstWrittenStep(trace, spec.leaf); first > 0 && trace.hasRowsOfSteps(spec.site))
        map.insert(QStringLiteral("given"), content.map.rows.indexOf(first).value_or(0));
    if (content.markedRow)
        map.insert(QStringLiteral("marked"), *content.markedRow);
    return map;
}

// Photographs take a tenth of the room that they take in a PNG.
QByteArray jpegAddress(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    constexpr int quality = 85;
    if (!image.save(&buffer, "JPEG", quality))
        throw Error(ErrorKind::Resource, "HTML", Figure::tr("the picture cannot be compressed").toStdString(),
                    Figure::tr("choose PDF").toStdString());
    return "data:image/jpeg;base64," + bytes.toBase64();
}

// Drawing whose opaque pictures are JPEGs.
QByteArray withJpegs(QByteArray drawing)
{
    const QByteArray png = "data:image/png;base64,";
    for (qsizetype at = drawing.indexOf(png); at >= 0; at = drawing.indexOf(png, at + 1)) {
        const qsizetype size = drawing.indexOf('"', at) - at;
        const QImage image =
            QImage::fromData(QByteArray::fromBase64(drawing.mid(at + png.size(), size - png.size())), "PNG");
        if (!image.isNull() && !image.hasAlphaChannel())
            drawing.replace(at, size, jpegAddress(image));
    }
    return drawing;
}

// A picture whose parts are lit, as a page shows it; `boxes` are these parts, by the names of columns, of which a page
// may have fewer.
QJsonObject litPicture(const QImage& image, const QJsonObject& boxes)
{
    return {{QStringLiteral("image"), QString::fromLatin1(jpegAddress(image))},
            {QStringLiteral("width"), image.width()},
            {QStringLiteral("height"), image.height()},
            {QStringLiteral("boxes"), boxes}};
}

// The sound that columns are spans of, from left to right.
QJsonObject soundOf(const FigureSpec& spec, const std::shared_ptr<const SourceMedia>& media, const Encoding& tokens)
{
    constexpr QSize room(1200, 200);
    constexpr double wave = 0.25; // of the height
    const HeardSound sound(media, tokens);
    const FigureStyle style(spec);
    QImage image(room, QImage::Format_RGB32);
    image.fill(style.colors.background);
    QPainter painter(&image);
    const QRectF all(QPointF(), room);
    sound.paintWave(painter, QRectF(all.topLeft(), QSizeF(all.width(), wave * all.height())), style);
    sound.paintSpectrogram(painter, all.adjusted(0, wave * all.height(), 0, 0), style);
    painter.end();
    QJsonObject boxes;
    const QStringList names = axisLabels(MapAxis{.groups = tokenAxis(tokens)});
    for (int i = 0; i < heardColumns(*media, tokens); ++i) {
        const TimeSpan& time = tokens.times[static_cast<std::size_t>(i)];
        boxes.insert(names[i],
                     QJsonArray{static_cast<double>(time.begin) / sound.seconds(), 0,
                                std::min(1.0, static_cast<double>(time.end) / sound.seconds()), 1});
    }
    return litPicture(image, boxes);
}

// The picture or sound that columns are places of, and where they lie; empty: they are none.
QJsonObject pictureOf(const FigureSpec& spec, const Trace& trace)
{
    const auto& media = trace.media();
    const Encoding tokens = spec.kind->drawsSite ? trace.columnTokens(spec.site, spec.leaf) : Encoding();
    if (media && media->audio && !tokens.times.empty())
        return soundOf(spec, media, tokens);
    if (!media || !media->picture || tokens.boxes.empty())
        return {};
    const Picture& pixels = *media->picture;
    QJsonObject boxes;
    const QStringList names = axisLabels(MapAxis{.groups = tokenAxis(tokens)});
    for (qsizetype i = 0; i < names.size(); ++i) {
        const PictureBox& box = tokens.boxes[static_cast<std::size_t>(i)];
        if (box.isPlace())
            boxes.insert(names[i],
                         QJsonArray{static_cast<double>(box.left), static_cast<double>(box.top),
                                    static_cast<double>(box.right), static_cast<double>(box.bottom)});
    }
    return litPicture(
        QImage(pixels.rgb.data(), pixels.width, pixels.height, qsizetype{3} * pixels.width, QImage::Format_RGB888),
        boxes);
}

// The chosen one first, then the others of its stage while there is room.
QJsonArray pageMaps(const FigureSpec& spec, const Trace& trace, bool& complete)
{
    QJsonArray maps;
    if (spec.kind->drawsPositions)
        return {mapOf(spec, trace, Figure::tr("positions"))};
    std::vector<std::pair<Site, HeadReading>> wanted{{spec.site, spec.head}};
    for (const Site& site : trace.sites()) {
        const int heads = trace.heads(site);
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        if (spec.kind->drawsExperts) {
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
        QJsonObject map =
            mapOf(one, trace,
                  spec.kind->drawsExperts ? Figure::tr("layer %1").arg(site.layer)
                                          : siteName(site, trace.kind()) + QStringLiteral(", ") + headName(head));
        numbers += map.value(QStringLiteral("values")).toArray().size();
        complete = numbers <= mostPageNumbers;
        if (i > 0 && !complete)
            break;
        const QString columns = QStringLiteral("columns"); // of the first map, where it has none
        if (i > 0 && map.value(columns) == maps.first().toObject().value(columns))
            map.remove(columns);
        maps.append(map);
    }
    return maps;
}

QString cssColor(const QColor& color)
{
    return color.name();
}

// Text that may stand in a script element of any kind.
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
for (const map of data.maps) map.columns ??= data.maps[0].columns;
const element = (tag, text) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    return made;
};
const byId = (id) => document.getElementById(id);
// Colour scale of the figure: see ValueScale.
const colorOf = (map, row, value) => {
    const shares = map.rowEnds.length > 0;
    const most = (shares ? 1 : map.most) * end;
    const least = (shares ? (map.least < 0 ? -1 : 0) : map.least) * (map.least < 0 ? end : 1);
    const faintest = least > 0 ? least : Math.max(-least, most) * 1e-4;
    const shaped = (x) => {
        const size = Math.abs(x);
        if (map.scale === "sqrt") return Math.sign(x) * Math.sqrt(size);
        if (map.scale === "log") return size > faintest ? Math.sign(x) * Math.log10(size / faintest) : 0;
        return x;
    };
    const span = shaped(most) - shaped(least);
    const part = span > 0 ? (shaped(shares ? value / map.rowEnds[row] : value) - shaped(least)) / span : 0;
    return data.colors[root.dataset.theme][Math.round(255 * Math.min(1, Math.max(0, part)))];
};
let current = null; // the map that is shown
let until = Infinity; // rows that are written
let end = 1; // of the colours, by that of the map
let lines = data.lines;
let chosen = null; // a cell
let timer = 0;
const root = document.documentElement;

const numberAt = (map, row, column) => map.values[row * map.columns.length + column];
const valueAt = (map, row, column) => {
    const value = numberAt(map, row, column);
    return typeof value === "number" ? value / 1e4 : 0;
};
const tip = (map, row, column) => {
    const value = numberAt(map, row, column);
    const said = typeof value === "number" ? (value / 1e4).toFixed(4).replace(".", data.point) : value ?? "\u2013";
    return map.rows[row] + " \u2190 " + map.columns[column] + "   " + said + (map.asked ? map.asked[row] : "");
};

// Whether a word of a text that goes on is still to be written.
const isLater = (map, column) =>
    until > 0 && until <= map.rows.length && numberAt(map, until - 1, column) === null;

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
    canvas.classList.toggle("wide", canvas.width > 3 * canvas.height);
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

function matrix(map) {
    const table = element("table");
    // Cells fill the window, but are never too small to be pointed at.
    const em = parseFloat(getComputedStyle(root).fontSize);
    const room = Math.min((innerWidth - 16 * em) / map.columns.length, 0.65 * innerHeight / map.rows.length);
    const cell = Math.min(3.5 * em, Math.max(1.4 * em, room));
    table.style.setProperty("--cell", cell + "px");
    const letters = Math.max(0, ...map.columns.map((label) => label.length));
    table.classList.toggle("flat", 0.65 * em * letters < cell); // names lie where they fit
    const head = table.createTHead().insertRow();
    const corner = element("th", map.rowAxis + " \u2193  " + map.columnAxis + " \u2192");
    corner.className = "corner";
    head.append(corner);
    for (const [at, label] of map.columns.entries()) {
        const th = element("th");
        th.scope = "col";
        if (isLater(map, at)) th.className = "later";
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
        line.className = row >= until ? "later" : row === until - 1 ? "inks" : "";
        map.columns.forEach((column, at) => {
            const value = numberAt(map, row, at);
            const cell = line.insertCell();
            const isNumber = typeof value === "number";
            cell.title = tip(map, row, at);
            if (value !== null && !isNumber) cell.classList.add("crossed");
            if (isNumber) cell.style.backgroundColor = colorOf(map, row, value / 1e4);
        });
    });
    const mark = (cell) => { // its row and its column, too
        for (const old of table.querySelectorAll("th.at")) old.classList.remove("at");
        if (!cell) return;
        cell.parentNode.cells[0].classList.add("at");
        head.cells[cell.cellIndex].classList.add("at");
        say(cell);
    };
    table.addEventListener("mouseover", (event) => {
        if (event.target.tagName === "TD") mark(event.target);
    });
    table.tabIndex = 0;
    table.addEventListener("keydown", (event) => {
        const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
        if (!step || !map.rows.length) return;
        event.preventDefault();
        const row = chosen ? chosen.parentNode.sectionRowIndex + step[0] : 0;
        const column = chosen ? chosen.cellIndex + step[1] : 1;
        const line = body.rows[row];
        if (line && column > 0 && line.cells[column]) mark(line.cells[column]);
    });
    byId("map").replaceChildren(table);
}

// Tokens that were read stand above, those that looked at them below; lines of what is pointed at stand alone.
function texts(map) {
    const box = byId("map");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const side = (axis, labels, below) => {
        const text = element("div");
        text.className = "text";
        if (!below) text.append(element("small", axis));
        const words = labels.map((label) => {
            const word = element("span", label);
            word.tabIndex = 0;
            text.append(" ", word);
            return word;
        });
        if (below) text.append(element("small", axis));
        return {text, words};
    };
    const read = side(map.columnAxis, map.columns, false);
    const written = side(map.rowAxis, map.rows, true);
    written.text.style.marginTop = "9em";
    box.replaceChildren(svg, read.text, written.text);
    const draw = (row, column) => {
        const area = box.getBoundingClientRect();
        svg.setAttribute("width", area.width);
        svg.setAttribute("height", area.height);
        svg.replaceChildren();
        if (row !== null) light(row);
        const most = Math.max(1e-9, ...map.values.filter((value) => typeof value === "number").map((v) => Math.abs(v) / 1e4)) * end;
        const all = [];
        map.rows.forEach((label, at) => {
            if (at >= until || (row !== null && at !== row)) return;
            map.columns.forEach((other, to) => {
                const share = Math.min(1, Math.abs(valueAt(map, at, to)) / most);
                if ((column === null || to === column) && share >= 0.02) all.push([share, at, to]);
            });
        });
        all.sort((a, b) => a[0] - b[0]);
        const drawn = all.slice(-600).filter((line) => row !== null || column !== null || line[0] >= 0.15);
        for (const [share, at, to] of drawn) {
            const from = written.words[at].getBoundingClientRect();
            const goal = read.words[to].getBoundingClientRect();
            const x = from.left + from.width / 2 - area.left, y = from.top - area.top;
            const u = goal.left + goal.width / 2 - area.left, v = goal.bottom - area.top;
            const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
            path.setAttribute("d", `M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}`);
            path.style.strokeWidth = 0.6 + 5 * share;
            path.style.opacity = 0.15 + 0.8 * share;
            path.setAttribute("pathLength", 1);
            if (row === until - 1) path.setAttribute("class", "pours");
            svg.append(path);
        }
        read.words.forEach((word, to) => {
            word.style.backgroundColor = row === null ? "" : colorOf(map, row, valueAt(map, row, to));
            word.className = isLater(map, to) ? "later" : to === column ? "at" : row === null ? "" : "ground";
        });
        written.words.forEach((word, at) => {
            word.style.backgroundColor = column === null ? "" : colorOf(map, at, valueAt(map, at, column));
            word.className = (at >= until ? "later " : at === until - 1 ? "born " : "") + (at === row ? "at" : column === null ? "" : "ground");
        });
        const partners = (labels, weight) => labels.map((label, at) => [weight(at), label]).sort((a, b) => b[0] - a[0])
            .slice(0, 4).map(([value, label]) => label + " " + value.toFixed(2).replace(".", data.point)).join("   ");
        byId("said").textContent = row !== null ? map.rows[row] + " \u2190 " + partners(map.columns, (to) => valueAt(map, row, to))
            : column !== null ? map.columns[column] + " \u2192 " + partners(map.rows, (at) => valueAt(map, at, column))
            : drawn.length < all.length ? data.strongest.replace("%1", drawn.length).replace("%2", all.length) : map.empty;
    };
    const point = (words, show) => words.forEach((word, at) => {
        for (const kind of ["mouseenter", "focus"]) word.addEventListener(kind, () => show(at));
        for (const kind of ["mouseleave", "blur"]) word.addEventListener(kind, () => draw(null, null));
    });
    point(read.words, (at) => draw(null, at));
    point(written.words, (at) => at < until && draw(at, null));
    draw(until <= map.rows.length ? Math.max(0, until - 1) : null, null);
}

function show(map) {
    current = map;
    chosen = null;
    byId("title").textContent = map.title;
    byId("subtitle").textContent = map.subtitle;
    byId("said").textContent = map.empty;
    (lines ? texts : matrix)(map);
    showWords(map);
    byId("lines").setAttribute("aria-pressed", lines);
    byId("matrix").setAttribute("aria-pressed", !lines);
    document.querySelectorAll("#heads canvas").forEach((picture, index) => {
        picture.className = data.maps[index] === map ? "chosen" : "";
    });
    byId("head").value = data.maps.indexOf(map);
}

function play() {
    const on = timer === 0;
    clearTimeout(timer);
    timer = 0;
    byId("play").setAttribute("aria-pressed", on);
    const given = current.given ?? 0;
    until = on ? given : Infinity;
    show(current);
    // Rows take the times that the window takes to write them.
    const next = () => {
        until += 1;
        if (until > current.rows.length) return play();
        const pace = until === given + 1 ? data.times[0] : data.times[1];
        root.style.setProperty("--pace", pace + "ms");
        show(current);
        timer = setTimeout(next, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1200 : pace);
    };
    if (on) next();
}

// A dot a weight.
function thumbnail(map, picture) {
    const rows = map.rows.length, columns = map.columns.length;
    if (!rows || !columns) return;
    picture.width = Math.min(columns, 64);
    picture.height = Math.min(rows, 64);
    const paint = picture.getContext("2d");
    for (let y = 0; y < picture.height; ++y) {
        for (let x = 0; x < picture.width; ++x) {
            const row = Math.floor(y * rows / picture.height), column = Math.floor(x * columns / picture.width);
            if (typeof numberAt(map, row, column) !== "number") continue;
            paint.fillStyle = colorOf(map, row, valueAt(map, row, column));
            paint.fillRect(x, y, 1, 1);
        }
    }
}

function draw() {
    data.maps.forEach((map, index) => thumbnail(map, byId("heads").children[index] ?? document.createElement("canvas")));
    show(current);
}

const menu = byId("head");
data.maps.forEach((map, index) => {
    const option = element("option", map.name);
    option.value = index;
    menu.append(option);
    if (data.maps.length === 1 || data.maps.length > 400) return;
    const picture = element("canvas");
    picture.title = map.name;
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", map.name);
    picture.addEventListener("click", () => show(map));
    byId("heads").append(picture);
});
menu.addEventListener("change", () => show(data.maps[menu.value]));
byId("matrix").addEventListener("click", () => { lines = false; show(current); });
byId("lines").addEventListener("click", () => { lines = true; show(current); });
byId("play").addEventListener("click", play);
byId("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    draw();
});
byId("end").addEventListener("input", (event) => {
    end = event.target.value / 100;
    show(current);
});
addEventListener("resize", () => show(current));
current = data.maps[0];
draw();
)js";

// A name in a style sheet, without what could end it.
QString cssFamily(const FigureSpec& spec)
{
    static const QRegularExpression other(QStringLiteral("[^\\w .+-]"), QRegularExpression::UseUnicodePropertiesOption);
    QString family = spec.fontFamily.isEmpty() ? usualFontFamily() : spec.fontFamily;
    return family.remove(other);
}

QString themeVariables(Theme theme)
{
    const ThemeColors colors = themeColors(theme);
    return QStringLiteral("{--ground:%1;--ink:%2;--muted:%3;--accent:%4;--blank:%5;--bar:%6;color-scheme:%7}")
        .arg(cssColor(colors.background), cssColor(colors.ink), cssColor(colors.muted), cssColor(colors.accent),
             cssColor(colors.blank), cssColor(colors.bar),
             theme == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

QByteArray styleSheet(const FigureSpec& spec)
{
    return QStringLiteral(
               ":root%1:root[data-theme=dark]%2"
               "body{background:var(--ground);color:var(--ink);font:%3pt '%4',sans-serif;margin:1.5em}"
               "h1{font-size:1.15em;margin:0}p{color:var(--muted);margin:.3em 0}"
               "table{border-collapse:collapse;margin-top:.6em}"
               "td{width:var(--cell);min-width:.5em;height:var(--cell);background:var(--blank);border:0;padding:0}"
               ".crossed{background:linear-gradient(to top right,transparent 47%,var(--muted) 47% 53%,transparent 53%),"
               "linear-gradient(to bottom right,transparent 47%,var(--muted) 47% 53%,transparent 53%),var(--blank)}"
               "th{font-weight:normal;text-align:right;padding:0 .4em;white-space:nowrap}"
               "thead th{vertical-align:bottom;text-align:center;padding:.3em 0}thead "
               ".corner{text-align:right;padding:.3em "
               ".8em}"
               "thead th span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:9em;overflow:hidden;"
               "text-overflow:ellipsis}.flat thead th span{writing-mode:horizontal-tb;transform:none}"
               ".corner,small{color:var(--muted);font-size:.85em}.marked,.at{color:var(--accent);font-weight:bold}"
               ".chosen{outline:2px solid var(--accent)}.later{visibility:hidden}"
               // A word is born: lines come from what is read, it flies to its place, and its row inks in.
               ".born,.inks th{animation:born var(--pace) ease-out}.inks td{animation:inks var(--pace)}"
               ".pours{stroke-dasharray:1;animation:pours var(--pace) ease-out}"
               "@keyframes born{from{transform:translateY(-1.6em) scale(.6);opacity:0}}@keyframes inks{from{opacity:0}}"
               "@keyframes pours{from{stroke-dashoffset:-1}}"
               "@media(prefers-reduced-motion:reduce){.born,.inks th,.inks td,.pours{animation:none}}"
               "#said{min-height:1.4em;white-space:pre-wrap;color:var(--ink)}"
               "nav{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin:.6em 0}"
               "nav select,nav button{font:inherit;color:var(--ink);background:var(--blank);border:1px solid "
               "var(--muted);border-radius:.3em;padding:.2em .7em}"
               "nav button[aria-pressed=true]{color:var(--ground);background:var(--accent);border-color:var(--accent)}"
               "#heads{display:flex;flex-wrap:wrap;gap:4px}#heads canvas{width:44px;height:44px;cursor:pointer;"
               "image-rendering:pixelated;background:var(--blank)}"
               "#picture canvas{max-width:28em;max-height:28em;display:block;margin:.6em 0}"
               "#picture canvas.wide{max-width:100%;width:60em;height:auto}"
               "#words button{font:inherit;color:var(--ink);background:var(--ground);border:1px solid "
               "var(--muted);margin:.1em}"
               "#words button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}"
               "#map{margin-top:.6em;position:relative;overflow-x:auto}#map>svg{position:absolute;left:0;top:0;pointer-"
               "events:none}"
               "#map path{fill:none;stroke:var(--bar)}.text{font-size:1.3em;line-height:1.9;position:relative}"
               ".text small{display:block;line-height:1.2}.text span{padding:.1em "
               ".25em;border-radius:.2em;cursor:default;display:inline-block}"
               ".ground{text-shadow:0 0 3px var(--ground),0 0 3px var(--ground)}"
               "figure{margin:0 0 1em}figure svg{max-width:100%;height:auto}")
        .arg(themeVariables(Theme::Light), themeVariables(Theme::Dark), QString::number(spec.baseFontPoints),
             cssFamily(spec))
        .toUtf8();
}

QJsonArray colorsOf(FigureSpec spec, Theme theme)
{
    spec.theme = theme;
    QJsonArray colors;
    for (const QRgb color : colorTable(spec.kind->drawsPositions ? divergingColors() : FigureStyle(spec).colorMap))
        colors.append(QColor(color).name());
    return colors;
}

QByteArray button(const char* id, const QString& text)
{
    return QByteArray("<button type=\"button\" id=\"") + id + "\">" + text.toHtmlEscaped().toUtf8() + "</button>";
}

} // namespace

QByteArray htmlPage(const FigureSpec& spec, const Trace& trace, const QByteArray& drawing,
                    const FigureProvenance& provenance)
{
    bool complete = true;
    const QJsonArray maps = pageMaps(spec, trace, complete);
    const QString title = maps.first().toObject().value(QStringLiteral("title")).toString();
    const QString note =
        complete ? QString() : Figure::tr("Not all heads: there would be more numbers than a browser shows.");
    return "<!DOCTYPE html>\n<!--\n" + provenanceLines(provenance) + "-->\n<html lang=\""
        + languageRows[static_cast<int>(spec.language)].id + "\" data-theme=\""
        + (spec.theme == Theme::Dark ? "dark" : "light") + "\"><head><meta charset=\"utf-8\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + title.toHtmlEscaped().toUtf8()
        + "</title>\n<style>" + styleSheet(spec) + "</style></head>\n<body>\n"
        + (drawing.isEmpty() ? QByteArray() : "<figure>" + withJpegs(drawing) + "</figure>\n")
        + "<h1 id=\"title\"></h1><p id=\"subtitle\"></p>\n<nav>" + button("matrix", Figure::tr("Matrix"))
        + button("lines", Figure::tr("Lines")) + button("play", Figure::tr("Row by row")) + "<label>"
        + (spec.kind->drawsExperts ? Figure::tr("Layer") : Figure::tr("Head")).toHtmlEscaped().toUtf8()
        + " <select id=\"head\"></select></label><label>" + Figure::tr("Colours end at").toHtmlEscaped().toUtf8()
        + " <input id=\"end\" type=\"range\" min=\"5\" max=\"100\" value=\"100\"></label>"
        + button("theme", Figure::tr("Light or dark")) + "</nav>\n<p>" + note.toHtmlEscaped().toUtf8()
        + "</p>\n<div id=\"heads\"></div>\n<div id=\"picture\"></div><div id=\"words\"></div><div "
          "id=\"map\"></div>\n<p id=\"said\" role=\"status\" "
          "aria-live=\"polite\"></p>\n"
        + R"(<script type="application/json" id="data">)"
        + inScript({{QStringLiteral("colors"),
                     QJsonObject{{QStringLiteral("light"), colorsOf(spec, Theme::Light)},
                                 {QStringLiteral("dark"), colorsOf(spec, Theme::Dark)}}},
                    {QStringLiteral("lines"), spec.kind == &arcsKind},
                    {QStringLiteral("strongest"), Figure::tr("the %1 strongest of %2 lines")},
                    {QStringLiteral("point"), QLocale().decimalPoint()},
                    {QStringLiteral("times"),
                     QJsonArray{static_cast<int>(firstWordTime.count()), static_cast<int>(laterWordTime.count())}},
                    {QStringLiteral("picture"), pictureOf(spec, trace)},
                    {QStringLiteral("maps"), maps}})
        + "</script>\n<script>" + pageScript + "</script>\n</body></html>\n";
}

} // namespace attn::ui
