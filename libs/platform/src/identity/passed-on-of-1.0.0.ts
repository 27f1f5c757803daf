import { createHash } from 'node:crypto';
import type { Message, ServiceName } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { currentCall } from '../call/call.js';
import { type Credentials, CredentialSource } from './credentials.js';
import type { VerifiedCaller } from './identity.strategy.js';
import type { CallerName, MessageSecrets } from './message-signing.js';

// What admin sends on in the name of an administrator: its gateway of 1.0.0 grants it message by message, with what it sends to admin. This
// version's gateway asks auth and events itself and grants nothing. Goes when 1.1 is the version before, with the caller 'admin'.

/** A token that is good for one message, once. */
export interface Grant {
  id: string;
  message: string;
  /** The digest of the message's data. */
  digest: string;
  requestId: string;
}

/** The pairs of processes that exchange such messages. */
export const PAIRS_OF_1_0_0: [CallerName, ServiceName, keyof MessageSecrets][] = [
  ['admin', 'auth', 'adminAuthSecrets'],
  ['admin', 'events', 'adminEventsSecrets'],
];

/** Admin can sign nothing, and has only the grants of the message that it handles. */
@Injectable()
export class GrantedCredentials extends CredentialSource {
  credentialsFor({ message }: { message: Message }): Credentials {
    const token = currentCall()?.grants?.[message.name]?.shift();
    if (token === undefined)
      throw new Error(`${message.name} was not granted with the message that led to it`);
    return { token };
  }
}

interface PassedOn {
  verified?: VerifiedCaller;
  requestId: string;
  request: { pattern: string; data: unknown };
  isFirst(id: string, until: number): Promise<boolean>;
}

/** Whether the token grants exactly this message, and is used for the first time. */
export async function isGranted(call: PassedOn): Promise<boolean> {
  const { grant, expires } = call.verified ?? {};
  if (grant === undefined || expires === undefined) return false;
  const { pattern, data } = call.request;
  const fits =
    grant.message === pattern && grant.requestId === call.requestId && grant.digest === digestOf(data);
  return fits && (await call.isFirst(grant.id, expires * 1_000));
}

/** The digest of data as JSON carries it, independent of the order of its fields. */
export const digestOf = (data: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(JSON.parse(JSON.stringify(data)))))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
