"""Results in notebooks: tables as HTML, and figures."""
import html
import math
import re
import textwrap
from itertools import zip_longest

from . import _named
from .errors import UsageError


def html_of_data(data):
    """Members of an object as a table, and those that hold more as tables of their own."""
    plain = {name: value for name, value in data.items() if not isinstance(value, (dict, list))}
    parts = [_table([], [[html.escape(name), _cell_of(value)] for name, value in plain.items()])]
    for name, value in data.items():
        if name not in plain and value:
            parts += [f"<h4>{html.escape(name)}</h4>", _cell_of(value)]
    return "\n".join(parts)


def _cell_of(value):
    """A value as HTML: objects and lists of objects are tables."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        columns = list(dict.fromkeys(column for row in value for column in row))
        return _table(map(html.escape, columns), [[_cell_of(row.get(column)) for column in columns] for row in value])
    if isinstance(value, dict) and {"low", "expected", "high"} <= value.keys():
        return html.escape("{expected:.6g} ({low:.6g} to {high:.6g})".format(**value))
    if isinstance(value, dict):
        return _table([], [[html.escape(name), _cell_of(each)] for name, each in value.items()])
    if isinstance(value, list):
        return ", ".join(map(_cell_of, value))
    return html.escape("" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value))


def _table(head, rows, styles=()):
    """`styles`: the attributes of the cells of each column."""
    def line(tag, cells):
        return "".join(f"<{tag}{style}>{each}</{tag}>" for each, style in zip_longest(cells, styles, fillvalue=""))
    cells = line("th", head)
    return ("<table>" + (f"<thead><tr>{cells}</tr></thead>" if cells else "") + "<tbody>" +
            "".join(f"<tr>{line('td', row)}</tr>" for row in rows) + "</tbody></table>")


def html_of_markdown(text):
    """Of what `agon report --format markdown` writes: headings, paragraphs, lists, warnings, tables."""
    parts, rows, items = [], [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([_words(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]])
            continue
        if rows:  # the second line says how columns are aligned
            styles = [' style="text-align:right"' if re.fullmatch("-+:", cell) else ""
                      for row in rows[1:2] for cell in row]
            parts.append(_table(rows[0], rows[2:], styles))
            rows = []
        mark, words = re.match(r"(#+ |- |> |)(.*)", line).groups()
        if mark == "- ":
            items.append(f"<li>{_words(words)}</li>")
            continue
        if items:
            parts.append("<ul>" + "".join(items) + "</ul>")
            items = []
        tag = f"h{min(len(mark), 6)}" if mark.startswith("#") else "blockquote" if mark == "> " else "p"
        if words.strip():
            parts.append(f"<{tag}>{_words(words)}</{tag}>")
    return "\n".join(parts)


def _words(text):
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text.strip()))
    return re.sub(r"\\(.|&\w+;)", r"\1", bold)


_FIGURES = {"value", "low", "high", "level", "n", "unit"}


def section_of(name, title, rows, note):
    """Rows, dicts by column, as a section of a file for `agon report --add-sections`."""
    rows = list(rows) if isinstance(rows, (list, tuple)) else rows
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) and row for row in rows):
        raise UsageError(f"a section is a list of rows, which are dicts by column: not {_named(rows)}")
    return {"id": name, "title": title, "note": note,
            "rows": [{str(column): _own_cell(column, value) for column, value in row.items()} for row in rows]}


def _own_cell(column, value):
    if value is None or isinstance(value, str):
        return value
    figure = dict(value) if isinstance(value, dict) else {"value": value}
    numbers = {name: each for name, each in figure.items() if name != "unit"}
    if "value" not in figure or figure.keys() - _FIGURES or ("low" in figure) != ("high" in figure):
        raise UsageError(f"'{column}' is a text, a number, or a dict with value and, as it may be, low and high, "
                         f"level, n and unit: not {_named(value)}")
    for name, each in numbers.items():
        try:
            numbers[name] = each.item() if hasattr(each, "item") else each
            if not math.isfinite(numbers[name]) or isinstance(each, bool):
                raise TypeError
        except TypeError:
            raise UsageError(f"{name} of '{column}' is a finite number, not {_named(each)}") from None
    return {**figure, **numbers}


def pandas_or(otherwise):
    """The module pandas; `otherwise` has the same rows without it."""
    try:
        import pandas
    except ImportError:
        raise UsageError("frames are made by pandas, which is not installed: pip install pandas; the same rows "
                         f"without it are in .{otherwise}") from None
    return pandas


def figure_of(sections):
    """A matplotlib figure of a report's sections of one name."""
    try:
        import matplotlib  # by itself first, so that an error names it
        import matplotlib.figure
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise UsageError("figures are drawn by matplotlib, which is not installed: pip install matplotlib") from None
    drawn = [(section, panel) for section in sections for panel in _panels(section)]
    if not drawn:
        raise UsageError(f"the section '{sections[0]['id']}' has no figures to draw")
    drawn, left_out = _bounded(drawn)
    heights = [_height(panel) for _, panel in drawn]
    height = sum(heights) + _ROW * _ROWS_AROUND * len(drawn)
    figure = matplotlib.figure.Figure(figsize=(7, height), layout="tight")
    if left_out:
        figure.supxlabel(f"{left_out} more are not drawn; report.frame('{sections[0]['id']}') has them",
                         fontsize="small")
    grid = figure.add_gridspec(len(drawn), 1, height_ratios=heights)
    for place, (section, (titles, points, curves)) in enumerate(drawn):
        axes = figure.add_subplot(grid[place])
        title = ", ".join(filter(None, (section["title"], *titles)))
        axes.set_title(textwrap.fill(title, 80), fontsize="medium")
        (_draw_curves if curves else _draw_intervals)(axes, curves or points)
    return figure


