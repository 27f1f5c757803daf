import { Global, Module, type DynamicModule } from '@nestjs/common';
import { GrantedCredentials } from '../identity/granted.js';
import { CredentialSource, IdentityIssuer } from '../identity/identity.issuer.js';
import { IdentityKey } from '../identity/keys.js';
import { ISSUER, MessageSigner, type CallerName, type MessageSecrets } from './message-keys.js';
import { RedisClock } from './redis-clock.js';
import { RequestSender } from './request-sender.js';
import { RpcClient } from './rpc-client.js';

export interface RpcOptions extends MessageSecrets {
  redisUrl: string;
  rpcPrefix: string;
  rpcMaxQueue: number;
  /** Only of the process that signs identities. */
  identityPrivateKey?: string;
}

/** RpcClient for a whole process that calls services. Its configuration can be given as the options. */
@Global()
@Module({})
export class RpcModule {
  static forProcess(name: CallerName, options: RpcOptions, clock = new RedisClock()): DynamicModule {
    const { redisUrl, rpcPrefix: prefix, rpcMaxQueue: maxQueue, identityPrivateKey } = options;
    const signer = new MessageSigner(name, options);
    return {
      module: RpcModule,
      providers: [
        { provide: RedisClock, useValue: clock },
        {
          provide: RequestSender,
          useFactory: () => {
            const sender = new RequestSender({ redisUrl, prefix, maxQueue, clock, signer });
            void sender.open(); // goes on in the background: a process without Redis is up, and says 503
            return sender;
          },
        },
        {
          provide: CredentialSource,
          useFactory: () =>
            name === ISSUER
              ? new IdentityIssuer(new IdentityKey(identityPrivateKey ?? ''), clock)
              : new GrantedCredentials(),
        },
        RpcClient,
      ],
      exports: [RedisClock, RpcClient, RequestSender],
    };
  }
}
