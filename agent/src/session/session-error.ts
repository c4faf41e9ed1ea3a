import type { StreamCode } from '@yagura/core/greac/stream/gateway-protocol';

/** Why a session cannot be connected, or a viewer is sent away. */
export class SessionError extends Error {
  readonly code: StreamCode;
  readonly params: Record<string, string>;

  /** The cause is for the log of the gateway. */
  constructor(code: StreamCode, params: Record<string, string> = {}, cause?: unknown) {
    super(code, cause === undefined ? {} : { cause });
    this.code = code;
    this.params = params;
  }
}

/** What has failed on a connection to a host. Other texts of libraries may quote what the host sent. */
export function connectionErrorOf(error: unknown): SessionError {
  if (error instanceof SessionError) return error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const reason = typeof code === 'string' ? code : 'UNEXPECTED';
  return new SessionError(syscall === undefined ? 'PROTOCOL' : 'UNREACHABLE', { reason });
}

export function streamCodeOf(error: unknown): Pick<SessionError, 'code' | 'params'> {
  return error instanceof SessionError ? error : { code: 'SERVER_ERROR', params: {} };
}
