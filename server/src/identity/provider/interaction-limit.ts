// Limits what strangers can store: every authorization request without a session is a row for an hour.
import type { IncomingMessage } from 'node:http';
import type { AdapterFactory, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';
import type { loadProvider } from './load-provider.ts';

/** Maximum characters of all stored parameters of a request together; those of our clients have about 500. */
export const maxParameterLength = 2_048;

/**
 * Wraps the adapters of what is stored for unauthenticated requests. A request with longer parameters is refused
 * with invalid_request, and one too many of a network with temporarily_unavailable (RFC 6749, section 4.1.2.1).
 */
export function limitInteractions(
  adapterOf: AdapterFactory,
  library: Awaited<ReturnType<typeof loadProvider>>,
  deps: { limit: AttemptLimit; clientAddress(req: IncomingMessage): string },
): AdapterFactory {
  const { InvalidRequest, TemporarilyUnavailable } = library.errors;

  async function admit(model: string, payload: AdapterPayload): Promise<void> {
    // Absent when our own pages store the result of an interaction.
    const ctx = library.default.ctx as KoaContextWithOIDC | undefined;
    if (!ctx) return;
    if (lengthOf(payload.params) > maxParameterLength)
      throw new InvalidRequest('the parameters of the request are too long');
    if (model !== 'Interaction') return;
    const { wait } = await deps.limit.begin({
      purpose: 'sign-in-request',
      address: deps.clientAddress(ctx.req),
    });
    if (wait > 0)
      throw new TemporarilyUnavailable(
        `too many sign-ins are begun; try again in ${Math.ceil(wait / 1000)} s`,
      );
  }

  return (model) => {
    const adapter = adapterOf(model);
    if (model !== 'Interaction' && model !== 'DeviceCode') return adapter;
    return {
      ...adapter,
      async upsert(id, payload, expiresIn) {
        await admit(model, payload);
        return adapter.upsert(id, payload, expiresIn);
      },
    };
  };
}

function lengthOf(params: unknown): number {
  return Object.values(params ?? {}).reduce<number>((total, value) => total + String(value ?? '').length, 0);
}
