// Whoever looks at a small screen sees what has just come onto it.

/** Bring something into sight, by no more than it takes. */
export const intoSight = (one: HTMLElement): void => one.scrollIntoView({ block: "nearest" });
