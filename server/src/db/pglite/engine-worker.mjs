// The embedded PostgreSQL engine (PGlite) in a worker thread: it opens a data folder with real fsync and answers wire
// messages that arrive on message ports. Plain JavaScript, so that the same file runs from source and beside the bundle.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * @typedef {{ task: 'serve', folder: string, templateFile?: string, fence?: string, program?: WebAssembly.Module }
 *   | { task: 'template', folder: string }} WorkerTask
 * @typedef {import('node:worker_threads').MessagePort} MessagePort
 */

const engineMajor = '18';
const longJump = 100; // the exit status by which PGlite marks an ordinary SQL error
const fileTypeMask = 0o170000; // of a mode, see inode(7)
const folderType = 0o040000;
const blockSize = 256 * 1024; // bytes of reply gathered into one post
const ackEvery = 256 * 1024; // bytes of request consumed between two acknowledgements
const tarBlock = 512; // bytes of a tar file's header, and the unit to which contents are filled up
const tarFolder = '5'; // the type of entry
const unreadLimit = 2 * 1024 * 1024; // bytes of reply, not yet read by the client, at which no further unit is run

const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat(
    [
      'fsync=on',
      'wal_sync_method=fsync', // the engine's fdatasync is a stub that returns success
      'shared_buffers=32MB',
      'work_mem=32MB', // one session: storing the largest message needs no temporary files
      'max_wal_size=256MB',
      'min_wal_size=32MB',
      // Nothing else runs meanwhile, so a table is analyzed from fewer rows and a text index merges smaller lists.
      'default_statistics_target=30',
      'gin_pending_list_limit=512kB',
      'random_page_cost=1.1', // pages come from memory or from flash
      'max_stack_depth=256kB', // what the thread's stack surely holds, see engine.ts
      'timezone=UTC',
      'log_min_messages=fatal',
      'log_min_error_statement=panic', // statements may carry private values
    ].flatMap((setting) => ['-c', setting]),
  );

const counters = { fsyncs: 0, units: 0 };
/** @type {string[]} the last lines that the engine wrote, the reason of a crash among them */
const lastLines = [];

/** A node file system whose fsync reaches the disk; the one of PGlite has no such operation. */
class DurableNodeFS extends NodeFS {
  async init(engine, options) {
    const result = await super.init(engine, options);
    result.emscriptenOpts.preRun.unshift((module) => {
      const operations = module.NODEFS.stream_ops;
      const write = operations.write;
      operations.write = (...given) => {
        stopWhenTakenOver();
        return write(...given);
      };
      // PostgreSQL flushes its log in the same way where the engine's own fdatasync works: what is left out are times of
      // files. The names in a folder need the whole.
      operations.fsync = (stream) => {
        const sync = (stream.node.mode & fileTypeMask) === folderType ? fsyncSync : fdatasyncSync;
        module.NODEFS.tryFSOperation(() => sync(stream.nfd));
        counters.fsyncs += 1;
        // What is on the disk by now is read by whoever takes over later; what came too late is answered to nobody.
        stopWhenTakenOver();
        return 0;
      };
    });
    return result;
  }
}

/** Keeps the engine's own log lines; true would print them. */
function keepLine(line) {
  lastLines.push(line);
  if (lastLines.length > 20) lastLines.shift();
  return false;
}

/** Ends this thread; the supervisor rejects what is pending and opens the folder again, which replays the log. */
function crash(error) {
  const reason = error instanceof Error ? error.message : String(error);
  parentPort?.postMessage({ type: 'crash', reason: [reason, ...lastLines.slice(-3)].join('; ') });
  process.exit(1);
}

/** @type {number | undefined} the open fence of the folder's lock, see folder-lock.ts */
let fence;

/** Ends this thread when another process has the folder, which this one must not write any more. */
function stopWhenTakenOver() {
  if (fence !== undefined && fstatSync(fence).nlink === 0)
    crash(new Error('another process has taken the data folder over'));
}

