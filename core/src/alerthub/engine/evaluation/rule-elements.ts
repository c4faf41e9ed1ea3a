// The elements of a message that a rule with `forEach` evaluates one by one.
import { FlowData } from '../data/flow-data.ts';
import { type JsonPath, queryBudget } from '../data/json-path.ts';
import { WorkBudget } from '../data/work-budget.ts';

/** Maximum number of elements of one message that a rule evaluates. */
export const maxElements = 1000;
/** Maximum work of a rule for the elements of one message, in characters; a severity change counts as some. */
const maxElementWork = 100_000_000;

/** The view of a message that rules read. */
type MessageView = Record<string, unknown>;

/** Undefined if the message has no data. Throws FlowError if the query takes too much work. */
export function selectElements(
  query: JsonPath,
  view: MessageView,
): ReturnType<JsonPath['select']> | undefined {
  const root = (view.content as { data?: unknown }).data;
  return root === undefined ? undefined : query.select(root, maxElements, queryBudget());
}

/** The work that all elements of one message may take together. */
export const elementBudget = () => new WorkBudget(maxElementWork, 'why.elements.tooMuchWork');

/** Data for the evaluation of one element. */
export const elementData = (view: MessageView, value: unknown, index: number, budget: WorkBudget) =>
  new FlowData({ message: view, element: value, elementIndex: index }, budget);
