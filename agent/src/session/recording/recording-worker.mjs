// Starts the thread from its sources; the build puts the bundled thread in this place.
import { tsImport } from 'tsx/esm/api';

await tsImport('./recording-worker.ts', import.meta.url);
