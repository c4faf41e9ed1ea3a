// Host name or address of a session's target.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { isIp } from '../validation/ip.ts';

/**
 * Labels of letters, digits, hyphens and underscores, 253 characters in total (RFC 1123 section 2.1); no
 * port, no path.
 */
const name =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;
/** Text that looks like an IPv4 address must be a valid one: 10.0.0.256 is not a host name. */
const digits = /^[\d.]+$/;

export function isHost(text: string): boolean {
  return isIp(text) || (name.test(text) && !digits.test(text));
}

export const host = () =>
  field.withKind(
    'text',
    z
      .string()
      .trim()
      .min(1)
      .max(253)
      .superRefine((text, context) => {
        if (text === '' || isHost(text)) return;
        context.addIssue({ code: 'custom', params: { word: 'greac.host' } });
      }),
  );
