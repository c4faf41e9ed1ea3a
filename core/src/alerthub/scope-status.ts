// Severity names, and the status that thresholds derive from severity values.
import { z } from 'zod';
import { text, withKind } from '../resource/field.ts';

/** Name of the severity used if none is given. */
export const defaultSeverityName = 'default';

/**
 * Severity that takes the changes of names beyond the maximum per scope; only a recovery or a reset sets it
 * back to 0.
 */
export const overflowSeverityName = '(overflow)';

export const scopeStatuses = ['normal', 'warning', 'incident'] as const;
export type ScopeStatus = (typeof scopeStatuses)[number];

export const scopeStatusTones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;

/** A severity name: 1 to 64 characters, no control characters. */
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

/** What somebody who acknowledges a scope or an event tells the others; may be empty. */
export const acknowledgementNote = () => text(500);

export interface Thresholds {
  warning: number;
  incident: number;
}

export const defaultThresholds: Thresholds = { warning: 1, incident: 2 };

/** The status of the highest threshold reached; a value equal to a threshold reaches it. */
export function toScopeStatus(severity: number, thresholds: Thresholds): ScopeStatus {
  if (severity >= thresholds.incident) return 'incident';
  if (severity >= thresholds.warning) return 'warning';
  return 'normal';
}

export function isWorse(status: ScopeStatus, before: ScopeStatus): boolean {
  return scopeStatuses.indexOf(status) > scopeStatuses.indexOf(before);
}
