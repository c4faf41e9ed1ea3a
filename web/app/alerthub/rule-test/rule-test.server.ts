// Server side of the rule test: the messages offered and the test itself.
import type { ActionFunctionArgs } from '@remix-run/node';
import { action } from '@yagura/core/alerthub/action';
import { type ExplainLine, explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { message } from '@yagura/core/alerthub/message';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import type { RuleTestReplyBody } from '@yagura/core/alerthub/rule-test';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { inputFields } from '@yagura/core/resource/define-resource';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { resolveLineLinks } from '../messages/decision-log-links.server.ts';
import { type RuleTestResult, type TestMessage, testFields } from './rule-test-panel.tsx';

const maxMessages = 30;

/** Returns the latest messages, of one slot if its id is given; empty if the user may not list messages. */
export async function listTestMessages(api: Api, receiveSlotId?: string): Promise<TestMessage[]> {
  const filter = receiveSlotId ? { filter: `receiveSlotId eq "${receiveSlotId}"` } : {};
  const page = await api
    .client(message)
    .list({ limit: maxMessages, sort: '-receivedAt', ...filter })
    .catch(() => ({ items: [] }));
  return page.items.map(({ messageId, receivedAt, receiveSlotId: slot, summary }) => ({
    messageId,
    receivedAt,
    receiveSlotId: slot,
    summary,
  }));
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
