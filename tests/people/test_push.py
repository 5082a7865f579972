"""Messages are sealed and signed as the RFCs say, and sent to nobody but push services."""

import socket
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event, Thread

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.pushes import Device, push_service, un64
from tischlein.house.settings import Settings
from tischlein.people import push
from tischlein.people.push import Letter, Target

AS_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
UA_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
    "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
    "a-fN"
)


def test_the_example_of_the_rfc_byte_for_byte() -> None:
    """RFC 8291, section 5 and appendix A."""
    target = Target("", push.read_point(UA_PUBLIC), push.decoded("BTBZMqHH6r4Tts7J_aSIgg", 16))
    own, salt = push.private_key(un64(AS_PRIVATE)), un64("DGv6ra1nlYgDCS1FRnbzlw")
    found = push.sealed(b"When I grow up, I want to be a watermelon", target, own, salt)
    assert push.encoded(found) == SEALED


def test_only_its_browser_reads_a_message_and_no_two_are_alike() -> None:
    device, other = Device(1), Device(2)
    target = Target("", device.point, device.auth)
    one, again = push.sealed(b"your turn", target), push.sealed(b"your turn", target)
    assert device.read(one) == device.read(again) == b"your turn"
    assert one[:86] != again[:86]
    with pytest.raises(InvalidTag):
        other.read(one)
    assert device.read(push.sealed(b"x" * push.LONGEST, target)) == b"x" * push.LONGEST
    with pytest.raises(ValueError, match="at most"):
        push.sealed(b"x" * (push.LONGEST + 1), target)


@pytest.mark.parametrize(
    "point",
    [
        "",
        "AAAA",
        push.encoded(b"\x04" + b"\1" * 64),
        push.encoded(b"\x02" + un64(UA_PUBLIC)[1:33]),
        push.encoded(b"\x04" + bytes(64)),
        UA_PUBLIC[:-1] + "!",
        UA_PUBLIC + "A",
        "ä" * 87,
    ],
)
def test_a_key_that_is_none_is_refused(point: str) -> None:
    with pytest.raises(ValueError, match=r"base64|bytes|EC key|curve|point"):
        push.read_point(point)


USUAL = Settings().push_hosts


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYA%2bC",
        "https://web.push.apple.com/QGc",
        "HTTPS://FCM.googleapis.com/x",
    ],
)
def test_push_services_are_called(address: str) -> None:
    assert push.service_of(address, USUAL) in USUAL.split(",")


@pytest.mark.parametrize(
    "address",
    [
        "http://fcm.googleapis.com/x",
        "ftp://fcm.googleapis.com/x",
        "file:///etc/passwd",
        "//fcm.googleapis.com/x",
        "fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com.example/x",
        "https://evil-fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:443/x",
        "https://fcm.googleapis.com:/x",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com./x",
        "https://.fcm.googleapis.com/x",
        "https://..fcm.googleapis.com/x",
        "https://[::1].fcm.googleapis.com/x",
        "https://[::1/x",
        "https://me@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://fcm.googleapis.com:secret@evil.example/x",
        "https://evil.example/.fcm.googleapis.com",
        "https://evil.example?.fcm.googleapis.com",
        "https://evil.example#.fcm.googleapis.com",
        "https://evil.example\\.fcm.googleapis.com/x",
        "https://evil.example%2f.fcm.googleapis.com/x",
        "https://evil.example%00.fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\r\nHost: evil.example",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/ä",
        "https://fcm.gооgleapis.com/x",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "https://",
        "https:///x",
        "",
    ],
)
def test_nobody_else_is(address: str) -> None:
    assert push.service_of(address, USUAL) is None


def test_an_origin_is_called_only_where_the_operator_names_it() -> None:
    named = f"{USUAL},http://127.0.0.1:9000"
    assert push.service_of("http://127.0.0.1:9000/a", named) == "http://127.0.0.1:9000"
    for other in ("http://127.0.0.1:9001/a", "http://127.0.0.1/a", "https://127.0.0.1:9000/a",
                  "http://127.0.0.1:9000@evil.example/a", "http://x.127.0.0.1:9000/a"):  # fmt: skip
        assert push.service_of(other, named) is None
    assert push.service_of("http://127.0.0.1:9000/a", USUAL) is None
    for services in ("", ",", " "):
        assert push.service_of("https://example.org/", services) is None


