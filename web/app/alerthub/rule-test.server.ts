// The server's half of testing a rule in its form: what is chosen, and the test itself.
import type { ActionFunctionArgs } from '@remix-run/node';
import { action } from '@yagura/core/alerthub/action';
import { type ExplainLine, explainWhy } from '@yagura/core/alerthub/decide/explain';
import { message } from '@yagura/core/alerthub/message';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { rule } from '@yagura/core/alerthub/rule';
import type { RuleTrialReply } from '@yagura/core/alerthub/rule-test';
import { inputFields } from '@yagura/core/resource/define-resource';
import { loadTranslator } from '@yagura/core/words/dictionary';
import { refuse } from '../resource/write.server.ts';
import { preferencesOf } from '../shell/choice.server.ts';
import { type Api, withApi } from '../signin/api.server.ts';
import { refuseForeign } from '../signin/same-origin.server.ts';
import { readForm } from '../ui/form-data.ts';
import { hrefsOfLines } from './line-links.server.ts';
import { type RuleTestReply, type TestMessage, testFields } from './rule-test-panel.tsx';

const few = 30;

/** The latest messages, those of one slot when its id is given; none for whom may not list them. */
export async function testMessages(api: Api, receiveSlotId?: string): Promise<TestMessage[]> {
  const filter = receiveSlotId ? { filter: `receiveSlotId eq "${receiveSlotId}"` } : {};
  const page = await api
    .client(message)
    .list({ limit: few, sort: '-receivedAt', ...filter })
    .catch(() => ({ items: [] }));
  return page.items.map(({ messageId, receivedAt, receiveSlotId: slot, summary }) => ({
    messageId,
    receivedAt,
    receiveSlotId: slot,
    summary,
  }));
}

/** Whether a posted form asks for a test; the request can still be read. */
export async function asksForTest(request: Request): Promise<boolean> {
  return (await request.clone().formData()).get(testFields.intent) === 'test';
}

export async function testFrom(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const form = await args.request.formData();
  const values = readForm(form, inputFields(rule));
  const messageId = String(form.get(testFields.message) ?? '');
  const text = String(form.get(testFields.text) ?? '');
  return withApi(args, async (api): Promise<RuleTestReply | ReturnType<typeof refuse>> => {
    try {
      const given = messageId ? { messageId } : { message: await pasted(api, values.receiveSlotId, text) };
      const body = { rule: values, ...given };
      const trial = await api.client(rule).call<RuleTrialReply>('test', { body });
      const lines = explainWhy(trial.why, await loadTranslator(preferencesOf(args.request).language));
      return {
        test: {
          matched: trial.matched,
          lines: lines.map(withoutOwnLink),
          hrefs: await hrefsOfLines(api, lines),
          held: await named(api, trial.held),
        },
      };
    } catch (error) {
      return refuse(error, {});
    }
  });
}

/** Neither the events nor the rule of a test are anywhere. */
function withoutOwnLink({ link, ...line }: ExplainLine): ExplainLine {
  return link && link.resource !== 'event' && link.resource !== 'rule' ? { ...line, link } : line;
}

/** A pasted text as the rule's slot would take it. */
async function pasted(api: Api, receiveSlotId: unknown, text: string) {
  const slot =
    typeof receiveSlotId === 'string' && receiveSlotId
      ? await api.client(receiveSlot).find(receiveSlotId)
      : null;
  const content = slot?.kind === 'email' ? { subject: text.split('\n', 1)[0]!.trim(), text } : { body: text };
  return { content, metadata: { headers: {} } };
}

async function named(api: Api, held: RuleTrialReply['held']) {
  const names = new Map<string, string>();
  for (const { actionId } of held) {
    if (!names.has(actionId))
      names.set(actionId, (await api.client(action).find(actionId))?.displayName ?? actionId);
  }
  return held.map(({ actionId, request }) => ({ actionId, action: names.get(actionId)!, request }));
}
