// What the form of a runbook's test run sends, and what it gets.

export const testOutcomes = ['succeeded', 'failed', 'timedOut'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

/** Values of the message field that are not ids. */
export const noMessage = '';
export const pastedMessage = 'pasted';

/** Names of the inputs. */
export const testRunFields = {
  message: 'messageId',
  text: 'text',
  outcome: (stepId: string) => `outcome.${stepId}`,
  statusCode: (stepId: string) => `statusCode.${stepId}`,
  body: (stepId: string) => `body.${stepId}`,
} as const;

/** A step whose action is not sent. */
export interface TestActionStep {
  stepId: string;
  name: string;
  /** Whether the runbook waits for the response. */
  waits: boolean;
}

/** Content that an action would send. */
interface HeldRequest {
  action: string;
  request: unknown;
}

export interface TestRunStep {
  name: string;
  kind: string;
  status: 'succeeded' | 'failed' | 'processing';
  explanations: string[];
  /** Paths of a template without a value. */
  missing: string[];
  held: HeldRequest | undefined;
  /** The step that ran after it; null if the runbook ended. */
  next: string | null;
}

export interface TestRun {
  status: 'succeeded' | 'failed';
  /** Why the runbook failed. */
  reason: string | null;
  steps: TestRunStep[];
  events: {
    scope: string;
    severityName: string;
    previousSeverity: number;
    severity: number;
    status: string;
  }[];
  /** Requests of triggers that the events would run. */
  held: HeldRequest[];
}
