// Keys that are letters of the words on the buttons, in whatever language these are.

/** The initial of each word; where an earlier word has it already, the next letter. */
export function initials(words: string[]): string[] {
  const taken: string[] = [];
  for (const word of words) {
    const letters = word.toUpperCase().match(/\p{L}/gu) ?? [];
    taken.push(letters.find((letter) => !taken.includes(letter)) ?? "");
  }
  return taken;
}