_ROW = 0.22  # inches
_ROWS = 180  # of a figure
_ROWS_OF_CURVES, _ROWS_AROUND = 10, 4  # of a panel: its curves, its title and labels


def _height(panel):
    _, points, curves = panel
    return _ROW * (_ROWS_OF_CURVES if curves else max(3, len(points)))


def _bounded(drawn):
    """What a figure has room for, the last panel cut, and how many values or curves are left out."""
    kept, rows, left_out = [], _ROWS, 0
    for section, (titles, points, curves) in drawn:
        rows -= _ROWS_AROUND
        fitting = points[:max(rows, 0)] if points else curves if rows >= _ROWS_OF_CURVES else []
        rows -= len(points) if points else _ROWS_OF_CURVES
        left_out += len(points or curves) - len(fitting)
        if fitting:
            kept.append((section, (titles, points and fitting, curves)))
    return kept, left_out


def _panels(section):
    """What there is to draw: (titles, values with their intervals, curves)."""
    curves = [series for series in section["series"] if not series["in_table"]]
    panels = [((), None, alike) for alike in _grouped(curves, lambda series: str((series["x"], series["y"])))]
    ranks = []
    for table in section["tables"]:
        names = [column["header"] for column in table["columns"]]
        for column, name in enumerate(names):
            points = [(_label(table, row), cell) for row in table["rows"]
                      for cell in row["cells"][column:column + 1] if cell.get("value") is not None]
            if not any("low" in cell or "n" in cell for _, cell in points):
                continue  # counts and other facts: only what is estimated has an interval or an n
            agents = {cell.get("agent") for _, cell in points}
            agent = agents.pop() if names.count(name) > 1 and len(agents) == 1 else None
            of = ranks if all(cell.get("metric") in _RANKS for _, cell in points) else panels
            of += [((table["title"], agent, name), alike, None)
                   for alike in _grouped(points, lambda point: point[1].get("unit", ""))]
    return panels or ranks


_RANKS = ("rank", "rank_best", "rank_worst")


def _grouped(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups.values()


def _label(table, row):
    return ", ".join(_cell(row["cells"][place]) for place, column in enumerate(table["columns"]) if column["key"])


def _cell(cell):
    return str(cell.get("text") or cell.get("metric") or cell.get("agent") or cell.get("value", ""))


def _bounds(cell):
    """The names of the ends of a cell's interval: the table's own where it has them. None without one."""
    for names in (("low_simultaneous", "high_simultaneous"), ("low", "high")):
        if all(cell.get(name) is not None for name in names):
            return names
    return None


def _interval_words(cells):
    """What the intervals drawn are, such as "95% interval, simultaneous"."""
    kinds = {(cell.get("level"), "low_simultaneous" in _bounds(cell)) for cell in cells if _bounds(cell)}
    return " or ".join(("" if level is None else f"{100 * level:g}% ") + "interval" + ", simultaneous" * simultaneous
                       for level, simultaneous in sorted(kinds, key=str))


def _is_difference(cell):
    return any(word in cell.get("metric", "") for word in ("difference", "contrast"))


def _with_unit(label, unit):
    return f"{label} ({unit})" if unit and unit != label else label


def _draw_intervals(axes, points):
    cells = [cell for _, cell in reversed(points)]
    bounded = [(place, *(cell[end] for end in _bounds(cell))) for place, cell in enumerate(cells) if _bounds(cell)]
    if bounded:
        axes.hlines(*zip(*bounded), color="black", linewidth=1)
    axes.plot([cell["value"] for cell in cells], range(len(cells)), "o", color="black", markersize=4)
    left, right = axes.get_xlim()
    if any(map(_is_difference, cells)) and left <= 0 <= right:
        axes.axvline(0, color="grey", linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(points)), [label for label, _ in reversed(points)], fontsize="small")
    axes.set_ylim(-0.6, len(points) - 0.4)
    axes.tick_params(axis="x", labelsize="small")
    axes.grid(axis="x", alpha=0.3)
    metrics = {cell.get("metric", "value") for cell in cells}
    # Where metrics share a panel, the labels of the rows name them.
    label = _with_unit(metrics.pop().replace("_", " ") if len(metrics) == 1 else "value", cells[0].get("unit"))
    axes.set_xlabel("; ".join(filter(None, (label, _interval_words(cells)))), fontsize="small")


def _draw_curves(axes, curves):
    cells = []
    for series in curves:
        points = [(point.get("position", n), point) for n, point in enumerate(series["points"])
                  if point.get("value") is not None]
        axes.plot([x for x, _ in points], [point["value"] for _, point in points], label=series["name"])
        bounded = [(x, *(point[end] for end in _bounds(point))) for x, point in points if _bounds(point)]
        if bounded:
            axes.fill_between(*zip(*bounded), alpha=0.2)
        cells += [point for _, point in points]
    bottom, top = axes.get_ylim()
    if any(map(_is_difference, cells)) and bottom <= 0 <= top:
        axes.axhline(0, color="grey", linewidth=0.8, zorder=0)
    axes.set_xlabel(_with_unit(curves[0]["x"]["label"], curves[0]["x"]["unit"]), fontsize="small")
    axes.set_ylabel(_with_unit(curves[0]["y"]["label"], curves[0]["y"]["unit"]), fontsize="small")
    axes.legend(fontsize="small", title=_interval_words(cells) or None, title_fontsize="small")
