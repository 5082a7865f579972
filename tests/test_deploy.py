"""The files in `deploy/`: what they name exists in the program, and they agree with each other."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

import tischlein
from tischlein.cli import app
from tischlein.house.settings import Settings, changed
from tischlein.server.proxy import proxies_of

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
CADDYFILE = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
KUBERNETES = DEPLOY / "kubernetes"
KUSTOMIZATION = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))
MANIFESTS = [
    part
    for name in KUSTOMIZATION["resources"]
    for part in yaml.safe_load_all((KUBERNETES / name).read_text(encoding="utf-8"))
]
FILES = sorted(file for file in DEPLOY.rglob("*") if file.is_file())
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
NOT_OURS = {
    "TISCHLEIN_SITE",  # of the compose file alone: the host name that players type
    "PGPASSWORD",  # libpq's and asyncpg's
    "METRICS_TOKEN",  # of the Deployment alone: put into TISCHLEIN_SET
    "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD",  # of PostgreSQL's image
}  # fmt: skip


def options_of(command: str) -> Iterator[Any]:
    """Give the options of a command of the program."""
    group: Any = typer.main.get_command(app)
    return (param for param in group.commands[command].params if param.param_type_name == "option")


def environment_names() -> set[str]:
    """Give the names that the program reads from its environment."""
    return {str(option.envvar) for option in options_of("serve") if option.envvar}


def manifest(kind: str, name: str = "tischlein") -> Any:
    """Give a Kubernetes object."""
    (found,) = [
        each for each in MANIFESTS if (each["kind"], each["metadata"]["name"]) == (kind, name)
    ]
    return found


def container(name: str = "tischlein") -> Any:
    """Give the only container of a Deployment."""
    (found,) = manifest("Deployment", name)["spec"]["template"]["spec"]["containers"]
    return found


def pods() -> list[Any]:
    """Give what all Deployments run."""
    return [each["spec"]["template"]["spec"] for each in MANIFESTS if each["kind"] == "Deployment"]


def set_in_files() -> dict[str, str]:
    """Give every variable that a server is given in the files, with one of its values."""
    (image,) = re.findall(r"^ENV PATH(?:.*\\\n)*.*", DOCKERFILE, re.MULTILINE)
    found = dict(re.findall(r"([A-Z_]+)=(\S+)", image))
    for service in COMPOSE["services"].values():
        found |= service.get("environment", {})
    return found | {entry["name"]: entry.get("value", "") for entry in container()["env"]}


def test_every_variable_is_one_that_the_program_reads() -> None:
    given = {name for name in set_in_files() if not name.startswith(("PATH", "PYTHON"))}
    assert given - environment_names() == NOT_OURS
    named = set(re.findall(r"TISCHLEIN_[A-Z_]+", "\n".join(TEXTS)))
    assert named <= environment_names() | NOT_OURS
    assert {"TISCHLEIN_STORE", "TISCHLEIN_BUS", "TISCHLEIN_HOST"} <= named


def test_the_settings_that_the_files_give_are_accepted() -> None:
    given = set_in_files()
    assert changed(Settings(), given.get("TISCHLEIN_SET", "").split())
    assert (given["TISCHLEIN_OPEN"], given["TISCHLEIN_PORT"]) == ("false", "8080")
    assert given["TISCHLEIN_BUS"].startswith("nats://")
    assert COMPOSE["x-server"]["environment"]["TISCHLEIN_STORE"].startswith("postgresql://")


def test_the_servers_believe_their_own_proxy_and_nobody_else() -> None:
    """Else: a client chooses its address, or all players share the limits of one."""
    told = COMPOSE["x-server"]["environment"]["TISCHLEIN_TRUSTED_PROXIES"]
    proxy = COMPOSE["services"]["proxy"]["networks"]["inside"]["ipv4_address"]
    assert [str(each) for each in proxies_of([told], {})] == [f"{proxy}/32"]
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert ip_address(proxy) in ip_network(subnet["subnet"])
    (pods,) = [e["value"] for e in container()["env"] if e["name"] == "TISCHLEIN_TRUSTED_PROXIES"]
    assert proxies_of([pods], {})
    assert not any("FORWARDED_ALLOW_IPS" in text for text in TEXTS)


def test_every_command_and_option_exists() -> None:
    command, *options = container()["args"]
    known = {name for option in options_of(command) for name in option.opts}
    assert {option for option in options if option.startswith("--")} <= known
    assert f'ENTRYPOINT ["tischlein"]\nCMD ["{command}"]' in DOCKERFILE


def test_the_ports_agree() -> None:
    (port,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    assert f"TISCHLEIN_PORT={port} " in DOCKERFILE
    assert f"http://127.0.0.1:{port}/healthz" in DOCKERFILE
    upstreams = re.findall(r"reverse_proxy (.*) {", CADDYFILE)[0].split()
    servers = [name for name in COMPOSE["services"] if name.startswith("server")]
    assert upstreams == [f"{name}:{port}" for name in servers]
    (own,) = container()["ports"]
    assert own == {"name": "http", "containerPort": int(port)}
    assert manifest("Service")["spec"]["ports"][0]["targetPort"] == "http"


def test_servers_find_the_store_and_the_bus() -> None:
    given = COMPOSE["x-server"]["environment"]
    command = COMPOSE["services"]["nats"]["command"]
    assert given["TISCHLEIN_BUS"] == f"nats://nats:{command[command.index('--port') + 1]}"
    database = COMPOSE["services"]["postgres"]["environment"]
    user, name = database["POSTGRES_USER"], database["POSTGRES_DB"]
    assert given["TISCHLEIN_STORE"] == f"postgresql://{user}@postgres:5432/{name}"
    assert given["PGPASSWORD"] == database["POSTGRES_PASSWORD"]
    (bus,) = [e["value"] for e in container()["env"] if e["name"] == "TISCHLEIN_BUS"]
    port = manifest("Service", "nats")["spec"]["ports"][0]["port"]
    assert bus == f"nats://nats:{port}"
    assert container("nats")["ports"][0]["containerPort"] == port
    assert container("nats")["args"] == command


def test_the_proxy_is_let_in_by_name() -> None:
    """Health checks name the server, players the site: a server answers to no other name."""
    names = COMPOSE["x-server"]["environment"]["TISCHLEIN_NAMES"]
    site = "${TISCHLEIN_SITE:?the host name that players type}"
    assert names == f"{site} server1 server2"
    assert "{$TISCHLEIN_SITE} {" in CADDYFILE
    (host,) = [rule["host"] for rule in manifest("Ingress")["spec"]["rules"]]
    (own,) = [e["value"] for e in container()["env"] if e["name"] == "TISCHLEIN_NAMES"]
    assert host == own


def test_the_paths_that_are_asked_exist() -> None:
    from tischlein.house.house import House
    from tischlein.people import People
    from tischlein.server.app import Api
    from tischlein.store.sqlite import SqliteStore

    house = House(SqliteStore(":memory:"), Settings())
    api = Api(house, People(house))
    paths = {route.path for route in api.routes() if hasattr(route, "path")}
    asked = set(re.findall(r"health_uri (\S+)|path (/\S+) (/\S+)", CADDYFILE))
    probes = ("livenessProbe", "readinessProbe", "startupProbe")
    named = {container()[probe]["httpGet"]["path"] for probe in probes}
    assert named == {"/healthz", "/api/games"}
    assert {path for each in asked for path in each if path} | named <= paths
    assert container()["livenessProbe"]["httpGet"]["path"] != "/healthz", "asks the store"


def test_images_are_pinned_and_ours_is_of_this_version() -> None:
    images = [service["image"] for service in COMPOSE["services"].values()]
    images += [each["image"] for pod in pods() for each in pod["containers"]]
    images += re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    for image in images:
        assert re.fullmatch(r"[a-z/]+:\d+\.\d+[\w.-]*", image), image
    ours = {image for image in images if image.startswith("tischlein:")}
    assert ours == {f"tischlein:{tischlein.__version__}"}
    nats = {image for image in images if image.startswith("nats:")}
    assert len(nats) == 1


def test_no_secret_is_in_the_files() -> None:
    for file, text in zip(FILES, TEXTS, strict=True):
        assert not re.search(r"://[^\s/@]+:[^\s@$]+@", text), f"{file} holds a password"
        for value in re.findall(r"(?i)password\w*: *(\S+)", text):
            assert value.startswith("${"), f"{file}: {value}"
    assert not [each for each in MANIFESTS if each["kind"] == "Secret"]
    by_reference = {e["name"] for e in container()["env"] if "secretKeyRef" in str(e)}
    assert by_reference == {"TISCHLEIN_STORE", "PGPASSWORD", "METRICS_TOKEN"}


def test_nothing_runs_as_root_or_writes_to_its_image() -> None:
    assert re.search(r"^USER 10001:10001$", DOCKERFILE, re.MULTILINE)
    for name in ("server1", "server2", "proxy", "nats"):
        service = COMPOSE["services"][name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
    assert "ports" not in COMPOSE["services"]["server1"], "only the proxy reaches a server"
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for each in pod["containers"]:
            assert each["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert {"requests", "limits"} <= set(each["resources"])


def test_a_roll_out_never_leaves_the_players_alone() -> None:
    spec = manifest("Deployment")["spec"]
    assert spec["replicas"] >= 2
    assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    labels = spec["template"]["metadata"]["labels"]
    assert spec["selector"]["matchLabels"] == labels
    assert manifest("Service")["spec"]["selector"] == labels
    budget = manifest("PodDisruptionBudget")["spec"]
    assert budget["selector"]["matchLabels"] == labels
    assert budget["maxUnavailable"] < spec["replicas"]


def test_what_the_image_is_built_from_is_there() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert {"src", "web", "requirements/serve.txt"} <= set(copied)
    for source in copied:
        assert (ROOT / source).exists(), source
        assert {f"!{source}", f"!{source.split('/')[0]}"} & set(allowed), source


def test_every_part_of_the_kubernetes_folder_is_used() -> None:
    others = {file.name for file in KUBERNETES.iterdir()} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == others


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kustomize_builds_them() -> None:
    built = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES)],
        check=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    kinds = [each["kind"] for each in yaml.safe_load_all(built.stdout)]
    assert len(kinds) == len(MANIFESTS)
