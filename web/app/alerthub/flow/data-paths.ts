// Data paths suggested while typing: those that every message has, and those of a message of the rule's receive slot.
import { createContext, useContext } from 'react';

const messageDataPaths = [
  'message.content.subject',
  'message.content.text',
  'message.content.html',
  'message.content.body',
  'message.content.data',
  'message.metadata.from.email',
  'message.metadata.from.name',
  'message.metadata.requestUrl',
  'message.metadata.headers',
  'message.receivedAt',
  'message.receiveSlotId',
];

/** Of a rule that is evaluated for each element. */
const elementDataPaths = ['element', 'elementIndex'];

const eventDataPaths = [
  'event.severityName',
  'event.delta',
  'event.previousSeverity',
  'event.severity',
  'event.status',
  'scope.displayName',
  'scope.status',
  'scope.attributes',
  ...messageDataPaths,
];

type Purpose = 'rule' | 'trigger' | 'runbook';

const dataPaths: Record<Purpose, string[]> = {
  rule: [...messageDataPaths, ...elementDataPaths],
  trigger: [...eventDataPaths, ...elementDataPaths],
  runbook: eventDataPaths,
};

/** Paths of the values in a message, which depend on its sender. */
export const MessagePathsContext = createContext<readonly string[]>([]);

export function useDataPaths(purpose: Purpose): string[] {
  const known = dataPaths[purpose];
  const found = useContext(MessagePathsContext).filter((path) => !known.includes(path));
  return [...found, ...known];
}
