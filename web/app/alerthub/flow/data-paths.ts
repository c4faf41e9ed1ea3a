// Data paths suggested while typing; the fields below `data` depend on the sender.

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

export const dataPaths: Record<'rule' | 'trigger', string[]> = {
  rule: [...messageDataPaths, ...elementDataPaths],
  trigger: [
    'event.severityName',
    'event.delta',
    'event.previousSeverity',
    'event.severity',
    'event.status',
    'scope.displayName',
    'scope.status',
    'scope.attributes',
    ...messageDataPaths,
    ...elementDataPaths,
  ],
};
