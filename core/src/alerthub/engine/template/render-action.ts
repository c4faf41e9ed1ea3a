// Renders an action with the data of one firing into the request to deliver.
import type {
  EmailParameters,
  OnPremisesParameters,
  PigeonParameters,
  WebhookParameters,
} from '../../action.ts';
import { boundedCopy } from '../data/bounded-copy.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';
import { checkTemplate, type RenderOptions, renderTemplate } from './render-template.ts';

export interface WebhookRequest {
  url: string;
  method: WebhookParameters['method'];
  headers: Record<string, string>;
  /** Empty for GET and HEAD. */
  body: string;
}

export interface OnPremisesRequest extends WebhookRequest {
  /** The slot of the agent that sends it. */
  ksocketSlotId: string;
}

export interface EmailRequest {
  /** Absent for the server's default email sender. */
  emailActionSenderSettingId?: string;
  to: EmailParameters['to'];
  cc: EmailParameters['cc'];
  bcc: EmailParameters['bcc'];
  subject: string;
  text: string;
}

export interface PigeonRequest extends PigeonParameters {
  /** Values that the guidance's templates can read. */
  parameters: Record<string, unknown>;
  /** The message is marked as a test. */
  drill?: boolean;
}

/** The fields of an action that rendering needs; `parameters` depend on the kind. */
export interface ActionSource {
  kind: string;
  parameters: unknown;
}

/**
 * Renders the templates of an action. Throws FlowError naming the parameter; `missing` lists variables
 * without a value.
 */
export function renderAction(
  action: ActionSource,
  context: unknown,
): { request: WebhookRequest | OnPremisesRequest | EmailRequest | PigeonRequest; missing: string[] } {
  const missing = new Set<string>();
  const render = (field: string, template: string, form: RenderOptions['escape'] = 'none'): string =>
    withErrorPath(`parameters.${field}`, () => {
      const rendered = renderTemplate(template, context, { escape: form });
      for (const name of rendered.missing) missing.add(name);
      return rendered.text;
    });
  const request =
    action.kind === 'webhook'
      ? renderWebhook(action.parameters as WebhookParameters, render)
      : action.kind === 'email'
        ? renderEmail(action.parameters as EmailParameters, render)
        : action.kind === 'pigeon'
          ? renderPigeon(action.parameters as PigeonParameters, context)
          : action.kind === 'webhookOnPremises'
            ? renderOnPremises(action.parameters as OnPremisesParameters, render)
            : undefined;
  if (!request) throw new FlowError('kind', reason('why.action.kind', { kind: action.kind }));
  return { request, missing: [...missing] };
}

/** All errors in the templates of an action, each naming its parameter. */
export function checkAction(action: ActionSource): FlowError[] {
  return templatesOf(action).flatMap(([field, template]) => {
    const error = checkTemplate(template);
    return error ? [error.withPathPrefix(`parameters.${field}`)] : [];
  });
}

/** The templates of an action with the paths of their fields below `parameters`. */
export function templatesOf(action: ActionSource): [field: string, template: string][] {
  const parameters = action.parameters as Partial<WebhookParameters & EmailParameters>;
  const templates: [string, unknown][] = [
    ['body', parameters.body],
    ['subject', parameters.subject],
    ['text', parameters.text],
    ...Object.entries(parameters.headers ?? {}).map(([name, value]): [string, unknown] => [
      `headers.${name}`,
      value,
    ]),
  ];
  return templates.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

type Render = (field: string, template: string, form?: RenderOptions['escape']) => string;

function renderWebhook(parameters: WebhookParameters, render: Render): WebhookRequest {
  const headers: Record<string, string> = {};
  let contentType: string | undefined;
  for (const [name, template] of Object.entries(parameters.headers ?? {})) {
    const value = toOneLine(render(`headers.${name}`, template));
    headers[name] = value;
    if (name.toLowerCase() === 'content-type') contentType = value;
  }
  const template = parameters.body ?? '';
  const method = parameters.method ?? 'POST';
  const bodiless = method === 'GET' || method === 'HEAD' || template === '';
  const json = contentType === undefined ? looksLikeJson(template) : /[/+]json\b/i.test(contentType);
  if (contentType === undefined && json && !bodiless) headers['content-type'] = 'application/json';
  const body = bodiless ? '' : render('body', template, json ? 'json' : 'none');
  return { url: parameters.url, method, headers, body };
}

function renderOnPremises(parameters: OnPremisesParameters, render: Render): OnPremisesRequest {
  return { ksocketSlotId: parameters.ksocketSlotId, ...renderWebhook(parameters, render) };
}

function renderEmail(parameters: EmailParameters, render: Render): EmailRequest {
  const sender = parameters.emailActionSenderSettingId;
  return {
    ...(sender ? { emailActionSenderSettingId: sender } : {}),
    to: parameters.to,
    cc: parameters.cc ?? [],
    bcc: parameters.bcc ?? [],
    subject: toOneLine(render('subject', parameters.subject)),
    text: render('text', parameters.text ?? ''),
  };
}

/** Passes all values, cut down to a size that can be read aloud. */
function renderPigeon({ callflowId, guidanceId }: PigeonParameters, context: unknown): PigeonRequest {
  return { callflowId, guidanceId, parameters: boundedCopy(context) as Record<string, unknown> };
}

/** Whether a template starts with a JSON object or list; `{{` starts a tag. */
function looksLikeJson(template: string): boolean {
  return /^\s*(?:\[|\{(?!\{))/.test(template);
}

/** Removes line breaks and NUL, which must not get into a header. */
function toOneLine(text: string): string {
  return text.replace(/[\r\n\0\u2028\u2029]+/g, ' ').trim();
}
