/** Why files cannot be listed or a transfer has failed. */
export type FileCode =
  | 'NOT_ENABLED'
  | 'NOT_FOUND'
  | 'NOT_ALLOWED'
  | 'NOT_IN_CONTROL'
  | 'NOT_A_FILE'
  | 'EXISTS_AS_DIRECTORY'
  | 'TOO_LARGE'
  | 'TOO_MANY'
  | 'CANCELED'
  | 'CONNECTION_FAILED'
  | 'NO_SFTP'
  | 'NO_SPACE'
  | 'READ_ONLY'
  | 'PROTOCOL'
  | 'FAILED';

export class FileError extends Error {
  readonly code: FileCode;

  constructor(code: FileCode) {
    super(code);
    this.code = code;
  }
}

/** Status codes of SFTP (draft-ietf-secsh-filexfer-02 section 7). */
const statusCodes: Record<number, FileCode> = {
  2: 'NOT_FOUND',
  3: 'NOT_ALLOWED',
  6: 'CONNECTION_FAILED',
  7: 'CONNECTION_FAILED',
};

export function fileCodeOf(error: unknown): FileCode {
  if (error instanceof FileError) return error.code;
  const { code } = error as { code?: unknown };
  return (typeof code === 'number' ? statusCodes[code] : undefined) ?? 'FAILED';
}
