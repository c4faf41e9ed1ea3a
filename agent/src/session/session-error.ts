import type { StreamCode } from '@yagura/core/greac/stream/gateway-protocol';

/** Why a session cannot be connected, or a viewer is sent away. */
export class SessionError extends Error {
  readonly code: StreamCode;
  readonly params: Record<string, string>;

  constructor(code: StreamCode, params: Record<string, string> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

export function streamCodeOf(error: unknown): Pick<SessionError, 'code' | 'params'> {
  return error instanceof SessionError ? error : { code: 'SERVER_ERROR', params: {} };
}
