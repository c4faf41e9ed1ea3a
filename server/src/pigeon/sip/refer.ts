// Transfer of a call (RFC 3515): REFER, and NOTIFY with the progress of the new call.
import { isCallable, parseNameAddress, parseParams, parseUri } from './header-values.ts';
import { headerOf, type SipRequest } from './message.ts';

/** Number in Refer-To; undefined if it is none that can be called. */
export function referredNumber(request: SipRequest): string | undefined {
  const uri = parseUri(parseNameAddress(headerOf(request, 'Refer-To') ?? '')?.uri ?? '');
  return uri && isCallable(uri.user) ? uri.user : undefined;
}

/** What a NOTIFY says about the transfer: undefined while it goes on. */
export function transferResult(notify: SipRequest): boolean | undefined {
  const line = /^SIP\/2\.0 (\d{3})/i.exec(notify.body.toString('latin1', 0, 200));
  const status = line ? Number(line[1]) : 0;
  if (status >= 200) return status < 300;
  const [state = ''] = (headerOf(notify, 'Subscription-State') ?? '').split(';');
  return state.trim().toLowerCase() === 'terminated' ? false : undefined;
}

export const isReferEvent = (request: SipRequest): boolean =>
  (headerOf(request, 'Event') ?? '').split(';')[0]!.trim().toLowerCase() === 'refer';

/** Key of an INFO request; undefined if it has none. */
export function infoKeyOf(request: SipRequest): string | undefined {
  const [type = ''] = (headerOf(request, 'Content-Type') ?? '').split(';');
  const body = request.body.toString('latin1', 0, 500);
  let signal: string | undefined;
  if (type.trim().toLowerCase() === 'application/dtmf') signal = body.trim();
  if (type.trim().toLowerCase() === 'application/dtmf-relay') {
    signal = parseParams(body.split(/\r?\n/)).get('signal');
  }
  if (signal === '10') return '*';
  if (signal === '11') return '#';
  return signal !== undefined && /^[0-9*#A-Da-d]$/.test(signal) ? signal.toUpperCase() : undefined;
}
