// Proves from the API and the sink alone that no answered message was lost, doubled or delivered under two ids.

/**
 * `answers` are {post, messageId}; `unknown` are posts without a key that were sent and never answered: they may or may
 * not be there. Gives proofs {what, wrong: [...]}; an empty `wrong` is a pass.
 */
export function prove({ answers, unknown, messages, events, records, severity, deliveries }) {
  const byTitle = groupBy(messages, (message) => message.summary);
  const eventsOf = groupBy(events, (event) => event.messageId);
  const recordsOf = groupBy(records, (record) => record.messageId);
  const sinkOf = groupBy(deliveries, (delivery) => delivery.title);
  const answeredTitles = new Set(answers.map(({ post }) => post.title));
  const mayBe = new Set(unknown.map((post) => post.title));
  const titleOf = new Map(messages.map((message) => [message.messageId, message.summary]));
  const keyed = answers.filter(({ post }) => post.key);
  const plain = answers.filter(({ post }) => !post.key);
  const stored = ({ post, messageId }) => byTitle.get(post.title)?.some((one) => one.messageId === messageId);
  const byValue = [...events].sort((a, b) => a.severity - b.severity);
  const order = byValue.map((event) => event.messageId);

  return [
    proof('every answered message is stored under the id of its answer', answers, stored),
    proof(
      'every answered message with a key is there exactly once, however often it was posted',
      keyed,
      ({ post }) => byTitle.get(post.title)?.length === 1,
    ),
    proof(
      'every answered message without a key is there exactly once',
      plain,
      ({ post }) => byTitle.get(post.title)?.length === 1,
    ),
    proof(
      'nothing is stored that nobody posted',
      messages,
      ({ summary }) =>
        answeredTitles.has(summary) || (mayBe.has(summary) && byTitle.get(summary).length === 1),
    ),
    proof(
      'every stored message has one decision',
      messages,
      ({ evaluatedAt, ruleResult }) => evaluatedAt && ruleResult?.matched === 1 && ruleResult.total === 1,
    ),
    proof(
      'every stored message raised one event',
      messages,
      ({ messageId }) => eventsOf.get(messageId)?.length === 1,
    ),
    proof('every event belongs to a stored message', events, ({ messageId }) => titleOf.has(messageId)),
    proof(
      'each event goes on from the one before',
      byValue,
      (event, index) => event.previousSeverity === index && event.severity === index + 1,
    ),
    proof(
      'messages were decided in the order of their arrival',
      order,
      (messageId, index) => index === 0 || order[index - 1] < messageId,
    ),
    proof('the severity is the number of events', [severity], (value) => value === events.length),
    proof(
      'every event has one action record, and it succeeded',
      messages,
      ({ messageId }) =>
        recordsOf.get(messageId)?.length === 1 && recordsOf.get(messageId)[0].status === 'succeeded',
    ),
    proof('every message was delivered', messages, ({ summary }) => sinkOf.has(summary)),
    proof(
      'every repeat of a delivery carries the id of its record',
      deliveries,
      ({ title, deliveryId }) =>
        byTitle.get(title)?.length === 1 &&
        recordsOf.get(byTitle.get(title)[0].messageId)?.[0]?.deliveryId === deliveryId,
    ),
    proof(
      'no two messages share a delivery id',
      [...groupBy(deliveries, (delivery) => delivery.deliveryId)],
      ([, list]) => new Set(list.map(({ title }) => title)).size === 1,
    ),
  ];
}

/** `taken` are the subjects of mails that were answered with 250, `unknown` of those that may or may not be there. */
export function proveMails({ taken, unknown }, stored) {
  const bySubject = groupBy(stored, (message) => message.summary);
  const sent = new Set([...taken, ...unknown]);
  return [
    proof(
      'every mail that was answered with 250 is there exactly once',
      taken,
      (subject) => bySubject.get(subject)?.length === 1,
    ),
    proof(
      'no mail is stored that nobody sent, or twice',
      stored,
      ({ summary }) => sent.has(summary) && bySubject.get(summary).length === 1,
    ),
    proof('every stored mail was looked at by the rules', stored, ({ evaluatedAt }) => evaluatedAt !== null),
  ];
}

/** `read` are {title, isWhole}. */
export function proveLarge(read) {
  return proof('every large message that was answered is stored whole', read, ({ isWhole }) => isWhole);
}

/** The summary of a large message is the beginning of its body, which has the title. */
export function withTitle(message) {
  const title = /^\{"title":"([^"]+)"/.exec(message.summary)?.[1];
  return title === undefined ? message : { ...message, summary: title };
}

function proof(what, items, holds) {
  return { what, count: items.length, wrong: items.filter((item, index) => !holds(item, index)) };
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
