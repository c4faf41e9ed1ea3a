// Handshake that sets up a Kroker, modeled on the device authorization grant (RFC 8628): the machine shows a
// code, a user approves it.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { publicKey } from './public-key.ts';

/** Consonants that are hard to confuse and cannot form words (RFC 8628 section 6.1). */
export const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
/** How long a code can be approved, in milliseconds. */
export const setupLifetimeMs = 10 * 60 * 1000;
/** Polling interval of the machine in seconds. */
export const setupPollIntervalSeconds = 3;
/** Calls of the machine, which does not have a credential yet. */
export const setupPaths = {
  begin: '/receive/kroker-setups',
  collect: '/receive/kroker-setups/token',
  check: '/receive/kroker-check-ins',
} as const;

/** Normalizes a code to its stored form, eight letters with a hyphen; null if it is invalid. */
export function normalizeUserCode(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '');
  if (letters.length !== 8 || [...letters].some((letter) => !codeLetters.includes(letter))) return null;
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export const setupRequest = z.object({
  publicKey: publicKey(),
  /** Host name of the machine, to recognize it. */
  hostName: field.requiredText(255),
});

export const setupStarted = z.object({
  userCode: z.string(),
  /** The machine's secret for collecting its token. */
  deviceCode: z.string(),
  verificationUri: z.string(),
  expiresAt: field.dateTime(),
  /** Seconds. */
  interval: z.int(),
});
export type SetupStarted = z.output<typeof setupStarted>;

export const collectRequest = z.object({ deviceCode: z.string().min(1).max(128) });

const krokerIdentity = { krokerId: z.uuid(), displayName: z.string(), spaceName: z.string() };

/** `token` is returned once, to the holder of the device code. */
export const collectReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending') }),
  z.object({ status: z.literal('approved'), ...krokerIdentity, token: z.string() }),
]);
export type CollectReply = z.output<typeof collectReply>;

export const checkInReply = z.object({ ...krokerIdentity, thumbprint: z.string() });
export type CheckInReply = z.output<typeof checkInReply>;

export const krokerSetup = defineResource({
  app: 'kroker',
  name: 'kroker-setup',
  noun: { en: ['Kroker setup', 'Kroker setups'], ja: 'Krokerセットアップ' },
  path: '/api/apps/kroker/setups',
  id: 'userCode',
  shape: z.object({
    userCode: field.text(9),
    hostName: field.text(255),
    thumbprint: field.text(43),
    createdAt: field.dateTime(),
    expiresAt: field.dateTime(),
  }),
  verbs: ['show'],
  columns: ['userCode', 'hostName', 'thumbprint', 'expiresAt'],
  permission: 'kroker:setups',
  calls: {
    approve: {
      method: 'POST',
      path: '/approve',
      on: 'item',
      permission: 'approve',
      body: z.object({
        /** Name of the Kroker to create. */
        displayName: field.displayName().optional(),
        /**
         * An existing Kroker that gets this key and token; data encrypted to its old key has to be entered
         * again.
         */
        krokerId: field.reference('kroker').nullable().default(null),
      }),
      reply: z.object({ krokerId: field.uuid(), displayName: field.text() }),
    },
    deny: { method: 'POST', path: '/deny', on: 'item', permission: 'approve' },
  },
});
