// Saves a download to disk while it arrives, or from memory where the browser can't.
import type { WriteContent } from '@yagura/core/greac/stream/file-transfers';
import { saveBlob } from '../../ui/save-blob.ts';

export interface DownloadTarget {
  write: WriteContent;
  /** Completes the file. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

interface WritableFile {
  write(content: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** File System Access API, which is not in all browsers (https://wicg.github.io/file-system-access). */
type SavePicker = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<WritableFile>;
}>;

/** Content that is kept in memory is handed to the browser in pieces of this many bytes. */
const pieceBytes = 8 * 1024 * 1024;

function savePicker(): SavePicker | undefined {
  return (globalThis as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
}

export function canStreamToDisk(): boolean {
  return savePicker() !== undefined;
}

/** Asks where to save where the browser can; null if the user cancels. */
export async function openDownloadTarget(name: string): Promise<DownloadTarget | null> {
  const pick = savePicker();
  if (!pick) return memoryTarget(name);
  try {
    const handle = await pick.call(globalThis, { suggestedName: name });
    const file = await handle.createWritable();
    return {
      write: (content) => file.write(new Uint8Array(content)),
      finish: () => file.close(),
      discard: () => file.abort(),
    };
  } catch (error) {
    if ((error as Error).name === 'AbortError') return null;
    throw error;
  }
}

function memoryTarget(name: string): DownloadTarget {
  // The browser may keep blobs on disk.
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const flush = () => {
    pieces.push(new Blob(parts));
    [parts, bytes] = [[], 0];
  };
  return {
    write(content) {
      parts.push(new Uint8Array(content));
      bytes += content.length;
      if (bytes >= pieceBytes) flush();
    },
    async finish() {
      flush();
      saveBlob(name, new Blob(pieces));
    },
    async discard() {
      [parts, bytes] = [[], 0];
      pieces.length = 0;
    },
  };
}
