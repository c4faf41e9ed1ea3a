// Texts of the codes with which sessions and file transfers end or fail.
import type { MessageKey } from '../../i18n/message-key.ts';
import { privateKeyFaultTexts } from '../../kroker/private-key-fault.ts';
import type { FailureCode } from './session-stream.ts';

const streamReasonTexts: Record<FailureCode, MessageKey> = {
  UNREACHABLE: 'stream.unreachable',
  REFUSED: 'stream.refused',
  TIMEOUT: 'stream.timeout',
  NOT_ALLOWED: 'stream.not-allowed',
  HOST_KEY_UNKNOWN: 'stream.host-key-unknown',
  HOST_KEY_CHANGED: 'stream.host-key-changed',
  CERTIFICATE_CHANGED: 'stream.certificate-changed',
  CERTIFICATE_UNKNOWN: 'stream.certificate-unknown',
  SIGN_IN_FAILED: 'stream.sign-in-failed',
  CREDENTIAL_UNREADABLE: 'stream.credential-unreadable',
  CREDENTIAL_NOT_FOR_HOST: 'stream.credential-not-for-host',
  SESSION_CLOSED: 'stream.session-closed',
  SESSION_CONFLICT: 'stream.session-conflict',
  CONNECTION_LIMIT_REACHED: 'stream.limit',
  RECORDING_FAILED: 'stream.recording-failed',
  LOG_KEY_NOT_ALLOWED: 'stream.log-key-not-allowed',
  PROTOCOL: 'stream.protocol',
  SERVER_ERROR: 'stream.server-error',
  FORBIDDEN: 'stream.forbidden',
  GATEWAY_AWAY: 'stream.gateway-away',
  CREDIT_EXCEEDED: 'stream.protocol',
  // Only recordings of gateways are refused with it.
  NO_SPACE: 'stream.server-error',
  UNTRUSTED: 'stream.untrusted',
  NO_KROKER: 'stream.no-kroker',
};

/** Texts of the `reason` among the parameters of a failure, where it says more than the code. */
const detailTexts: Record<string, MessageKey> = {
  NAME_NOT_FOUND: 'stream.name-not-found',
  CONNECTION_CLOSED: 'stream.connection-closed',
  NO_CREDENTIAL: 'stream.no-credential',
  NO_PASSWORD: 'stream.no-password',
  ...privateKeyFaultTexts,
  NO_COMMON_ALGORITHM: 'stream.no-common-algorithm',
  SHELL_REFUSED: 'stream.shell-refused',
  NO_TLS: 'stream.no-tls',
  HOST_KEY_FILE: 'stream.host-key-file',
  NOT_ACCEPTED: 'stream.not-accepted',
};

const transferReasonTexts: Record<string, MessageKey> = {
  NOT_FOUND: 'stream.file.not-found',
  NOT_ALLOWED: 'stream.file.not-allowed',
  NOT_IN_CONTROL: 'stream.file.not-in-control',
  NOT_A_FILE: 'stream.file.not-a-file',
  EXISTS_AS_DIRECTORY: 'stream.file.directory',
  TOO_LARGE: 'stream.file.too-large',
  NOT_ENABLED: 'stream.file.not-enabled',
  CONNECTION_FAILED: 'stream.file.connection',
  NO_SFTP: 'stream.file.no-sftp',
  NO_SPACE: 'stream.file.no-space',
  READ_ONLY: 'stream.file.read-only',
  SOURCE_CHANGED: 'stream.file.source-changed',
  SESSION_CLOSED: 'stream.session-closed',
};

/** Close reasons of sessions that did not end as somebody wanted. */
const interruptionTexts: Record<string, MessageKey> = {
  disconnected: 'stream.disconnected',
  failed: 'stream.session-failed',
  limit: 'stream.limit',
};

/** The text of a close reason (of a session, or of the end of its stream) that is an error; null for others. */
export function interruptionText(reason: string): MessageKey | null {
  return Object.hasOwn(interruptionTexts, reason) ? interruptionTexts[reason]! : null;
}

export function streamReasonText(code: string): MessageKey {
  return isStreamReason(code) ? streamReasonTexts[code] : 'stream.protocol';
}

/** The text of a failure, and those of its parameters that the text does not tell. */
export function describeFailure(
  code: string,
  params: Record<string, string>,
): { text: MessageKey; details: Record<string, string> } {
  // The known key of a host that has none is empty.
  const told = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
  const { reason, ...others } = told;
  if (reason === undefined) return { text: streamReasonText(code), details: told };
  if (Object.hasOwn(detailTexts, reason)) return { text: detailTexts[reason]!, details: others };
  // A gateway gives a reason if it was the destination that did not follow the protocol.
  return { text: code === 'PROTOCOL' ? 'stream.other-protocol' : streamReasonText(code), details: told };
}

/** A code of a later version has a general text. */
export function transferReasonText(code: string): MessageKey {
  return Object.hasOwn(transferReasonTexts, code) ? transferReasonTexts[code]! : 'stream.file.failed';
}

function isStreamReason(code: string): code is FailureCode {
  return Object.hasOwn(streamReasonTexts, code);
}
