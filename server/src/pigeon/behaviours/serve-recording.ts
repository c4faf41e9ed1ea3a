// Takes a recorded file of a guidance: a small WAV file, stored as it will be played.
import multipart from '@fastify/multipart';
import { invalidField, Problem } from '@yagura/core/http/problem';
import {
  guidance,
  maxRecordingBytes,
  maxRecordingSeconds,
  type Recording,
} from '@yagura/core/pigeon/guidance';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiServices } from '../../api/create-request-context.ts';
import { serveFixedRaw } from '../../api/serve-fixed.ts';
import { isoTime } from '../../common/clock.ts';
import type { BodyBudget, BodyReservation } from '../../http/body/body-budget.ts';
import { maxRecordingUploadBytes } from '../../http/body/upload-limit.ts';
import { announce, changeOf } from '../../resource/item-operations.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { pcmu } from '../media/g711.ts';
import { sampleRate } from '../media/media-session.ts';
import { writeRecording } from '../voice/recordings.ts';
import { resample } from '../voice/resample.ts';
import { readWav, WavInvalid } from '../voice/wav.ts';
import { changeRecording, type GuidanceServices } from './guidance-speech.ts';

interface RecordingServices extends GuidanceServices, ApiServices {
  /** Memory of all request bodies. */
  bodies: BodyBudget;
}

export function serveRecording(app: FastifyInstance, services: RecordingServices): void {
  app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 1, fields: 1, fileSize: maxRecordingBytes } });
    serveFixedRaw(scope, services, 'guidance-recording-create', record, maxRecordingUploadBytes);
  });
}

async function record(
  context: RequestContext<RecordingServices>,
  request: FastifyRequest,
): Promise<Recording> {
  const { services, spaceId } = context;
  const { guidanceId = '' } = context.params;
  const { fileName, samples } = await receive(context, request);
  const now = services.clock.now();
  const recording: Recording = {
    recordingId: services.nextId(),
    fileName,
    seconds: Math.ceil(samples.length / sampleRate),
    createdAt: isoTime(now),
  };
  await services.database.transaction(async (tx) => {
    const before = await changeRecording(context, tx, guidanceId, recording);
    const { recordingId } = recording;
    await writeRecording(tx, { recordingId, spaceId, guidanceId, audio: pcmu.encode(samples), now });
    const change = { id: guidanceId, before: { recording: before.recording ?? null }, after: { recording } };
    await services.audit.write(tx, changeOf(context, guidance, 'recording', change));
  });
  announce(context, guidance, guidanceId, 'update');
  return recording;
}

/** The name of the file, and its audio as a line plays it. */
async function receive(
  context: RequestContext<RecordingServices>,
  request: FastifyRequest,
): Promise<{ fileName: string; samples: Int16Array }> {
  const reservation = context.services.bodies.openReservation(context.spaceId);
  try {
    const { fileName, bytes } = await readFile(context, request, reservation);
    return { fileName, samples: await toSamples(context, bytes) };
  } finally {
    reservation.release();
  }
}

async function readFile(
  context: RequestContext,
  request: FastifyRequest,
  reservation: BodyReservation,
): Promise<{ fileName: string; bytes: Buffer }> {
  if (!request.isMultipart())
    throw new Problem('unsupported-media-type', { detail: context.t('refusal.send-form') });
  const part = await request.file();
  if (part?.fieldname !== 'file') {
    part?.file.resume();
    throw invalidField('file', context.t('rule.required'));
  }
  const chunks: Buffer[] = [];
  for await (const chunk of part.file) {
    reservation.reserve((chunk as Buffer).length);
    chunks.push(chunk as Buffer);
  }
  if (part.file.truncated)
    throw new Problem('too-large', {
      detail: context.t('refusal.file-size', { size: maxRecordingBytes / 2 ** 20 }),
    });
  const name = (part.filename || 'recording.wav').replace(/[\x00-\x1f\x7f/\\]/g, '_').toWellFormed();
  return { fileName: name.slice(0, 255), bytes: Buffer.concat(chunks) };
}

async function toSamples({ t }: RequestContext, bytes: Buffer): Promise<Int16Array> {
  try {
    return await resample(readWav(bytes, { maxSeconds: maxRecordingSeconds }));
  } catch (error) {
    if (!(error instanceof WavInvalid)) throw error;
    throw invalidField('file', t(`pigeon.recording.${error.fault}`));
  }
}
