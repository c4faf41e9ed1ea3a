// Starts the worker of the sip line from its sources; the build puts the bundled thread in this place.
import { tsImport } from 'tsx/esm/api';

await tsImport('./sip-worker.ts', import.meta.url);
