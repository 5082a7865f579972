"""The numbers of a server in Prometheus' text format."""

from tischlein.table.company import Company
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
        *([] if hall.company is None else company(hall.company)),
    ]  # fmt: skip
    return "\n".join([*parts, ""])


def company(found: Company) -> list[str]:
    """Write what one of several servers knows of the others."""
    clock = "How far the clocks of servers may be apart."
    return [
        metric("tischlein_servers", "gauge", "Servers that live.", 1 + len(found.others)),
        metric("tischlein_tables_conducted", "gauge", "Tables conducted here.", len(found.mine)),
        metric("tischlein_taken_over_total", "counter", "Tables taken over.", found.taken_over),
        metric("tischlein_collisions_total", "counter", "Writes that another server was quicker "
               "with.", found.collisions),
        metric("tischlein_clock_slack_ms", "gauge", clock, round(found.slack, 2)),
        metric("tischlein_store_hop_ms", "gauge", "The slowest of the last writes.",
               round(found.own_hop, 1)),
    ]  # fmt: skip


def metric(name: str, kind: str, text: str, value: float) -> str:
    """Write one metric."""
    return f"# HELP {name} {text}\n# TYPE {name} {kind}\n{name} {value}"
