// The end of a scan that failed: a code with parameters, and a sentence for servers that do not know the code.
import { sonar } from '@yagura/core/i18n/en/sonar';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import {
  type ScanFailureCode,
  type ScanFailureParams,
  scanFailureText,
  storedFailure,
} from '@yagura/core/inventory/scan-failure';
import type { ScanFailure } from './scan-spool.ts';

/** The protocol's limits on characters. */
const maxReason = 1000;
const maxParam = 500;

const english = createInterpolator('en', sonar);

export function scanFailure(code: ScanFailureCode, params: ScanFailureParams = {}): ScanFailure {
  const short = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, maxParam) : value,
    ]),
  );
  const reason = scanFailureText(storedFailure(code, short), english).slice(0, maxReason);
  return { type: 'failed', reason, code, params: short };
}