/** Makes every exit of the engine but an SQL error end the thread: PGlite would go on with a broken memory. */
function stopAtTraps(engine) {
  const module = engine.Module;
  const once = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (error?.status !== longJump) crash(error);
      throw error;
    }
  };
}

function syncPath(path) {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncTree(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}

/** The template databases are never used here, and nobody would keep them from transaction number wraparound. */
async function dropTemplateDatabases(engine) {
  await engine.exec('UPDATE pg_database SET datistemplate = false');
  await engine.exec('DROP DATABASE IF EXISTS template0');
  await engine.exec('DROP DATABASE IF EXISTS template1');
}

/** Unpacks a template, a tar file within a gzip file, into an empty folder. */
function unpackTemplate(templateFile, folder) {
  /** @type {{ path: string, content?: Buffer }[]} */
  const entries = [];
  try {
    const bytes = gunzipSync(readFileSync(templateFile));
    const text = (from, length) => bytes.toString('latin1', from, from + length).replace(/\0.*$/s, '');
    for (let at = 0; bytes[at] !== 0; ) {
      const path = join(folder, text(at, 100));
      const size = Number.parseInt(text(at + 124, 12), 8);
      const content = bytes.subarray(at + tarBlock, at + tarBlock + size);
      if (content.length !== size) throw new Error('it is incomplete');
      entries.push(text(at + 156, 1) === tarFolder ? { path } : { path, content });
      at += tarBlock + Math.ceil(size / tarBlock) * tarBlock;
    }
  } catch (error) {
    throw new Error(`the template ${templateFile} cannot be used: ${error.message}`);
  }
  for (const { path, content } of entries) {
    if (content === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, content, { mode: 0o600 });
  }
}

/** Opens the folder's engine, initializing it first when it is new; gives how it was begun. */
async function openFolder(folder, templateFile, pgliteWasmModule) {
  const path = join(folder, 'engine');
  const marker = join(folder, 'engine.initialising');
  const options = { fs: new DurableNodeFS(path), startParams, onStderr: keepLine, pgliteWasmModule };
  // A first start that was interrupted has answered nobody yet, so nothing is lost by beginning again.
  if (existsSync(marker)) rmSync(path, { recursive: true, force: true });
  if (existsSync(path) && readdirSync(path).length > 0) {
    const version = existsSync(join(path, 'PG_VERSION'))
      ? readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()
      : '';
    if (version !== engineMajor) {
      throw new Error(
        version === ''
          ? `${path} is not empty and holds no database; name another data folder`
          : `${path} was written by PostgreSQL ${version}, this engine is PostgreSQL ${engineMajor}; export with the release that wrote it and import into a new folder`,
      );
    }
    return { engine: await PGlite.create(options), begun: 'existing' };
  }
  writeFileSync(marker, '');
  syncPath(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (templateFile !== undefined) unpackTemplate(templateFile, path);
  const engine = await PGlite.create(options);
  if (templateFile === undefined) await dropTemplateDatabases(engine);
  syncTree(path);
  rmSync(marker);
  syncPath(folder);
  return { engine, begun: templateFile === undefined ? 'initialised' : 'template' };
}

/** A template: the data folder, which no server may use meanwhile, as one gzip file. */
async function makeTemplate({ folder }) {
  const { engine } = await openFolder(folder);
  await engine.exec('CHECKPOINT');
  const dump = await engine.dumpDataDir('gzip');
  parentPort?.postMessage({ type: 'template', bytes: new Uint8Array(await dump.arrayBuffer()) });
  await engine.close();
}

/** Where the next unit in `bytes` ends: behind the first Query, Sync, Flush or Terminate; 0 while it is incomplete. */
function unitEnd(bytes, isStartup) {
  if (isStartup) {
    const length = bytes.length < 4 ? 0 : bytes.readInt32BE(0);
    return length > 0 && length <= bytes.length ? length : 0;
  }
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) return 0;
    const kind = bytes[at];
    if (kind === 0x51 || kind === 0x53 || kind === 0x48 || kind === 0x58) return end; // Q S H X
    at = end;
  }
  return 0;
}

