// Starts the worker of the mock phone from its sources; the build puts the bundled thread in this place.
import { tsImport } from 'tsx/esm/api';

await tsImport('./phone-worker.ts', import.meta.url);
