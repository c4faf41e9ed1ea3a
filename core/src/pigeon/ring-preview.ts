// Preview of a call chain: who rings when, on assumptions about what the callees do.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { maxPhones, resultStatuses } from './call-constants.ts';
import { maxStops } from './callflow.ts';
import { callRecord, callStatuses, chainReasons } from './result.ts';
import { parseSimulatedCallee } from './simulated-callee.ts';

/** Maximum number of calls in a preview. */
export const maxPreviewCalls = 1000;

const assumption = () =>
  field.withKind(
    'text',
    z.string().refine((text) => parseSimulatedCallee(text) !== null, { params: { word: 'rule.callee' } }),
  );

/** What callees do, written like the default reaction of the simulated line. */
export const previewAssumptions = {
  /** What every callee does for whom `phones` says nothing else. */
  assume: assumption().default('noAnswer'),
  /** What the callee at a phone does; `position` counts the phones in the order in which they are called, from 1. */
  phones: field
    .list(z.object({ position: field.integer(1, maxStops * maxPhones), assume: assumption() }))
    .default([]),
};

/** One call; times are seconds from the start of the chain. */
export const previewCall = z.object({
  startsAt: field.count(),
  ringsAt: field.count().nullable(),
  answeredAt: field.count().nullable(),
  endsAt: field.count(),
  loop: field.count(),
  /** Position of the phone in the order of calls, from 1. */
  position: field.count(),
  ...callRecord.pick({
    contact: true,
    phoneNumber: true,
    transfer: true,
    keyInput: true,
    behavior: true,
    readings: true,
    reason: true,
  }).shape,
  status: field.choice(callStatuses),
});
export type PreviewCall = z.output<typeof previewCall>;

export const ringPreview = z.object({
  calls: field.list(previewCall, maxPreviewCalls),
  /** Why a chain would be rejected now, in the caller's language; null outside of the quiet hours of the callflow. */
  rejection: field.text(500).nullable(),
  /** How the chain ends. */
  status: field.choice(resultStatuses),
  reason: field.choice(chainReasons).nullable(),
  endsAt: field.count(),
  /** True if the chain goes on after the calls of the preview. */
  isCut: field.flag(),
});
export type RingPreview = z.output<typeof ringPreview>;
