// What the behaviors of scopes and their severities need from the server.
import type { ResourceServices } from '../../resource/request-context.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

export interface ScopeServices extends ResourceServices {
  pipeline: Pipeline;
}
