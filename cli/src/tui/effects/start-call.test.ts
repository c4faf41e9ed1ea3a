// Starting a call from a callflow: what the action asks for, what is sent, and what a refusal shows.
import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { actionsOf } from '../state/resource-actions.ts';
import { submitForm } from './submit-form.ts';

const callflowId = '01a1fea7-056f-700d-b199-539c2daf013a';
const guidanceId = '01a1fea7-056f-700d-b199-539c2daf013b';
const action = actionsOf(resourceNamed('callflow')).find(({ operation }) => operation === 'start-call')!;

/** Submits the form against a server that answers the start with this reply. */
async function startCall(texts: Record<string, string>, reply: Response) {
  const sent: { path: string; body: unknown }[] = [];
  const transport = {
    origin: 'http://space.example',
    fetch: async (url: string, { method, body }: RequestInit) => {
      const path = new URL(url).pathname;
      if (method === 'POST') {
        sent.push({ path, body: JSON.parse(String(body)) });
        return reply;
      }
      const item = { guidanceId, displayName: 'Server down' };
      return Response.json(path.endsWith('guidances') ? { items: [item], total: 1 } : item);
    },
  };
  const outcome = await submitForm(
    transport,
    await testContext(),
    {
      act: 'submit',
      serial: 1,
      resource: 'callflow',
      action,
      subject: { id: callflowId, params: {}, title: 'Night shift', row: undefined },
      meta: action.bodyFields!,
      base: {},
      etag: undefined,
      texts,
    },
    new AbortController().signal,
  );
  return { outcome, sent };
}

describe('a call started from a callflow', () => {
  test('is an action of callflows alone, with the permission of the chain', () => {
    expect(action).toMatchObject({ resource: 'chain', permission: 'pigeon:chain:invoke', bulk: false });
    expect(Object.keys(action.bodyFields!)).toEqual(['guidanceId', 'parameters']);
    expect(action.bodyFields!.guidanceId!.required).toBe(true);
    expect(actionsOf(resourceNamed('contact')).some(({ operation }) => operation === 'start-call')).toBe(
      false,
    );
  });

  test('sends the callflow, the guidance by its id and the parameters', async () => {
    const reply = Response.json({ params: {}, resultId: callflowId, status: 'requested' });
    const { outcome, sent } = await startCall(
      { guidanceId: 'Server down', parameters: '{"host":"web1"}' },
      reply,
    );
    expect(sent).toEqual([
      {
        path: '/api/apps/pigeon/chain/invoke',
        body: { params: { callflowId, guidanceId, parameters: { host: 'web1' } } },
      },
    ]);
    expect(outcome).toEqual({ text: 'Start a call done: Night shift', failed: false });
  });

  test('an error of the server stands at its field, and a rejection is told', async () => {
    const invalid = Response.json(
      {
        type: 'urn:yagura:problem:invalid',
        title: 'Invalid request',
        invalidParams: [{ name: 'params.guidanceId', reason: 'is required' }],
      },
      { status: 400, headers: { 'content-type': 'application/problem+json' } },
    );
    const { outcome } = await startCall({ guidanceId: '' }, invalid);
    expect(outcome).toEqual([{ path: 'guidanceId', reason: 'is required' }]);
    const rejected = Response.json({
      params: {},
      status: 'rejected',
      errorDescriptor: { title: 'No plan', detail: 'The plan includes no calls' },
    });
    await expect(startCall({ guidanceId }, rejected)).rejects.toMatchObject({
      kind: 'chain-rejected',
      detail: 'The plan includes no calls',
    });
  });
});
