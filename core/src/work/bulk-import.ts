// Bulk import: hand in the file, carry it out, and look again at both lists of imports (spec section 4).
import { send, type Transport } from '../http/transport.ts';

export interface ImportLists {
  reloadImports(): Promise<unknown>;
  reloadProcessing(): Promise<unknown>;
}

/** Submits and executes; gives the import's id. The lists reload also when executing fails, and the failure is thrown. */
export async function runImport(
  transport: Transport,
  kind: string,
  file: Blob,
  lists: ImportLists,
): Promise<string> {
  const path = `/api/apps/alerthub/bulk-operations/${encodeURIComponent(kind)}/imports`;
  const form = new FormData();
  form.set('file', file);
  const { data } = await send<{ importId: string }>(transport, { method: 'POST', path, body: form });
  try {
    await send(transport, {
      method: 'POST',
      path: `${path}/${encodeURIComponent(data.importId)}/exec`,
      body: {},
    });
  } finally {
    await Promise.allSettled([lists.reloadImports(), lists.reloadProcessing()]);
  }
  return data.importId;
}
