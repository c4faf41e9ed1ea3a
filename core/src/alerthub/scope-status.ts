// Names of severities and the status words that thresholds turn their values into.
import { z } from 'zod';
import { withKind } from '../resource/field.ts';

/** The severity that exists when nobody names one. */
export const defaultSeverityName = 'default';

/** Where changes are counted of names that a scope has no place for; it goes back to 0 by a recovery or a reset only. */
export const overflowSeverityName = '(overflow)';

export const scopeStatuses = ['normal', 'warning', 'incident'] as const;
export type ScopeStatus = (typeof scopeStatuses)[number];

export const scopeStatusTones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;

/** A severity's name: 1 to 64 characters, no control characters. */
export const severityName = () =>
  withKind(
    'text',
    z
      .string()
      .trim()
      .min(1)
      .max(64)
      .regex(/^\P{Cc}+$/u),
  );

export interface Thresholds {
  warning: number;
  incident: number;
}

/** At or above a threshold counts (facts: status is the highest threshold reached). */
export function toScopeStatus(severity: number, thresholds: Thresholds): ScopeStatus {
  if (severity >= thresholds.incident) return 'incident';
  if (severity >= thresholds.warning) return 'warning';
  return 'normal';
}
