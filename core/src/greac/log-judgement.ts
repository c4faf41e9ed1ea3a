// Whether a log is all that its gateway has recorded.
import { base64url } from 'jose';
import type { LogVerdict, SessionLogParts } from './session.ts';
import type { LogKind } from './session-parameters.ts';
import { partDigestsBytes } from './stream/gateway-protocol.ts';

export interface LogJudgement {
  /** As of a part. `complete` also means that no part is missing up to the end that the gateway has signed. */
  verdict: LogVerdict;
  /** What the verdict comes from: parts, or the end of the log. Null for a log without a fault. */
  fault: 'parts' | 'end' | null;
  /** Numbers of the parts with the fault, of all parts if there is none. */
  parts: number[];
}

/** Judges one log of a session. */
export async function judgeLog(
  kind: LogKind,
  { items, ends, isOpen }: SessionLogParts,
): Promise<LogJudgement> {
  const parts = items.filter((part) => part.kind === kind).sort((a, b) => a.part - b.part);
  const end = ends.find((one) => one.kind === kind);
  const numbersOf = (verdict: LogVerdict) =>
    parts.flatMap((part) => (part.verdict === verdict ? part.part : []));
  const ofParts = (verdict: LogVerdict, numbers: number[]): LogJudgement | null =>
    numbers.length === 0 ? null : { verdict, fault: 'parts', parts: numbers };
  const ofEnd = (verdict: LogVerdict): LogJudgement => ({ verdict, fault: 'end', parts: [] });

  const unverified = ofParts('unverified', numbersOf('unverified'));
  if (unverified) return unverified;
  const isOfOtherKey = parts.some(({ seal }) => seal && seal.signingKey !== end?.signingKey);
  if (end && (!end.isSigned || isOfOtherKey)) return ofEnd('unverified');
  const altered = ofParts('altered', numbersOf('altered'));
  if (altered) return altered;
  const numbers = parts.map(({ part }) => part);
  const last = end?.parts ?? numbers.at(-1) ?? 0;
  const present = new Set(numbers);
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((part) => !present.has(part));
  const cut = ofParts(
    'cut',
    [...numbersOf('cut'), ...missing].sort((a, b) => a - b),
  );
  if (cut) return cut;
  if (!end) return isOpen ? { verdict: 'open', fault: null, parts: numbers } : ofEnd('cut');
  const surplus = ofParts(
    'altered',
    numbers.filter((part) => part > last),
  );
  if (surplus) return surplus;
  const digest = await digestOf(parts.map(({ seal }) => seal?.digest ?? ''));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (digest !== end.digest || bytes !== end.bytes) return ofEnd('altered');
  return { verdict: 'complete', fault: null, parts: numbers };
}

async function digestOf(digests: readonly string[]): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', partDigestsBytes(digests))));
}
