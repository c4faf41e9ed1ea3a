// The phone line of the server: its trunks and voices, and a test call over it.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isPhone } from '../validation/phone.ts';
import { lineKinds } from './result.ts';

const trunkStates = ['registered', 'reachable', 'unregistered', 'unreachable'] as const;

const voiceLanguages = ['en', 'ja'] as const;

const trunkStatus = z.object({
  name: field.text(30),
  state: field.choice(trunkStates, {
    registered: 'success',
    reachable: 'success',
    unregistered: 'danger',
    unreachable: 'danger',
  }),
  /** Time of the last change of the state. */
  since: field.dateTime(),
  /** Answer to the last attempt, for example "403 Forbidden". */
  detail: field.text(200),
});
export type PhoneLineTrunk = z.output<typeof trunkStatus>;

export const testCallBody = z.object({
  phoneNumber: field.withKind('text', z.string().refine(isPhone, { params: { word: 'rule.phone' } })),
  language: field.choice(voiceLanguages),
});

export const phoneLine = defineResource({
  app: 'pigeon',
  name: 'line',
  plural: 'line',
  noun: { en: ['phone line', 'phone lines'], ja: '電話回線' },
  path: '/api/apps/pigeon/line',
  screen: '/apps/pigeon/settings/line',
  id: 'line',
  singleton: true,
  shape: z.object({
    /** Null if no line is configured. */
    line: field.choice(lineKinds).nullable(),
    /** Trunks of the SIP line in the order in which they are tried. */
    trunks: field.list(trunkStatus, 10),
    /** Languages that the SIP line can speak. */
    voices: field.list(field.choice(voiceLanguages), voiceLanguages.length),
  }),
  verbs: ['show'],
  columns: ['line', 'trunks', 'voices'],
  permission: 'pigeon:line',
  calls: {
    /** Calls a number and reads a fixed text; the outcome is a call result. */
    'test-call': {
      method: 'POST',
      path: '/test-call',
      on: 'item',
      permission: 'test-call',
      body: testCallBody,
      reply: z.object({ resultId: field.uuid() }),
    },
  },
});
