/** Saves a text as a file of the browser's downloads. */
export function download(name: string, text: string, type: string): void {
  save(name, new Blob([text], { type }));
}

/** Saves a blob as a file of the browser's downloads. */
export function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
