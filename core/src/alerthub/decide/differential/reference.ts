// A slow engine written from the product's rules alone: no indexes, no caches, everything recomputed from the log of events.
import { type Body, type Comparison, nowMs, type Past, scopeIds, thresholds, type World } from './world.ts';

const signs: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};
const holds = (left: number, how: Comparison, right: number): boolean => signs[how](left - right);

/** One line for each thing that happens, in order. */
export function reference(made: World): string[] {
  const log: string[] = [];
  const events: Past[] = [...made.past];
  const acted = made.acted.map(({ trigger, at }) => ({ trigger, at }));
  const values: Record<string, Record<string, number>> = structuredClone(made.state);
  const status = (scopeId: string): string => {
    const all = Object.values(values[scopeId] ?? {});
    if (all.some((one) => one >= thresholds.incident)) return 'incident';
    return all.some((one) => one >= thresholds.warning) ? 'warning' : 'normal';
  };

  const stepHolds = (operatorId: string, params: Record<string, unknown>, data: Body): boolean => {
    if (operatorId === 'number-compare') {
      const number = data.n === '3' ? 3 : data.n;
      return (
        typeof number === 'number' && holds(number, params.comparison as Comparison, params.value as number)
      );
    }
    if (data.level === undefined) return params.comparison === 'notEquals';
    if (params.comparison === 'equals') return data.level === params.value;
    if (params.comparison === 'notEquals') return data.level !== params.value;
    return data.level.split(params.value as string).length > 1;
  };

  const conditionHolds = (
    conditionId: string,
    p: Record<string, unknown>,
    event: Past,
    before: string,
    after: string,
    trigger: number,
  ): boolean => {
    const within = (at: number): boolean => (nowMs - at) / 1000 < (p.seconds as number);
    switch (conditionId) {
      case 'severity-changed':
        return p.direction === 'up' ? event.latest > event.before : event.latest < event.before;
      case 'event-value':
        return holds(event[p.value as 'delta'], p.comparison as Comparison, p.number as number);
      case 'recent-events': {
        const found = events.filter(
          (past) =>
            past.scopeId === event.scopeId &&
            within(past.at) &&
            holds(past[p.value as 'delta'], p.comparison as Comparison, p.number as number),
        );
        return holds(found.length, p.countComparison as Comparison, p.count as number);
      }
      case 'recent-actions':
        return holds(
          acted.filter((act) => act.trigger === trigger && within(act.at)).length,
          p.countComparison as Comparison,
          p.count as number,
        );
      case 'severity-name':
        return p.comparison === 'eq' ? event.severityName === p.name : event.severityName !== p.name;
      default: {
        const seen = p.when === 'before' ? before : after;
        return p.comparison === 'eq' ? seen === p.status : seen !== p.status;
      }
    }
  };

  const raise = (scopeId: string, name: string, change: number): void => {
    const before = status(scopeId);
    values[scopeId] ??= {};
    const old = values[scopeId][name] ?? 0;
    const latest = old + change < 0 ? 0 : old + change;
    values[scopeId][name] = latest;
    const after = status(scopeId);
    const event = { scopeId, at: nowMs, delta: change, before: old, latest, severityName: name };
    events.push(event);
    log.push(`event ${scopeId} ${name} ${change} ${old} ${latest} ${before} ${after}`);
    for (const [index, trigger] of made.triggers.entries()) {
      if (trigger.scopeId !== scopeId || trigger.disabled) continue;
      const all = trigger.conditions.map(({ conditionId, params }) =>
        conditionHolds(conditionId, params, event, before, after, index),
      );
      if (all.includes(false)) log.push(`held t${index}`);
      else if (trigger.target === 'gone') log.push(`failed t${index}`);
      else {
        acted.push({ trigger: index, at: nowMs });
        log.push(`fired t${index} ${scopeId}/${name}=${latest}`);
      }
    }
  };

  for (const message of made.messages) {
    const data: Body = message.body;
    const nameOf = (source: { literal?: string; path?: string }): string =>
      source.literal ?? (data.name ?? '').trim();
    for (const rule of made.rules) {
      if (rule.receiveSlotId !== message.slot || rule.disabled) continue;
      if (!rule.steps.every((one) => stepHolds(one.operatorId, one.params, data))) continue;
      for (const param of rule.eventParams) {
        const name = nameOf(param.severityName);
        if (name !== '' && param.scopeId !== 'gone') raise(param.scopeId, name, param.delta);
      }
      for (const param of rule.conditionalEventParams) {
        const name = nameOf(param.severityName);
        const needs = param.attributes.filter((one) => one.op !== 'pr' && typeof one.value !== 'string');
        if (name === '' || (needs.length > 0 && data.env === undefined)) continue;
        const chosen = scopeIds.filter((_id, index) =>
          param.attributes.every(({ op, value: literal }) => {
            const own = made.attributes[index];
            const wanted = typeof literal === 'string' ? literal : data.env;
            if (op === 'pr') return own !== undefined;
            return op === 'eq' ? own === wanted : own !== wanted;
          }),
        );
        for (const scopeId of chosen) raise(scopeId, name, param.delta);
      }
    }
  }
  for (const [scopeId, own] of Object.entries(values).sort()) {
    for (const [name, one] of Object.entries(own).sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}
