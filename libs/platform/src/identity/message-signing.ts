import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ServiceName } from '@meetmark/contracts';
import { PAIRS_OF_1_0_0 } from './passed-on-of-1.0.0.js';

/** The processes that send messages; admin only what a gateway of 1.0.0 has it pass on (passed-on-of-1.0.0.ts). */
export const CALLERS = ['gateway', 'admin'] as const;
export type CallerName = (typeof CALLERS)[number];

/** Knows the sessions, and signs the identities. */
export const ISSUER: CallerName = 'gateway';

/** Secrets for each pair of processes that exchange messages; the first signs, every one verifies. */
export interface MessageSecrets {
  gatewayAuthSecrets?: string[];
  gatewayEventsSecrets?: string[];
  gatewayAdminSecrets?: string[];
  adminAuthSecrets?: string[];
  adminEventsSecrets?: string[];
}

const PAIRS: [CallerName, ServiceName, keyof MessageSecrets][] = [
  ['gateway', 'auth', 'gatewayAuthSecrets'],
  ['gateway', 'events', 'gatewayEventsSecrets'],
  ['gateway', 'admin', 'gatewayAdminSecrets'],
  ...PAIRS_OF_1_0_0,
];

interface Key {
  /** Names the secret without revealing anything about it. */
  id: string;
  bytes: Buffer;
  caller: CallerName;
}

const ID_LENGTH = 12;

/** Signs the messages of one process to each service that it calls. */
export class MessageSigner {
  private readonly keys = new Map<ServiceName, Key>();

  constructor(
    readonly caller: CallerName,
    secrets: MessageSecrets,
  ) {
    for (const [from, service, name] of PAIRS) {
      const [first] = secrets[name] ?? [];
      if (from === caller && first !== undefined) this.keys.set(service, keyOf(from, service, first));
    }
  }

  get services(): ServiceName[] {
    return [...this.keys.keys()];
  }

  /** What stands in the queue. The signature covers all of `body`, so that no part can be changed or reused. */
  sign(service: ServiceName, body: string): string {
    const key = this.keys.get(service);
    if (key === undefined) throw new Error(`${this.caller} shares no secret with ${service}`);
    return `${key.id}.${codeOf(key.bytes, body).toString('base64url')}.${body}`;
  }
}

interface OpenedMessage {
  caller: CallerName;
  body: string;
}

/** Verifies the messages to a service, and which process sent them. */
export class MessageVerifier {
  private readonly keys: Map<string, Key>;

  constructor(service: ServiceName, secrets: MessageSecrets) {
    const keys = PAIRS.filter(([, to]) => to === service).flatMap(([caller, , name]) =>
      (secrets[name] ?? []).map((secret) => keyOf(caller, service, secret)),
    );
    if (keys.length === 0) throw new Error(`nothing shares a secret with ${service}`);
    this.keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** undefined unless a process that shares a secret with this one signed exactly this. */
  open(text: string): OpenedMessage | undefined {
    const [id, code, body] = partsOf(text);
    const key = this.keys.get(id);
    if (key === undefined) return undefined;
    const given = Buffer.from(code, 'base64url');
    const right = codeOf(key.bytes, body);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return { caller: key.caller, body };
  }
}

/** The body of a message in a queue, without verification. */
export const bodyOf = (text: string): string => partsOf(text)[2];

function partsOf(text: string): [id: string, code: string, body: string] {
  const first = text.indexOf('.');
  const second = text.indexOf('.', first + 1);
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

const codeOf = (key: Buffer, body: string) => createHmac('sha256', key).update(body).digest();

/** A separate key for each pair, even where an installation uses one secret for several. */
function keyOf(caller: CallerName, service: ServiceName, secret: string): Key {
  const bytes = createHmac('sha256', secret).update(`meetmark messages:${caller}>${service}`).digest();
  const id = createHash('sha256').update('meetmark key id:').update(bytes).digest('hex').slice(0, ID_LENGTH);
  return { id, bytes, caller };
}
