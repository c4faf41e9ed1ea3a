// The parts of the testbed that benches use, from their sources.
import { tsImport } from 'tsx/esm/api';
import { withDelayedSyncs } from './support/delay-syncs.mjs';

const testbed = (file) => tsImport(`../../fixtures/src/testbed/${file}`, import.meta.url);
export const startServer = withDelayedSyncs((await testbed('server-process.ts')).startServer);
export const { callApi } = await testbed('api.ts');
export const { makeAlertPath } = await testbed('alert-path.ts');

export const outboundToLoopback = { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' };
