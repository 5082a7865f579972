// The device's own dialog: it makes a passkey, or shows whom it knows. Bytes travel as base64url.

export type Json = Record<string, unknown>;

/** Whether the device may be asked here: only on a safe page, and at a name instead of a number. */
export const canAsk = (host = location.hostname, safe = isSecureContext) =>
  safe && "PublicKeyCredential" in globalThis && !isNumber(host);

/** Whether a host is an address in numbers; passkeys belong to names. */
export const isNumber = (host: string) => /^(\d+\.){3}\d+$|^\[/.test(host);

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

export function text(found: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(found)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

interface Asked extends Json {
  challenge: string;
}
interface Making extends Asked {
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: { id: string; type: "public-key" }[];
}

/** Let the device make a passkey. */
export async function make(asked: Json): Promise<Json> {
  const given = asked as Making;
  const publicKey = {
    ...given,
    challenge: bytes(given.challenge),
    user: { ...given.user, id: bytes(given.user.id) },
    excludeCredentials: (given.excludeCredentials ?? []).map((one) => ({
      ...one,
      id: bytes(one.id),
    })),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return told(made, { clientDataJSON, attestationObject });
}

/** Let the device show whom it knows. */
export async function show(asked: Json): Promise<Json> {
  const given = asked as Asked;
  const publicKey = {
    ...given,
    challenge: bytes(given.challenge),
    allowCredentials: [],
  } as unknown as PublicKeyCredentialRequestOptions;
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    found.response as AuthenticatorAssertionResponse;
  return told(found, {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle ? { userHandle } : {}),
  });
}

function told(one: PublicKeyCredential, response: Record<string, ArrayBuffer>): Json {
  const answer = Object.entries(response).map(([name, found]) => [name, text(found)]);
  const id = text(one.rawId);
  return { id, rawId: id, type: one.type, response: Object.fromEntries(answer) as Json };
}

const systems = ["Android", "iPhone", "iPad", "Windows", "CrOS", "Mac", "Linux"];
const browsers = ["Edg", "Firefox", "Chrome", "Safari"];
const spoken: Record<string, string> = { CrOS: "Chromebook", Edg: "Edge" };

/** What this device is called until its owner names it. */
export function deviceName(agent = navigator.userAgent): string {
  const found = [systems, browsers].map((kinds) => kinds.find((kind) => agent.includes(kind)));
  return found.flatMap((name) => (name ? [spoken[name] ?? name] : [])).join(" · ");
}
