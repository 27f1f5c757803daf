import type { ProcessParts, RunningProcess } from '@meetmark/platform';
import { NestFactory } from '@nestjs/core';
import { Attention } from './queues/attention.js';
import { JobQueues } from './queues/job-queues.js';
import type { WorkerConfig } from './worker.config.js';
import { WorkerModule } from './worker.module.js';

/** The worker without the process around it. */
export async function openWorker({
  platform,
  logger,
  readiness,
}: ProcessParts<WorkerConfig>): Promise<RunningProcess> {
  const root = { module: class Worker {}, imports: [platform, WorkerModule] };
  const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
  const [queues, attention] = [app.get(JobQueues), app.get(Attention)];
  readiness.add('redis', () => queues.ping());
  readiness.hopelessWhen('jobs wait and none is taken', () => attention.deaf);
  return { stop: () => app.close() };
}
