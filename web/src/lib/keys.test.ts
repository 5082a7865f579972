import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { goesOn, isElsewhere } from "./keys";

const key = (name: string, at: string, more: Partial<KeyboardEvent> = {}) =>
  ({
    key: name,
    target: { closest: (where: string) => (where.split(", ").includes(at) ? {} : null) },
    ...more,
  }) as unknown as KeyboardEvent;
let sheet: object | null = null;

beforeEach(() => vi.stubGlobal("document", { querySelector: () => sheet }));
afterEach(() => {
  sheet = null;
  vi.unstubAllGlobals();
});

test("a key goes on where it is meant for nothing else", () => {
  for (const name of ["Enter", " ", "Escape"]) expect(goesOn(key(name, "main"))).toBe(true);
  for (const at of ["button", "a", "input", "select", "dialog", "[role=dialog]"])
    expect(goesOn(key("Enter", at))).toBe(false);
  expect(goesOn(key("Escape", "button"))).toBe(true);
  for (const at of ["input", "dialog", "[data-closes]"])
    expect(goesOn(key("Escape", at))).toBe(false);
  expect(goesOn(key("r", "main"))).toBe(false);
  expect(goesOn(key("Enter", "main", { ctrlKey: true }))).toBe(false);
});

test("a board hears no shortcuts, nothing that is typed, and nothing below a sheet", () => {
  expect(isElsewhere(key("s", "button"))).toBe(false);
  for (const held of ["ctrlKey", "metaKey", "altKey"])
    expect(isElsewhere(key("s", "main", { [held]: true }))).toBe(true);
  for (const at of ["input", "select", "textarea"]) expect(isElsewhere(key("s", at))).toBe(true);
  sheet = {};
  expect(isElsewhere(key("s", "main"))).toBe(true);
});
