// Reads the fingerprint of a state from the data of a message.
import { toText } from '../data/convert-values.ts';
import type { DataPath } from '../data/data-path.ts';
import type { FlowData } from '../data/flow-data.ts';
import { sha256 } from '../data/sha256.ts';

/** Maximum length of a stored fingerprint in characters. */
const maxFingerprintLength = 256;

/**
 * The text at the path; undefined if it is empty. A text that is too long, or that cannot be stored unchanged, is
 * replaced by its digest, so that different texts stay different.
 */
export function readFingerprint(data: FlowData, path: DataPath): string | undefined {
  const text = toText(data.read(path))?.trim() ?? '';
  if (text === '') return undefined;
  const isStorable = text.length <= maxFingerprintLength && !/[\p{Cc}\p{Cs}]/u.test(text);
  return isStorable ? text : `sha256:${sha256(text)}`;
}
