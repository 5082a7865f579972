"""The numbers of a server in Prometheus' text format."""

from tischlein.house.house import House
from tischlein.house.servers import Figure
from tischlein.table.book import goes_on


def exposition(house: House) -> str:
    """Write all metrics."""
    counts = house.counts
    parts = [
        *(metric(*figure) for figure in figures(house)),
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
        *(metric(*figure) for figure in house.servers.figures()),
    ]
    return "\n".join([*parts, ""])


def figures(house: House) -> list[Figure]:
    """Count tables, sockets and moves."""
    tables, counts = list(house.tables.values()), house.counts
    sockets = [listener.seat for table in tables for listener in table.presence.listeners]
    playing = sum(goes_on(table.book) for table in tables)
    seats = sum(seat is not None for seat in sockets)
    return [
        ("tischlein_tables", "gauge", "Tables in memory.", len(tables)),
        ("tischlein_tables_playing", "gauge", "Tables with a game going on.", playing),
        ("tischlein_sockets", "gauge", "Open sockets.", len(sockets)),
        ("tischlein_seats", "gauge", "Open sockets that hold a seat.", seats),
        ("tischlein_tables_opened_total", "counter", "Tables opened.", counts.tables_opened),
        ("tischlein_moves_total", "counter", "Moves stored.", counts.moves),
    ]


def metric(name: str, kind: str, text: str, value: float) -> str:
    """Write one metric."""
    return f"# HELP {name} {text}\n# TYPE {name} {kind}\n{name} {value}"
