import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { protocols } from './session-parameters.ts';

export const sessionStatuses = ['opened', 'closed'] as const;
export const closeReasons = ['ended', 'forced', 'left'] as const;

/** A session closes this long after its last participant has left, in milliseconds. */
export const emptySessionTimeoutMs = 5 * 60 * 1000;
/** Maximum interval between presence signals of a participant, in milliseconds. */
export const presenceIntervalMs = 20_000;
/**
 * A participant without a presence signal for this long has left (closed window, sleeping machine), in
 * milliseconds.
 */
export const presenceTimeoutMs = 60_000;

const participant = z.object({
  userId: field.uuid(),
  displayName: field.text(),
  joinedAt: field.dateTime(),
});

/** A remote session: opened at a destination, shared by the users who join it, closed permanently. */
export const session = defineResource({
  app: 'greac',
  name: 'session',
  noun: { en: ['session', 'sessions'], ja: 'セッション' },
  path: '/api/apps/greac/sessions',
  screen: '/apps/greac/sessions',
  id: 'sessionId',
  title: 'destinationName',
  shape: z.object({
    sessionId: field.uuid(),
    destinationId: field.reference('destination'),
    /** Name of the destination when the session was opened. */
    destinationName: field.text(),
    protocol: field.choice(protocols),
    remarks: field.remarks(),
    status: field.choice(sessionStatuses, { opened: 'progress', closed: 'neutral' }),
    participants: field.list(participant),
    openedAt: field.dateTime(),
    connectedAt: field.dateTime().nullable(),
    disconnectedAt: field.dateTime().nullable(),
    closedAt: field.dateTime().nullable(),
    closeReason: field.choice(closeReasons).nullable(),
    /** When an open session without participants will close. */
    closesAt: field.dateTime().nullable(),
    /** Which logs can be downloaded. */
    logs: field.object({ text: field.flag(), video: field.flag() }),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ destinationId: field.reference('destination'), remarks: field.remarks() }),
  verbs: ['list', 'show', 'create', 'edit'],
  columns: ['status', 'destinationName', 'protocol', 'participants', 'openedAt', 'closedAt', 'closeReason'],
  detail: [
    'status',
    'destinationId',
    'protocol',
    'participants',
    'logs',
    'openedAt',
    'connectedAt',
    'disconnectedAt',
    'closesAt',
    'closedAt',
    'closeReason',
    'createdAt',
    'updatedAt',
  ],
  time: 'openedAt',
  permission: 'greac:sessions',
  calls: {
    /** Joins the session; repeated calls are presence signals. */
    join: { method: 'POST', path: '/join', on: 'item', permission: 'join' },
    leave: { method: 'POST', path: '/leave', on: 'item', permission: 'join' },
    close: { method: 'POST', path: '/close', on: 'item', permission: 'close', danger: true },
    'close-force': {
      method: 'POST',
      path: '/close-force',
      on: 'item',
      permission: 'close-force',
      danger: true,
    },
  },
});

/** Recording of a session, encrypted to a log key. */
export const sessionLog = defineResource({
  app: 'greac',
  name: 'session-log',
  noun: { en: ['session log', 'session logs'], ja: 'セッションログ' },
  path: '/api/internal/apps/greac/sessions',
  id: 'sessionId',
  shape: z.object({ sessionId: field.uuid() }),
  verbs: [],
  columns: ['sessionId'],
  permission: 'greac:sessions',
  calls: {
    'text-log': {
      method: 'GET',
      path: '/text-log',
      on: 'item',
      permission: 'text-log',
      audited: true,
      replyType: 'application/octet-stream',
    },
    'video-log': {
      method: 'GET',
      path: '/video-log',
      on: 'item',
      permission: 'video-log',
      audited: true,
      replyType: 'application/octet-stream',
    },
  },
});

const file = z.object({
  name: field.text(),
  kind: field.choice(['file', 'directory']),
  size: field.bytes().nullable(),
});

/** Files on the remote host of an open session. */
export const sessionStorage = defineResource({
  app: 'greac',
  name: 'session-storage',
  noun: { en: ['session storage', 'session storages'], ja: 'セッションのストレージ' },
  path: '/api/internal/apps/greac/storage',
  id: 'sessionId',
  shape: z.object({ sessionId: field.uuid() }),
  verbs: [],
  columns: ['sessionId'],
  permission: 'greac:sessions',
  calls: {
    files: {
      method: 'GET',
      path: '/files',
      on: 'item',
      permission: 'join',
      reply: z.object({ items: z.array(file) }),
    },
  },
});
