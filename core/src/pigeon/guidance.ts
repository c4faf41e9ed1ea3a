import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { behaviors, type Digit, digits, maxMessageLength, voiceLanguages } from './call-constants.ts';
import { exactlyOne } from './exactly-one.ts';

export const reaction = z.object({
  behavior: field.choice(behaviors),
  /** Read to the callee after the key, before the call ends. */
  messageTemplate: field.template(maxMessageLength).default(''),
  /** Records that the callee acknowledged the event that the call is about. */
  acknowledge: field.flag().optional(),
});
export type Reaction = z.output<typeof reaction>;
export type Reactions = Partial<Record<Digit, Reaction>>;

/** Refused with the list of keys; an enumeration would call any other key an unknown field. */
const digit = z
  .string()
  .refine((key) => digits.some((one) => one === key), { params: { word: 'rule.oneOf', options: digits } })
  .meta({ pattern: '^[1-9]$' });

/** Message and key reactions, as an inline guidance of a call contains them. */
export const guidanceBody = {
  messageTemplate: field.template(maxMessageLength).min(1),
  reactions: field.withKind(
    'json',
    z.record(digit, reaction) as unknown as z.ZodType<Reactions, Record<string, unknown>>,
  ),
};

/** Limits of a recorded file. */
export const maxRecordingBytes = 5 * 1024 * 1024;
export const maxRecordingSeconds = 600;

export const recording = z.object({
  recordingId: field.uuid(),
  fileName: field.text(),
  seconds: field.count(),
  createdAt: field.dateTime(),
});
export type Recording = z.output<typeof recording>;

const speechRequest = z
  .object({
    guidanceId: field.reference('guidance').optional(),
    text: field.template(maxMessageLength).optional(),
    /** Values for the template. */
    parameters: field.withKind('json', z.record(z.string(), z.unknown())).default({}),
    /** By default that of the text. */
    language: field.choice(voiceLanguages).optional(),
  })
  .check(exactlyOne('guidanceId', 'text'));
export type SpeechRequest = z.output<typeof speechRequest>;

const body = { displayName: field.displayName(), remarks: field.remarks(), ...guidanceBody };

export const guidance = defineResource({
  app: 'pigeon',
  name: 'guidance',
  noun: { en: ['guidance', 'guidances'], ja: 'ガイダンス' },
  path: '/api/apps/pigeon/guidances',
  screen: '/apps/pigeon/guidances',
  id: 'guidanceId',
  title: 'displayName',
  shape: z.object({
    guidanceId: field.uuid(),
    ...body,
    /** Played instead of the message by lines with audio. */
    recording: field.object(recording.shape).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'messageTemplate', 'createdAt', 'updatedAt'],
  detail: ['messageTemplate', 'recording', 'reactions', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'pigeon:guidances',
  calls: {
    voices: {
      method: 'GET',
      path: '/voices',
      on: 'collection',
      permission: 'get',
      reply: z.object({ languages: field.list(field.choice(voiceLanguages)) }),
    },
    /** What will be heard: the recording of the guidance, or the text as the voice says it. */
    speech: {
      method: 'POST',
      path: '/speech',
      on: 'collection',
      permission: 'get',
      audited: false,
      body: speechRequest,
      replyType: 'audio/wav',
    },
    recording: { method: 'GET', path: '/recording', on: 'item', permission: 'get', replyType: 'audio/wav' },
    'delete-recording': {
      method: 'DELETE',
      path: '/recording',
      on: 'item',
      permission: 'update',
      danger: true,
    },
  },
});
