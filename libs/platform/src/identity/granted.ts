import { Injectable } from '@nestjs/common';
import { currentCall } from '../rpc/call.js';
import { CredentialSource, type Credentials, type Sending } from './identity.issuer.js';

/** For a service that sends messages on: it can sign nothing, and has only what came with the message that it works on. */
@Injectable()
export class GrantedCredentials extends CredentialSource {
  credentialsFor({ message }: Sending): Credentials {
    const token = currentCall()?.grants?.[message.name]?.shift();
    if (token === undefined)
      throw new Error(`${message.name} was not granted: name it in 'onward' of the message that leads to it`);
    return { token };
  }
}
