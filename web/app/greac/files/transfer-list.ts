// Running and finished file transfers of a session.
import { type FileTransfers, TransferError } from '@yagura/core/greac/stream/file-transfers';
import { Store } from '../../ui/store.ts';
import { openDownloadTarget } from './save-download.ts';

export interface TransferItem {
  id: number;
  name: string;
  direction: 'download' | 'upload';
  bytes: number;
  size: number | null;
  state: 'running' | 'done' | 'canceled' | 'failed';
  /** Of the gateway; null for an error of the browser. */
  code: string | null;
}

type Running = Pick<TransferItem, 'name' | 'direction' | 'size'> & {
  run(
    signal: AbortSignal,
    onProgress: (progress: { bytes: number; size: number | null }) => void,
  ): Promise<void>;
};

export class TransferList extends Store<readonly TransferItem[]> {
  private readonly transfers: FileTransfers;
  private readonly running = new Map<number, AbortController>();
  private lastId = 0;

  constructor(transfers: FileTransfers) {
    super([]);
    this.transfers = transfers;
  }

  /** Does nothing if the user cancels the choice of a file. */
  async download(path: string, name: string, size: number | null): Promise<void> {
    const target = await openDownloadTarget(name);
    if (!target) return;
    await this.start({
      name,
      direction: 'download',
      size,
      run: async (signal, onProgress) => {
        try {
          await this.transfers.download(path, target.write, { signal, onProgress });
          await target.finish();
        } catch (error) {
          await target.discard();
          throw error;
        }
      },
    });
  }

  async upload(path: string, file: File): Promise<void> {
    await this.start({
      name: file.name,
      direction: 'upload',
      size: file.size,
      run: (signal, onProgress) =>
        this.transfers.upload(
          path,
          {
            size: file.size,
            read: async (offset, length) =>
              new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
          },
          { signal, onProgress },
        ),
    });
  }

  cancel(id: number): void {
    this.running.get(id)?.abort();
  }

  private async start(start: Running): Promise<void> {
    this.lastId += 1;
    const id = this.lastId;
    const abort = new AbortController();
    this.running.set(id, abort);
    const { name, direction, size } = start;
    this.setState([...this.state, { id, name, direction, size, bytes: 0, state: 'running', code: null }]);
    try {
      await start.run(abort.signal, ({ bytes, size: total }) =>
        this.change(id, { bytes, size: total ?? size }),
      );
      this.change(id, { state: 'done' });
    } catch (error) {
      if (abort.signal.aborted) this.change(id, { state: 'canceled' });
      else this.change(id, { state: 'failed', code: error instanceof TransferError ? error.code : null });
    } finally {
      this.running.delete(id);
    }
  }

  private change(id: number, change: Partial<TransferItem>): void {
    this.setState(this.state.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }
}
