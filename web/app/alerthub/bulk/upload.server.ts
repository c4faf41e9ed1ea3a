// Streams an uploaded import file to the API.
import type { BulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import type { Api } from '../../signin/api.server.ts';
import { proxyUpload } from '../../signin/proxy-upload.server.ts';

/** Upload timeout in milliseconds; planning a large file takes minutes. */
export const uploadTimeoutMs = 15 * 60_000;

/** Creates an import plan from the request's multipart body. Throws Problem. */
export function forwardUpload(api: Api, kind: BulkKindName, request: Request): Promise<BulkImport> {
  return proxyUpload(api, 'bulk-import-create', { params: { kind }, request, timeoutMs: uploadTimeoutMs });
}
