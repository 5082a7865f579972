const coats = ["#9fb8d9", "#e9a6a0", "#b7d18a", "#f3d27a", "#c9b3dd", "#c9bfb4"];

/** The colour of a seat's mouse. */
export const coatOf = (seat: number) => coats[seat % coats.length] ?? "#c9bfb4";
