import type { ProcessParts, RunningProcess } from '@meetmark/platform';
import { NestFactory } from '@nestjs/core';
import { JobQueues } from './queues/job-queues.js';
import type { WorkerConfig } from './worker.config.js';
import { WorkerModule } from './worker.module.js';

/** The worker without the process around it: for tests that run several in one. */
export async function openWorker({
  platform,
  logger,
  readiness,
}: ProcessParts<WorkerConfig>): Promise<RunningProcess> {
  const root = { module: class Worker {}, imports: [platform, WorkerModule] };
  const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
  const queues = app.get(JobQueues);
  readiness.add('redis', () => queues.ping());
  return { stop: () => app.close() };
}
