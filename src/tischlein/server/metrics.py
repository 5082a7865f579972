"""The numbers of a server in Prometheus' text format."""

from tischlein.table.hall import Hall


def exposition(hall: Hall) -> str:
    """Write all metrics."""
    tables = list(hall.tables.values())
    lines_open = sum(len(table.listeners) for table in tables)
    seats = sum(listener.seat is not None for table in tables for listener in table.listeners)
    counts = hall.counts
    parts = [
        metric("tischlein_tables", "gauge", "Tables in memory.", len(tables)),
        metric(
            "tischlein_tables_playing", "gauge", "Tables with a game going on.",
            sum(table.book.phase == "playing" for table in tables),
        ),
        metric("tischlein_sockets", "gauge", "Open sockets.", lines_open),
        metric("tischlein_seats", "gauge", "Open sockets that hold a seat.", seats),
        metric("tischlein_tables_opened_total", "counter", "Tables opened.", counts.tables_opened),
        metric("tischlein_moves_total", "counter", "Moves stored.", counts.moves),
        "# HELP tischlein_refusals_total Frames and moves refused, by reason.",
        "# TYPE tischlein_refusals_total counter",
        *(
            f'tischlein_refusals_total{{code="{code}"}} {n}'
            for code, n in sorted(counts.refusals.items())
        ),
        "# HELP tischlein_race_uncertainty_ms Uncertainty of the times of race deeds.",
        "# TYPE tischlein_race_uncertainty_ms summary",
        f"tischlein_race_uncertainty_ms_sum {counts.uncertainty_sum:.3f}",
        f"tischlein_race_uncertainty_ms_count {counts.uncertainty_count}",
    ]  # fmt: skip
    return "\n".join([*parts, ""])


def metric(name: str, kind: str, text: str, value: float) -> str:
    """Write one metric."""
    return f"# HELP {name} {text}\n# TYPE {name} {kind}\n{name} {value}"
