// Server side of the rule test: the messages offered and the test itself.
import type { ActionFunctionArgs } from '@remix-run/node';
import { action } from '@yagura/core/alerthub/action';
import { type ExplainLine, explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { message } from '@yagura/core/alerthub/message';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import type { RuleTestReplyBody } from '@yagura/core/alerthub/rule-test';
import { send } from '@yagura/core/http/transport';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { fillPath, inputFields } from '@yagura/core/resource/define-resource';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { resolveLineLinks } from '../messages/decision-log-links.server.ts';
import { messagePaths } from './message-paths.ts';
import { type RuleTestResult, type TestMessage, testFields } from './rule-test-panel.tsx';

const maxMessages = 30;
/** Maximum bytes of a message that is read for its data paths. */
const maxContentBytes = 65_536;

/** Returns the latest messages, of one slot if its id is given; empty if the user may not list messages. */
export function listTestMessages(api: Api, receiveSlotId?: string): Promise<TestMessage[]> {
  return findMessages(api, receiveSlotId ? `receiveSlotId eq ${JSON.stringify(receiveSlotId)}` : undefined);
}

/** Returns a message and then the latest others of its slot; empty if the user cannot see the message. */
export async function listMessagesAround(api: Api, messageId: string): Promise<TestMessage[]> {
  const [chosen] = await findMessages(api, `messageId eq ${JSON.stringify(messageId)}`);
  if (!chosen) return [];
  const latest = await listTestMessages(api, chosen.receiveSlotId);
  return [chosen, ...latest.filter((one) => one.messageId !== chosen.messageId)];
}

async function findMessages(api: Api, filter: string | undefined): Promise<TestMessage[]> {
  const load = () =>
    api.client(message).list({ limit: maxMessages, sort: '-receivedAt', ...(filter && { filter }) });
  const page = await ifPermitted(api, message, 'list', load, { items: [] });
  return page.items.map(({ messageId, receivedAt, receiveSlotId: slot, summary }) => ({
    messageId,
    receivedAt,
    receiveSlotId: slot,
    summary,
  }));
}

/** Returns the data paths in a message; none if there is no message or its body is not JSON, a form or XML. */
export async function findMessagePaths(api: Api, messageId: string | undefined): Promise<string[]> {
  if (!messageId) return [];
  const path = fillPath(message.itemPath, { messageId });
  const query = { contentLimit: maxContentBytes };
  const load = () => send<{ content?: { data?: unknown } }>(api.transport, { method: 'GET', path, query });
  const reply = await ifPermitted(api, message, 'show', load, null);
  return messagePaths(reply?.data.content?.data);
}

/** Returns whether a posted form requests a test; leaves the request body readable. */
export async function isRuleTestRequest(request: Request): Promise<boolean> {
  return (await request.clone().formData()).get(testFields.intent) === 'test';
}

export async function handleRuleTest(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const values = readForm(form, inputFields(rule));
  const messageId = String(form.get(testFields.message) ?? '');
  const text = String(form.get(testFields.text) ?? '');
  return withApi(args, async (api): Promise<RuleTestResult | ReturnType<typeof toProblemResponse>> => {
    try {
      const given = messageId
        ? { messageId }
        : { message: await messageFromText(api, values.receiveSlotId, text) };
      const body = { rule: values, ...given };
      const trial = await api.client(rule).call<RuleTestReplyBody>('test', { body });
      const lines = explainDecisions(trial.why, await loadTranslator(preferencesOf(args.request).language));
      return {
        test: {
          matched: trial.matched,
          lines: lines.map(withoutOwnLink),
          hrefs: await resolveLineLinks(api, lines),
          held: await withActionNames(api, trial.held),
        },
      };
    } catch (error) {
      return toProblemResponse(error, {}, { part: 'rule' });
    }
  });
}

/** A test's events and rule are not stored, so links to them are removed. */
function withoutOwnLink({ link, ...line }: ExplainLine): ExplainLine {
  return link && link.resource !== 'event' && link.resource !== 'rule' ? { ...line, link } : line;
}

/** Parses a pasted text as the rule's receive slot would. */
async function messageFromText(api: Api, receiveSlotId: unknown, text: string) {
  const slot =
    typeof receiveSlotId === 'string' && receiveSlotId
      ? await api.client(receiveSlot).find(receiveSlotId)
      : null;
  const content = slot?.kind === 'email' ? { subject: text.split('\n', 1)[0]!.trim(), text } : { body: text };
  return { content, metadata: { headers: {} } };
}

async function withActionNames(api: Api, held: RuleTestReplyBody['held']) {
  const names = new Map<string, string>();
  for (const { actionId } of held) {
    if (!names.has(actionId))
      names.set(actionId, (await api.client(action).find(actionId))?.displayName ?? actionId);
  }
  return held.map(({ actionId, request }) => ({ actionId, action: names.get(actionId)!, request }));
}
