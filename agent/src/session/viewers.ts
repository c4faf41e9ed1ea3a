// The viewers of one session: who is there, who controls, and how output reaches each of them.
import type { StreamCode } from '@yagura/core/greac/stream/gateway-protocol';
import type { GatewayControl, ViewerControl } from '@yagura/core/greac/stream/viewer-protocol';
import { SessionError } from './session-error.ts';
import type { TerminalSize } from './target.ts';
import type { Viewer } from './viewer.ts';

export interface ViewersDeps {
  /** Text that draws the screen as it is; null if viewers begin by themselves. */
  snapshot: (() => Promise<TerminalSize & { text: string }>) | null;
  resize(size: TerminalSize): void;
  /** The controlling viewer has changed, or its output. */
  changed(): void;
}

/** Viewers of one session; the list of them fits into one message. */
export const maxViewers = 32;

export class Viewers {
  private readonly deps: ViewersDeps;
  private readonly all = new Map<string, Viewer>();

  constructor(deps: ViewersDeps) {
    this.deps = deps;
  }

  get list(): Viewer[] {
    return [...this.all.values()];
  }

  get controller(): Viewer | undefined {
    return this.list.find(({ mode }) => mode === 'control');
  }

  /** Throws if there are too many. The viewer then gets the state, who is there, and the screen. */
  add(viewer: Viewer, state: GatewayControl[]): void {
    if (this.all.size >= maxViewers) throw new SessionError('CONNECTION_LIMIT_REACHED');
    if (viewer.identity.requestedMode === 'control' && !this.controller) viewer.mode = 'control';
    this.all.set(viewer.id, viewer);
    for (const message of state) viewer.sendControl(message);
    this.announce();
    void this.draw(viewer);
    this.deps.changed();
  }

  /** Forgets a viewer whose stream is over; control goes to the first who asked for it, then to who came to control. */
  remove(viewer: Viewer): void {
    if (!this.all.delete(viewer.id)) return;
    if (viewer.mode === 'control') {
      const next =
        this.list.find(({ wantsControl }) => wantsControl) ??
        this.list.find(({ identity }) => identity.requestedMode === 'control');
      if (next) this.giveControl(next);
    }
    this.announce();
    this.deps.changed();
  }

  get(viewerId: string): Viewer | undefined {
    return this.all.get(viewerId);
  }

  broadcast(message: GatewayControl): void {
    for (const viewer of this.all.values()) viewer.sendControl(message);
  }

  output(bytes: Uint8Array): void {
    for (const viewer of this.all.values()) {
      if (viewer.afterSnapshot) viewer.afterSnapshot.push(bytes);
      else if (!viewer.isSkipping) {
        viewer.sendOutput(bytes);
        if (viewer.mode === 'watch' && viewer.isLost()) {
          viewer.forgetOutput();
          viewer.isSkipping = true;
        }
      }
    }
  }

  /** A viewer has taken something. */
  drained(viewer: Viewer): void {
    if (viewer.isSkipping && !viewer.hasWaiting) void this.draw(viewer);
    if (viewer.mode === 'control') this.deps.changed();
  }

  control(viewer: Viewer, message: Extract<ViewerControl, { type: `${string}control` | 'resize' }>): void {
    if (message.type === 'resize') {
      const { columns, rows } = message;
      viewer.size = { columns, rows };
      if (viewer.mode === 'control') this.deps.resize(viewer.size);
      return;
    }
    if (message.type === 'request-control') {
      if (viewer.mode === 'control') return;
      viewer.wantsControl = true;
      if (!this.controller) this.giveControl(viewer);
    } else {
      if (viewer.mode !== 'control') return;
      const next = message.to === null ? undefined : this.all.get(message.to);
      if (message.to !== null && !next) return;
      viewer.mode = 'watch';
      if (next) this.giveControl(next);
    }
    this.announce();
    this.deps.changed();
  }

  end(): void {
    for (const viewer of this.list) viewer.end();
  }

  reset(code: StreamCode): void {
    for (const viewer of this.list) viewer.reset(code);
  }

  private giveControl(viewer: Viewer): void {
    viewer.mode = 'control';
    viewer.wantsControl = false;
    // Its output was cut; whoever controls sees everything.
    if (viewer.isSkipping) void this.draw(viewer);
    if (viewer.size) this.deps.resize(viewer.size);
  }

  private announce(): void {
    const viewers = this.list.map(({ id, identity, mode, wantsControl }) => ({
      ...{ viewerId: id, displayName: identity.displayName, mode, wantsControl },
    }));
    for (const viewer of this.all.values()) viewer.sendControl({ type: 'viewers', you: viewer.id, viewers });
  }

  private async draw(viewer: Viewer): Promise<void> {
    viewer.isSkipping = false;
    if (!this.deps.snapshot) return;
    viewer.afterSnapshot = [];
    const { text, ...size } = await this.deps.snapshot();
    const after = viewer.afterSnapshot;
    viewer.afterSnapshot = undefined;
    viewer.sendSnapshot(size, text);
    for (const bytes of after) viewer.sendOutput(bytes);
  }
}
