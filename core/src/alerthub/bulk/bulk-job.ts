// Replies of the bulk import and export calls.
import { z } from 'zod';
import * as field from '../../resource/field.ts';

/** A planned import waits for a user to execute it. */
export const importStatuses = ['processing', 'planned', 'succeeded', 'failed'] as const;
export const exportStatuses = ['processing', 'succeeded', 'failed'] as const;

const jobTones = {
  processing: 'progress',
  planned: 'info',
  succeeded: 'success',
  failed: 'danger',
} as const;

export const planOperations = ['create', 'update', 'delete', 'unchanged'] as const;
export type PlanOperation = (typeof planOperations)[number];

export const planError = z.object({
  line: field.count(),
  /** Null for an error of the whole line or file. */
  column: z.string().nullable(),
  reason: z.string(),
});
export type PlanError = z.output<typeof planError>;

export const bulkImport = z.object({
  importId: field.uuid(),
  kind: field.text(),
  status: field.choice(importStatuses, jobTones),
  fileName: field.text(),
  size: field.bytes(),
  creates: field.count(),
  updates: field.count(),
  deletes: field.count(),
  unchanged: field.count(),
  errorCount: field.count(),
  /** Reason of the failure in the caller's language; null if it did not fail. */
  reason: z.string().nullable(),
  /** Name of the requesting user at that time; null for records created before names were stored. */
  requestedBy: z.string().nullable(),
  requestedAt: field.dateTime(),
  startedAt: field.dateTime().nullable(),
  endedAt: field.dateTime().nullable(),
});
export type BulkImport = z.output<typeof bulkImport>;

/** Detail view: the first 1,000 errors; the error list call returns the others. */
export const bulkImportDetail = bulkImport.extend({ errors: z.array(planError) });
export type BulkImportDetail = z.output<typeof bulkImportDetail>;

export const planRow = z.object({
  line: field.count(),
  operation: field.choice(planOperations),
  key: field.count().nullable(),
  name: z.string(),
  before: field.json(),
  after: field.json(),
});
export type PlanRow = z.output<typeof planRow>;

export const bulkExport = z.object({
  exportId: field.uuid(),
  kind: field.text(),
  status: field.choice(exportStatuses, jobTones),
  fileName: field.text(),
  size: field.bytes(),
  rows: field.count(),
  requestedBy: z.string().nullable(),
  requestedAt: field.dateTime(),
  endedAt: field.dateTime().nullable(),
});
export type BulkExport = z.output<typeof bulkExport>;

/** List page of the given items. */
export const pageSchema = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
