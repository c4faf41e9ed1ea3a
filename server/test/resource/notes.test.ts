// Notes on a resource (here: scopes): creation, author, changes, and visibility to everyone who sees the
// parent.
import { scope } from '@yagura/core/alerthub/scope';
import { defineNotes } from '@yagura/core/resource/note';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveResource } from '../../src/api/serve-resource.ts';
import { createApp } from '../../src/http/app.ts';
import { noteBehaviour, removeNotes } from '../../src/resource/note-behaviour.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const note = defineNotes(scope);
let server: TestServer;
let app: ReturnType<typeof createApp>;
let callApi: ApiCall;
let viewer: ApiCall;
let path: string;
let scopeId: string;

beforeAll(async () => {
  server = (await startTestServer())!;
  app = createApp(() => {}, {
    publicUrl: 'http://localhost',
    trustedProxies: [],
    ...{ bodies: server.services.bodies, threads: server.services.threads },
    spaceId: server.services.spaceId,
  });
  serveResource(app, server.services, noteBehaviour(note), () => noteBehaviour(note));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const made = await createApiCall(server.transportAs('privileged'))('POST', '/api/apps/alerthub/scopes', {
    displayName: 'noted',
    thresholds: { warning: 1, incident: 2 },
  });
  scopeId = (made.data as { scopeId: string }).scopeId;
  path = `/api/apps/alerthub/scopes/${scopeId}/notes`;
  callApi = createApiCall({ ...server.transportAs('privileged'), origin });
  viewer = createApiCall({ ...server.transportAs(['alerthub:viewer']), origin });
});
afterAll(async () => {
  await app.close();
  await server.stop();
});

test('a note is written, listed, changed and removed, and says by whom', async () => {
  const made = await callApi('POST', path, { title: 'Rack 4', body: 'fans are loud' });
  expect(made.status, made.text).toBe(201);
  const { noteId } = made.data as { noteId: string };
  expect(made.data).toMatchObject({
    title: 'Rack 4',
    createdBy: 'Administrator',
    updatedBy: 'Administrator',
  });
  expect((await viewer('GET', path)).data).toMatchObject({
    total: 1,
    items: [{ noteId, body: 'fans are loud' }],
  });
  expect((await viewer('PUT', `${path}/${noteId}`, { title: 'x' })).status).toBe(403);
  expect((await viewer('POST', path, { title: 'x' })).status).toBe(403);
  const edited = await callApi('PUT', `${path}/${noteId}`, { title: 'Rack 5' });
  expect(edited.data).toMatchObject({ title: 'Rack 5', body: '', createdBy: 'Administrator' });
  expect((await callApi('DELETE', `${path}/${noteId}`)).status).toBe(200);
  expect((await callApi('GET', path)).data).toMatchObject({ total: 0 });
});

test.each([
  [{ title: '' }, 'title'],
  [{ title: 'x', body: 'y'.repeat(10_001) }, 'body'],
  [{ title: 'x', body: ['y'] }, 'body'],
])('refuses %j', async (body, name) => {
  const reply = await callApi('POST', path, body);
  expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  expect(reply.status).toBe(400);
});

test('belongs to its parent', async () => {
  const other = path.replace(scopeId, '0190a0a0-0000-7000-8000-000000000000');
  expect((await callApi('POST', other, { title: 'x' })).status).toBe(404);
  await callApi('POST', path, { title: 'kept' });
  await removeNotes(server.services.database, note, server.services.spaceId, [scopeId]);
  expect((await callApi('GET', path)).data).toMatchObject({ total: 0 });
});
