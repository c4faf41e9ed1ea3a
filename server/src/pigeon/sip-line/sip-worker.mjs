// Starts the worker of the sip line from its sources; the build puts the bundled thread in this place.
import { importFromSource } from '../../../../tools/bundling/import-from-source.mjs';

await importFromSource('./sip-worker.ts', import.meta.url);
