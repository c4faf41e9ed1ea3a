// `yagura-server journal …`: lists, shows and resubmits the files that the intake journal keeps for
// operators.

import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../common/clock.ts';
import { CommandRefused } from '../../common/command-refused.ts';
import { refuseForeignOwner } from '../../common/refuse-foreign-owner.ts';
import type { CommandOptions } from '../../config/command-options.ts';
import { ConfigError, readConfig } from '../../config/config.ts';
import { connectWithJournal } from '../../db/connect-database.ts';
import { FolderBusy } from '../../db/pglite/folder-lock.ts';
import { Journal } from '../../journal/journal.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { decodeRow, encodeRow } from '../arrivals/journal-entry.ts';
import { claimJournal, readStoredIds } from './intake-journal.ts';
import { type LeftoverFile, listLeftovers, readLeftover } from './journal-leftovers.ts';
import { intakeFolder } from './waiting-messages.ts';

export const journalUsage = `Usage: yagura-server journal list [--json] [--data FOLDER]
       yagura-server journal show FILE [--json] [--data FOLDER]
       yagura-server journal resubmit FILE [--data FOLDER]

list and show read the folder "intake" in the data folder; the server may be running. resubmit puts the messages of a file
back into the intake. Stop the server first, and start it again afterwards.`;

const usageError = (reason: string) => new ConfigError(reason, journalUsage);

/** Throws ConfigError for invalid arguments, CommandRefused for operations that are not possible. */
export async function journalCommand({ args, env, log, print }: CommandOptions): Promise<void> {
  const { verb, names, values } = parseArguments(args);
  const config = readConfig(values.data === undefined ? [] : ['--data', values.data], env);
  const folder = intakeFolder(config.dataFolder);
  if (!existsSync(config.dataFolder))
    throw new CommandRefused(
      `There is no folder ${resolve(config.dataFolder)}. Give the data folder of the server (--data or YAGURA_DATA).`,
    );
  if (verb === 'list' && names.length === 0) return printList(folder, values.json ?? false, print);
  if (names.length !== 1 || (verb !== 'show' && verb !== 'resubmit')) {
    throw usageError(
      verb === undefined
        ? 'journal: a subcommand is required'
        : `journal ${verb}: unknown subcommand or wrong arguments`,
    );
  }
  const file = await readLeftover(folder, names[0]!);
  if (!file)
    throw new CommandRefused(
      `There is no file ${names[0]} in ${folder}. Run "journal list" to see the files.`,
    );
  if (verb === 'show') return printFile(file, values.json ?? false, print);
  if (config.databaseUrl && !config.intake.journal)
    throw usageError(
      'journal resubmit: with PostgreSQL there is an intake journal only if YAGURA_INTAKE_JOURNAL is on',
    );
  refuseForeignOwner(folder);
  const database = await connectWithJournal(config, log).catch((error: unknown) => {
    if (!(error instanceof FolderBusy)) throw error;
    throw new CommandRefused(
      `${error.message}\nStop the server, run this command again, then start the server.`,
    );
  });
  try {
    const claimed = await Journal.claim(folder, { log });
    const { journal, entries } = await claimed.open(await claimJournal(database, claimed.ids, systemClock));
    try {
      const rows = entries.map(({ bytes }) => decodeRow(bytes));
      const stored = await readStoredIds(
        database,
        file.messages.map(({ messageId }) => messageId),
      );
      const known = new Set([...stored, ...rows.map(({ messageId }) => messageId)]);
      const fresh = file.messages.filter(({ messageId }) => !known.has(messageId));
      if (fresh.length > 0) await journal.append(fresh.map(encodeRow));
      if (file.messages.length > 0)
        await rename(join(folder, file.name), join(folder, `${file.name}.resubmitted`));
      const there = file.messages.length - fresh.length;
      print(
        `Messages resubmitted: ${fresh.length}, already there: ${there}. Start the server to process them.`,
      );
    } finally {
      await journal.close();
    }
  } finally {
    await database.close();
  }
}

function parseArguments(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' } },
    });
    const [verb, ...names] = positionals;
    return { verb, names, values };
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

async function printList(folder: string, asJson: boolean, print: (line: string) => void): Promise<void> {
  const files: LeftoverFile[] = [];
  for (const name of await listLeftovers(folder)) {
    const file = await readLeftover(folder, name);
    if (file) files.push(file);
  }
  if (asJson) return print(JSON.stringify(files.map(summaryOf)));
  if (files.length === 0) print(`${folder} contains no rejected or damaged files`);
  for (const file of files) {
    const { messages, damagedBytes } = summaryOf(file);
    print(`${file.name}  ${file.writtenAt}  messages: ${messages}, damaged bytes: ${damagedBytes}`);
  }
}

const summaryOf = ({ name, kind, writtenAt, messages, damagedBytes }: LeftoverFile) => ({
  file: name,
  kind,
  writtenAt,
  messages: messages.length,
  damagedBytes,
});

function printFile(file: LeftoverFile, asJson: boolean, print: (line: string) => void): void {
  const messages = file.messages.map(messageSummaryOf);
  if (asJson) {
    print(JSON.stringify({ ...summaryOf(file), messages }));
    return;
  }
  print(`${file.name}: messages: ${messages.length}, damaged bytes: ${file.damagedBytes}`);
  for (const { headers, body, bodyEncoding, ...fields } of messages) {
    print('');
    for (const [name, value] of Object.entries(fields)) print(escapeControls(`${name}: ${value}`));
    for (const [name, value] of Object.entries(headers)) print(escapeControls(`  ${name}: ${value}`));
    print(bodyEncoding === 'base64' ? 'body in base64:' : 'body:');
    for (const line of body.split('\n')) print(escapeControls(line));
  }
}

/** Displayable fields of a message: not its URL, which contains the slot's secret. */
function messageSummaryOf({ messageId, receivedAt, address, headers, body, deliveryKey }: ArrivalRow) {
  const isText = isUtf8(body);
  return {
    messageId,
    receivedAt,
    spaceId: address.spaceId,
    receiveSlotId: address.receiveSlotId,
    kind: address.kind,
    ...(deliveryKey === undefined ? {} : { deliveryKey }),
    headers,
    bodyEncoding: isText ? 'utf8' : 'base64',
    body: body.toString(isText ? 'utf8' : 'base64'),
  };
}

/** Escapes terminal control characters. */
function escapeControls(line: string): string {
  return line.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
