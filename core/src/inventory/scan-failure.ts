// Why a scan failed: a code with parameters, stored as text and shown in the language of the reader.
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';

/** Codes of the agent and of the server. Agents of earlier versions send an English sentence only. */
const messageKeys = {
  AGENT_ERROR: 'sonar.failure.AGENT_ERROR',
  AGENT_RESTARTED: 'sonar.failure.AGENT_RESTARTED',
  AGENT_SILENT: 'sonar.failure.AGENT_SILENT',
  AGENT_UNASSIGNED: 'sonar.failure.AGENT_UNASSIGNED',
  INVALID_NETWORK: 'sonar.failure.INVALID_NETWORK',
  MISSING_RESULTS: 'sonar.failure.MISSING_RESULTS',
  NOT_PROCESSED: 'sonar.failure.NOT_PROCESSED',
  NOTHING_PERMITTED: 'sonar.failure.NOTHING_PERMITTED',
  RESULTS_UNREADABLE: 'sonar.failure.RESULTS_UNREADABLE',
  STATE_UNWRITABLE: 'sonar.failure.STATE_UNWRITABLE',
  TOO_MANY_ADDRESSES: 'sonar.failure.TOO_MANY_ADDRESSES',
  TOO_MANY_HOSTS: 'sonar.failure.TOO_MANY_HOSTS',
  TOO_MANY_REFUSALS: 'sonar.failure.TOO_MANY_REFUSALS',
  TOO_MANY_SCANS: 'sonar.failure.TOO_MANY_SCANS',
} as const satisfies Record<string, MessageKey>;
export type ScanFailureCode = keyof typeof messageKeys;

export type ScanFailureParams = Readonly<Record<string, string | number>>;

interface ScanFailure {
  code: ScanFailureCode;
  params: ScanFailureParams;
}

function isScanFailureCode(code: unknown): code is ScanFailureCode {
  return typeof code === 'string' && Object.hasOwn(messageKeys, code);
}

/** The text in which a failure is stored. */
export function storedFailure(code: ScanFailureCode, params: ScanFailureParams = {}): string {
  return JSON.stringify({ code, params });
}

/** What an agent reported, as text to store: its sentence if the code is not known. */
export function reportedFailure(message: {
  reason: string;
  code?: string | undefined;
  params?: ScanFailureParams | undefined;
}): string {
  const { reason, code, params } = message;
  return isScanFailureCode(code) ? storedFailure(code, params) : reason;
}

/** The failure as the key of its text and parameters. A text that is not a stored failure is returned as it is. */
export function scanFailureReason(stored: string): string | { word: MessageKey; params: ScanFailureParams } {
  const failure = readFailure(stored);
  return failure ? { word: messageKeys[failure.code], params: failure.params } : stored;
}

/** The failure for readers. A text that is not a stored failure is returned as it is. */
export function scanFailureText(stored: string, t: Translate): string {
  const failure = readFailure(stored);
  return failure ? t(messageKeys[failure.code], { ...failure.params }) : stored;
}

function readFailure(stored: string): ScanFailure | undefined {
  if (!stored.startsWith('{')) return undefined;
  try {
    const { code, params } = JSON.parse(stored) as { code?: unknown; params?: unknown };
    return isScanFailureCode(code) && typeof params === 'object' && params !== null
      ? { code, params: params as ScanFailureParams }
      : undefined;
  } catch {
    return undefined;
  }
}
