// Keeps one open space per row of the directory: opens new ones, closes those moved or erased.
import { errorFields, type Log } from '../common/log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { SpaceServer } from './space-server.ts';

interface SpaceServersDeps {
  log: Log;
  open(space: HostedSpace): Promise<SpaceServer>;
  /** Called with the spaces served from now on; a space is removed here before it is closed. */
  serve(spaces: readonly SpaceServer[]): void;
}

export class SpaceServers {
  private readonly deps: SpaceServersDeps;
  private readonly spaces = new Map<string, SpaceServer>();
  private closed = false;

  constructor(deps: SpaceServersDeps) {
    this.deps = deps;
  }

  all(): SpaceServer[] {
    return [...this.spaces.values()];
  }

  /** Adds a space that is already open. It stays until the process ends, even when it is erased. */
  add(space: SpaceServer): void {
    this.spaces.set(space.hosted.spaceId, space);
    this.deps.serve(this.all());
  }

  /**
   * Opens and closes spaces to match the list. A space that cannot be opened is logged and retried at the
   * next call.
   */
  async syncWith(list: readonly HostedSpace[]): Promise<void> {
    const wanted = new Map(list.map((space) => [space.spaceId, space]));
    const left = this.all().filter(({ hosted }) => {
      if (hosted.host === null) return false;
      const now = wanted.get(hosted.spaceId);
      return now?.host !== hosted.host || now.origin !== hosted.origin;
    });
    for (const { hosted } of left) this.spaces.delete(hosted.spaceId);
    if (left.length > 0) this.deps.serve(this.all());
    for (const space of left) await this.closeSpace(space);
    for (const space of list) if (space.host !== null) await this.openSpace(space);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const space of this.all().reverse()) await space.close();
    this.spaces.clear();
  }

  private async openSpace(hosted: HostedSpace): Promise<void> {
    if (this.closed || this.spaces.has(hosted.spaceId)) return;
    const { spaceId, host } = hosted;
    try {
      const space = await this.deps.open(hosted);
      await space.start();
      this.spaces.set(spaceId, space);
      this.deps.serve(this.all());
      this.deps.log({ level: 'info', message: 'space opened', spaceId, host });
    } catch (error) {
      this.deps.log({ level: 'error', message: 'space not opened', spaceId, host, ...errorFields(error) });
    }
  }

  private async closeSpace({ hosted, services, close }: SpaceServer): Promise<void> {
    const { spaceId, host } = hosted;
    services.ksocket.disconnectSpace(spaceId);
    services.gateways.disconnectSpace(spaceId);
    services.sessionStreams.disconnectSpace(spaceId);
    await close();
    this.deps.log({ level: 'info', message: 'space closed', spaceId, host });
  }
}
