// Writes of any resource: parses posted forms, calls the API and redirects.
import { type ActionFunctionArgs, data, redirect } from '@remix-run/node';
import { problemText } from '@yagura/core/format/problem-text';
import { settleInChunks } from '@yagura/core/http/chunks';
import { Problem, type ProblemBody } from '@yagura/core/http/problem';
import { type ReactionOptions, reactionToError } from '@yagura/core/http/problem-reaction';
import { fieldChanges, isEmpty } from '@yagura/core/plan/field-changes';
import { inputFields } from '@yagura/core/resource/define-resource';
import { type NoticeKind, noticeCookie } from '../../shell/feedback/notice.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { clearCachedUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { matchResource, type ResourceMatch } from '../match-resource.server.ts';
import { etagField, idempotencyKeyField, overwriteField } from './hidden-field.ts';

type Row = Record<string, unknown>;

/** An item that was changed since a form for it was opened. */
export interface ItemConflict {
  changedAt: string | null;
  /** Names of the fields in which the item differs from what was posted. */
  fields: string[];
}

/** Data that a form needs to show a rejected submission. */
export interface ActionProblem {
  problem: ProblemBody & { kind: Problem['kind'] };
  /** Error messages by dotted field name. */
  errors: Record<string, string>;
  values: Row;
  conflict?: ItemConflict | undefined;
}

/** Returns a redirect with a notice for the next page. */
export function redirectWithNotice(to: string, notice: NoticeKind): Response {
  return redirect(to, { headers: { 'set-cookie': noticeCookie(notice) } });
}

/** Creates an item from a posted form; errors that the form can show are returned as data. */
export async function createAction(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, match, values, form) => {
    const created = await api.client<Row, Row>(match.resource).create(values, match.params, {
      idempotencyKey: formText(form.get(idempotencyKeyField)),
    });
    const id = encodeURIComponent(String(created[match.resource.id]));
    return redirectWithNotice(
      match.resource.verbs.includes('show') ? `${match.screen}/${id}` : match.screen,
      'created',
    );
  });
}

/** Saves a posted form if the item still has the version that the form was filled from. */
export async function editAction(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, match, values, form) => {
    const [id] = match.resource.singleton ? [] : match.rest;
    await api.client<Row, Row>(match.resource).edit(id, values, match.params, {
      ifMatch: replacedVersion(form),
    });
    await clearCachedUser(api);
    return redirectWithNotice(id ? `${match.screen}/${encodeURIComponent(id)}` : match.screen, 'saved');
  });
}

/** ETag of the version that a posted form may replace; undefined if the user decided to replace any. */
export function replacedVersion(form: FormData): string | undefined {
  return form.has(overwriteField) ? undefined : formText(form.get(etagField)) || undefined;
}

/** Runs a write of the resource in the path with the values of the posted form. */
export async function handleWrite<T>(
  args: ActionFunctionArgs,
  write: (api: Api, match: ResourceMatch, values: Row, form: FormData) => Promise<T>,
) {
  rejectCrossSiteRequest(args.request, args.context);
  const match = matchResource(new URL(args.request.url).pathname);
  const form = await args.request.formData();
  const values = readForm(form, inputFields(match.resource));
  return withApi(args, async (api) => {
    try {
      return await write(api, match, values, form);
    } catch (error) {
      const isConflict = error instanceof Problem && error.kind === 'changed';
      const conflict = isConflict ? await findConflict(api, match, values).catch(() => undefined) : undefined;
      return toProblemResponse(error, values, { conflict });
    }
  });
}

/** What saving the posted values would replace. Secrets are not compared, as the API does not return them. */
async function findConflict(api: Api, match: ResourceMatch, values: Row): Promise<ItemConflict> {
  const { resource, params, rest } = match;
  const current = await api.client<Row, Row>(resource).show(resource.singleton ? undefined : rest[0], params);
  const differing = new Set(
    fieldChanges(current, values)
      .filter(({ before, after }) => before !== undefined && !(isEmpty(before) && isEmpty(after)))
      .map(({ path }) => path.split('.')[0]!),
  );
  const fields = Object.keys(inputFields(resource)).filter((name) => name in values && differing.has(name));
  return { changedAt: typeof current.updatedAt === 'string' ? current.updatedAt : null, fields };
}

/** Deletes the item in the path and redirects to its list. */
export async function removeItemAction(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const match = matchResource(new URL(args.request.url).pathname);
  return removeOne(args, match, match.rest[0]);
}

/** Deletes items of a list and stays there: one by `id`, or several by `ids`, with a result for each. */
export async function removeFromListAction(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const match = matchResource(new URL(args.request.url).pathname);
  const form = await args.request.formData();
  const ids = [...new Set(form.getAll('ids').map(String))];
  if (ids.length > 0) return removeMany(args, match, ids.slice(0, maxRemovals));
  return removeOne(args, match, formText(form.get('id')));
}

/** Maximum rows of a page. */
const maxRemovals = 500;

/** Result of one of several deletions; null means success. */
export interface Removal {
  id: string;
  reason: string | null;
}

async function removeMany(args: ActionFunctionArgs, match: ResourceMatch, ids: string[]) {
  return withApi(args, async (api) => {
    const client = api.client<Row, unknown>(match.resource);
    const outcomes = await settleInChunks(ids, (id) => client.remove(id, match.params));
    // The list that is shown next has no place for the results: its user can no longer delete, or is signed out.
    const [first] = outcomes;
    if (first?.status === 'rejected' && outcomes.every(leadsAway)) throw first.reason;
    const removals = outcomes.map((outcome, index): Removal => {
      const reason =
        outcome.status === 'fulfilled' || isNotFound(outcome.reason) ? null : problemText(outcome.reason);
      return { id: ids[index]!, reason };
    });
    return { removals };
  });
}

function leadsAway(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled' || isNotFound(outcome.reason)) return false;
  return ['sign-in', 'go'].includes(reactionToError(outcome.reason).kind);
}

/** An item that is already gone counts as deleted. */
function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'not-found';
}

async function removeOne(args: ActionFunctionArgs, match: ResourceMatch, id: string | undefined) {
  return withApi(args, async (api) => {
    if (!id) throw new Problem('not-found');
    try {
      await api.client<Row, unknown>(match.resource).remove(id, match.params);
    } catch (error) {
      if (!isNotFound(error)) return toProblemResponse(error, {});
    }
    return redirectWithNotice(match.screen, 'deleted');
  });
}

/**
 * Returns problems that the current page can show; throws all others, which lead to another page. Without redirects, the
 * page also shows that something is gone or forbidden.
 */
export function toProblemResponse(
  error: unknown,
  values: Row,
  options?: ReactionOptions & {
    /** Dotted name of the part of the request body that the form fills in; field names are relative to it. */
    part?: string;
    conflict?: ItemConflict | undefined;
  },
) {
  const { kind } = reactionToError(error, options);
  if (!(error instanceof Problem) || !['fields', 'toast'].includes(kind)) throw error;
  const actionProblem: ActionProblem = {
    problem: { ...error.toJSON(), kind: error.kind },
    errors: Object.fromEntries(
      error.invalidParams.map(({ name, reason }) => [relativeName(name, options?.part), reason]),
    ),
    values,
    ...(options?.conflict ? { conflict: options.conflict } : {}),
  };
  return data(actionProblem, { status: error.status });
}

function relativeName(name: string, part: string | undefined): string {
  return part && name.startsWith(`${part}.`) ? name.slice(part.length + 1) : name;
}

function formText(value: FormDataEntryValue | null): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
