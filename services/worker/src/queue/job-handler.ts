import type { Job } from '@meetmark/contracts';
import type { Type } from '@nestjs/common';

export interface JobContext {
  /**
   * Id of the outbox row, the same for every attempt. Scheduled jobs have no row, so they use the job's id.
   */
  id: string;
  name: string;
  createdAt: Date;
}

/** `skipped` means that no email was sent. If a limit was reached, the date says when the job runs again. */
export type MailOutcome = 'sent' | 'skipped' | Date;

/** Thrown when a job can never succeed. The outbox row stores the error message. */
export class GivenUp extends Error {
  override name = 'GivenUp';
}

export interface JobOptions {
  /** Lower numbers run first. The default 0 is for emails that people wait for, such as codes. */
  priority?: number;
}

/** A job that throws is retried for 24 hours, unless it throws `GivenUp`. */
export type Handle<Payload extends object = object> = (
  payload: Payload,
  context: JobContext,
) => Promise<void | MailOutcome>;

interface Handled {
  job: Job;
  options: JobOptions;
}

const marks = new WeakMap<object, Handled>();

/**
 * Marks the method that handles a job. Running it twice must be harmless, because a worker may die before it
 * records the result.
 */
export const HandlesJob =
  <Payload extends object>(job: Job<Payload>, options: JobOptions = {}) =>
  <H extends Handle<Payload>>(_target: object, _name: string, method: TypedPropertyDescriptor<H>): void => {
    marks.set(method.value!, { job: { queue: job.queue, name: job.name }, options });
  };

export function handledBy(type: Type<object>): [method: string, Handled][] {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(type.prototype));
  const handled = methods.flatMap(([name, { value }]): [string, Handled][] => {
    const mark = typeof value === 'function' ? marks.get(value as object) : undefined;
    return mark === undefined ? [] : [[name, mark]];
  });
  if (handled.length === 0) throw new Error(`${type.name} has no method with @HandlesJob`);
  return handled;
}

/** Priority of emails that are sent after codes, so that many registrations don't delay sign-ins. */
export const SOON = 1;
/** Priority of emails to many people. Emails that someone is waiting for are sent first. */
export const LATER = 10;
