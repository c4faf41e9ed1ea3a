// Messages of a remote shell by WS-Management (MS-WSMV): SOAP envelopes, and what is read from the answers.
import { randomUUID } from 'node:crypto';
import { parseXml } from '@yagura/core/alerthub/engine/data/body/xml-tree';

const shell = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const transfer = 'http://schemas.xmlsoap.org/ws/2004/09/transfer';
const addressing = 'http://schemas.xmlsoap.org/ws/2004/08/addressing';
/** The code of the fault that ends a wait for output without any. */
const timedOutCode = '2150858793';
const maxEnvelopeBytes = 153_600;
/** Seconds that the host waits for output before it answers without. */
const waitSeconds = 10;

interface Message {
  action: string;
  url: string;
  body: string;
  shellId?: string;
  options?: Readonly<Record<string, string>>;
}

function envelope({ action, url, body, shellId, options = {} }: Message): string {
  const selector =
    shellId === undefined
      ? ''
      : `<w:SelectorSet><w:Selector Name="ShellId">${escapeXml(shellId)}</w:Selector></w:SelectorSet>`;
  const set = Object.entries(options)
    .map(([name, value]) => `<w:Option Name="${name}">${value}</w:Option>`)
    .join('');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="${addressing}"`,
    ` xmlns:w="http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd" xmlns:rsp="${shell}"><s:Header>`,
    `<a:To>${escapeXml(url)}</a:To>`,
    `<a:ReplyTo><a:Address s:mustUnderstand="true">${addressing}/role/anonymous</a:Address></a:ReplyTo>`,
    `<w:MaxEnvelopeSize s:mustUnderstand="true">${maxEnvelopeBytes}</w:MaxEnvelopeSize>`,
    `<a:MessageID>uuid:${randomUUID().toUpperCase()}</a:MessageID>`,
    '<w:Locale xml:lang="en-US" s:mustUnderstand="false"/>',
    `<w:OperationTimeout>PT${waitSeconds}S</w:OperationTimeout>`,
    `<w:ResourceURI s:mustUnderstand="true">${shell}/cmd</w:ResourceURI>`,
    `<a:Action s:mustUnderstand="true">${action}</a:Action>`,
    selector,
    set === '' ? '' : `<w:OptionSet>${set}</w:OptionSet>`,
    `</s:Header><s:Body>${body}</s:Body></s:Envelope>`,
  ].join('');
}

export const wsmanMessages = {
  create: (url: string) =>
    envelope({
      ...{ url, action: `${transfer}/Create`, options: { WINRS_NOPROFILE: 'TRUE', WINRS_CODEPAGE: '65001' } },
      body: '<rsp:Shell><rsp:InputStreams>stdin</rsp:InputStreams><rsp:OutputStreams>stdout stderr</rsp:OutputStreams></rsp:Shell>',
    }),
  command: (url: string, shellId: string, command: string, args: readonly string[]) =>
    envelope({
      ...{ url, shellId, action: `${shell}/Command` },
      options: { WINRS_CONSOLEMODE_STDIN: 'FALSE', WINRS_SKIP_CMD_SHELL: 'FALSE' },
      body: `<rsp:CommandLine><rsp:Command>${escapeXml(command)}</rsp:Command>${args.map((one) => `<rsp:Arguments>${escapeXml(one)}</rsp:Arguments>`).join('')}</rsp:CommandLine>`,
    }),
  send: (url: string, shellId: string, commandId: string, text: string) =>
    envelope({
      ...{ url, shellId, action: `${shell}/Send` },
      body: `<rsp:Send><rsp:Stream Name="stdin" CommandId="${escapeXml(commandId)}" End="true">${Buffer.from(text, 'utf8').toString('base64')}</rsp:Stream></rsp:Send>`,
    }),
  receive: (url: string, shellId: string, commandId: string) =>
    envelope({
      ...{ url, shellId, action: `${shell}/Receive` },
      body: `<rsp:Receive><rsp:DesiredStream CommandId="${escapeXml(commandId)}">stdout stderr</rsp:DesiredStream></rsp:Receive>`,
    }),
  remove: (url: string, shellId: string) =>
    envelope({ url, shellId, action: `${transfer}/Delete`, body: '' }),
};

/** An answer, whatever prefixes its namespaces have. Throws if it is not XML within the parser's limits. */
export class WsmanAnswer {
  private readonly tree: unknown;

  constructor(text: string) {
    this.tree = parseXml(text);
  }

  get shellId(): string | undefined {
    const [id] = textsOf(this.tree, 'ShellId');
    if (id !== undefined) return id;
    const selectors = elementsOf(this.tree, 'Selector').filter((one) => attribute(one, 'Name') === 'ShellId');
    return selectors.map(textOf).find((text) => text !== '');
  }

  get commandId(): string | undefined {
    return textsOf(this.tree, 'CommandId')[0];
  }

  /** What the command wrote to standard output. */
  get output(): Buffer {
    const streams = elementsOf(this.tree, 'Stream').filter((one) => attribute(one, 'Name') === 'stdout');
    return Buffer.concat(streams.map((one) => Buffer.from(textOf(one), 'base64')));
  }

  get isDone(): boolean {
    return elementsOf(this.tree, 'CommandState').some((one) => attribute(one, 'State')?.endsWith('/Done'));
  }

  /** The host waited for output in vain; the wait may be repeated. */
  get isTimeout(): boolean {
    const codes = elementsOf(this.tree, 'WSManFault').map((one) => attribute(one, 'Code'));
    return (
      codes.includes(timedOutCode) || textsOf(this.tree, 'Value').some((text) => /:TimedOut$/.test(text))
    );
  }
}

/** Elements with this name, at any depth. */
function elementsOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => elementsOf(one, name));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key.startsWith('@') || key === '#text') return [];
    const own = key.slice(key.indexOf(':') + 1) === name ? [inner].flat() : [];
    return [...own, ...elementsOf(inner, name)];
  });
}

function textsOf(value: unknown, name: string): string[] {
  return elementsOf(value, name)
    .map(textOf)
    .filter((text) => text !== '');
}

function textOf(element: unknown): string {
  const text = (element as Record<string, unknown>)?.['#text'];
  return typeof text === 'string' ? text : '';
}

function attribute(element: unknown, name: string): string | undefined {
  const value = (element as Record<string, unknown>)?.[`@${name}`];
  return typeof value === 'string' ? value : undefined;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
