// The pieces of the test lab that benches use, from their sources.
import { tsImport } from 'tsx/esm/api';

const lab = (file) => tsImport(`../../fixtures/src/lab/${file}`, import.meta.url);
export const { startServer } = await lab('server.ts');
export const { callApi } = await lab('api.ts');
export const { makeAlertPath } = await lab('alert-path.ts');

export const outboundToLoopback = { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' };
