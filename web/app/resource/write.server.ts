// Writes of any resource: what a posted form becomes, and where it leads.
import { type ActionFunctionArgs, data, redirect } from '@remix-run/node';
import { problemText } from '@yagura/core/format/problem-text';
import { settleInChunks } from '@yagura/core/http/chunks';
import { Problem, type ProblemBody } from '@yagura/core/http/problem';
import { inputFields } from '@yagura/core/resource/define-resource';
import { type NoticeKind, noticeCookie } from '../shell/notice.ts';
import { type Api, withApi } from '../signin/api.server.ts';
import { forgetPerson } from '../signin/grant.server.ts';
import { refuseForeign } from '../signin/same-origin.server.ts';
import { readForm } from '../ui/form-data.ts';
import { keyField, tagField } from './hidden-field.ts';
import { matchResource, type ResourceMatch } from './place.server.ts';

type Row = Record<string, unknown>;

/** What a form shows again after it was refused. */
export interface Refusal {
  problem: ProblemBody & { kind: Problem['kind'] };
  /** Reasons by dotted name of the field. */
  errors: Record<string, string>;
  values: Row;
}

/** A redirect that leaves a notice for the page it leads to. */
export function leave(to: string, notice: NoticeKind): Response {
  return redirect(to, { headers: { 'set-cookie': noticeCookie(notice) } });
}

/** Creates from a posted form; refusals that a form can show come back as data. */
export async function createFrom(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, placed, values, form) => {
    const created = await api.client<Row, Row>(placed.resource).create(values, placed.params, {
      idempotencyKey: textOf(form.get(keyField)),
    });
    const id = encodeURIComponent(String(created[placed.resource.id]));
    return leave(
      placed.resource.verbs.includes('show') ? `${placed.screen}/${id}` : placed.screen,
      'created',
    );
  });
}

/** Saves a posted form over the version that it was filled from. */
export async function editFrom(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, placed, values, form) => {
    const [id] = placed.resource.singleton ? [] : placed.rest;
    await api.client<Row, Row>(placed.resource).edit(id, values, placed.params, {
      ifMatch: textOf(form.get(tagField)),
    });
    await forgetPerson(api);
    return leave(id ? `${placed.screen}/${encodeURIComponent(id)}` : placed.screen, 'saved');
  });
}

/** Runs a write of the resource that the path names, with the values of the posted form. */
export async function handleWrite<T>(
  args: ActionFunctionArgs,
  write: (api: Api, placed: ResourceMatch, values: Row, form: FormData) => Promise<T>,
) {
  refuseForeign(args.request, args.context);
  const placed = matchResource(new URL(args.request.url).pathname);
  const form = await args.request.formData();
  const values = readForm(form, inputFields(placed.resource));
  return withApi(args, async (api) => {
    try {
      return await write(api, placed, values, form);
    } catch (error) {
      return refuse(error, values);
    }
  });
}

/** Removes the item that the path names and goes back to its list. */
export async function removeAt(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const placed = matchResource(new URL(args.request.url).pathname);
  return removed(args, placed, placed.rest[0]);
}

/** Removes what the form names of a list and stays there: one item by `id`, or several by `ids`, which tells of each. */
export async function removeFrom(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const placed = matchResource(new URL(args.request.url).pathname);
  const form = await args.request.formData();
  const ids = [...new Set(form.getAll('ids').map(String))];
  if (ids.length > 0) return removedMany(args, placed, ids.slice(0, maxRemovals));
  return removed(args, placed, textOf(form.get('id')));
}

/** As many rows as a page can hold. */
const maxRemovals = 500;

/** What became of one of several removals; null is success. */
export interface Removal {
  id: string;
  reason: string | null;
}

async function removedMany(args: ActionFunctionArgs, placed: ResourceMatch, ids: string[]) {
  return withApi(args, async (api) => {
    const client = api.client<Row, unknown>(placed.resource);
    const outcomes = await settleInChunks(ids, (id) => client.remove(id, placed.params));
    const removals = outcomes.map((outcome, index): Removal => {
      const reason =
        outcome.status === 'fulfilled' || isGone(outcome.reason) ? null : problemText(outcome.reason);
      return { id: ids[index]!, reason };
    });
    return { removals };
  });
}

/** Gone already is what was wanted. */
function isGone(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'not-found';
}

async function removed(args: ActionFunctionArgs, placed: ResourceMatch, id: string | undefined) {
  return withApi(args, async (api) => {
    if (!id) throw new Problem('not-found');
    try {
      await api.client<Row, unknown>(placed.resource).remove(id, placed.params);
    } catch (error) {
      if (!isGone(error)) return refuse(error, {});
    }
    return leave(placed.screen, 'deleted');
  });
}

/** Problems that the form on screen can tell; all others are for the whole page. */
export function refuse(error: unknown, values: Row) {
  if (!(error instanceof Problem) || !['fields', 'toast'].includes(error.reaction)) throw error;
  const refusal: Refusal = {
    problem: { ...error.toJSON(), kind: error.kind },
    errors: Object.fromEntries(error.invalidParams.map(({ name, reason }) => [name, reason])),
    values,
  };
  return data(refusal, { status: error.status });
}

function textOf(value: FormDataEntryValue | null): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
