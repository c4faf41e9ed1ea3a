// Asks a gateway for the files of a session's host.
import type { GatewayReport } from '@yagura/core/greac/stream/gateway-protocol';
import { Problem } from '@yagura/core/http/problem';
import type { Clock } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import { StreamRefusal } from '../session-limits.ts';
import type { GatewayLink } from './gateway-link.ts';

const timeoutMs = 20_000;
/** Requests of a gateway that wait at a time. */
const maxWaiting = 100;

type Listing = Pick<GatewayReport<'files'>, 'items' | 'isTruncated'>;

interface Waiting {
  resolve(listing: Listing): void;
  reject(problem: Problem): void;
}

export class FileRequests {
  private readonly deps: { clock: Clock; nextId: NextId };
  private readonly link: GatewayLink;
  private readonly waiting = new Map<string, Waiting>();

  constructor(deps: FileRequests['deps'], link: GatewayLink) {
    this.deps = deps;
    this.link = link;
  }

  list(sessionId: string, path: string): Promise<Listing> {
    if (this.waiting.size >= maxWaiting) throw new Problem('too-many-requests', { retryAfter: 10 });
    const requestId = this.deps.nextId();
    return new Promise<Listing>((resolve, reject) => {
      const cancel = this.deps.clock.after(timeoutMs, () => {
        this.waiting.delete(requestId);
        reject(new TranslatableProblem('unavailable', translatable('refusal.kroker-silent')));
      });
      const done = () => {
        cancel();
        this.waiting.delete(requestId);
      };
      this.waiting.set(requestId, {
        resolve: (listing) => {
          done();
          resolve(listing);
        },
        reject: (problem) => {
          done();
          reject(problem);
        },
      });
      this.link.send({ type: 'list-files', requestId, sessionId, path });
    });
  }

  onAnswer(report: GatewayReport<'files' | 'files-failed'>): void {
    const waiting = this.waiting.get(report.requestId);
    if (!waiting) return;
    if (report.type === 'files') waiting.resolve(report);
    else
      waiting.reject(
        new TranslatableProblem(
          'not-found',
          translatable('refusal.files', { code: report.code.replace(/[^\w-]/g, '?') }),
        ),
      );
  }

  /** The gateway is gone. */
  close(): void {
    for (const { reject } of [...this.waiting.values()])
      reject(new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-disconnected')));
  }
}
