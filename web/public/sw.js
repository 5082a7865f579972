// Keeps the page for when there is no network, and shows nudges while no page is open. What somebody
// plays never goes through it: neither calls nor tables.

/** All that the page is made of, with how many bytes it has where that is known; written when it is built. */
const page = { version: "", files: {} };
const home = new URL("./", self.location).href;
/** All shelves of this page: others that lie on the same host have their own. */
const shelves = `tischlein-page ${home} `;
const shelf = shelves + page.version;
/** A network that does not answer a whole page for so long, in ms, is none. */
const patience = 3000;

/**
 * Get all files of the page before this worker takes over. While a site is put up a file may be there in
 * part, and some hosts give their first page for what they lack.
 */
async function stock() {
  const whole = Object.entries(page.files).map(async ([file, size]) => {
    const url = new URL(file, home);
    const found = await fetch(url, { cache: "no-cache" });
    const data = await found.clone().blob();
    if (!found.ok || (size && data.size !== size)) throw new Error(`${file} is not whole`);
    return [url, found];
  });
  const got = await Promise.all(whole);
  const files = await caches.open(shelf);
  await Promise.all(got.map(([url, found]) => files.put(url, found)));
}

/** Throw away what older pages were made of. */
async function clear() {
  const old = (await caches.keys()).filter((name) => name.startsWith(shelves) && name !== shelf);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Whether a page can begin: what it names first may not be there yet, while its site is put up. */
async function begins(found) {
  if (!found.headers.get("content-type")?.startsWith("text/html")) return true;
  const named = (await found.clone().text()).matchAll(/="\.?\/(assets\/[^"]+)"/g);
  const parts = Array.from(named, async ([, file]) => {
    const url = new URL(file, home);
    const part = (await caches.match(url)) ?? (await fetch(url, { method: "HEAD" }));
    return part.ok && !part.headers.get("content-type")?.startsWith("text/html");
  });
  return (await Promise.all(parts)).every(Boolean);
}

/**
 * Ask the network for something that may have changed; without one, what is kept must do. What the
 * browser remembers by itself may name files that are gone: hosts of files do not say how long it lasts.
 */
async function newest(request, key) {
  const kept = await caches.match(key, { ignoreSearch: true });
  const asked = fetch(request, { cache: "no-cache" });
  if (!kept) return asked;
  const late = new Promise((done) => setTimeout(() => done(kept), patience));
  const newer = asked.then(async (found) => (found.ok && (await begins(found)) ? found : kept));
  return Promise.race([newer, late]).catch(() => kept);
}

/** What never changes under its name comes from the shelf. */
const kept = async (request) =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(home)) return;
  const path = request.url.slice(home.length).split(/[?#]/)[0];
  if (request.mode === "navigate") event.respondWith(newest(request, home));
  else if (/^(assets|python\/\w+)\//.test(path)) event.respondWith(kept(request));
  else if (path === "games.json") event.respondWith(newest(request, request.url));
  else if (Object.hasOwn(page.files, path)) event.respondWith(newest(request, request.url));
});

const usual = { title: "Tischlein", body: "", off: "", lang: "", table: "" };
const pathOf = (table) => (table ? `t/${encodeURIComponent(table)}` : "./");

/** What was told; a browser that may show nothing would rather hear anything. */
function read(data) {
  try {
    return { ...usual, ...data.json() };
  } catch {
    return usual;
  }
}

/** Count the tables that were told on the sign of the installed app; an open page knows more. */
async function badge() {
  const shown = await self.registration.getNotifications();
  const tables = new Set(shown.map(({ tag }) => tag)).size;
  if (tables) await navigator.setAppBadge?.(tables);
  else await navigator.clearAppBadge?.();
}

async function show({ title, body, off, lang, table }) {
  const more = off ? [{ action: "off", title: off }] : [];
  await self.registration.showNotification(title, {
    body,
    lang,
    tag: table,
    renotify: !!table,
    icon: "icon-192.png",
    badge: "badge.png",
    actions: more,
    data: { table },
  });
  await badge().catch(() => {});
}

/** No more of these: the house forgets this browser, and the browser the house. */
async function switchOff() {
  const subscription = await self.registration.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  const body = JSON.stringify({ endpoint });
  const headers = { "content-type": "application/json" };
  await fetch("/api/push/off", { method: "POST", headers, body }).catch(() => {});
  await subscription.unsubscribe();
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true }))
    page.postMessage("nudges");
}

/** Go to the table, in a window that has it open, or any, or a new one. */
async function open(table) {
  const address = new URL(pathOf(table), home).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => url.split(/[?#]/)[0] === address);
  if (there) await there.focus();
  else await self.clients.openWindow(address);
}

self.addEventListener("install", (event) => {
  void self.skipWaiting();
  event.waitUntil(stock());
});
self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), clear()])),
);
self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const deed = action === "off" ? switchOff() : open(notification.data?.table);
  event.waitUntil(deed.then(badge, badge));
});
self.addEventListener("notificationclose", (event) => event.waitUntil(badge().catch(() => {})));
