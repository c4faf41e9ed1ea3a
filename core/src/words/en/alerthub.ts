// Counts of messages, tests of rules, replays.
export const alerthub = {
  'count.per-day': 'Messages per day',
  'count.per-month': 'Messages per month',
  'count.none': 'No message has arrived in this time',
  'count.total': '{{count}} in total',
} as const;