/** Where replies are gathered: units run one after the other, and a new block for each would keep the collector busy. */
const block = Buffer.allocUnsafeSlow(blockSize);

/** Runs one unit and posts its reply in blocks; gives the bytes posted. */
function runUnit(engine, unit, port) {
  let used = 0;
  let posted = 0;
  const flush = () => {
    if (used === 0) return;
    const part = new Uint8Array(block.subarray(0, used));
    posted += used;
    port?.postMessage(part, [part.buffer]);
    used = 0;
  };
  counters.units += 1;
  engine
    .execProtocolRawStream(unit, {
      syncToFs: false,
      onRawData: (bytes) => {
        for (let from = 0; from < bytes.length; ) {
          if (used === blockSize) flush();
          const part = bytes.subarray(from, from + blockSize - used);
          block.set(part, used);
          used += part.length;
          from += part.length;
        }
      },
    })
    .catch(crash);
  flush();
  return posted;
}

function append(waiting, message) {
  if (waiting.length > 0) return Buffer.concat([waiting, message]);
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}

/** Serves one client at a time over ports: the engine has one session, which each new client gets fresh. */
function createSessions(engine) {
  /** @type {MessagePort | undefined} */
  let current;

  const runText = (sql) => {
    const text = Buffer.from(`${sql}\0`);
    const message = Buffer.alloc(5 + text.length);
    message[0] = 0x51;
    message.writeInt32BE(4 + text.length, 1);
    message.set(text, 5);
    runUnit(engine, message, undefined);
  };

  return (/** @type {MessagePort} */ port) => {
    current?.close();
    current = port;
    runText('ROLLBACK');
    runText('DISCARD ALL');

    let waiting = Buffer.alloc(0);
    let isStartup = true;
    let consumed = 0;
    let unread = 0;

    const drain = () => {
      while (unread < unreadLimit && current === port) {
        const end = unitEnd(waiting, isStartup);
        if (end === 0) return;
        const unit = waiting.subarray(0, end);
        waiting = waiting.subarray(end);
        isStartup = false;
        if (unit[0] !== 0x58) unread += runUnit(engine, unit, port);
        consumed += end;
        if (consumed < ackEvery) continue;
        port.postMessage(consumed);
        consumed = 0;
      }
    };

    port.on('message', (/** @type {Uint8Array | number} */ message) => {
      if (typeof message === 'number') unread -= message;
      else waiting = append(waiting, message);
      drain();
    });
    port.on('close', () => {
      if (current === port) current = undefined;
    });
  };
}

/**
 * The compiled engine; later threads of the process share it and what V8 has optimized in it by then. V8 optimizes a
 * function after it has executed this many bytes of it. With the default of 1.8 million it optimizes much that only a start
 * executes, which takes a fifth of the processor time of a start.
 */
function compileEngine() {
  setFlagsFromString('--wasm-tiering-budget=60000000');
  const file = new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  return WebAssembly.compile(readFileSync(file));
}

async function serve({ folder, templateFile, program: given }) {
  const program = given ?? (await compileEngine());
  const { engine, begun } = await openFolder(folder, templateFile, program);
  stopAtTraps(engine);
  const open = createSessions(engine);
  parentPort?.on('message', async (message) => {
    if (message.type === 'open') open(message.port);
    if (message.type === 'statistics') parentPort?.postMessage({ type: 'statistics', ...counters });
    if (message.type === 'close') {
      await engine.close();
      parentPort?.postMessage({ type: 'closed' });
      process.exit(0);
    }
  });
  parentPort?.postMessage({ type: 'ready', begun, program });
}

/** @type {WorkerTask} */
const task = workerData;
try {
  if (task.task === 'template') await makeTemplate(task);
  else {
    if (task.fence !== undefined) fence = openSync(task.fence, 'r');
    stopWhenTakenOver();
    await serve(task);
  }
} catch (error) {
  crash(error);
}
