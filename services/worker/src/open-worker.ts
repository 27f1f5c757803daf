import type { ProcessParts, RunningProcess } from '@meetmark/platform';
import { NestFactory } from '@nestjs/core';
import { sendsPlain } from './mail/transport.js';
import { WorkerLiveness } from './queue/worker-liveness.js';
import { JobQueues } from './queue/job-queues.js';
import type { WorkerConfig } from './worker.config.js';
import { WorkerModule } from './worker.module.js';

export async function openWorker({
  config,
  platform,
  logger,
  readiness,
}: ProcessParts<WorkerConfig>): Promise<RunningProcess> {
  if (sendsPlain(config.smtpUrl))
    logger.warn('SMTP_URL has tls=off: emails and the password of the mail server are sent unencrypted');
  const root = { module: class Worker {}, imports: [platform, WorkerModule] };
  const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
  const [queues, liveness] = [app.get(JobQueues), app.get(WorkerLiveness)];
  readiness.add('redis', () => queues.ping());
  readiness.restartWhen('jobs are waiting but none is taken', () => liveness.stalled);
  return { stop: () => app.close() };
}
