// Describes errors of the file system in the language of the user; those of Node.js are English and repeat the path.
import { getSystemErrorMap } from 'node:util';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

/** Error codes with a translation. */
const texts = {
  ENOENT: 'cli.file-error.ENOENT',
  EACCES: 'cli.file-error.EACCES',
  EPERM: 'cli.file-error.EPERM',
  EEXIST: 'cli.file-error.EEXIST',
  EISDIR: 'cli.file-error.EISDIR',
  ENOTDIR: 'cli.file-error.ENOTDIR',
  ENOSPC: 'cli.file-error.ENOSPC',
  EDQUOT: 'cli.file-error.EDQUOT',
  EROFS: 'cli.file-error.EROFS',
  EFBIG: 'cli.file-error.EFBIG',
  EIO: 'cli.file-error.EIO',
  EBUSY: 'cli.file-error.EBUSY',
  ELOOP: 'cli.file-error.ELOOP',
  ENAMETOOLONG: 'cli.file-error.ENAMETOOLONG',
  EMFILE: 'cli.file-error.EMFILE',
  EINVAL: 'cli.file-error.EINVAL',
} as const satisfies Record<string, MessageKey>;

/** Whether this is an error of the file system about a path. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { path: string } {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  return error instanceof Error && typeof path === 'string' && typeof code === 'string';
}

/** The reason without the path; of another error, its message. */
export function fileErrorText(error: Error, t: Translate): string {
  const { code = '', errno = 0 } = error as NodeJS.ErrnoException;
  if (Object.hasOwn(texts, code)) return t(texts[code as keyof typeof texts]);
  const [, reason = error.message] = getSystemErrorMap().get(errno) ?? [];
  return reason;
}
