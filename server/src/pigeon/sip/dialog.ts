// Dialogs (RFC 3261, section 12): what the requests of a call have in common after the first one.
import { listOf, parseNameAddress, parseUri, tagOf } from './header-values.ts';
import { type Header, headerOf, type SipRequest, type SipResponse, sequenceOf } from './message.ts';

export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** Values of From and To of our requests, with tags. */
  readonly local: string;
  readonly remote: string;
  /** Values of Route, next hop first. */
  routes: readonly string[];
  /** Where requests go in the end; changed by re-INVITE and UPDATE. */
  target: string;
  localSequence: number;
  /** Undefined until the peer sent a request. */
  remoteSequence: number | undefined;
}

export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  [callId, localTag, remoteTag].join(' ');

/** The dialog that a response to our INVITE makes; undefined if it lacks a tag or a usable Contact. */
export function callerDialog(request: SipRequest, response: SipResponse): Dialog | undefined {
  const remoteTag = tagOf(response, 'To');
  const target = contactOf(response);
  if (remoteTag === '' || target === undefined) return undefined;
  return {
    callId: headerOf(request, 'Call-ID')!,
    localTag: tagOf(request, 'From'),
    remoteTag,
    local: headerOf(request, 'From')!,
    remote: headerOf(response, 'To')!,
    routes: listOf(response, 'Record-Route').reverse(),
    target,
    localSequence: sequenceOf(request).number,
    remoteSequence: undefined,
  };
}

/** The dialog that our answer to an INVITE makes; undefined if that has no usable Contact. */
export function calleeDialog(request: SipRequest, localTag: string): Dialog | undefined {
  const target = contactOf(request);
  if (target === undefined) return undefined;
  return {
    callId: headerOf(request, 'Call-ID')!,
    localTag,
    remoteTag: tagOf(request, 'From'),
    local: `${headerOf(request, 'To')!};tag=${localTag}`,
    remote: headerOf(request, 'From')!,
    routes: listOf(request, 'Record-Route'),
    target,
    localSequence: 0,
    remoteSequence: sequenceOf(request).number,
  };
}

/** The URI of Contact, if it is a SIP URI. */
export function contactOf(message: SipRequest | SipResponse): string | undefined {
  const contact = parseNameAddress(listOf(message, 'Contact')[0] ?? '')?.uri;
  return contact !== undefined && parseUri(contact) ? contact : undefined;
}

/** Whether a request comes after those seen; notes its number. */
export function acceptSequence(dialog: Dialog, request: SipRequest): boolean {
  const { number } = sequenceOf(request);
  if (dialog.remoteSequence !== undefined && number <= dialog.remoteSequence) return false;
  dialog.remoteSequence = number;
  return true;
}

/** Next hop of requests, as a URI. */
export function nextHop(dialog: Dialog): string {
  return parseNameAddress(dialog.routes[0] ?? '')?.uri ?? dialog.target;
}

/** Request URI and Route. A first proxy without `lr` is a strict router, which takes its own URI. */
function routing(dialog: Dialog): { uri: string; routes: readonly string[] } {
  const { routes, target } = dialog;
  const first = parseNameAddress(routes[0] ?? '')?.uri;
  if (first === undefined || parseUri(first)?.params.has('lr')) return { uri: target, routes };
  return { uri: first, routes: [...routes.slice(1), `<${target}>`] };
}

export interface DialogRequest {
  method: string;
  via: string;
  headers?: readonly Header[];
  body?: string;
  /** Of the INVITE for its ACK; otherwise the next one is taken. */
  sequence?: number;
}

/** A request in the dialog. */
export function dialogRequest(dialog: Dialog, options: DialogRequest): SipRequest {
  const { method, via, headers = [], body = '', sequence } = options;
  if (sequence === undefined) dialog.localSequence += 1;
  const { uri, routes } = routing(dialog);
  return {
    method,
    uri,
    headers: [
      { name: 'Via', value: via },
      { name: 'Max-Forwards', value: '70' },
      ...routes.map((value) => ({ name: 'Route', value })),
      { name: 'From', value: dialog.local },
      { name: 'To', value: dialog.remote },
      { name: 'Call-ID', value: dialog.callId },
      { name: 'CSeq', value: `${sequence ?? dialog.localSequence} ${method}` },
      ...headers,
    ],
    body: Buffer.from(body),
  };
}
