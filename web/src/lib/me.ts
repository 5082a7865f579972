// My profile: what the page asks of the server, and of the device's own dialog.

import type { LetIn, Link, Me, MySettings, PaperCode } from "../wire/frames";
import { call } from "./api";
import { deviceName, make, show, type Json } from "./passkey";
import { prefs } from "./prefs.svelte";

/** From now on this device speaks for somebody; what they have set elsewhere comes first. */
function enter({ login, name }: LetIn, settingsAt: number): void {
  prefs.setSettingsAt(settingsAt);
  prefs.setName(name);
  prefs.setLogin(login);
}
const device = () => deviceName();

export const me = {
  get: () => call<Me>("/api/me"),
  async begin(name: string): Promise<void> {
    const credential = await make(await call<Json>("/api/me/begin", { name }));
    const made = await call<LetIn>("/api/me/finish", { name, credential, device: device() });
    enter(made, Date.now());
  },
  async signIn(): Promise<void> {
    const credential = await show(await call<Json>("/api/me/sign-in/begin", {}));
    const found = { credential, device: device() };
    enter(await call<LetIn>("/api/me/sign-in/finish", found), 0);
  },
  /** By a short code from another device, or a long one from paper. */
  async useCode(code: string): Promise<void> {
    const long = code.replace(/[^\w]/g, "").length > 12;
    const way = long ? "/api/me/recover" : "/api/me/link/use";
    enter(await call<LetIn>(way, { code, device: device() }), 0);
  },
  async signOut(id?: string): Promise<void> {
    await call("/api/me/sign-out", id === undefined ? {} : { id });
    if (id === undefined) prefs.setLogin("");
  },
  name: (name: string) => call<Me>("/api/me/name", { name }),
  settings: (settings: object, at: number) =>
    call<MySettings>("/api/me/settings", { settings, at }),
  async addPasskey(): Promise<Me> {
    const credential = await make(await call<Json>("/api/me/passkeys/begin", {}));
    return call<Me>("/api/me/passkeys/finish", { credential, name: device() });
  },
  namePasskey: (id: string, name: string) => call<Me>("/api/me/passkeys/name", { id, name }),
  removePasskey: (id: string) => call<Me>("/api/me/passkeys/remove", { id }),
  link: () => call<Link>("/api/me/link", {}),
  code: () => call<PaperCode>("/api/me/code", {}).then(({ code }) => code),
  data: () => call<unknown>("/api/me/data"),
  async delete(confirm: string): Promise<void> {
    await call("/api/me/delete", { confirm });
    prefs.setLogin("");
  },
};
