// Shows nudges while no page is open. It keeps nothing, and no page goes through it.

const usual = { title: "Tischlein", body: "", off: "", lang: "", table: "" };
const pathOf = (table) => (table ? `/t/${encodeURIComponent(table)}` : "/");

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
    icon: "/icon-192.png",
    badge: "/badge.png",
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
  const address = new URL(pathOf(table), self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => url.split(/[?#]/)[0] === address);
  if (there) await there.focus();
  else await self.clients.openWindow(address);
}

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const deed = action === "off" ? switchOff() : open(notification.data?.table);
  event.waitUntil(deed.then(badge, badge));
});
self.addEventListener("notificationclose", (event) => event.waitUntil(badge().catch(() => {})));
