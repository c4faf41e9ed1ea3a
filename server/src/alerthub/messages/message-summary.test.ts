import { gzipSync } from 'node:zlib';
import { samples } from '@yagura/fixtures/samples/samples';
import { senders } from '@yagura/fixtures/senders/senders';
import { expect, test } from 'vitest';
import { summarize } from './message-summary.ts';

test.each([
  ['a subject', { subject: 'Disk full', message: 'longer' }, 'Disk full'],
  ['a title after an empty subject', { subject: ' ', title: 'T' }, 'T'],
  ['an annotation', { commonAnnotations: { summary: 'High load' } }, 'High load'],
  ['the first alert', { alerts: [{ name: 'one' }, { name: 'two' }] }, 'one'],
  ['the first of a list', [{ text: 'first' }, { text: 'second' }], 'first'],
  ['nothing telling', { a: 1 }, 'a: 1'],
  ['no own member', JSON.parse('{"__proto__":{"title":"no"},"x":1}'), '__proto__.title: no, x: 1'],
  ['a headline that is no text', { title: { a: 1 }, name: 'N' }, 'N'],
  ['line breaks and overrides', { title: 'a\nb\u0000c\u202ed' }, 'a b c d'],
])('JSON with %s', (_name, data, wanted) => {
  expect(summarize(Buffer.from(JSON.stringify(data)))).toBe(wanted);
});

test.each([
  ['nothing', '', ''],
  ['text', '  one\r\n\ttwo  ', 'one two'],
  ['JSON that is wrong', '{"title":', '{"title":'],
  ['exactly 200 characters', '🔥'.repeat(200), '🔥'.repeat(200)],
  ['more than 200 characters', '🔥'.repeat(201), `${'🔥'.repeat(199)}…`],
])('%s', (_name, body, wanted) => {
  expect(summarize(Buffer.from(body))).toBe(wanted);
});

test('of a body too long to parse, the beginning is read', () => {
  const alert = { status: 'firing', labels: { alertname: 'HostDown', instance: 'web1:9100' } };
  const group = { receiver: 'r', status: 'firing', alerts: Array.from({ length: 5000 }, () => alert) };
  expect(summarize(Buffer.from(JSON.stringify(group)))).toMatch(/^\[FIRING:\d+\+\] HostDown \(web1:9100\)$/);
  const compressed = gzipSync(JSON.stringify(group));
  expect(summarize(compressed, { 'content-encoding': 'gzip' })).toMatch(/^\[FIRING:\d+\+\] HostDown/);
});

test('a body too long to parse whose beginning is no data shows how it begins', () => {
  const body = `["${'x'.repeat(70_000)}"]`;
  expect(summarize(Buffer.from(body))).toBe(`${body.slice(0, 199)}…`);
});

test.each([
  ['a firing group', 'alertmanager', 'firing', '[FIRING:1] HostDown on web1:9100'],
  ['a group of two', 'alertmanager', 'grouped', '[FIRING:2] HostDown on web1:9100'],
  [
    'the alert of a group that has not ended',
    'alertmanager',
    'partly resolved',
    '[FIRING:1] HostDown on web2:9100',
  ],
  ['a group that has ended', 'alertmanager', 'resolved', '[RESOLVED:2] HostDown on web1:9100'],
  ['the title of Grafana', 'grafana', 'firing', '[FIRING:1] High CPU Servers'],
  [
    'the event of Zabbix, not its measured value',
    'zabbix',
    'firing',
    '[PROBLEM] High CPU utilization (over 90% for 5m) on a host whose name is very long (db1)',
  ],
  ['the title of Datadog', 'datadog', 'firing', '[TRIGGERED] CPU is high on {{host.name}} (web1)'],
  ['the subject of SNS', 'cloudwatch', 'firing', 'ALARM: "CPU" in Asia Pacific (Tokyo)'],
  ['the monitor and host of Mackerel', 'mackerel', 'firing', '[CRITICAL] unreachable (app01)'],
  ['the rule of Azure', 'azure-monitor', 'firing', '[FIRED] WCUS-R2-Gen2'],
  [
    'the incident of Google Cloud',
    'google-cloud-monitoring',
    'firing',
    '[OPEN] CPU utilization for web1 is above the threshold of 0.9 with a value of 0.95.',
  ],
  ['the payload of PagerDuty', 'pagerduty-events', 'firing', '[TRIGGER] Disk full (web1)'],
  ['the line of Uptime Kuma', 'uptime-kuma', 'firing', '[Shop] [🔴 Down] timeout of 48000ms exceeded'],
  ['the text of one’s own', 'anything', 'firing', '[INCIDENT] The backup failed'],
])('%s', (_name, recipe, event, wanted) => {
  const messages = senders.find((sender) => sender.recipe === recipe)!.messages;
  const { body } = messages.find((message) => message.event === event)!;
  expect(summarize(Buffer.from(JSON.stringify(body)))).toBe(wanted);
});

const webhooks = senders.filter(({ recipe }) => !recipe.endsWith('-mail'));

test.each(webhooks)('the summaries of $recipe tell a problem from its end', ({ messages }) => {
  const summaryOf = (event: string) => {
    const { body, contentType } = messages.find((message) => message.event === event)!;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return summarize(Buffer.from(text), contentType ? { 'content-type': contentType } : {});
  };
  expect(summaryOf('resolved')).not.toBe(summaryOf('firing'));
});

test('an alert whose annotation does not name the host shows it', () => {
  const { body } = samples.alertmanager({
    host: 'web-01',
    problem: 'HighCpu',
    summary: 'CPU is high',
    severity: 'critical',
    state: 'firing',
    startedAt: new Date(0),
  });
  expect(summarize(Buffer.from(body))).toBe('[FIRING:1] CPU is high (web-01:9100)');
});