def letter(origin: str, path: str = "/p?a=b") -> Letter:
    """Write a message to a browser at a push service."""
    device, address = Device(), f"{origin}{path}"
    key = push.private_key(b"\1" * 32)
    signature = push.signature(key, address, "mailto:a@b.example", 1000.0)
    return Letter(Target(address, device.point, device.auth), b"hi", {"TTL": "60"}, signature)


def test_a_message_arrives_sealed_and_signed() -> None:
    with push_service() as service:
        assert push.deliver(letter(service.origin)) == 201
    (got,) = service.got
    assert (got.path, Device().read(got.body)) == ("/p?a=b", b"hi")
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["ttl"] == "60"
    claims = got.claims(push.encoded(push.point_of(push.private_key(b"\1" * 32))))
    assert claims == {"aud": service.origin, "exp": 1000 + 12 * 3600, "sub": "mailto:a@b.example"}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int) -> None:
    with push_service() as inside:

        def elsewhere(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("location", f"{inside.origin}/secret")
            handler.end_headers()

        with push_service(behave=elsewhere) as service:
            assert push.deliver(letter(service.origin)) == status
        assert inside.got == []


def test_of_a_huge_answer_little_is_read() -> None:
    written, over = [0], Event()

    def gush(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(2000):
                handler.wfile.write(bytes(65_536))
                written[0] += 65_536
        except OSError:
            pass
        over.set()

    with push_service(behave=gush) as service:
        assert push.deliver(letter(service.origin)) == 200
        assert over.wait(60)
    assert written[0] < 2000 * 65_536


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Answer sign by sign, with a header that never ends."""
    try:
        for _ in range(600):
            handler.wfile.write(b"H")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass


def silence(handler: BaseHTTPRequestHandler) -> None:
    """Answer nothing for long."""
    handler.rfile.read(1)


@pytest.mark.parametrize("behave", [drip, silence])
def test_who_answers_slowly_is_not_waited_for(
    behave: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    with push_service(behave=behave) as service, pytest.raises(TimeoutError):
        push.deliver(letter(service.origin), 0.3)


def test_what_is_no_answer_is_trouble() -> None:
    def babble(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 1000)

    with push_service(behave=babble) as service, pytest.raises(OSError, match="HTTP"):
        push.deliver(letter(service.origin))


def test_a_service_without_a_certificate_is_told_nothing() -> None:
    """Who answers in a push service's place cannot prove that it is one."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            line, _ = server.accept()
            with line:
                heard.append(line.recv(4096))
                line.sendall(b"HTTP/1.1 201 Created\r\n\r\n")

        thread = Thread(target=listen)
        thread.start()
        with pytest.raises(ssl.SSLError):
            push.deliver(letter(f"https://127.0.0.1:{server.getsockname()[1]}"), 5.0)
        thread.join()
    assert b"POST" not in heard[0]


def certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Make a certificate for a host that it signs itself; give it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    found = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(found.public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


@pytest.mark.parametrize(("host", "told"), [("localhost", True), ("fcm.googleapis.com", False)])
def test_a_certificate_counts_for_its_own_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, told: bool
) -> None:
    cert, key = certificate(tmp_path, host)
    monkeypatch.setattr(push, "trust", lambda: ssl.create_default_context(cafile=str(cert)))
    with push_service() as service:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        service.server.socket = context.wrap_socket(service.server.socket, server_side=True)
        origin = service.origin.replace("http://127.0.0.1", "https://localhost")
        if told:
            assert push.deliver(letter(origin)) == 201
        else:
            with pytest.raises(ssl.SSLCertVerificationError):
                push.deliver(letter(origin))
    assert len(service.got) == told


def test_nothing_shows_an_address() -> None:
    target = letter("http://127.0.0.1:9000", "/secret").target
    assert "secret" not in repr(target) + str(target) + repr([target])
