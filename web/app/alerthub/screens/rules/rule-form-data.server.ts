// What the form of a rule offers besides its fields.
import type { Api } from '../../../signin/api.server.ts';
import { operators } from '../../flow/catalogue.server.ts';
import { findMessagePaths } from '../../rule-test/rule-test.server.ts';
import type { TestMessage } from '../../rule-test/rule-test-panel.tsx';

export interface RuleFormData {
  operators: Awaited<ReturnType<typeof operators>>;
  /** Messages for the test. */
  messages: TestMessage[];
  /** Data paths of the first message, if the messages are those of the rule's receive slot. */
  paths: string[];
}

export async function ruleFormData(
  api: Api,
  listed: Promise<TestMessage[]>,
  { isOfSlot }: { isOfSlot: boolean },
): Promise<RuleFormData> {
  const [catalogue, messages] = await Promise.all([operators(api), listed]);
  const paths = await findMessagePaths(api, isOfSlot ? messages[0]?.messageId : undefined);
  return { operators: catalogue, messages, paths };
}
