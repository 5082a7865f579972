// Putting a text where it can be pasted.

/** Copy a text; where there is no clipboard, without https, it is at least marked in its field. */
export async function copy(text: string, field: HTMLInputElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field?.select();
    document.execCommand("copy");
  }
}
