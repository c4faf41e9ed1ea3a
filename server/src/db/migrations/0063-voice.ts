import type { Migration } from '../migrate.ts';

export const voice: Migration = {
  number: 63,
  name: 'voice',
  up: `
-- Rendered speech as µ-law at 8 kHz; least recently used rows are deleted first.
create table voice_cache (
  space_id uuid not null,
  -- Hash of text, language, voice and version of the rendering.
  key text not null,
  audio bytea not null,
  size integer not null,
  used_at timestamptz not null,
  primary key (space_id, key)
);
create index voice_cache_used_at on voice_cache (used_at);

-- Recorded files of guidances as µ-law at 8 kHz.
create table guidance_recording (
  recording_id uuid primary key,
  space_id uuid not null,
  guidance_id uuid not null,
  audio bytea not null,
  created_at timestamptz not null
);
create index guidance_recording_guidance on guidance_recording (space_id, guidance_id);

-- A chain whose texts are being rendered waits until then at most.
alter table pigeon_chain add column start_after timestamptz;
`,
};
