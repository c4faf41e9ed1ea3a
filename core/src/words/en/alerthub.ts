// Counts of messages, tests of rules, replays.
export const alerthub = {
  'count.per-day': 'Messages per day',
  'count.per-month': 'Messages per month',
  'count.none': 'No message has arrived in this time',
  'count.total': '{{count}} in total',
  'related.same': "the severity name is that of the trigger's event",
  'related.same-not': "the severity name is not that of the trigger's event",
  'related.row': 'Filter {{number}}',
  'related.add': 'Add a filter',
  'related.none':
    'No filters: with conditions on a window of time, every message behind an event of the same scope in it is told.',
  'test.title': 'Test before saving',
  'test.hint':
    'The rule as it stands in this form is asked about one message. Nothing is stored and nothing is sent.',
  'test.message': 'Message',
  'test.paste': 'A message that I paste',
  'test.text': 'Content',
  'test.run': 'Test',
  'test.matched': 'The rule matches this message',
  'test.unmatched': 'The rule does not match this message',
  'test.held': 'What action "{{action}}" would send',
} as const;
