// Updates of one field where the API only takes whole items: read, change, and send the fields that a PUT knows (spec section 7).
import { send, type Transport } from '../http/transport.ts';

const networkFields = ['displayName', 'configuration'] as const;
const notificationFields = ['displayName', 'kind', 'disabled', 'events', 'emails', 'webhook'] as const;

const networkPath = (networkId: string) => `/api/apps/sonar/networks/${encodeURIComponent(networkId)}`;

/** Changes a network; `displayName` and `configuration` are sent. */
export function updateNetwork(
  transport: Transport,
  networkId: string,
  change: Record<string, unknown>,
): Promise<unknown> {
  return rewrite(transport, networkPath(networkId), networkFields, change);
}

/** Changes a network's notification setting; displayName, kind, disabled, events, emails and webhook are sent. */
export function updateNotification(
  transport: Transport,
  networkId: string,
  notificationSettingId: string,
  change: Record<string, unknown>,
): Promise<unknown> {
  const path = `${networkPath(networkId)}/notification-settings/${encodeURIComponent(notificationSettingId)}`;
  return rewrite(transport, path, notificationFields, change);
}

async function rewrite(
  transport: Transport,
  path: string,
  fields: readonly string[],
  change: Record<string, unknown>,
): Promise<unknown> {
  const reply = await send<Record<string, unknown>>(transport, { method: 'GET', path });
  const whole = { ...reply.data, ...change };
  const body = Object.fromEntries(
    fields.filter((field) => whole[field] !== undefined).map((field) => [field, whole[field]]),
  );
  // What was read is what is changed: somebody else's change in between is a 412, not lost.
  const etag = reply.headers.get('etag');
  const headers = etag ? { 'if-match': etag } : undefined;
  return (await send(transport, { method: 'PUT', path, body, headers })).data;
}
