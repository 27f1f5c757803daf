import type { Job } from '@meetmark/contracts';

/** What a handler is told besides the payload. */
export interface JobContext {
  /** The outbox row's id, the same in every attempt; a scheduled job's own id. */
  id: string;
  /** When the work was asked for. */
  createdAt: Date;
}

/** Skipped: it is done, and no mail went out. */
export type MailOutcome = 'sent' | 'skipped';

/**
 * Does one kind of work. It may run again after it was done (a worker that dies between the work and the mark in the
 * outbox), so it is written to be repeated.
 */
export interface JobHandler<Payload extends object = object> {
  /** Throwing means: try again later. `GivenUp` means: never. */
  handle(payload: Payload, context: JobContext): Promise<void | MailOutcome>;
}

/** The work cannot succeed, however often it is tried; the reason stays in the outbox. */
export class GivenUp extends Error {
  override name = 'GivenUp';
}

export interface JobOptions {
  /** 0 (the default) overtakes everything; the higher, the later. Somebody waits for a reset code, nobody for a reminder. */
  priority?: number;
}

// Handlers of any payload are compared by their class only; the decorator below has checked the payload's type.
export type JobHandlerClass = abstract new (...args: never[]) => JobHandler<never>;

interface Handled extends JobOptions {
  job: Job;
}

const handled = new WeakMap<object, Handled>();

/** Marks the class that does the work of `job`; its `handle` must take that job's payload. */
export const HandlesJob =
  <Payload extends object>(job: Job<Payload>, options: JobOptions = {}) =>
  (type: abstract new (...args: never[]) => JobHandler<Payload>): void => {
    handled.set(type, { job: { queue: job.queue, name: job.name }, ...options });
  };

/** What a handler class was marked with. */
export function handledBy(type: object): Handled {
  const mark = handled.get(type);
  if (mark === undefined) throw new Error(`${String(type)} is not marked with @HandlesJob`);
  return mark;
}
