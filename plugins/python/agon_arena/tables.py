"""Results in notebooks: tables as HTML, and figures."""
import html
import re

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


def _table(head, rows):
    cells = "".join(f"<th>{each}</th>" for each in head)
    lines = ["".join(f"<td>{each}</td>" for each in row) for row in rows]
    return ("<table>" + (f"<thead><tr>{cells}</tr></thead>" if cells else "") + "<tbody>" +
            "".join(f"<tr>{line}</tr>" for line in lines) + "</tbody></table>")


def html_of_markdown(text):
    """Of what `agon report --format markdown` writes: headings, paragraphs, lists, warnings, tables."""
    parts, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([_words(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]])
            continue
        if rows:
            parts.append(_table(rows[0], rows[2:]))  # the second line says how columns are aligned
            rows = []
        mark, words = re.match(r"(#+ |- |> |)(.*)", line).groups()
        tag = f"h{min(len(mark), 6)}" if mark.startswith("#") else {"- ": "li", "> ": "blockquote"}.get(mark, "p")
        if words.strip():
            parts.append(f"<{tag}>{_words(words)}</{tag}>")
    return "\n".join(parts)


def _words(text):
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text.strip()))
    return re.sub(r"\\(.|&\w+;)", r"\1", bold)


def figure_of(sections):
    """A matplotlib figure of a report's sections of one name."""
    try:
        import matplotlib.figure
    except ImportError:
        raise UsageError("figures are drawn by matplotlib, which is not installed: pip install matplotlib") from None
    drawn = [(section, panel) for section in sections for panel in _panels(section)]
    if not drawn:
        raise UsageError(f"the section '{sections[0]['id']}' has no figures to draw")
    figure = matplotlib.figure.Figure(figsize=(7, 3 * len(drawn)), layout="tight")
    for place, (section, (title, points, curves)) in enumerate(drawn):
        axes = figure.add_subplot(len(drawn), 1, place + 1)
        axes.set_title(" ".join(filter(None, (section["title"], title))), fontsize="medium")
        (_draw_curves if curves else _draw_intervals)(axes, curves or points)
    return figure


def _panels(section):
    """What there is to draw: (title, values with their intervals, curves)."""
    curves = [series for series in section["series"] if not series["in_table"]]
    if curves:
        yield "", None, curves
    for table in section["tables"]:
        names = [column["header"] for column in table["columns"]]
        for column, name in enumerate(names):
            points = [(_label(table, row), cell) for row in table["rows"]
                      for cell in row["cells"][column:column + 1] if cell.get("value") is not None and "low" in cell]
            if points:
                yield name, points, None


def _label(table, row):
    return ", ".join(_cell(row["cells"][place]) for place, column in enumerate(table["columns"]) if column["key"])


def _cell(cell):
    return str(cell.get("text") or cell.get("metric") or cell.get("agent") or cell.get("value", ""))


def _draw_intervals(axes, points):
    for place, (_, cell) in enumerate(reversed(points)):
        value, low, high = cell["value"], cell["low"], cell["high"]
        axes.plot([low, high], [place, place], color="black", linewidth=1)
        axes.plot([value], [place], "o", color="black", markersize=4)
    axes.set_yticks(range(len(points)), [label for label, _ in reversed(points)])
    axes.grid(axis="x", alpha=0.3)


def _draw_curves(axes, curves):
    for series in curves:
        points = [point for point in series["points"] if point.get("value") is not None]
        axes.plot([point.get("position", n) for n, point in enumerate(points)], [point["value"] for point in points],
                  label=series["name"])
        bounded = [point for point in points if "low" in point and "high" in point]
        if bounded:
            axes.fill_between([point.get("position", 0) for point in bounded], [point["low"] for point in bounded],
                              [point["high"] for point in bounded], alpha=0.2)
    axes.set_xlabel(curves[0]["x"]["label"])
    axes.set_ylabel(curves[0]["y"]["label"])
    axes.legend(fontsize="small")
