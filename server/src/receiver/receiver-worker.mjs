// Starts the receiver's thread from its sources; the build puts the bundled thread in this place.
import { importFromSource } from '../../../tools/bundling/import-from-source.mjs';

await importFromSource('./receiver-worker.ts', import.meta.url);
