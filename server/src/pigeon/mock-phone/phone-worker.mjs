// Starts the worker of the mock phone from its sources; the build puts the bundled thread in this place.
import { importFromSource } from '../../../../tools/bundling/import-from-source.mjs';

await importFromSource('./phone-worker.ts', import.meta.url);
