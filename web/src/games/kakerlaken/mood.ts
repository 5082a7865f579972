/** How the master feels. */
export type Mood = "asleep" | "awake" | "squeezed" | "cross" | "glad";
