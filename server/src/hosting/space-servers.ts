// Keeps a space open for every row of the directory: opens new ones, and closes those that were moved or erased.
import { errorFields, type Log } from '../common/log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { SpaceServer } from './space-server.ts';

interface SpaceServersDeps {
  log: Log;
  open(space: HostedSpace): Promise<SpaceServer>;
  /** Told of the spaces that are served from now on; a space that is closed was told of as gone before. */
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

  /** Adds one that is open already. It stays until the process ends, even when its space is erased. */
  add(space: SpaceServer): void {
    this.spaces.set(space.hosted.spaceId, space);
    this.deps.serve(this.all());
  }

  /** Makes what is open agree with the list. One that cannot be opened is logged and tried again at the next call. */
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
    await close();
    this.deps.log({ level: 'info', message: 'space closed', spaceId, host });
  }
}
