import { randomUUID } from 'node:crypto';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import { type Credentials, IdentityIssuer, type Sending } from '../identity/credentials.js';
import { digestOf } from '../identity/passed-on-of-1.0.0.js';

/** A message that is sent on, with its data. */
export interface Onward {
  service: ServiceName;
  name: string;
  data: object;
}

/** A message to admin as the gateway of 1.0.0 declares it: with what admin sends to others while it answers, each as often as it stands here. */
export interface LeadingMessage<Req extends object = object, Res = unknown> extends Message<Req, Res> {
  onward(request: Req, caller: Identity): Onward[];
}

/** Signs as the gateway of 1.0.0 does: with a message that leads to others go grants of these. */
export class GrantingIssuer extends IdentityIssuer {
  override credentialsFor(sending: Sending): Credentials & { grants?: Record<string, string[]> } {
    const { message, request, identity, requestId } = sending;
    const credentials = super.credentialsFor(sending);
    if (identity === null || !leads(message)) return credentials;
    const grants: Record<string, string[]> = {};
    for (const { service, name, data } of message.onward(request, identity))
      (grants[name] ??= []).push(
        this.sign(identity, service, { id: randomUUID(), message: name, digest: digestOf(data), requestId }),
      );
    return { ...credentials, grants };
  }
}

const leads = (message: Message): message is LeadingMessage => 'onward' in message;
