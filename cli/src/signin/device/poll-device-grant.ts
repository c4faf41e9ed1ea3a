// Polls the provider until the request of a device is decided (RFC 8628, section 3.4). The polling of openid-client notices
// an interruption only after its wait of five seconds, which also keeps the process from ending.
import { setTimeout as pause } from 'node:timers/promises';
import {
  ClientError,
  type Configuration,
  type DeviceAuthorizationResponse,
  genericGrantRequest,
  ResponseBodyError,
} from 'openid-client';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds between two requests, and those that `slow_down` adds (sections 3.2 and 3.5). */
const defaultInterval = 5;

/** Throws the error of the provider that ends the request, or the reason of the signal. */
export async function pollDeviceGrant(
  configuration: Configuration,
  { device_code, interval: initial = defaultInterval }: DeviceAuthorizationResponse,
  signal: AbortSignal,
): ReturnType<typeof genericGrantRequest> {
  let interval = initial;
  let wait = interval;
  for (;;) {
    await pause(wait * 1000, undefined, { signal });
    try {
      return await genericGrantRequest(configuration, grantType, { device_code });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ResponseBodyError && error.error === 'slow_down') interval += defaultInterval;
      else if (!isPending(error)) throw error;
      wait = Math.max(interval, retryAfter(error));
    }
  }
}

/** Not decided, or the server is too busy to tell. */
function isPending(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'authorization_pending';
  return error instanceof ClientError && error.cause instanceof Response && error.cause.status === 503;
}

/** Seconds; 0 if the response does not ask for a wait. */
function retryAfter(error: unknown): number {
  const response = error instanceof ResponseBodyError ? error.response : (error as ClientError).cause;
  return response instanceof Response ? Number(response.headers.get('retry-after')) || 0 : 0;
}
