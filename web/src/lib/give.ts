// Give a file to the browser, to be kept.

export function give(data: BlobPart, name: string, type = "application/octet-stream"): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
