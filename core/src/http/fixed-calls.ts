// The calls that belong to no resource: what each wants and gives. Resources' calls are in their descriptors.
import { z } from 'zod';
import type { App, Call } from '../resource/define-resource.ts';
import { fillPath } from '../resource/define-resource.ts';
import { send, type Transport } from './transport.ts';

export interface FixedCall {
  app: App;
  method: Call['method'];
  /** API path, parameters in braces. */
  path: string;
  /** What it is for, in the API document. */
  summary: string;
  /** Whole permission string; null when it is open to everybody. */
  permission: string | null;
  body?: z.ZodType;
  reply: z.ZodType;
}

export const fixedCalls = {
  'client-info': {
    app: 'space',
    method: 'GET',
    path: '/api/internal/{identityProvider}/client-info',
    summary: 'How to sign in',
    permission: null,
    /** `issuer` and `cliClientId` are ours: a space may leave them out. */
    reply: z.object({
      domain: z.string(),
      clientId: z.string(),
      issuer: z.string().optional(),
      cliClientId: z.string().optional(),
    }),
  },
  'role-map': {
    app: 'space',
    method: 'GET',
    path: '/api/internal/apps/policy/role-map',
    summary: 'Permissions of each role',
    permission: 'self:role-map',
    reply: z.record(z.string(), z.array(z.string())),
  },
} as const satisfies Record<string, FixedCall>;

export type FixedCallName = keyof typeof fixedCalls;
export type FixedReply<N extends FixedCallName> = z.output<(typeof fixedCalls)[N]['reply']>;

export interface FixedRequest {
  place?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Makes one of the fixed calls. Throws Problem. */
export async function callFixed<N extends FixedCallName>(
  transport: Transport,
  name: N,
  { place = {}, query, body, signal }: FixedRequest = {},
): Promise<FixedReply<N>> {
  const { method, path }: FixedCall = fixedCalls[name];
  const request = {
    method,
    path: fillPath(path, place),
    query,
    signal,
    ...(body === undefined ? {} : { body }),
  };
  return (await send<FixedReply<N>>(transport, request)).data;
}
