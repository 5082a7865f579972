// A shake of the phone, where it can be felt.

const firm = 14; // m/s² beyond rest
const gravity = 9.81;

type Asking = { requestPermission?: () => Promise<unknown> };
const asks = () =>
  typeof DeviceMotionEvent === "undefined"
    ? undefined
    : (DeviceMotionEvent as unknown as Asking).requestPermission;

function allow(): void {
  const ask = asks();
  if (ask) ask.call(DeviceMotionEvent).catch(() => {}); // who does not like it taps
}

/** Some phones let a page feel them only when a finger has asked for it; asked once, it lasts. */
export const allowShaking = () => addEventListener("pointerup", allow, { once: true });

/** Call back at a firm shake; gives what ends it. */
export function onShake(then: () => void): () => void {
  const feel = ({ acceleration, accelerationIncludingGravity }: DeviceMotionEvent) => {
    const found = acceleration?.x == null ? accelerationIncludingGravity : acceleration;
    if (!found) return;
    const rest = found === acceleration ? 0 : gravity;
    const force = Math.hypot(found.x ?? 0, found.y ?? 0, found.z ?? 0);
    if (Math.abs(force - rest) > firm) then();
  };
  addEventListener("devicemotion", feel);
  return () => removeEventListener("devicemotion", feel);
}
