// The mock phone: a SIP phone in the server for developers. Its calls are answered in the console, through the API
// or by a script.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { refuseRepeated } from '../validation/refuse-repeated.ts';
import { parsePhoneScript } from './phone-script.ts';

export const mockCallStatuses = [
  'ringing',
  'answered',
  'hungUp',
  'callerHungUp',
  'busy',
  'declined',
  'callerGaveUp',
  'failed',
] as const;
export type MockCallStatus = (typeof mockCallStatuses)[number];

export const phoneActions = ['answer', 'busy', 'decline', 'press', 'hangUp'] as const;
export type PhoneAction = (typeof phoneActions)[number];

/** Calls of a space that are listed: those in progress, and this many that have ended. */
export const maxEndedMockCalls = 10;
/** Calls in progress, of all spaces; further ones are told that the phone is busy. */
export const maxOpenMockCalls = 50;
const maxScripts = 20;

const mockCall = z.object({
  mockCallId: field.uuid(),
  status: field.choice(mockCallStatuses, {
    ringing: 'progress',
    answered: 'progress',
    hungUp: 'neutral',
    callerHungUp: 'neutral',
    busy: 'warning',
    declined: 'warning',
    callerGaveUp: 'warning',
    failed: 'danger',
  }),
  /** As the trunk dialed it, and the number shown to the phone. */
  phoneNumber: field.text(),
  callerNumber: field.text(),
  resultId: field.reference('result'),
  /** Keys pressed, in order. */
  keys: field.text(),
  startedAt: field.dateTime(),
  answeredAt: field.dateTime().nullable(),
  endedAt: field.dateTime().nullable(),
});
export type MockCall = z.output<typeof mockCall>;

const phoneScript = z.object({
  /** As the trunk dials it; empty for all other numbers. */
  phoneNumber: field.withKind(
    'text',
    z
      .string()
      .max(64)
      .regex(/^[\w.+*#-]*$/)
      .default(''),
  ),
  /** Such as "ring 2s; answer; wait 3s; key 1; hang up". */
  steps: field.withKind(
    'long-text',
    z
      .string()
      .max(2000)
      .check((context) => {
        const parsed = parsePhoneScript(context.value);
        if ('steps' in parsed) return;
        context.issues.push({ code: 'custom', input: context.value, params: parsed.violation });
      }),
  ),
});
export type PhoneScript = z.output<typeof phoneScript>;

export const phoneScriptsBody = z
  .object({ scripts: field.list(phoneScript, maxScripts) })
  .check(refuseRepeated('scripts', 'phoneNumber'));

const phoneActionBody = z
  .object({
    mockCallId: field.uuid(),
    action: field.choice(phoneActions),
    /** For `press`. */
    key: field.withKind(
      'text',
      z
        .string()
        .regex(/^[0-9*#]$/)
        .optional(),
    ),
  })
  .check(({ value, issues }) => {
    if (value.action === 'press' && value.key === undefined)
      issues.push({ code: 'custom', input: value, path: ['key'], params: { word: 'rule.required' } });
  });

export const mockPhone = defineResource({
  app: 'pigeon',
  name: 'mock-phone',
  plural: 'mock-phone',
  noun: { en: ['mock phone', 'mock phones'], ja: '模擬電話' },
  path: '/api/apps/pigeon/mock-phone',
  id: 'address',
  singleton: true,
  shape: z.object({
    /** Where the phone takes calls; null if there is none. */
    address: field.text().nullable(),
    /** Why it takes no calls at the moment. */
    problem: field.text().nullable(),
    /** Newest first. */
    calls: field.list(mockCall, maxOpenMockCalls + maxEndedMockCalls),
    scripts: field.list(phoneScript, maxScripts),
  }),
  verbs: ['show'],
  columns: ['address', 'problem', 'calls', 'scripts'],
  permission: 'pigeon:mock-phone',
  calls: {
    /** Does something with a call; returns the call. */
    act: {
      method: 'POST',
      path: '/act',
      on: 'item',
      permission: 'use',
      body: phoneActionBody,
      reply: mockCall,
    },
    /** Replaces what the phone does with calls by itself. */
    'set-scripts': {
      method: 'PUT',
      path: '/scripts',
      on: 'item',
      permission: 'update',
      body: phoneScriptsBody,
      reply: phoneScriptsBody,
    },
    /** What was heard so far. */
    heard: {
      method: 'POST',
      path: '/heard',
      on: 'item',
      permission: 'get',
      audited: false,
      body: z.object({ mockCallId: field.uuid() }),
      replyType: 'audio/wav',
    },
  },
});
