import { Global, Module, type DynamicModule } from '@nestjs/common';
import { IdentityIssuer } from '../identity/identity.issuer.js';
import { IdentitySecrets } from '../identity/secrets.js';
import { RedisClock } from './redis-clock.js';
import { RequestSender } from './request-sender.js';
import { RpcClient } from './rpc-client.js';

export interface RpcOptions {
  redisUrl: string;
  rpcPrefix: string;
  rpcMaxQueue: number;
  identitySecrets: string[];
}

/** RpcClient and IdentityIssuer for a whole process. A ServiceConfig can be given as the options. */
@Global()
@Module({})
export class RpcModule {
  static forProcess(options: RpcOptions, clock = new RedisClock()): DynamicModule {
    const { redisUrl, rpcPrefix: prefix, rpcMaxQueue: maxQueue } = options;
    return {
      module: RpcModule,
      providers: [
        { provide: RedisClock, useValue: clock },
        { provide: IdentitySecrets, useFactory: () => new IdentitySecrets(options.identitySecrets) },
        {
          provide: RequestSender,
          useFactory: () => {
            const sender = new RequestSender({ redisUrl, prefix, maxQueue, clock });
            void sender.open(); // goes on in the background: a process without Redis is up, and says 503
            return sender;
          },
        },
        IdentityIssuer,
        RpcClient,
      ],
      exports: [RedisClock, IdentitySecrets, IdentityIssuer, RpcClient, RequestSender],
    };
  }
}
