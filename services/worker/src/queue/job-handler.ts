import type { Job } from '@meetmark/contracts';

/** What a handler receives besides the payload. */
export interface JobContext {
  /** The outbox row's id, the same in every attempt; a scheduled job's own id. */
  id: string;
  /** When the work was requested. */
  createdAt: Date;
}

/** `skipped`: done without a mail. */
export type MailOutcome = 'sent' | 'skipped';

/**
 * Does one kind of work. It must be repeatable: it runs again when a worker dies between the work and the mark in the outbox.
 */
export interface JobHandler<Payload extends object = object> {
  /** An error means: try again later. `GivenUp` means: never. */
  handle(payload: Payload, context: JobContext): Promise<void | MailOutcome>;
}

/** The work cannot succeed; the reason stays in the outbox. */
export class GivenUp extends Error {
  override name = 'GivenUp';
}

export interface JobOptions {
  /** 0, the default, comes first; the higher, the later. A person waits for a code with a form open, none for a reminder. */
  priority?: number;
}

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

/** The job and options of a handler class. */
export function handledBy(type: object): Handled {
  const mark = handled.get(type);
  if (mark === undefined) throw new Error(`${String(type)} is not marked with @HandlesJob`);
  return mark;
}

/** Confirmations come after codes: a crowd that registers must not keep somebody from signing in. */
export const SOON = 1;
/** Mails to many members come after those that a person waits for. */
export const LATER = 10;
