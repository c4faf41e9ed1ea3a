// Reads the text format 0.0.4 of Prometheus as strictly as it is defined, and names what is wrong in it.

export interface MetricFamily {
  name: string;
  type: string;
  help: string;
  /** Values by the rest of the line: suffix of the name, and labels. */
  samples: Map<string, number>;
}

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`;
const samplePattern = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)((?:\{${label}(?:,${label})*\})?) (\S+)$`);
/** As Go's ParseFloat takes it, which does not distinguish the case of `NaN`: a mean of nothing is written `Nan`. */
const numberPattern = /^(?:NaN|Nan|[+-]?Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const suffixes: Record<string, string> = {
  histogram: '(?:_bucket|_sum|_count)',
  summary: '(?:_sum|_count)?',
};

/** Throws at the first line that breaks a rule of the format. */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  const families = new Map<string, MetricFamily>();
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  let current: MetricFamily | undefined;
  for (const line of text.split('\n').filter(Boolean)) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`a family is described twice: ${name}`);
      current = { name, type: '', help: rest, samples: new Map() };
      families.set(name, current);
    } else if (keyword === 'TYPE') {
      if (current?.name !== name || current.type !== '') throw new Error(`misplaced: ${line}`);
      current.type = rest;
    } else addSample(current, line);
  }
  return families;
}

function addSample(family: MetricFamily | undefined, line: string): void {
  const [, name = '', labels = '', value = ''] = samplePattern.exec(line) ?? [];
  if (!numberPattern.test(value)) throw new Error(`not a sample: ${line}`);
  const suffix = new RegExp(`^${family?.name}(${suffixes[family?.type ?? ''] ?? ''})$`).exec(name)?.[1];
  if (!family || suffix === undefined) throw new Error(`outside of its family: ${line}`);
  const key = suffix + labels;
  if (family.samples.has(key)) throw new Error(`twice: ${line}`);
  family.samples.set(key, Number(value.replace('Inf', 'Infinity')));
}

/** What breaks the conventions of names and texts (https://prometheus.io/docs/practices/naming), as promtool checks them. */
export function lintMetrics(families: Iterable<MetricFamily>): string[] {
  return [...families].flatMap(({ name, type, help, samples }) => {
    const faults = [
      help === '' && 'has no help',
      (type === 'counter') !== name.endsWith('_total') &&
        'the suffix _total is for counters, and only for them',
      /_(?:milliseconds|minutes|hours|days|kilobytes|megabytes|percent)(?:_|$)/.test(name) &&
        'is not in a base unit',
      /_(?:count|sum|bucket)$/.test(name) && 'has a suffix of histograms',
      name.includes(`_${type}`) && 'contains its type',
      type === 'histogram' && !isCumulative(samples) && 'has buckets that do not add up',
    ];
    return faults.filter((fault) => fault !== false).map((fault) => `${name} ${fault}`);
  });
}

/** Buckets do not decrease, and the last one, `+Inf`, equals the count. */
function isCumulative(samples: ReadonlyMap<string, number>): boolean {
  const last = new Map<string, number>();
  for (const [key, value] of samples) {
    if (!key.startsWith('_bucket')) continue;
    const series = key
      .replace(/^_bucket/, '')
      .replace(/le="[^"]*",?/, '')
      .replace('{}', '');
    if (value < (last.get(series) ?? 0)) return false;
    last.set(series, value);
  }
  return [...last].every(([series, value]) => samples.get(`_count${series}`) === value);
}
