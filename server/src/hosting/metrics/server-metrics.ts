// Metrics of this process and of the shared database, for Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Gauges with the suffix of counters; they are the sums of the gauges without it. */
const misnamedSums = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

const clockDifferenceName = 'yagura_clock_difference_seconds';

/** What `/metrics` exposes; names follow the conventions of Prometheus (base units, `_total` for counters). */
export class ServerMetrics {
  readonly registry = new Registry();
  private readonly messagesDecided: Counter;
  private readonly deliveryAttempts: Counter<'kind' | 'outcome'>;
  private readonly sessionLogBytes: Counter;
  private clockDifference: Gauge | undefined;
  private readonly httpRequests: Histogram<'method' | 'route' | 'status'>;

  constructor(version: string) {
    const { registry } = this;
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    for (const name of misnamedSums) registry.removeSingleMetric(name);
    new Gauge({
      name: 'yagura_build_info',
      help: 'Version of the server; the value is always 1',
      labelNames: ['version'],
      registers,
    }).set({ version }, 1);
    this.messagesDecided = new Counter({
      name: 'yagura_messages_decided_total',
      help: 'Messages that this process has evaluated with the rules',
      registers,
    });
    this.deliveryAttempts = new Counter({
      name: 'yagura_delivery_attempts_total',
      help: 'Attempts of this process to deliver an action, by kind of action and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.sessionLogBytes = new Counter({
      name: 'yagura_session_log_bytes_total',
      help: 'Bytes of text and video logs of sessions that this process has stored',
      registers,
    });
    this.httpRequests = new Histogram({
      name: 'yagura_http_request_duration_seconds',
      help: 'Duration of requests to the API, sign-in and console; receive slots are not included',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 30],
      registers,
    });
  }

  addDecided(count: number): void {
    this.messagesDecided.inc(count);
  }

  addAttempt(kind: string, outcome: string): void {
    this.deliveryAttempts.inc({ kind, outcome });
  }

  addSessionLog(bytes: number): void {
    this.sessionLogBytes.inc(bytes);
  }

  /** Seconds by which this server is ahead of the database; the metric is absent where it was not measured (null). */
  setClockDifference(seconds: number | null): void {
    if (seconds === null) {
      this.registry.removeSingleMetric(clockDifferenceName);
      this.clockDifference = undefined;
      return;
    }
    this.clockDifference ??= new Gauge({
      name: clockDifferenceName,
      help: 'Time by which the clock of this server is ahead of that of the database',
      registers: [this.registry],
    });
    this.clockDifference.set(seconds);
  }

  /** `route` is a pattern such as `/api/apps/alerthub/scopes/:scopeId`, so that the number of series is bounded. */
  addRequest(method: string, route: string, status: number, seconds: number): void {
    this.httpRequests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
  }
}
