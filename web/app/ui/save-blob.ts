// Hands content to the browser to save as a file.

/** How long the browser has to read the content, in milliseconds. */
const lifetimeMs = 60_000;

export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), lifetimeMs);
}
