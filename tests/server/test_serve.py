"""`tischlein serve` as a user starts it."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.waiting import LIMIT
from tischlein.server import run
from tischlein.server.run import Serving, announce, default_data_folder, print_for_phones


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_tischlein_alone_sets_the_table(tmp_path: Path, how: signal.Signals) -> None:
    """Settings from the environment; the address is printed when it is ready."""
    env = os.environ | {
        "TISCHLEIN_PORT": "0", "TISCHLEIN_DATA": str(tmp_path / "new" / "folder"),
        "TISCHLEIN_OPEN": "0", "TISCHLEIN_BOT_PAUSE": "0", "TISCHLEIN_HOST": "127.0.0.1",
    }  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "tischlein"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=env, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:")
            with urllib.request.urlopen(f"{url}/healthz", timeout=LIMIT) as answer:
                assert answer.status == 200
            assert (tmp_path / "new" / "folder" / "tables.sqlite").exists()
        finally:
            server.send_signal(how)
            out, log = server.communicate(timeout=LIMIT)
    assert server.returncode == 0
    assert "The table is cleared" in out
    assert "Traceback" not in log


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        command = [sys.executable, "-m", "tischlein", "serve", "--no-open", "--port", port]
        done = subprocess.run(
            [*command, "--data", str(tmp_path)], capture_output=True, text=True, timeout=LIMIT,
            check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"port {port} is taken" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_log_level_is_said() -> None:
    command = [sys.executable, "-m", "tischlein", "serve", "--log-level", "loud"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "there is no log level `loud`; there are debug, info, warning"


@pytest.mark.parametrize("setting", ["nonsense=1", "bot_pause=x", "race.nonsense=1", "race=1"])
def test_wrong_settings_are_said(setting: str) -> None:
    command = [sys.executable, "-m", "tischlein", "serve", "--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 1
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_the_address_for_phones_is_a_qr_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "lan_addresses", lambda: ["192.168.1.7"])
    announce(Serving(host="0.0.0.0", lan=True, open_browser=False), 8080)
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "http://127.0.0.1:8080"
    assert "For phones: http://192.168.1.7:8080" in out
    assert "█" in out
    print_for_phones("http://192.168.1.8:1")
    assert "█" in capsys.readouterr().out


def test_tables_are_kept_where_a_users_data_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_data_folder() == Path("/somewhere/tischlein")
