// Slow reference engine written from the product's rules: no indexes, no caches, everything recomputed from
// the event log.
import {
  type Comparison,
  type ElementBody,
  nowMs,
  type Scenario,
  type ScenarioChange,
  type ScenarioEvent,
  scopeIds,
  thresholds,
} from './scenario.ts';

const signs: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};
const compareNumbers = (left: number, how: Comparison, right: number): boolean => signs[how](left - right);

/** Log lines, one per event, decision or firing, in order. @internal For tests. */
export function runReferenceEngine(scenarioData: Scenario): string[] {
  const log: string[] = [];
  const events: ScenarioEvent[] = [...scenarioData.past];
  let time = nowMs;
  const acted = scenarioData.acted.map(({ trigger, at }) => ({ trigger, at }));
  const values: Record<string, Record<string, number>> = structuredClone(scenarioData.state);
  const status = (scopeId: string): string => {
    const all = Object.values(values[scopeId] ?? {});
    if (all.some((one) => one >= thresholds.incident)) return 'incident';
    return all.some((one) => one >= thresholds.warning) ? 'warning' : 'normal';
  };

  const stepHolds = (operatorId: string, params: Record<string, unknown>, data: ElementBody): boolean => {
    if (operatorId === 'number-compare') {
      const number = data.n === '3' ? 3 : data.n;
      return (
        typeof number === 'number' &&
        compareNumbers(number, params.comparison as Comparison, params.value as number)
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
    event: ScenarioEvent,
    before: string,
    after: string,
    trigger: number,
  ): boolean => {
    const within = (at: number): boolean => (time - at) / 1000 < (p.seconds as number);
    switch (conditionId) {
      case 'severity-changed':
        return p.direction === 'up' ? event.latest > event.before : event.latest < event.before;
      case 'event-value':
        return compareNumbers(event[p.value as 'delta'], p.comparison as Comparison, p.number as number);
      case 'recent-events': {
        const found = events.filter(
          (past) =>
            past.scopeId === event.scopeId &&
            within(past.at) &&
            compareNumbers(past[p.value as 'delta'], p.comparison as Comparison, p.number as number),
        );
        return compareNumbers(found.length, p.countComparison as Comparison, p.count as number);
      }
      case 'recent-actions':
        return compareNumbers(
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

  const pending: { event: ScenarioEvent; trigger: number; at: number }[] = [];
  const lateOf = (trigger: number) =>
    scenarioData.triggers[trigger]!.conditions.flatMap(({ conditionId, params }) =>
      conditionId.endsWith('-after') && 'seconds' in params ? [{ conditionId, params }] : [],
    );
  const lateTimes = (trigger: number): number[] => lateOf(trigger).map(({ params }) => params.seconds);
  const fire = (when: string, trigger: number, { scopeId, severityName, latest }: ScenarioEvent): void => {
    if (scenarioData.triggers[trigger]!.target === 'gone') {
      log.push(`${when}failed t${trigger}`);
      return;
    }
    acted.push({ trigger, at: time });
    log.push(`${when}fired t${trigger} ${scopeId}/${severityName}=${latest}`);
  };
  const lateHolds = (conditionId: string, p: Record<string, unknown>, event: ScenarioEvent): boolean => {
    const valueNamed = (name: string) => values[event.scopeId]?.[name] ?? 0;
    if (conditionId === 'scope-status-after')
      return (status(event.scopeId) === p.status) === (p.comparison === 'eq');
    if (conditionId === 'severity-after')
      return compareNumbers(valueNamed(p.name as string), p.comparison as Comparison, p.number as number);
    const seen = p.value === 'latest' ? valueNamed(event.severityName) : event[p.value as 'delta'];
    return compareNumbers(seen, p.comparison as Comparison, p.number as number);
  };

  /** Advances time; waiting triggers are evaluated when they are due, the oldest first. */
  const pass = (then: number): void => {
    while (true) {
      const due = pending.filter(({ at }) => at <= then);
      if (due.length === 0) break;
      time = Math.min(...due.map(({ at }) => at));
      const one = pending.splice(
        pending.findIndex(({ at }) => at === time),
        1,
      )[0]!;
      const { event, trigger } = one;
      const { conditions } = scenarioData.triggers[trigger]!;
      const passed = (time - event.at) / 1000;
      const asked = lateOf(trigger).filter(({ params }) => params.seconds === passed);
      const next = lateTimes(trigger).filter((seconds) => seconds > passed);
      if (!asked.every(({ conditionId, params }) => lateHolds(conditionId, params, event)))
        log.push(`late held t${trigger}`);
      else if (next.length > 0) {
        log.push(`late waiting t${trigger}`);
        pending.push({ ...one, at: event.at + Math.min(...next) * 1000 });
      } else {
        const again = conditions.filter(({ conditionId }) => conditionId === 'recent-actions');
        if (
          again.every(({ conditionId, params }) =>
            conditionHolds(conditionId, params, event, '', '', trigger),
          )
        )
          fire('late ', trigger, event);
        else log.push(`late held t${trigger}`);
      }
    }
    time = then;
  };

  /** What each fingerprint has set, by scope, severity and fingerprint. */
  const shares: Record<string, Record<string, Record<string, number>>> = {};
  const total = (own: Record<string, number>): number =>
    Object.values(own).reduce((sum, one) => sum + one, 0);
  /** The rest of a severity stays as it is while the shares in it change. */
  const raise = (scopeId: string, name: string, how: ScenarioChange, fingerprint: string): void => {
    const old = values[scopeId]?.[name] ?? 0;
    shares[scopeId] ??= {};
    const own = { ...shares[scopeId][name] };
    const rest = old - total(own);
    if (how.mode !== 'set') move(scopeId, name, how.delta!, old + how.delta!);
    else if (how.fingerprint) {
      const before = own[fingerprint] ?? 0;
      if (before === how.value) return;
      own[fingerprint] = how.value!;
      shares[scopeId][name] = own;
      move(scopeId, name, how.value! - before, rest + total(own));
    } else {
      shares[scopeId][name] = {};
      if (old !== how.value) move(scopeId, name, how.value! - old, how.value!);
    }
  };

  const move = (scopeId: string, name: string, change: number, wanted: number): void => {
    const before = status(scopeId);
    values[scopeId] ??= {};
    const old = values[scopeId][name] ?? 0;
    const latest = wanted < 0 ? 0 : wanted;
    values[scopeId][name] = latest;
    const after = status(scopeId);
    const event = { scopeId, at: time, delta: change, before: old, latest, severityName: name };
    events.push(event);
    log.push(`event ${scopeId} ${name} ${change} ${old} ${latest} ${before} ${after}`);
    for (const [index, trigger] of scenarioData.triggers.entries()) {
      if (trigger.scopeId !== scopeId || trigger.disabled) continue;
      const all = trigger.conditions
        .filter(({ conditionId }) => !conditionId.endsWith('-after'))
        .map(({ conditionId, params }) => conditionHolds(conditionId, params, event, before, after, index));
      const times = lateTimes(index);
      if (all.includes(false)) log.push(`held t${index}`);
      else if (times.length > 0) {
        log.push(`waiting t${index}`);
        pending.push({ event, trigger: index, at: time + Math.min(...times) * 1000 });
      } else fire('', index, event);
    }
  };

  const evaluate = (rule: Scenario['rules'][number], data: ElementBody): void => {
    const nameOf = (source: { literal?: string; path?: string }): string =>
      source.literal ?? (data.name ?? '').trim();
    const hasFingerprint = (how: ScenarioChange): boolean => !how.fingerprint || (data.id ?? '') !== '';
    if (!rule.steps.every((one) => stepHolds(one.operatorId, one.params, data))) return;
    for (const param of rule.eventParams) {
      const name = nameOf(param.severityName);
      if (name !== '' && hasFingerprint(param) && param.scopeId !== 'gone')
        raise(param.scopeId, name, param, data.id ?? '');
    }
    for (const param of rule.conditionalEventParams) {
      const name = nameOf(param.severityName);
      const needs = param.attributes.filter((one) => one.op !== 'pr' && typeof one.value !== 'string');
      if (name === '' || !hasFingerprint(param) || (needs.length > 0 && data.env === undefined)) continue;
      const chosen = scopeIds.filter((_id, index) =>
        param.attributes.every(({ op, value: literal }) => {
          const own = scenarioData.attributes[index];
          const wanted = typeof literal === 'string' ? literal : data.env;
          if (op === 'pr') return own !== undefined;
          return op === 'eq' ? own === wanted : own !== wanted;
        }),
      );
      for (const scopeId of chosen) raise(scopeId, name, param, data.id ?? '');
    }
  };

  for (const message of scenarioData.messages) {
    pass(time + message.gap * 1000);
    for (const rule of scenarioData.rules) {
      if (rule.receiveSlotId !== message.slot || rule.disabled) continue;
      const whole: ElementBody = message.body;
      for (const data of rule.forEach === null ? [whole] : (message.body.list ?? [])) evaluate(rule, data);
    }
  }
  pass(time + 1_000_000);
  for (const [scopeId, own] of Object.entries(values).sort()) {
    for (const [name, one] of Object.entries(own).sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}
