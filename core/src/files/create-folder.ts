// Creates folders level by level: recursive mkdir of Node.js never returns when an existing parent does not accept folders
// (as in /proc).

/** What this needs of `node:fs` and `node:path`. */
export interface FolderFiles {
  mkdirSync(path: string, options: { mode: number }): unknown;
  statSync(path: string, options: { throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
  /** Absolute path. */
  resolve(path: string): string;
  dirname(path: string): string;
}

/**
 * Creates the folder and its missing parents, by default for this user only; an existing one is left as it is. Returns the
 * topmost folder that was created; undefined if the folder existed.
 */
export function createFolder(files: FolderFiles, folder: string, mode = 0o700): string | undefined {
  return createLevel(files, files.resolve(folder), mode);
}

function createLevel(files: FolderFiles, folder: string, mode: number): string | undefined {
  try {
    return createOne(files, folder, mode);
  } catch (error) {
    const parent = files.dirname(folder);
    if ((error as { code?: unknown }).code !== 'ENOENT' || parent === folder) throw error;
    const topmost = createLevel(files, parent, mode);
    const created = createOne(files, folder, mode);
    return topmost ?? created;
  }
}

function createOne(files: FolderFiles, folder: string, mode: number): string | undefined {
  try {
    files.mkdirSync(folder, { mode });
    return folder;
  } catch (error) {
    // The root of a file system that is read-only reports that instead of EEXIST.
    const isFolder = files.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) throw error;
    return undefined;
  }
}
